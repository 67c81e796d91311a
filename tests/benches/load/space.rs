//! What a commit takes on disk, when it came over HTTP with an idempotency key.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use acceptance::files;
use acceptance::http::Connection;
use acceptance::process::Process;
use acceptance::request::Request;
use acceptance::table::Dice;
use serde_json::{Value, json};

use crate::setting;

/// Who writes at the same time; each match is played to its end, one after the other.
const WRITERS: u64 = 64;
const GAMES: [&str; 4] = ["rosenkoenig", "copenhagen", "voluspa", "delphi"];
/// The commits of a match of random play can be very many: then another one begins.
const MOST: usize = 400;

pub(crate) fn measure() {
    let commits = setting("LOAD_COMMITS", 50_000);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Process::serve(folder.path(), &[]);
    let (done, start) = (AtomicUsize::new(0), Instant::now());
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (server, done) = (&server, &done);
            scope.spawn(move || {
                let mut dice = Dice::new(writer);
                let mut connection = Connection::open(server.address).expect("it listens");
                while done.load(Ordering::Relaxed) < commits {
                    let played = play(&mut connection, &mut dice);
                    done.fetch_add(played, Ordering::Relaxed);
                }
            });
        }
    });
    let (commits, seconds) = (done.into_inner(), start.elapsed().as_secs_f64());
    server.stop();
    let bytes = files::size(&folder.path().join("log"));
    println!(
        "{:<44} {:>10.0} bytes (goal at most 600), {commits} commits, {:.0} /s",
        "a commit in the log, keys included",
        bytes as f64 / commits as f64,
        commits as f64 / seconds
    );
}

/// Plays a match; returns how many commits it has then.
fn play(connection: &mut Connection, dice: &mut Dice) -> usize {
    let mut ask = |request: Request| request.on(connection).expect("it answers");
    let key = |dice: &mut Dice| {
        let mut word = || dice.below(1 << 30);
        format!("{:08x}-{:08x}-{:08x}", word(), word(), word())
    };
    let body = json!({"game": GAMES[dice.below(GAMES.len())], "seats": [{}, {}]});
    let open = Request::new("POST", "/v1/matches").header("Idempotency-Key", &key(dice));
    let opened = ask(open.json(&body)).created();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let path = format!("/v1/matches/{}", text(&opened["match"]));
    let tokens: Vec<String> =
        (0..2).map(|seat| format!("Bearer {}", text(&opened["seat_tokens"][seat]))).collect();
    let mut active = opened["active_seat"].as_u64();
    if active.is_none() {
        active = ask(Request::new("GET", &path)).ok()["active_seat"].as_u64();
    }
    let mut commits = 1;
    while let Some(seat) = active.filter(|_| commits < MOST) {
        let token = &tokens[usize::try_from(seat).expect("a seat")];
        let legal = Request::new("GET", &format!("{path}/legal-commands"));
        let legal = ask(legal.header("Authorization", token)).items();
        let command = Request::new("POST", &format!("{path}/commands"))
            .header("Authorization", token)
            .header("Idempotency-Key", &key(dice))
            .json(&json!({"command": legal[dice.below(legal.len())]}));
        ask(command).created();
        commits += 1;
        active = ask(Request::new("GET", &path)).ok()["active_seat"].as_u64();
    }
    commits
}

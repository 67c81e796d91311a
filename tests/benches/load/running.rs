//! Very many running matches: how much memory they take.

use std::thread;
use std::time::Duration;

use acceptance::http::Connection;
use acceptance::process::Process;
use acceptance::request::Request;
use serde_json::json;

use crate::setting;

/// Who opens and plays them at the same time.
const PLAYERS: usize = 16;
const GAMES: [&str; 4] = ["voluspa", "rosenkoenig", "copenhagen", "delphi"];
const COMMANDS: usize = 2;
/// What is freed late is free by then.
const AFTERMATH: Duration = Duration::from_secs(5);

pub(crate) fn measure() {
    let matches = setting("LOAD_RUNNING", 10_000);
    let server = Process::alone(&[]);
    let empty = server.resident_kib();
    thread::scope(|scope| {
        for player in 0..PLAYERS {
            let server = &server;
            scope.spawn(move || {
                let mut connection = Connection::open(server.address).expect("it listens");
                for number in (player..matches).step_by(PLAYERS) {
                    begin(&mut connection, GAMES[number / PLAYERS % GAMES.len()]);
                }
            });
        }
    });
    thread::sleep(AFTERMATH);
    let full = server.resident_kib();
    println!(
        "{:<44} {:>10.0} MB (goal 120), {:.0} of them the empty server's, {:.1} kB a match",
        format!("{matches} running matches"),
        full as f64 * 1.024e-3,
        empty as f64 * 1.024e-3,
        full.saturating_sub(empty) as f64 * 1.024 / matches as f64
    );
    server.stop();
}

/// Opens a match and gives its first commands.
fn begin(connection: &mut Connection, game: &str) {
    let mut ask = |request: Request| request.on(connection).expect("it answers");
    let opened =
        Request::new("POST", "/v1/matches").json(&json!({"game": game, "seats": [{}, {}]}));
    let opened = ask(opened).created();
    let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
    for _ in 0..COMMANDS {
        let seat = ask(Request::new("GET", &path)).ok()["active_seat"].as_u64();
        let seat = usize::try_from(seat.expect("somebody is to act")).expect("a seat");
        let token = opened["seat_tokens"][seat].as_str().expect("a token");
        let signed = |method, what| {
            let request = Request::new(method, &format!("{path}/{what}"));
            request.header("Authorization", &format!("Bearer {token}"))
        };
        let legal = ask(signed("GET", "legal-commands")).ok();
        ask(signed("POST", "commands").json(&json!({"command": legal["items"][0]}))).created();
    }
}

//! The database hangs: who needs it waits or is refused, and everybody else is answered as ever.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::{Client, Dice, Request, Table};
use serde_json::json;

use crate::away::{again, serve, two_begun};
use crate::postgres;

/// So many ask for each of the things that need the database.
const MANY: usize = 25;

/// So long it hangs.
const HANGS: Duration = Duration::from_secs(9);
/// So long that meanwhile the file of the list is written, which asks the database.
const HANGS_LONG: Duration = Duration::from_secs(20);

/// All processes of a PostgreSQL of this test, by the address of a database in it.
fn signal(address: &str, name: &str) {
    let socket = address.split_once('@').expect("a host").1.split_once('/').expect("a name").0;
    let folder = PathBuf::from(socket.replace("%2F", "/"));
    let file = fs::read_to_string(folder.join("data/postmaster.pid")).expect("it runs");
    let id = file.lines().next().expect("a number");
    // Of the children one may have ended by itself.
    let kill = format!(
        "kill -{name} {id} && for child in $(cat /proc/{id}/task/{id}/children); do kill -{name} $child || true; done"
    );
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh is there").success());
}

/// Answered at once.
#[track_caller]
fn at_once(client: &Client, path: &str) {
    within(6, client, path);
}

/// Answered within so many seconds.
#[track_caller]
fn within(seconds: u64, client: &Client, path: &str) {
    let start = Instant::now();
    assert_eq!(client.get(path).status, 200, "{path}");
    assert!(start.elapsed() < Duration::from_secs(seconds), "{path}: {:?}", start.elapsed());
}

#[test]
fn who_does_not_need_a_database_that_hangs_is_answered_at_once() {
    let Some((_cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    let door = server.operator();
    let mut dice = Dice::new(1);
    let (open, tables) = two_begun(&client, &mut dice);
    let path = format!("/v1/matches/{}", tables[0].id);
    let before = client.get(&path);
    // The last one is computed: it needs a thread of those that read.
    let at_hand = ["/healthz", "/v1/games", "/v1/games/rosenkoenig/board.svg?fixture=turn"];
    at_hand.iter().for_each(|path| at_once(&client, path));

    // The list has something to write.
    tables[1].play(&mut dice, 1);
    signal(&address, "STOP");
    let begun = Barrier::new(5 * MANY + 1);
    thread::scope(|scope| {
        for number in 0..MANY {
            let key = format!("a-key-that-nobody-guesses-{number}");
            let opening = Request::new("POST", "/v1/matches").json(&open);
            let seat = tables[1].seat(number % 2);
            let id = &tables[1].id;
            let stranger = format!("Bearer {number:064x}");
            let command = json!({"command": {"type": "DrawCard"}});
            let acting = Request::new("POST", &format!("/v1/matches/{id}/commands")).json(&command);
            let asked = [
                (client.clone(), Request::new("POST", "/v1/seeds")),
                (client.clone(), opening.header("idempotency-key", &key)),
                (seat, acting.header("idempotency-key", &key)),
                (client.clone(), Request::new("GET", &path)),
                // A token that no server knows is looked for in the database.
                (client.clone(), Request::new("GET", &path).header("authorization", &stranger)),
            ];
            for (client, request) in asked {
                let begun = &begun;
                scope.spawn(move || {
                    begun.wait();
                    // Whether it is carried out or refused: that is not asked here.
                    drop(client.try_send(request));
                });
            }
        }
        begun.wait();
        // It goes on in any case, so that all end.
        scope.spawn(|| {
            thread::sleep(HANGS_LONG);
            signal(&address, "CONT");
        });
        let start = Instant::now();
        while start.elapsed() < HANGS_LONG - Duration::from_secs(1) {
            at_hand.iter().for_each(|path| at_once(&client, path));
            ["/metrics", "/settings"].iter().for_each(|path| within(6, &door, path));
            thread::sleep(Duration::from_millis(100));
        }
    });

    assert_eq!(again(&client, &path).body, before.body);
    again(&client, "/readyz");
    tables[0].play(&mut dice, 2);
    Table::open(&client, &open).play(&mut dice, 2);
    server.stop();
}

/// What nothing can follow on any more, and what is below a version that is known, is told from memory.
#[test]
fn what_cannot_have_moved_on_is_shown_while_the_database_hangs() {
    let Some((_cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &["--matches-mib", "16"]);
    let client = server.client();
    let mut dice = Dice::new(5);
    let (_, [finished, running]) = two_begun(&client, &mut dice);
    finished.finish(&mut dice);
    let below = running.version();
    running.play(&mut dice, 1);
    let path = |table: &Table, more: &str| format!("/v1/matches/{}/view{more}", table.id);
    let (over, newest) = (path(&finished, ""), path(&running, ""));
    let before = [&over, &newest].map(|path| client.get(path).ok());
    let at_hand = [over.clone(), path(&running, &format!("?at={below}"))];
    // From now on in memory.
    at_hand.iter().for_each(|path| drop(client.get(path).ok()));

    signal(&address, "STOP");
    thread::scope(|scope| {
        let asks = scope.spawn(|| {
            let start = Instant::now();
            let answer = client.get(&newest);
            (answer, start.elapsed())
        });
        // It goes on in any case, so that all end.
        scope.spawn(|| {
            thread::sleep(HANGS);
            signal(&address, "CONT");
        });
        let start = Instant::now();
        while start.elapsed() < HANGS - Duration::from_secs(1) {
            at_hand.iter().for_each(|path| at_once(&client, path));
            thread::sleep(Duration::from_millis(100));
        }
        // The newest view waits for the database.
        let (answer, took) = asks.join().expect("it does not panic");
        assert!(took > HANGS - Duration::from_secs(1), "{took:?}");
        assert!(matches!(answer.status, 200 | 503), "{}", answer.text());
    });
    let after = [&over, &newest].map(|path| again(&client, path).json());
    assert_eq!(after, before);
    server.stop();
}

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
const HANGS: Duration = Duration::from_secs(5);

/// All processes of a PostgreSQL of this test, by the address of a database in it.
fn signal(address: &str, name: &str) {
    let socket = address.split_once('@').expect("a host").1.split_once('/').expect("a name").0;
    let folder = PathBuf::from(socket.replace("%2F", "/"));
    let file = fs::read_to_string(folder.join("data/postmaster.pid")).expect("it runs");
    let id = file.lines().next().expect("a number");
    let kill = format!("kill -{name} {id} $(cat /proc/{id}/task/{id}/children)");
    assert!(Command::new("sh").args(["-c", &kill]).status().expect("sh is there").success());
}

/// Answered at once.
#[track_caller]
fn at_once(client: &Client, path: &str) {
    let start = Instant::now();
    assert_eq!(client.get(path).status, 200, "{path}");
    assert!(start.elapsed() < Duration::from_secs(1), "{path}: {:?}", start.elapsed());
}

#[test]
fn who_does_not_need_a_database_that_hangs_is_answered_at_once() {
    let Some((_cluster, address)) = postgres::alone() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&address, folder.path(), &[]);
    let client = server.client();
    let mut dice = Dice::new(1);
    let (open, tables) = two_begun(&client, &mut dice);
    let path = format!("/v1/matches/{}", tables[0].id);
    let before = client.get(&path);
    // The last one is computed: it needs a thread of those that read.
    let at_hand = ["/healthz", "/v1/games", "/v1/games/rosenkoenig/board.svg?fixture=turn"];
    at_hand.iter().for_each(|path| at_once(&client, path));

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
            thread::sleep(HANGS);
            signal(&address, "CONT");
        });
        let start = Instant::now();
        while start.elapsed() < HANGS - Duration::from_secs(1) {
            at_hand.iter().for_each(|path| at_once(&client, path));
            thread::sleep(Duration::from_millis(100));
        }
    });

    assert_eq!(again(&client, &path).body, before.body);
    again(&client, "/readyz");
    tables[0].play(&mut dice, 2);
    Table::open(&client, &open).play(&mut dice, 2);
    server.stop();
}

//! A name that is forgotten at one server is forgotten at all of them, also at one that was away.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::{Client, Dice, Request, Table, run_on};
use serde_json::{Value, json};

use crate::{Two, postgres, serve};

fn open(client: &Client, first: &str, second: &str) -> Table {
    let seats = json!([{"name": first}, {"name": second}]);
    Table::open(client, &json!({"game": "rosenkoenig", "seats": seats}))
}

fn forget(operator: &Client, name: &str) -> Value {
    let body = json!({"name": name});
    operator.send(Request::new("POST", "/names/forget").json(&body)).ok()
}

fn listed(client: &Client, name: &str) -> usize {
    let page = client.matches(&format!("player={name}")).ok();
    page["items"].as_array().expect("a list").len()
}

fn players(client: &Client) -> String {
    client.get("/v1/stats/rosenkoenig/players").text()
}

/// Looks again until it is so, for so long.
#[track_caller]
fn within(most: Duration, what: &str, mut so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !so() {
        assert!(start.elapsed() < most, "{what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// The bytes of a file and of what is to come into it.
fn has(folder: &Path, file: &str, name: &str) -> bool {
    let of = |file: String| fs::read(folder.join(file)).unwrap_or_default();
    let bytes = [of(file.to_owned()), of(format!("{file}-wal"))].concat();
    bytes.windows(name.len()).any(|part| part == name.as_bytes())
}

#[test]
fn a_name_that_is_forgotten_at_one_server_vanishes_at_the_other() {
    let Some(two) = Two::start() else { return };
    let [one, other] = two.clients();
    let tables = [open(&one, "Gunnlod", "Ben"), open(&other, "Ben", "Gunnlod")];
    tables.iter().for_each(|table| drop(table.play(&mut Dice::new(1), 3)));
    let before = other.commits(&tables[0].id, "").ok();
    assert_eq!(other.names(&tables[0].id), [json!("Gunnlod"), json!("Ben")]);
    assert_eq!(listed(&other, "Gunnlod"), 2);

    assert_eq!(forget(&two.operators()[0], "Gunnlod"), json!({"matches": 2, "names": 2}));
    within(Duration::from_secs(60), "the other has forgotten too", || {
        other.names(&tables[0].id) == [Value::Null, json!("Ben")]
            && other.names(&tables[1].id) == [json!("Ben"), Value::Null]
            && listed(&other, "Gunnlod") == 0
    });
    assert_eq!(listed(&other, "Ben"), 2);
    assert_eq!(other.commits(&tables[0].id, "").ok(), before, "the chain is as it was");
    // The other way round, while the match goes on.
    assert_eq!(forget(&two.operators()[1], "Ben"), json!({"matches": 2, "names": 2}));
    tables[0].through(&other).play(&mut Dice::new(2), 3);
    within(Duration::from_secs(60), "and the first one", || {
        one.names(&tables[0].id) == [Value::Null, Value::Null] && listed(&one, "Ben") == 0
    });
    tables[1].play(&mut Dice::new(3), 3);
}

/// What a command says of the store in this database; `data` has what it derives.
fn told(command: &[&str], address: &str, data: &Path) -> String {
    run_on(data, &[command, &["--store", address]].concat()).ok()
}

#[test]
fn a_command_with_files_of_before_has_forgotten_too() {
    let Some(two) = Two::start() else { return };
    let [one, _] = two.clients();
    open(&one, "Gunnlod", "Ben").finish(&mut Dice::new(1));
    let folder = tempfile::tempdir().expect("a folder");
    let names = || told(&["query", "SELECT name FROM seats"], &two.database, folder.path());
    let counted = || {
        let who = ["stats", "--game", "rosenkoenig", "--group-by", "player"];
        told(&who, &two.database, folder.path())
    };
    assert!(names().contains("Gunnlod") && counted().contains("Gunnlod"));
    assert_eq!(forget(&two.operators()[0], "Gunnlod"), json!({"matches": 1, "names": 1}));
    for _ in 0..2 {
        let (names, counted) = (names(), counted());
        assert!(names.contains("Ben") && !names.contains("Gunnlod"), "{names}");
        assert!(counted.contains("Ben") && !counted.contains("Gunnlod"), "{counted}");
    }
    assert!(!has(folder.path(), "tables.sqlite", "Gunnlod"));
    assert!(!has(folder.path(), "statistics.json", "Gunnlod"));
}

#[test]
fn a_server_that_was_away_forgets_when_it_is_back() {
    let Some(address) = postgres::database() else { return };
    let folders = [0, 1].map(|_| tempfile::tempdir().expect("a folder"));
    let start = |at: usize| Process::spawn(&mut serve(&address, folders[at].path()));
    let (first, second) = (start(0), start(1));
    let away = folders[1].path();
    let finished = open(&first.client(), "Gunnlod", "Ben");
    finished.finish(&mut Dice::new(1));
    within(Duration::from_secs(30), "it is counted", || {
        players(&second.client()).contains("Gunnlod")
    });
    second.stop();
    for file in ["list.sqlite", "statistics.json"] {
        assert!(has(away, file, "Gunnlod"), "{file}");
    }

    assert_eq!(forget(&first.operator(), "Gunnlod"), json!({"matches": 1, "names": 1}));
    let second = start(1);
    let client = second.client();
    within(Duration::from_secs(60), "it has forgotten", || {
        client.names(&finished.id) == [Value::Null, json!("Ben")] && listed(&client, "Gunnlod") == 0
    });
    within(Duration::from_secs(30), "and is counted anew", || {
        let players = players(&client);
        players.contains("Ben") && !players.contains("Gunnlod")
    });
    second.stop();
    for file in ["list.sqlite", "statistics.json"] {
        assert!(!has(away, file, "Gunnlod"), "{file}");
    }
    first.stop();
}

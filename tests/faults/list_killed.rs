//! The file of the list of matches when the server is killed, and when it is damaged, cut off, of another store or of a later time: the right list all the same.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use acceptance::files;
use acceptance::process::Process;
use acceptance::{Client, Dice, Request, Table, until};

use crate::derived_files::{read, write};

pub(crate) const FILES: [&str; 4] =
    ["list.sqlite", "list.sqlite-wal", "list.sqlite-shm", "list.sums"];

/// What is asked of the list.
const QUESTIONS: [&str; 9] = [
    "limit=1000",
    "game=rosenkoenig&limit=1000",
    "game=delphi",
    "status=running",
    "status=abandoned&game=copenhagen",
    "player=Ada",
    "player=Ben&status=running&limit=3",
    "player=Ada&game=rosenkoenig",
    "player=nobody",
];

/// All answers; also that pages of every size hold the same.
fn answers(client: &Client) -> Vec<Value> {
    let all = QUESTIONS.map(|query| client.matches(query).ok());
    let items = all[0]["items"].as_array().expect("a list").clone();
    let paged = Table::pages(70, |query| client.matches(query).ok());
    assert!(items == paged[..items.len()], "pages hold the same");
    all.to_vec()
}

fn by_status(server: &Process) -> String {
    let metrics = server.operator().get("/metrics").text();
    let lines = metrics.lines().filter(|line| line.starts_with("muninn_matches"));
    lines.filter(|line| !line.contains("in_memory")).collect::<Vec<_>>().join("\n")
}

fn is_rebuilt(server: &Process) -> bool {
    server.operator().rebuilt("list") == 1
}

/// Matches of every kind.
fn play(client: &Client, dice: &mut Dice, rounds: usize) {
    for round in 0..rounds {
        let game = ["rosenkoenig", "copenhagen"][round % 2];
        let visibility = ["public", "private"][usize::from(round % 7 == 5)];
        let name = ["Ada", "Ben", "Cora"][round % 3];
        let seats = json!([{"name": name}, {"name": "Ben", "open": round % 5 == 4}]);
        let body = json!({"game": game, "seats": seats, "visibility": visibility});
        let table = Table::open(client, &body);
        if round % 5 < 4 {
            table.play(dice, round % 4);
        }
        if round % 3 == 1 {
            table.owner().close(&table.id).ok();
        }
    }
}

#[test]
fn a_list_that_was_kept_is_the_list_that_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let server = Process::serve(data, &[]);
    play(&server.client(), &mut Dice::new(1), 40);
    let (listed, counts) = (answers(&server.client()), by_status(&server));
    server.stop();
    // From the file; then made anew.
    for kept in [true, false] {
        if !kept {
            write(data, &FILES, &BTreeMap::new());
        }
        let server = Process::serve(data, &[]);
        assert_eq!(answers(&server.client()), listed);
        assert_eq!(by_status(&server), counts);
        assert!(!is_rebuilt(&server), "there is nothing wrong with it");
        server.stop();
    }
}

#[test]
fn damage_anywhere_in_the_file_is_noticed_and_it_is_made_anew() {
    let (rounds, seed) = crate::rounds(8);
    let (folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    play(&server.client(), &mut Dice::new(seed), 30);
    let listed = answers(&server.client());
    server.stop();
    let whole = read(&data, &FILES);
    let mut dice = Dice::new(seed);
    for round in 0..rounds {
        let mut files = whole.clone();
        let name = ["list.sqlite", "list.sums"][usize::from(round % 4 == 3)];
        let bytes = files.get_mut(name).expect("it is there");
        let what = if round % 4 == 1 {
            bytes.truncate(dice.below(bytes.len()));
            format!("round {round}, seed {seed}: {name} with {} bytes", bytes.len())
        } else {
            let (at, bit) = (dice.below(bytes.len()), dice.below(8));
            bytes[at] ^= 1 << bit;
            format!("round {round}, seed {seed}: {name} bit {bit} of {at}")
        };
        write(&data, &FILES, &files);
        let log = folder.path().join("log");
        let server = Process::serve_logging(&data, &log, "json");
        assert_eq!(answers(&server.client()), listed, "{what}");
        assert!(is_rebuilt(&server), "{what}");
        server.stop();
        let log = fs::read_to_string(log).expect("a log");
        assert!(log.contains("the list of matches is being made anew"), "{what}");
    }
}

#[test]
fn a_file_of_another_store_or_of_a_later_time_is_not_used() {
    let (folder, [data, other]) = acceptance::places(["data", "other"]);
    let backup = folder.path().join("backup");
    let server = Process::serve(&data, &[]);
    play(&server.client(), &mut Dice::new(1), 12);
    let listed = answers(&server.client());
    server.stop();
    files::write(&backup, &files::read(&data));
    let server = Process::serve(&other, &[]);
    play(&server.client(), &mut Dice::new(2), 12);
    server.stop();
    let server = Process::serve(&data, &[]);
    play(&server.client(), &mut Dice::new(3), 9);
    server.stop();
    for from in [&other, &data] {
        write(&backup, &FILES, &read(from, &FILES));
        let server = Process::serve(&backup, &[]);
        assert_eq!(answers(&server.client()), listed);
        assert!(is_rebuilt(&server));
        server.stop();
    }
}

/// Killed while matches are opened and played, between and in the middle of writing the file.
#[test]
fn kills_at_any_moment_leave_the_right_list() {
    let (rounds, seed) = crate::rounds(4);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let mut dice = Dice::new(seed);
    let mut opened = 0;
    for _ in 0..rounds {
        let server = Process::serve(data, &[]);
        let client = server.client();
        let (start, most) = (Instant::now(), Duration::from_millis(dice.below(7_000) as u64));
        while start.elapsed() < most {
            play(&client, &mut dice, 5);
            opened += 5;
        }
        let listed = answers(&client);
        server.kill();
        let server = Process::serve(data, &["--wait-for-projections"]);
        assert_eq!(answers(&server.client()), listed, "seed {seed}, {opened} matches");
        assert!(!is_rebuilt(&server), "it is caught up with");
        let ready = server.operator().get("/readyz").ok();
        assert!(
            ready["projections"].as_array().expect("a list").iter().all(|one| one["behind"] == 0),
            "{ready}"
        );
        server.kill();
    }
    // A large list takes its time.
    let whole = || Process::serve(data, &["--wait-for-projections"]);
    let server = whole();
    let (listed, counts) = (answers(&server.client()), by_status(&server));
    server.stop();
    write(data, &FILES, &BTreeMap::new());
    let server = whole();
    assert_eq!((answers(&server.client()), by_status(&server)), (listed, counts));
    server.stop();
}

/// Of a running server: the file is not asked once it is known to be damaged or gone.
#[test]
fn a_file_that_is_damaged_while_the_server_runs_is_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let server = Process::serve(data, &[]);
    play(&server.client(), &mut Dice::new(5), 20);
    let listed = answers(&server.client());
    server.stop();
    for removed in [false, true] {
        let server = Process::serve(data, &[]);
        let file = data.join("list.sqlite");
        if removed {
            fs::remove_file(file).expect("it is there");
        } else {
            let mut bytes = fs::read(&file).expect("a file");
            bytes.iter_mut().skip(16 << 10).for_each(|byte| *byte ^= 0x55);
            fs::write(file, bytes).expect("it is written");
        }
        until("the damage to be noticed", || {
            for _ in 0..50 {
                right_or_unavailable(&server.client(), &listed[0]);
            }
            is_rebuilt(&server)
        });
        until("the list made anew", || right_or_unavailable(&server.client(), &listed[0]));
        assert_eq!(answers(&server.client()), listed);
        server.stop();
    }
}

/// Asks for the whole list: it is this one, or there is none now.
fn right_or_unavailable(client: &Client, listed: &Value) -> bool {
    let page = client.matches(QUESTIONS[0]);
    if page.status == 503 {
        assert_eq!(page.header("retry-after"), Some("5"));
        page.problem(503, "unavailable");
        return false;
    }
    assert_eq!(page.ok(), *listed);
    true
}

const NAME: &str = "Adalberta of the list";

/// Is the name in one of the files?
fn is_in_files(data: &Path) -> bool {
    let has = |bytes: &Vec<u8>| bytes.windows(NAME.len()).any(|part| part == NAME.as_bytes());
    read(data, &FILES).values().any(has)
}

/// It lies there if the server ended before it was written, or somebody has put it back.
#[test]
fn a_list_from_before_a_name_was_forgotten_does_not_bring_it_back() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let seats = json!([{"name": NAME}, {"name": "Ben"}]);
    let open = json!({"game": "rosenkoenig", "seats": seats});
    Table::open(&server.client(), &open).finish(&mut Dice::new(4));
    server.stop();
    let before = read(&data, &FILES);
    assert!(is_in_files(&data));
    let server = Process::serve(&data, &[]);
    let forget = Request::new("POST", "/names/forget").json(&json!({"name": NAME}));
    assert_eq!(server.operator().send(forget).ok()["matches"], 1);
    let listed = server.client().matches("player=Ben").ok();
    server.stop();
    write(&data, &FILES, &before);
    for _ in 0..2 {
        let server = Process::serve(&data, &[]);
        assert_eq!(server.client().matches("player=Ben").ok(), listed);
        let player = format!("player={}", NAME.replace(' ', "%20"));
        assert_eq!(server.client().matches(&player).ok()["items"], json!([]));
        assert!(!is_rebuilt(&server), "it is brought up to date");
        server.stop();
        assert!(!is_in_files(&data));
    }
}

/// A name that is forgotten is in none of the files, as soon as the operator has the answer.
#[test]
fn a_forgotten_name_is_in_none_of_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let server = Process::serve(data, &[]);
    for _ in 0..40 {
        let seats = json!([{"name": NAME}, {"name": "Ben"}]);
        Table::open(&server.client(), &json!({"game": "rosenkoenig", "seats": seats}));
    }
    server.stop();
    assert!(is_in_files(data));
    let server = Process::serve(data, &[]);
    let forget = Request::new("POST", "/names/forget").json(&json!({"name": NAME}));
    assert_eq!(server.operator().send(forget).ok()["matches"], 40);
    assert!(!is_in_files(data));
    let listed = server.client().matches("player=Ben").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(40));
    assert!(!listed.to_string().contains(NAME));
    server.kill();
    let server = Process::serve(data, &[]);
    assert_eq!(server.client().matches("player=Ben").ok(), listed);
    server.stop();
}

//! What an operator reads in the log: one line for each request where that is wanted, and no line in a flood more than once a second.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::process::Process;
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Dice, Request, Table, until};
use serde_json::{Value, json};
use store::StreamId;

/// A server that logs objects of JSON into a file.
fn serve(data: &Path, log: &Path) -> Process {
    let mut serve = Process::command(data);
    serve.args(["--log", "warn", "--log-format", "json", "--matches-mib", "0"]);
    Process::spawn(serve.stderr(fs::File::create(log).expect("a file for the log")))
}

/// The lines with this message.
fn lines(log: &Path, message: &str) -> Vec<Value> {
    let text = fs::read_to_string(log).expect("a log");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    lines.filter(|line| line["message"] == message).collect()
}

/// Asserts that there was at most a line a second, and returns how many were written and how many left out.
#[track_caller]
fn a_line_a_second(lines: &[Value], since: Instant) -> (usize, u64) {
    let most = since.elapsed().as_secs() as usize + 2;
    assert!((1..=most).contains(&lines.len()), "{} lines, {most} at most", lines.len());
    let more = lines.iter().map(|line| line["more"].as_u64().expect("a number"));
    (lines.len(), more.sum())
}

/// Whoever asks for the lines of requests still learns of everything else.
#[test]
fn what_is_said_of_a_part_of_the_program_silences_no_other() {
    let (folder, [log]) = acceptance::places(["log"]);
    let mut serve = Process::command(&folder.path().join("data"));
    serve.args(["--log", "server=debug", "--log-format", "json"]);
    let server = Process::spawn(serve.stderr(fs::File::create(&log).expect("a file")));
    server.client().get("/v1/games").ok();
    let nothing = Request::new("PUT", "/log").json(&json!({"log": ""}));
    server.operator().send(nothing).problem(400, "malformed");
    server.stop();
    assert!(!lines(&log, "request").is_empty(), "each request is a line");
    for other in ["serving", "stopped"] {
        assert_eq!(lines(&log, other).len(), 1, "{other}");
    }
}

#[test]
fn the_line_of_a_request_says_which_match_and_seat_and_how_long_it_took() {
    let (folder, [log]) = acceptance::places(["log"]);
    let server = serve(&folder.path().join("data"), &log);
    let table = Table::rosenkoenig(&server.client());
    assert!(lines(&log, "request").is_empty(), "it is off by default");
    let wanted = Request::new("PUT", "/log").json(&json!({"log": "info,server=debug"}));
    server.operator().send(wanted).ok();

    let seat = table.active().expect("it runs");
    let (path, command) = (format!("/v1/matches/{}/commands", table.id), &table.legal()[0]);
    let request = Request::new("POST", &path).json(&json!({"command": command}));
    let start = Instant::now();
    table.seat(seat).send(request.header("X-Request-Id", "mine")).created();
    let most = start.elapsed().as_millis() as u64 + 1;
    table.owner().get(&format!("/v1/matches/{}", table.id)).ok();
    server.client().get("/v1/games").ok();
    server.stop();

    let all = lines(&log, "request");
    let of = |route: &str| {
        let found: Vec<&Value> = all.iter().filter(|line| line["http.route"] == route).collect();
        found.last().copied().unwrap_or_else(|| panic!("{route} is in no line: {all:?}"))
    };
    let line = of("/v1/matches/{id}/commands");
    for (name, value) in [
        ("level", json!("DEBUG")),
        ("request.id", json!("mine")),
        ("http.method", json!("POST")),
        ("http.status", json!(201)),
        ("match.id", json!(table.id)),
        ("seat", json!(seat)),
    ] {
        assert_eq!(line[name], value, "{name}: {line}");
    }
    let took = line["duration_ms"].as_u64().expect("a number of milliseconds");
    assert!(took <= most, "{took} ms, and the client waited {most}");
    let owner = of("/v1/matches/{id}");
    assert_eq!((&owner["match.id"], owner.get("seat")), (&json!(table.id), None));
    let games = of("/v1/games");
    assert_eq!((games.get("match.id"), games.get("seat")), (None, None));
    assert!(games["duration_ms"].is_u64(), "{games}");
    let text = fs::read_to_string(&log).expect("a log");
    let mut tokens = table.seat_tokens.iter().flatten().chain([&table.owner_token]);
    assert!(!tokens.any(|token| text.contains(token.as_str())), "no token is in the log");
}

#[test]
fn many_damaged_matches_are_a_line_a_second() {
    const MATCHES: usize = 300;
    let folder = tempfile::tempdir().expect("a folder");
    let [data, log] = ["data", "log"].map(|name| folder.path().join(name));
    let server = Process::serve(&data, &[]);
    let client = server.client();
    let tables: Vec<Table> = (0..MATCHES).map(|_| Table::rosenkoenig(&client)).collect();
    let last = &tables[MATCHES - 1];
    last.play(&mut Dice::new(3), 4);
    server.stop();
    let is_last =
        |stream: StreamId| uuid::Uuid::from_bytes(stream.0).to_string() == last.id.as_str();
    rewrite(&data, &data, |stream, part, bytes| match part {
        Part::Header if !is_last(stream) => *bytes = b"{}".to_vec(),
        Part::Commit(3) => bytes[TEXT_AT + 1..].rotate_left(1),
        Part::Header | Part::Commit(_) | Part::Name => {}
    });

    let start = Instant::now();
    let server = serve(&data, &log);
    let client = server.client();
    let damaged = || client.get("/v1/damaged?limit=1000").ok()["damaged"].as_u64();
    until("the damage", || damaged() >= Some(MATCHES as u64 - 1));
    let found = lines(&log, "set aside as damaged");
    let (written, more) = a_line_a_second(&found, start);
    // The next one says how many were left out, and how many there are.
    thread::sleep(Duration::from_millis(1100));
    client.commits(&last.id, "limit=1000").problem(503, "damaged");
    let found = lines(&log, "set aside as damaged");
    let (all, left_out) = a_line_a_second(&found, start);
    assert_eq!(all, written + 1);
    assert_eq!(all as u64 + left_out, MATCHES as u64, "each was told or counted, {more} before");
    assert_eq!(found.last().map(|line| &line["all"]), Some(&json!(MATCHES)));
    server.stop();
}

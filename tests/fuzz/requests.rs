//! Requests: paths, queries, headers and bodies. Each gets an answer of the contract, and no handler panics.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acceptance::server::Server;
use acceptance::{Client, Connection, Dice, Table};
use serde_json::{Value, json};

use crate::{Target, changed};

/// Pieces that decoders trip over.
const PIECES: [&str; 24] = [
    "%",
    "%2",
    "%00",
    "%2F",
    "%2f..",
    "%25",
    "%FF",
    "%C0%AF",
    "%E2%80%AE",
    "%ED%A0%80",
    "..",
    "//",
    ";",
    "&",
    "&&",
    "=",
    "+",
    "?",
    "#",
    "\\",
    "\u{7f}",
    "%0d%0a",
    "18446744073709551616",
    "-1",
];

const NAMES: [&str; 14] = [
    "at", "after", "limit", "viewer", "from", "to", "type", "game", "player", "until", "theme",
    "dry_run", "include", "lang",
];

const VALUES: [&str; 13] = [
    "1",
    "spots,labels",
    "0",
    "7",
    "1000",
    "spectator",
    "57.3",
    "true",
    "dark",
    "delphi",
    "2026-11-01",
    "",
    "\u{e9}",
];

const HEADERS: [(&str, &str); 11] = [
    ("Idempotency-Key", "0123456789abcdef0123"),
    ("If-Match", "\"3\""),
    ("If-None-Match", "W/\"x\", *"),
    ("Last-Event-ID", "99999999999999999999"),
    ("Accept-Encoding", "br;q=x, zstd"),
    ("X-Request-Id", "%\u{1}"),
    ("X-Forwarded-For", ",,:::,"),
    ("Range", "bytes=-1"),
    ("Origin", "null"),
    ("Expect", "100-continue"),
    ("Content-Encoding", "gzip"),
];

/// All operations of the document: method and path.
fn operations(client: &Client) -> Vec<(String, String)> {
    let document = client.get("/openapi.json").ok();
    let paths = document["paths"].as_object().expect("paths").iter();
    let of = |(path, operations): (&String, &Value)| {
        let path = path.clone();
        let methods: Vec<String> =
            operations.as_object().expect("methods").keys().cloned().collect();
        methods.into_iter().map(move |method| (method.to_uppercase(), path.clone()))
    };
    paths.flat_map(of).collect()
}

/// A world to ask about: matches, their ids, and bodies that are right.
struct World {
    operations: Vec<(String, String)>,
    ids: Vec<(String, Option<String>)>,
    bodies: Vec<Value>,
}

impl World {
    fn new(client: &Client) -> Self {
        let mut ids = vec![("00000000-0000-7000-8000-000000000000".to_owned(), None)];
        let mut bodies =
            vec![json!({}), json!({"sql": "SELECT 1"}), json!({"expected_version": 1})];
        for (game, seats) in [("voluspa", 2), ("copenhagen", 2), ("rosenkoenig", 2), ("delphi", 2)]
        {
            let position =
                client.start_position(game, &json!({"seats": seats})).ok()["position"].clone();
            let body =
                json!({"game": game, "seats": [{"name": "a"}, {"open": true}], "take_back": true});
            bodies.push(body.clone());
            bodies.push(json!({"game": game, "seats": [{}, {}], "position": position}));
            bodies.push(json!({"position": position, "viewer": 0, "names": ["a", null]}));
            let legal = client.analyse(game, &json!({"position": position})).ok();
            let command = legal["legal_commands"][0].clone();
            bodies.push(json!({"command": command, "expected_version": 2}));
            bodies.push(json!({
                "position": position, "commands": [command], "chance": {"seed": "0".repeat(64)},
                "include": ["positions", "legal_commands"],
            }));
            let table =
                Table::open(client, &json!({"game": game, "seats": [{}, {}], "take_back": true}));
            table.play(&mut Dice::new(4), 5);
            ids.push((table.id.clone(), table.seat_tokens[0].clone()));
        }
        let table = Table::rosenkoenig(client);
        table.finish(&mut Dice::new(9));
        ids.push((table.id, Some(table.owner_token)));
        World { operations: operations(client), ids, bodies }
    }

    fn request(&self, dice: &mut testkit::Dice) -> Vec<u8> {
        let (method, template) = dice.of(&self.operations).clone();
        let (id, token) = dice.of(&self.ids).clone();
        let path = path(template, &id, dice);
        let body = match method.as_str() {
            "POST" => {
                let (body, donor) = (dice.of(&self.bodies).clone(), dice.of(&self.bodies).clone());
                if dice.below(3) == 0 { body.to_string() } else { changed(&body, &donor, dice) }
            }
            _ => String::new(),
        };
        let head = head(token, body.len(), dice);
        let start = [method.as_bytes(), b" ", &path, b" HTTP/1.1\r\n"].concat();
        [&start, head.as_bytes(), b"\r\n", body.as_bytes()].concat()
    }
}

/// The path of an operation with a query, both with a few changes.
fn path(template: String, id: &str, dice: &mut testkit::Dice) -> Vec<u8> {
    let game = *dice.of(&["voluspa", "copenhagen", "rosenkoenig", "delphi"]);
    let table = *dice.of(&["events", "matches", "awards", "seats"]);
    let names =
        [("{id}", id), ("{game}", game), ("{seat}", "1"), ("{table}", table), ("{name}", "a")];
    let mut path = names.iter().fold(template, |path, (name, value)| path.replace(name, value));
    for number in 0..dice.below(4) {
        let (name, value) = (*dice.of(&NAMES), *dice.of(&VALUES));
        path.push_str(&format!("{}{name}={value}", if number == 0 { "?" } else { "&" }));
    }
    let mut path = path.into_bytes();
    for _ in 0..dice.below(4) {
        let at = (1 + dice.below(path.len())).min(path.len());
        match dice.below(5) {
            0 => path.truncate(at),
            1 => drop(path.splice(at..at, dice.of(&PIECES).bytes())),
            2 if at < path.len() => path[at] = *dice.of(&[0x21, 0x25, 0x2f, 0x7f, 0x80, 0xff]),
            3 => {
                let piece = path[..at].to_vec();
                drop(path.splice(at..at, piece));
            }
            _ => {
                let pieces = dice.of(&PIECES).repeat(1 + dice.below(400));
                drop(path.splice(at..at, pieces.bytes()));
            }
        }
    }
    path
}

/// The headers, some of them strange.
fn head(token: Option<String>, length: usize, dice: &mut testkit::Dice) -> String {
    let mut head = format!("Host: muninn\r\nContent-Length: {length}\r\n");
    if let Some(token) = token.filter(|_| dice.below(3) > 0) {
        head.push_str(&format!("Authorization: Bearer {token}\r\n"));
    }
    if dice.below(9) > 0 {
        head.push_str("Content-Type: application/json\r\n");
    }
    for _ in 0..dice.below(3) {
        let (name, value) = *dice.of(&HEADERS);
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head
}

/// Sends it, and reads as much of the answer as there is.
fn ask(client: &Client, kept: &mut Option<Connection>, request: &[u8]) {
    let mut connection =
        kept.take().unwrap_or_else(|| Connection::open(client.address).expect("it listens"));
    if connection.write(request).is_err() {
        return;
    }
    let Ok(answer) = connection.read_finite(request.starts_with(b"HEAD")) else {
        // What is no request at all may be answered by the end of the connection, never by a crash: the next one is answered.
        return;
    };
    assert!(
        answer.status < 500 || answer.status == 503,
        "{} {}",
        answer.status,
        answer.body.escape_ascii()
    );
    let parser = matches!(answer.status, 400 | 408 | 431) && answer.body.is_empty();
    if answer.status >= 400 && !parser && !request.starts_with(b"HEAD") {
        assert_eq!(
            answer.header("content-type"),
            Some("application/problem+json"),
            "{}",
            answer.status
        );
        if answer.header("content-encoding").is_none() {
            assert_ne!(answer.json()["code"], "internal", "{}", answer.text());
        }
    }
    let goes_on = answer.header("connection") != Some("close")
        && answer.header("content-type") != Some("text/event-stream");
    if goes_on && answer.status < 400 {
        *kept = Some(connection);
    }
}

#[test]
fn requests_are_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Server::start(folder.path(), catalog::GAMES);
    let client = server.client();
    let world = World::new(&client);
    // A panic of the server is one of this process, whoever catches it.
    let panics = Arc::new(AtomicU64::new(0));
    let (count, told) = (Arc::clone(&panics), panic::take_hook());
    panic::set_hook(Box::new(move |what| {
        count.fetch_add(1, Ordering::SeqCst);
        told(what);
    }));
    let mut kept = None;
    let mut make = |dice: &mut testkit::Dice| world.request(dice);
    Target::new("requests").run(&mut make, &mut |request| {
        let before = panics.load(Ordering::SeqCst);
        ask(&client, &mut kept, request);
        assert_eq!(panics.load(Ordering::SeqCst), before, "something panicked");
    });
    assert_eq!(client.get("/readyz").status, 200);
}

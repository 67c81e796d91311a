//! Requests: paths, queries, headers and bodies. Each gets an answer of the contract, and no handler panics.

use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use acceptance::server::Server;
use acceptance::{Client, Connection, Dice, Table};
use serde_json::{Value, json};

use crate::{Target, changed};

/// Pieces that decoders trip over.
#[rustfmt::skip]
const PIECES: [&str; 24] = [
    "%", "%2", "%00", "%2F", "%2f..", "%25", "%FF", "%C0%AF", "%E2%80%AE", "%ED%A0%80", "..", "//",
    ";", "&", "&&", "=", "+", "?", "#", "\\", "\u{7f}", "%0d%0a", "18446744073709551616", "-1",
];

#[rustfmt::skip]
const NAMES: [&str; 40] = [
    "at", "after", "limit", "viewer", "from", "to", "type", "game", "player", "until", "theme",
    "dry_run", "include", "lang", "since", "fields", "patch", "moves", "pieces", "shape", "hashes",
    "format", "group_by", "players", "seats", "seat", "edition", "bot", "loaded", "branched",
    "option.x", "option.light", "fixture", "url", "maxwidth", "maxheight", "status", "width",
    "interval", "sandbox",
];

#[rustfmt::skip]
const VALUES: [&str; 32] = [
    "1", "spots,labels", "0", "7", "1000", "spectator", "57.3", "true", "dark", "delphi",
    "2026-11-01", "", "\u{e9}", "points", "moves", "pieces", "spots,labels,points",
    "events,moves,legal_commands", "player,bot,day", "option.light,seats", "greedy@1", "all",
    "mixed", "false", "parquet", "csv", "hash,events", "2026-11-23T18:00:00Z", "running", "de",
    "99-12-31", "http://muninn/watch/1",
];

/// Queries that ask for what is seldom asked for by chance.
const QUERIES: [&str; 14] = [
    "dry_run=true",
    "include=spots,labels,points",
    "include=events,moves,spots,labels",
    "include=moves",
    "group_by=player,bot,day&players=all&loaded=all",
    "group_by=option.light&limit=1",
    "after=0&patch=true&moves=true",
    "fields=hash,events&patch=true",
    "pieces=true&theme=dark",
    "since=1",
    "hashes=true&format=ndjson",
    "at=3&viewer=spectator",
    "format=csv&game=delphi&from=2026-01-01",
    "players=all&bot=greedy@1",
];

/// What is no operation of the document: the pages for people, and what other pages ask.
const PAGES: [&str; 18] = [
    "/",
    "/watch",
    "/watch/{id}",
    "/play/{id}",
    "/embed/{id}",
    "/oembed?url=http://muninn/watch/{id}",
    "/oembed?format=xml&url=http%3A%2F%2Fmuninn%2Fembed%2F{id}",
    "/oembed",
    "/pages/index.html",
    "/pages/client/index.js",
    "/docs",
    "/docs/",
    "/docs/swagger-ui.css",
    "/problems/",
    "/problems/malformed",
    "/problems/style.css",
    "/metrics",
    "/favicon.ico",
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
    let pages = PAGES.iter().map(|page| ("GET".to_owned(), (*page).to_owned()));
    paths.flat_map(of).chain(pages).collect()
}

/// A world to ask about: matches, their ids, and bodies that are right.
struct World {
    operations: Vec<(String, String)>,
    ids: Vec<(String, Option<String>)>,
    /// Each with the end of the paths that take it.
    bodies: Vec<(&'static str, Value)>,
}

impl World {
    fn new(client: &Client) -> Self {
        let mut ids = vec![("00000000-0000-7000-8000-000000000000".to_owned(), None)];
        let mut bodies = vec![
            ("/seeds", json!({})),
            ("/take-back", json!({"expected_version": 1})),
            ("/branches", json!({"at": 2, "seats": [{"name": "b"}, {}]})),
            ("/query", json!({"sql": "SELECT 1"})),
            ("/query.csv", json!({"sql": "SELECT game, count(*) FROM matches GROUP BY game"})),
            ("/query.parquet", json!({"sql": "SELECT * FROM seats LIMIT 3"})),
        ];
        for game in catalog::games().iter().map(|game| game.info().id) {
            let table =
                Table::open(client, &json!({"game": game, "seats": [{}, {}], "take_back": true}));
            table.play(&mut Dice::new(4), 5);
            of_game(client, game, &mut bodies);
            halves(&table, &mut bodies);
            ids.push((table.id.clone(), table.seat_tokens[table.active().unwrap_or(0)].clone()));
        }
        let table = Table::rosenkoenig(client);
        table.finish(&mut Dice::new(9));
        ids.push((table.id, Some(table.owner_token)));
        World { operations: operations(client), ids, bodies }
    }

    /// A body that the path takes, mostly, with a few changes, mostly.
    fn body(&self, path: &str, dice: &mut testkit::Dice) -> String {
        let all: Vec<&Value> = self.bodies.iter().map(|(_, body)| body).collect();
        let fits = |(end, body): &'_ (&str, Value)| path.ends_with(end).then(|| body.clone());
        let fitting: Vec<Value> = self.bodies.iter().filter_map(fits).collect();
        let donor = (*dice.of(&all)).clone();
        let body = if fitting.is_empty() || dice.below(4) == 0 {
            (*dice.of(&all)).clone()
        } else {
            dice.of(&fitting).clone()
        };
        if dice.below(3) == 0 { body.to_string() } else { changed(&body, &donor, dice) }
    }

    fn request(&self, dice: &mut testkit::Dice) -> Vec<u8> {
        let (mut method, template) = dice.of(&self.operations).clone();
        let (id, token) = dice.of(&self.ids).clone();
        let body = if method == "POST" { self.body(&template, dice) } else { String::new() };
        let path = path(template, &id, dice);
        if method == "GET" && dice.below(8) == 0 {
            "HEAD".clone_into(&mut method);
        }
        let head = head(token, body.len(), dice);
        let start = [method.as_bytes(), b" ", &path, b" HTTP/1.1\r\n"].concat();
        [&start, head.as_bytes(), b"\r\n", body.as_bytes()].concat()
    }
}

/// Bodies about positions of a game, and sandboxes of it.
fn of_game(client: &Client, game: &str, bodies: &mut Vec<(&'static str, Value)>) {
    let position = client.start_position(game, &json!({"seats": 2})).ok()["position"].clone();
    let open = json!({"game": game, "seats": [{"name": "a"}, {"open": true}], "take_back": true});
    let loaded = json!({"game": game, "seats": [{}, {}], "position": position});
    let sandbox = json!({
        "game": game, "seats": [{"name": "a"}, {"bot": "random"}],
        "sandbox": {
            "seed": "0".repeat(64), "outcomes": [1, null, "n1"], "script": [],
            "fast_forward": {"version": 12, "bot": "greedy"},
        },
    });
    bodies.extend([("/matches", open), ("/matches", loaded), ("/matches", sandbox)]);
    let drawn = json!({"position": position, "viewer": 0, "names": ["a", null]});
    bodies.extend([("/board.svg", drawn.clone()), ("/board.txt", drawn)]);
    bodies.push(("/positions", json!({"seats": 2})));
    let legal = client.analyse(game, &json!({"position": position})).ok();
    let command = legal["legal_commands"][0].clone();
    let analysis = json!({
        "position": position, "commands": [command], "chance": {"seed": "0".repeat(64)},
        "include": ["positions", "legal_commands"],
    });
    bodies.push(("/analysis", analysis));
}

/// Commands that are legal, and halves of them.
fn halves(table: &Table, bodies: &mut Vec<(&'static str, Value)>) {
    let seat = table.seat(table.active().expect("it runs"));
    let listed = seat.legal_commands(&table.id, "include=spots").ok();
    let all = listed["items"].as_array().cloned().unwrap_or_default();
    for (at, command) in all.iter().enumerate().step_by(all.len().div_ceil(4).max(1)) {
        bodies.push(("/commands", json!({"command": command, "expected_version": 2})));
        bodies.push(("/commands", json!({"command": {"type": command["type"]}})));
        bodies.push(("/commands", json!({"command": {"spot": listed["spots"][at][0]}})));
        let mut less = command.clone();
        if let Some(field) = less.as_object().and_then(|fields| fields.keys().next_back().cloned())
        {
            less.as_object_mut().expect("it is one").remove(&field);
        }
        bodies.push(("/commands", json!({"command": less})));
    }
}

/// The path of an operation with a query, both with a few changes.
fn path(template: String, id: &str, dice: &mut testkit::Dice) -> Vec<u8> {
    let game = dice.of(catalog::games()).info().id;
    let table = *dice.of(&["events", "matches", "awards", "seats"]);
    let names =
        [("{id}", id), ("{game}", game), ("{seat}", "1"), ("{table}", table), ("{name}", "a")];
    let mut path = names.iter().fold(template, |path, (name, value)| path.replace(name, value));
    let mut ask = |asked: &str| {
        path.push(if path.contains('?') { '&' } else { '?' });
        path.push_str(asked);
    };
    if dice.below(3) == 0 {
        ask(dice.of::<&str>(&QUERIES));
    }
    for _ in 0..dice.below(4) {
        let (name, value) = (*dice.of(&NAMES), *dice.of(&VALUES));
        ask(&format!("{name}={value}"));
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
    let is_head = request.starts_with(b"HEAD");
    let read = match connection.read_finite(is_head) {
        // It was asked whether to go on; the answer comes after.
        Ok(answer) if answer.status == 100 => connection.read_finite(is_head),
        read => read,
    };
    let Ok(answer) = read else {
        // What is no request at all may be answered by the end of the connection, never by a crash: the next one is answered.
        return;
    };
    // What cannot be asked now, and the format that oEmbed says it does not offer.
    let offered = answer.status != 501
        || is_head
        || answer.header("content-encoding").is_some()
        || answer.body.windows(14).any(|of| of == b"format_unknown");
    assert!(
        answer.status <= 501 && answer.status != 500 && offered || answer.status == 503,
        "{} {}",
        answer.status,
        answer.body.escape_ascii()
    );
    let parser = matches!(answer.status, 400 | 408 | 431) && answer.body.is_empty();
    if answer.status >= 400 && !parser && !is_head {
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
    let server = Server::start(folder.path(), catalog::games());
    let client = server.client();
    let world = World::new(&client);
    // A panic of the server is one of this process, whoever catches it.
    let panics = Arc::new(AtomicU64::new(0));
    let (count, told) = (Arc::clone(&panics), panic::take_hook());
    panic::set_hook(Box::new(move |what| {
        // The tests beside this one read matches that do not fit: there a panic is caught, and is a refusal.
        let here = thread::current();
        let is_other =
            |name: &str| ["matches::", "archives::"].iter().any(|test| name.starts_with(test));
        if !here.name().is_some_and(is_other) {
            count.fetch_add(1, Ordering::SeqCst);
        }
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

//! No answer, no page and no cache grows with what a stranger sends or has played: all have a bound in bytes.

use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::time::Duration;

use acceptance::process::Process;
use acceptance::{Answer, Client, Connection, Dice, Request, Table, copies, until};
use serde_json::{Value, json};

use crate::turns::simulated;

/// What one request may take, in KiB.
const ROOM_KIB: u64 = 64 * 1024;

/// What a page may hold beside its last item.
const PAGE: usize = 1 << 20;

/// What an answer in one piece may hold.
const ANSWER: usize = 8 << 20;

/// How long it may work, in seconds of a core: in a build without optimisations.
const WORK: f64 = 4.0;

/// What is sent is kept below what is taken at all.
pub(crate) const LARGEST: usize = 1_000_000;

/// Measures what an answer takes of the server.
pub(crate) fn measured(server: &Process, what: &str, ask: impl FnOnce() -> Answer) -> Answer {
    let before = server.resident_kib();
    server.forget_peak();
    let worked = server.cpu();
    let answer = ask();
    let took = server.cpu() - worked;
    let grown = server.peak_kib().saturating_sub(before);
    assert!(grown < ROOM_KIB, "{what}: {grown} KiB");
    assert!(took < WORK, "{what}: {took} seconds of a core");
    assert!(answer.body.len() <= ANSWER, "{what}: {} bytes", answer.body.len());
    answer
}

fn start(client: &Client, game: &str, seats: usize) -> Value {
    client.start_position(game, &json!({"seats": seats})).ok()["position"].clone()
}

/// Pointers to all arrays that hold something, and to all strings and numbers.
fn places(value: &Value, pointer: &str, lists: &mut Vec<String>, leaves: &mut Vec<String>) {
    match value {
        Value::Array(items) => {
            if !items.is_empty() {
                lists.push(pointer.to_owned());
            }
            for (index, item) in items.iter().enumerate() {
                places(item, &format!("{pointer}/{index}"), lists, leaves);
            }
        }
        Value::Object(fields) => {
            for (name, field) in fields {
                places(field, &format!("{pointer}/{name}"), lists, leaves);
            }
        }
        Value::Null | Value::Bool(_) => {}
        Value::Number(_) | Value::String(_) => leaves.push(pointer.to_owned()),
    }
}

/// The document with each element of the array there as often as a body takes it.
fn multiplied(document: &Value, pointer: &str) -> Value {
    let mut multiplied = document.clone();
    let array = multiplied.pointer_mut(pointer).and_then(Value::as_array_mut).expect("an array");
    let times = (LARGEST / 2 / json!(array).to_string().len()).max(2);
    *array = array.iter().flat_map(|item| std::iter::repeat_n(item.clone(), times)).collect();
    multiplied
}

/// One of each place that differs by more than the number in a list.
fn distinct(mut pointers: Vec<String>) -> Vec<String> {
    let name = |pointer: &String| pointer.replace(|c: char| c.is_ascii_digit(), "");
    pointers.sort_by_key(name);
    pointers.dedup_by_key(|pointer| name(pointer));
    pointers
}

const GAMES: [(&str, &str, usize); 4] = [
    ("voluspa", "V-1", 4),
    ("copenhagen", "C-2", 4),
    ("rosenkoenig", "R-9", 2),
    ("delphi", "D-131", 4),
];

#[test]
fn a_position_that_no_box_has_is_neither_drawn_nor_analysed_nor_played() {
    let server = Process::alone(&[]);
    let client = server.client();
    for (game, rule, seats) in GAMES {
        let position = start(&client, game, seats);
        let (mut lists, mut leaves) = (Vec::new(), Vec::new());
        places(&position, "", &mut lists, &mut leaves);
        let grown = distinct(lists).into_iter().map(|list| (multiplied(&position, &list), list));
        let long = distinct(leaves).into_iter().flat_map(|leaf| {
            let with = |value: Value| {
                let mut position = position.clone();
                *position.pointer_mut(&leaf).expect("it is there") = value;
                (position, leaf.clone())
            };
            [with(json!("x".repeat(LARGEST / 2))), with(json!(u64::MAX)), with(json!(i64::MIN))]
        });
        for (position, place) in grown.chain(long) {
            for way in ["analysis", "board.svg", "board.txt"] {
                let what = format!("{place} of {game}, {way}");
                let path = format!("/v1/games/{game}/{way}");
                let answer =
                    measured(&server, &what, || client.post(&path, &json!({"position": position})));
                let problem = answer.problem(422, "invalid_position");
                let named = problem["rule"].as_str().expect("a rule");
                assert!(named.starts_with(rule), "{what}: {named}");
                assert!(answer.body.len() < 4_000, "{what}: {} bytes", answer.body.len());
            }
        }
    }
}

#[test]
fn a_view_that_no_server_ever_sent_is_drawn_small_or_not_at_all() {
    let server = Process::alone(&[]);
    let client = server.client();
    for (game, _, seats) in GAMES {
        let table = Table::open(&client, &json!({"game": game, "seats": vec![json!({}); seats]}));
        table.play(&mut Dice::new(3), 12);
        let view = client.view(&table.id, "").ok();
        let (mut lists, mut leaves) = (Vec::new(), Vec::new());
        places(&view, "", &mut lists, &mut leaves);
        let grown = distinct(lists).into_iter().map(|list| (multiplied(&view, &list), list));
        let long = distinct(leaves).into_iter().flat_map(|leaf| {
            [json!("&".repeat(LARGEST / 2)), json!(u64::MAX), json!(i32::MIN)].map(|value| {
                let mut view = view.clone();
                *view.pointer_mut(&leaf).expect("it is there") = value;
                (view, leaf.clone())
            })
        });
        for (view, place) in grown.chain(long) {
            for way in ["board.svg", "board.txt"] {
                let what = format!("{place} of {game}, {way}");
                let path = format!("/v1/games/{game}/{way}");
                let ask = || client.post(&path, &json!({"view": view}));
                let answer = measured(&server, &what, ask);
                assert!(matches!(answer.status, 200 | 413 | 422), "{what}: {}", answer.text());
            }
        }
        let name = json!({"view": view, "names": ["&".repeat(LARGEST / 2)]});
        client.post(&format!("/v1/games/{game}/board.svg"), &name).problem(400, "malformed");
    }
}

/// Reads pages until there is none, or no more are wanted; each keeps to its bytes. Returns the number of items and of pages.
fn pages(server: &Process, path: &str, most: usize) -> (usize, usize) {
    let (client, mut items, mut pages) = (server.client(), 0, 0);
    let mut query = "limit=1000".to_owned();
    loop {
        let answer = measured(server, path, || client.get(&format!("{path}?{query}")));
        let page = answer.ok();
        let found = page["items"].as_array().expect("items");
        let last = found.last().map_or(0, |item| item.to_string().len());
        assert!(answer.body.len() <= PAGE + last + 4_096, "{path}: {}", answer.body.len());
        items += found.len();
        pages += 1;
        let next = page["next"].as_str().filter(|_| pages < most);
        let Some(next) = next else { return (items, pages) };
        assert!(!found.is_empty(), "{path}: a page has something");
        query = format!("limit=1000&after={next}");
    }
}

#[test]
fn a_page_ends_early_where_its_items_are_large() {
    let server = Process::alone(&[]);
    let client = server.client();
    let position = start(&client, "delphi", 4);
    let name = "\u{1f600}".repeat(16);
    let seats = vec![json!({"name": name}); 4];
    let body = json!({"game": "delphi", "seats": seats, "position": position});
    for _ in 0..120 {
        client.open(&body).created();
    }
    let (events, pages_of_feed) = pages(&server, "/v1/events", 100);
    assert_eq!(events, 240, "two events for each match");
    assert!(pages_of_feed > 1, "{pages_of_feed} pages");
    assert_eq!(pages(&server, "/v1/matches", 100).0, 120);
    let lines = client.feed_lines("").lines();
    assert_eq!(lines.len(), events, "whoever reads lines gets all of them");
}

#[test]
fn the_logs_of_the_longest_match_come_in_pages_of_bounded_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    longest_match(folder.path());
    let server = Process::serve(folder.path(), &[]);
    let id =
        server.client().matches("").ok()["items"][0]["match"].as_str().expect("a match").to_owned();
    for log in ["commits", "events", "ledger"] {
        let (items, of_log) = pages(&server, &format!("/v1/matches/{id}/{log}"), 3);
        assert!(items > 2_000 || log == "ledger", "{log}: {items} items in {of_log} pages");
    }
    for path in ["view?at=7000", "position?at=9000", "board.svg?at=9001", "legal-commands?at=1"] {
        let path = format!("/v1/matches/{id}/{path}");
        measured(&server, &path, || server.client().get(&path));
    }
}

/// What is sent of a commit is longer than what is stored of it: its hashes are hexadecimal digits there.
#[test]
fn a_page_of_long_commits_ends_by_what_is_sent() {
    let (_folder, [played, data]) = acceptance::places(["played", "data"]);
    longest_match(&played);
    let commits = copies::stretch(&played, &data, 600);
    let server = Process::serve(&data, &[]);
    let listed = server.client().matches("").ok();
    let id = listed["items"][0]["match"].as_str().expect("a match");
    let (items, of_log) = pages(&server, &format!("/v1/matches/{id}/commits"), 100);
    assert_eq!(items, commits, "in {of_log} pages");
    assert!(of_log > commits / 1000, "each but the last ends early: {of_log} pages");
}

/// A match of Delphi that went on for long.
fn longest_match(folder: &Path) {
    acceptance::simulate(folder, "--game delphi --seats 4 --matches 1");
}

#[test]
fn an_analysis_that_would_answer_too_much_is_refused() {
    let server = Process::alone(&[]);
    let client = server.client();
    let seed = json!({"seed": "7".repeat(64)});
    let asked = json!({"seats": 4, "chance": seed});
    let mut position = client.start_position("delphi", &asked).ok()["position"].take();
    // Whoever may call on all gods has a long list of legal commands.
    for player in position["players"].as_array_mut().expect("players") {
        let gods = player["gods"].as_object_mut().expect("gods");
        gods.values_mut().for_each(|step| *step = json!(6));
    }
    // A sandbox with this seed draws as the analysis will.
    let seats = vec![json!({}); 4];
    let open = json!({"game": "delphi", "seats": seats, "position": position, "sandbox": seed});
    let table = Table::open(&client, &open);
    let play = || {
        let of_gods = [json!("InvokeGod"), json!("TradeGod")];
        let legal = table.legal();
        let other = legal.iter().find(|command| !of_gods.contains(&command["type"]));
        let other = other.expect("there is always something else");
        table.act(other);
        other.clone()
    };
    let commands: Vec<Value> = (0..500).map(|_| play()).collect();
    let wide = |commands: &[Value]| {
        let include = ["positions", "legal_commands"];
        let wide =
            json!({"position": position, "commands": commands, "chance": seed, "include": include});
        measured(&server, "a wide analysis", || client.analyse("delphi", &wide))
    };
    let before = server.resident_kib();
    wide(&commands).problem(413, "too_large");
    // It is given up on the way, and not when all of it is there twice.
    let grown = server.peak_kib().saturating_sub(before);
    assert!(grown < 16 << 10, "{grown} KiB");
    let half = wide(&commands[..250]);
    assert_eq!(half.ok()["steps"].as_array().map(Vec::len), Some(250));
}

#[test]
fn names_seats_options_and_outcomes_are_bounded() {
    let server = Process::alone(&[]);
    let client = server.client();
    client.game("delphi").ok();
    let opening = |seats: Value, more: Value| {
        let mut body = json!({"game": "voluspa", "seats": seats});
        body.as_object_mut().expect("an object").extend(more.as_object().expect("one").clone());
        Request::new("POST", "/v1/matches").json(&body)
    };
    let named = |name: String| opening(json!([{"name": name}, {}]), json!({}));
    let drawn = |outcome: &str| {
        let outcomes = vec![outcome; LARGEST / (outcome.len() + 1)].join(",");
        let body = format!("{{\"seats\":4,\"chance\":{{\"outcomes\":[{outcomes}]}}}}");
        Request::new("POST", "/v1/games/delphi/positions").bytes("application/json", body)
    };
    let forced = |outcome: &str| {
        let outcomes = vec![outcome; LARGEST / (outcome.len() + 1) - 20].join(",");
        let seats = r#""seats":[{},{}]"#;
        let body =
            format!("{{\"game\":\"voluspa\",{seats},\"sandbox\":{{\"outcomes\":[{outcomes}]}}}}");
        Request::new("POST", "/v1/matches").bytes("application/json", body)
    };
    let options = json!({"set": "custom", "custom_types": vec!["hel"; LARGEST / 7]});
    let attacks = [
        ("a name that grows when it is put into its form", named("\u{fdfa}".repeat(LARGEST / 3))),
        ("a name of marks", named("\u{0301}\u{0323}".repeat(LARGEST / 4))),
        ("a name of spaces", named(" ".repeat(LARGEST))),
        ("thousands of seats", opening(json!(vec![json!({}); LARGEST / 4]), json!({}))),
        ("thousands of options", opening(json!([{}, {}]), json!({"options": options}))),
        ("outcomes that are objects", drawn("{\"\":0}")),
        ("outcomes that are nested", drawn(&("{\"\":".repeat(100) + "0" + &"}".repeat(100)))),
        ("outcomes that are numbers", drawn("0")),
        ("outcomes of a sandbox", forced("{\"\":0}")),
    ];
    for (what, request) in attacks {
        let answer = measured(&server, what, || client.send(request));
        assert!(matches!(answer.status, 400 | 422), "{what}: {}", answer.text());
    }
}

/// Opens connections that send this, and read nothing.
fn silent(server: &Process, count: usize, request: &[u8]) -> Vec<TcpStream> {
    let open = |_| {
        let mut stream = TcpStream::connect(server.address).expect("it listens");
        stream.write_all(request).expect("it is sent");
        stream
    };
    (0..count).map(open).collect()
}

/// What is held takes little of the server, for so many seconds, and others are served.
#[track_caller]
fn take_little<T>(server: &Process, seconds: u64, hold: impl FnOnce() -> T) -> T {
    let before = server.resident_kib();
    server.forget_peak();
    let held = hold();
    std::thread::sleep(Duration::from_secs(seconds));
    let grown = server.peak_kib().saturating_sub(before);
    assert!(grown < ROOM_KIB, "{grown} KiB");
    assert_eq!(server.client().get("/v1/games").status, 200, "others are served");
    held
}

#[test]
fn answers_that_nobody_reads_take_little() {
    let server = Process::alone(&[]);
    server.client().get("/openapi.json").ok();
    let ask = "GET /openapi.json HTTP/1.1\r\nHost: muninn\r\nAccept-Encoding: identity\r\n\r\n";
    // More than the system takes from the server on its own.
    let held = take_little(&server, 3, || silent(&server, 150, ask.repeat(20).as_bytes()));
    let large = server.client().send(Request::new("GET", "/openapi.json"));
    large.problem(429, "rate_limited");
    assert!(server.operator().figure("muninn_limits_hit_total{limit=\"bodies\"}") > 0);
    drop(held);
    until("their bytes are free", || server.client().get("/openapi.json").status == 200);
}

/// Whoever is told that nothing was stored does it again.
#[test]
fn what_is_stored_is_answered_so_however_much_is_unread() {
    let server = Process::alone(&[]);
    let client = server.client();
    let payment = vec!["purple"; 60];
    let reply = json!({"type": "PlaceTile", "tile": "red_3", "orientation": 0, "x": 0, "y": 0, "payment": payment});
    let replies = json!([{"seat": 1, "commands": vec![reply; 150]}]);
    let seats = json!([{}, {"bot": "random"}]);
    let sandbox = json!({"game": "copenhagen", "seats": seats, "sandbox": {"replies": replies}});
    let table = Table::open(&client, &sandbox);
    let info = format!("/v1/matches/{}", table.id);
    let ask = |path: &str, times: usize| {
        let head = "Host: muninn\r\nAccept-Encoding: identity\r\n\r\n";
        format!("GET {path} HTTP/1.1\r\n{head}").repeat(times)
    };
    let _large = silent(&server, 150, ask("/openapi.json", 20).as_bytes());
    // They leave less room than they take; what is smaller fills it.
    let _small = silent(&server, 20, ask(&info, 100).as_bytes());
    until("there is no room", || client.get(&info).status == 429);
    // Where the server has too much to do to read a request in time, it says so, and has done nothing.
    let mut closed = table.owner().close(&table.id);
    until("it is read", || {
        if closed.status == 408 {
            closed = table.owner().close(&table.id);
        }
        closed.status != 408
    });
    assert_eq!(closed.ok()["status"], "abandoned");
    assert!(closed.body.len() > 64 << 10, "{} bytes would have had room", closed.body.len());
}

#[test]
fn bodies_that_do_not_end_take_little() {
    let server = Process::alone(&[]);
    server.client().get("/v1/games").ok();
    let head = "POST /v1/games/delphi/analysis HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n";
    let request = [head.as_bytes(), &vec![b' '; 999_000]].concat();
    let open = |_| {
        let mut connection = Connection::open(server.address).expect("it listens");
        // Whoever is refused is cut off while it sends.
        drop(connection.write(&request));
        connection
    };
    take_little(&server, 2, || (0..150).map(open).collect::<Vec<_>>());
}

/// Scripts of bots are kept as long as the match is.
#[test]
fn a_sandbox_counts_with_its_replies() {
    let server = Process::alone(&[]);
    let client = server.client();
    let mut open = json!({"game": "copenhagen", "seats": [{}, {"bot": "random"}], "sandbox": {}});
    client.open(&open).created();
    let plain = server.operator().figure("muninn_matches_in_memory_bytes");
    let commands = vec![json!({"type": "TakeCard", "slot": 0}); 500];
    open["sandbox"] = json!({"replies": [{"seat": 1, "commands": commands}]});
    client.open(&open).created();
    let both = server.operator().figure("muninn_matches_in_memory_bytes");
    assert!(both > 2 * plain + 500 * 200, "{plain} bytes, then {both}");
}

#[test]
fn lists_that_are_too_long_are_not_kept_while_they_are_read() {
    let server = Process::alone(&["--connections-per-address", "0"]);
    server.client().get("/v1/games").ok();
    let before = server.resident_kib();
    server.forget_peak();
    let body = format!("{{\"position\": {{}}, \"commands\": [{}0]}}", "0,".repeat(32_000));
    let head = format!(
        "POST /v1/games/delphi/analysis HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    // All of them wait for the turns of their address.
    let held = silent(&server, 150, [head.as_bytes(), body.as_bytes()].concat().as_slice());
    std::thread::sleep(Duration::from_secs(2));
    let grown = server.peak_kib().saturating_sub(before);
    assert!(grown < ROOM_KIB, "{grown} KiB");
    drop(held);
    let request = Request::new("POST", "/v1/games/delphi/analysis");
    let answer = server.client().send(request.json(&serde_json::from_str(&body).expect("JSON")));
    assert_eq!(answer.problem(400, "malformed")["errors"][0]["pointer"], "/commands");
}

/// What is made while it is sent, and packed meanwhile, takes memory for each who does not read.
#[test]
fn streamed_answers_that_nobody_reads_take_little() {
    let folder = tempfile::tempdir().expect("a folder");
    simulated(folder.path(), "copenhagen", 100);
    let server = Process::serve(folder.path(), &["--rate-limit-address", "0"]);
    server.client().get("/v1/events.ndjson").text();
    let ask = "GET /v1/events.ndjson HTTP/1.1\r\nHost: muninn\r\nAccept-Encoding: zstd\r\n\r\n";
    take_little(&server, 5, || silent(&server, 200, ask.repeat(4).as_bytes()));
}

#[test]
fn matches_in_memory_keep_to_their_bytes() {
    const MATCHES: usize = 600;
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &["--matches-mib", "2"]);
    let client = server.client();
    let tables: Vec<Table> = (0..MATCHES)
        .map(|_| Table::open(&client, &json!({"game": "delphi", "seats": [{}, {}, {}, {}]})))
        .collect();
    let held = server.operator().figure("muninn_matches_in_memory_bytes");
    assert!((1 << 20..=2 << 20).contains(&held), "{held} bytes");
    assert!(server.operator().figure("muninn_matches_in_memory") < MATCHES as u64);
    // A match that went is read again, and goes on.
    tables[0].play(&mut Dice::new(1), 3);
    // One that somebody watches stays, and is told of what happens.
    let mut stream = client.stream(&tables[1].id, "", None);
    for table in &tables[2..] {
        client.view(&table.id, "").ok();
    }
    let played = tables[1].play(&mut Dice::new(2), 1);
    let version = played[0]["version"].as_u64();
    while Some(stream.next().expect("it goes on").id) != version {}
    server.stop();
    // What it says of its matches is about what they take: beside a server that keeps none.
    let looked_at = |more: &[&str]| {
        let server = Process::serve(folder.path(), &[&["--cache-mib", "1"], more].concat());
        let client = server.client();
        tables.iter().for_each(|table| drop(client.view(&table.id, "").ok()));
        let figures = ["muninn_matches_in_memory_bytes", "muninn_matches_in_memory"];
        let [bytes, matches] = figures.map(|name| server.operator().figure(name));
        (bytes, matches, server.resident_kib() * 1024)
    };
    let (_, matches, without) = looked_at(&["--matches-mib", "0"]);
    assert!(matches < 20, "{matches} matches are kept, though none may be");
    let (told, matches, with) = looked_at(&[]);
    assert_eq!(matches, MATCHES as u64);
    let taken = with.saturating_sub(without);
    println!("{MATCHES} matches: {told} bytes told, {taken} bytes taken");
    assert!(taken < told + (8 << 20), "{told} bytes told, {taken} bytes taken");
}

//! The worst requests, one after the other: how much memory each needs at its peak; and the longest sandboxes: how much time.

use std::path::Path;
use std::time::Instant;

use kernel::{AnyGame, AnyMatch};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::{Dice, Witness};

use acceptance::frugal::{muninn, muninn_with, request};
use acceptance::http::{Answer, Connection};
use acceptance::process::megabytes;

/// No request may need more.
const MOST: u64 = 64_000_000;
/// And no sandbox more CPU time, in seconds.
const LONGEST: f64 = 2.0;
/// So many sandboxes of a kind are opened.
const SANDBOXES: usize = 6;

/// A start position, up to 500 commands from there, and their outcomes: an analysis of all of them.
fn longest_analysis(game: &'static dyn AnyGame, seats: usize) -> Value {
    let options = RawValue::from_string("{}".to_owned()).expect("an object");
    let mut chance = Witness::new(Dice::new(5));
    let started = game.setup(&options, seats, game.info().newest(), &mut chance);
    let mut state: Box<dyn AnyMatch> = started.expect("defaults are valid").state;
    chance.draws.clear();
    let position = state.position();
    let mut commands: Vec<Box<RawValue>> = Vec::new();
    while commands.len() < 500 && state.active_seat().is_some() {
        let legal = state.legal_commands();
        let legal: Vec<&RawValue> = serde_json::from_str(legal.get()).expect("a list");
        let command = (*chance.dice.of(&legal)).to_owned();
        state = state.decide(&command, &mut chance).expect("listed").state;
        commands.push(command);
    }
    let outcomes: Vec<Value> = chance.draws.into_iter().map(|draw| draw.drawn).collect();
    json!({
        "position": position, "commands": commands, "chance": {"outcomes": outcomes},
        "include": ["positions", "legal_commands"],
    })
}

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let longest = longest_match(folder.path());
    let (server, address) = muninn_with(folder.path(), &["--query", "on", "--query-mib", "32"]);
    let ask = |name: &str, request: &[u8]| {
        // Once, so that threads and caches are there; then again, measured.
        let send = || -> Answer {
            let mut connection = Connection::open(address).expect("the server listens");
            connection.write(request).expect("the server reads");
            connection.read(false).expect("the server answers")
        };
        send();
        let before = 1024 * server.resident_kib();
        server.forget_peak();
        let start = Instant::now();
        let answer = send();
        let more = (1024 * server.peak_kib()).saturating_sub(before);
        println!(
            "{name:<44} {:>10.1} MB at its peak, {:.0} ms, answer {} of {:.1} MB",
            megabytes(more),
            start.elapsed().as_secs_f64() * 1e3,
            answer.status,
            answer.body.len() as f64 / 1e6
        );
        assert!(more < MOST, "{name}: {more} bytes");
        answer
    };
    for game in catalog::games() {
        let (id, seats) = (game.info().id, usize::from(*game.info().seats.end()));
        let body = longest_analysis(*game, seats);
        let count = body["commands"].as_array().map_or(0, Vec::len);
        let path = format!("/v1/games/{id}/analysis");
        let name = format!("analysis of {count} commands, {id}");
        let answer = ask(&name, &request("POST", &path, None, &body.to_string()));
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    // Nothing but nesting, nothing but numbers.
    let deep = format!("{{\"position\": {}", "[".repeat((1 << 20) - 100));
    ask("a body of brackets, 1 MiB", &request("POST", "/v1/games/delphi/analysis", None, &deep));
    let flat = format!("{{\"position\": [{}0]}}", "0,".repeat((1 << 19) - 100));
    ask("a body of numbers, 1 MiB", &request("POST", "/v1/games/delphi/analysis", None, &flat));
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true}).to_string();
    let opened = ask("a match", &request("POST", "/v1/matches", None, &body)).created();
    let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
    play(address, &opened, &path);
    for query in
        ["replay", "ledger?limit=1000", "commits?limit=1000", "events?limit=1000", "view?at=1999"]
    {
        ask(query, &request("GET", &format!("{path}/{query}"), None, ""));
    }
    for path in
        ["/v1/events?limit=1000", "/v1/events.ndjson", "/v1/matches?limit=1000", "/openapi.json"]
    {
        ask(path, &request("GET", path, None, ""));
    }
    for file in [
        "tables.tar",
        "tables/events.ndjson",
        "tables/events.parquet",
        "tables/matches.csv",
        "tables/awards.parquet",
    ] {
        let path = format!("/v1/{file}");
        let answer = ask(&path, &request("GET", &path, None, ""));
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    for sql in [
        "SELECT * FROM events",
        "SELECT event_type, count(*) FROM events GROUP BY event_type",
        "SELECT a.event FROM events a, events b ORDER BY random()",
    ] {
        let body = json!({"sql": sql}).to_string();
        ask(sql, &request("POST", "/v1/query", None, &body));
    }
    // Asked once before it is measured: the account is kept, as it is on all pages but the first.
    for query in ["limit=1000", "limit=7&after=14", "at=40000"] {
        let path = format!("/v1/matches/{longest}/ledger?{query}");
        let answer = ask(&format!("ledger?{query}"), &request("GET", &path, None, ""));
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    sandboxes();
}

/// Sandboxes that bots play to their end, or as far as one request may, each in one request.
fn sandboxes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (server, _) = muninn(folder.path());
    let client = server.client();
    for game in catalog::games() {
        let (id, seats) = (game.info().id, usize::from(*game.info().seats.end()));
        for bot in ["greedy", "random"] {
            let (mut worked, mut took) = (0.0_f64, 0.0_f64);
            let (mut commits, mut refused) = (0_u64, 0);
            for nth in 0..SANDBOXES {
                let asked = json!({"seed": format!("{nth:064x}"), "fast_forward": {"bot": bot}});
                let body = json!({"game": id, "seats": vec![json!({}); seats], "sandbox": asked});
                let (start, before) = (Instant::now(), server.cpu());
                let answer = client.open(&body);
                took = took.max(start.elapsed().as_secs_f64());
                worked = worked.max(server.cpu() - before);
                if answer.status == 422 {
                    answer.problem(422, "not_reached");
                    refused += 1;
                } else {
                    let played = answer.created()["match"].as_str().expect("an id").to_owned();
                    let commit = client.info(&played).ok()["commit"].as_u64();
                    commits = commits.max(commit.expect("a number"));
                }
            }
            println!(
                "{:<44} {worked:>10.2} s of CPU (goal {LONGEST}), {took:.2} s, at most of {SANDBOXES}; {commits} commits, {refused} refused",
                format!("a sandbox of {id}, {seats} seats, {bot}")
            );
            assert!(worked < LONGEST, "a sandbox of {id} takes {worked} s");
        }
    }
}

/// The id of a match of some 65,000 events, played into the store before the server has it.
pub(crate) fn longest_match(folder: &Path) -> String {
    only_match(folder, "delphi --seats 4")
}

/// The id of the only match of a store, of this game.
pub(crate) fn only_match(folder: &Path, game: &str) -> String {
    acceptance::simulate(&folder.join("data"), &format!("--game {game} --matches 1"));
    let (_server, address) = muninn(folder);
    let mut connection = Connection::open(address).expect("the server listens");
    let list = request("GET", "/v1/matches", None, "");
    connection.write(&list).expect("the server reads");
    let list = connection.read(false).expect("the server answers").ok();
    let id = list["items"][0]["match"].as_str();
    id.expect("a match").to_owned()
}

/// A long match: cards are played and taken back.
fn play(address: std::net::SocketAddr, opened: &Value, path: &str) {
    let mut connection = Connection::open(address).expect("the server listens");
    let mut send = |request: &[u8]| {
        connection.write(request).expect("the server reads");
        connection.read(false).expect("the server answers")
    };
    let info = send(&request("GET", path, None, "")).ok();
    let seat = usize::try_from(info["active_seat"].as_u64().expect("it runs")).expect("a seat");
    let token = opened["seat_tokens"][seat].as_str();
    let legal = send(&request("GET", &format!("{path}/legal-commands"), token, "")).ok();
    let command = json!({"command": legal["items"][0]}).to_string();
    for _ in 0..500 {
        send(&request("POST", &format!("{path}/commands"), token, &command)).created();
        send(&request("POST", &format!("{path}/take-back"), token, "{}")).created();
    }
}

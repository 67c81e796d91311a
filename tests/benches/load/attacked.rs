//! People play while five attackers do their worst, each from an address of their own.

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::http::{Answer, Connection};
use acceptance::process::Process;
use acceptance::request::Request;
use acceptance::table::{Dice, Table};
use serde_json::{Value, json};

use crate::setting;

/// Who plays, and how long they think.
const PLAYERS: u8 = 16;
const THOUGHT: Duration = Duration::from_millis(100);
/// The connections that an attacker uses at the same time.
const HANDS: usize = 8;
/// Until what attackers left open was closed.
const AFTERMATH: Duration = Duration::from_secs(40);
/// Refused by its budget, an attacker tries again after this.
const PERSISTENCE: Duration = Duration::from_millis(10);
/// The commands of the match that attackers look at.
const LONG: usize = 3_000;

const DEFAULTS: [&str; 4] = ["--rate-limit-address", "200", "--rate-limit-token", "50"];
const OFF: [&str; 4] = ["--rate-limit-address", "0", "--rate-limit-token", "0"];

/// What attackers know.
struct Target {
    address: SocketAddr,
    long: String,
    versions: usize,
    position: Value,
    is_over: AtomicBool,
}

pub(crate) fn measure() {
    let length = Duration::from_secs(60 * setting("LOAD_MINUTES", 1) as u64);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (long, versions) = prepare(folder.path());
    let more = [&DEFAULTS[..], &["--query", "on", "--matches-per-address", "100"]].concat();
    let server = Process::serve(folder.path(), &more);
    let start = server.client().start_position("voluspa", &json!({"seats": 2})).ok();
    let target = Target {
        address: server.address,
        long,
        versions,
        position: start["position"].clone(),
        is_over: AtomicBool::new(false),
    };
    // The list opens its file for readers when the first one comes.
    server.client().matches("").ok();
    let alone = played(&target, length / 6);
    held("at the start", &server);
    server.forget_peak();
    let attacked = thread::scope(|scope| {
        let attackers: [fn(&Target, Ipv4Addr, &mut Dice); 5] =
            [look_back, read_all, hold, compute, open_and_query];
        for (number, attack) in (2..).zip(attackers) {
            for hand in 0..HANDS {
                let target = &target;
                scope.spawn(move || {
                    let mut dice = Dice::new(100 * u64::from(number) + hand as u64);
                    while !target.is_over.load(Ordering::Acquire) {
                        attack(target, Ipv4Addr::new(127, 0, 0, number), &mut dice);
                    }
                });
            }
        }
        let attacked = played(&target, length);
        held("under attack", &server);
        target.is_over.store(true, Ordering::Release);
        attacked
    });
    println!("{:<44} {:>10} MB", "its peak", server.peak_kib() >> 10);
    thread::sleep(AFTERMATH);
    held("afterwards", &server);
    let [before, after] =
        [report("a command, alone", alone), report("a command, under attack", attacked)];
    println!("{:<44} {:>10.2} (goal at most 3)", "p99 under attack / alone", after / before);
    server.stop();
}

/// Makes the store: very many running matches, and a long one.
fn prepare(folder: &Path) -> (String, usize) {
    let unlimited = [&OFF[..], &["--matches-per-address", "0"]].concat();
    let server = Process::serve(folder, &unlimited);
    let client = server.client();
    for number in 0..setting("LOAD_RUNNING", 10_000) {
        let game = ["voluspa", "rosenkoenig", "copenhagen", "delphi"][number % 4];
        client.open(&json!({"game": game, "seats": [{}, {}]})).created();
    }
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&client, &body);
    let seat = table.seat(table.active().expect("it runs"));
    let legal = table.legal();
    for _ in 0..LONG / 2 {
        seat.command(&table.id, &legal[0]).created();
        seat.take_back(&table.id).created();
    }
    let versions = usize::try_from(table.version()).expect("a version");
    server.stop();
    (table.id, versions)
}

/// How long the commands of all who play took, in milliseconds.
fn played(target: &Target, length: Duration) -> Vec<f64> {
    let times = Mutex::new(Vec::new());
    let end = Instant::now() + length;
    thread::scope(|scope| {
        for player in 0..PLAYERS {
            let times = &times;
            scope.spawn(move || {
                let mut own = Vec::new();
                while Instant::now() < end {
                    own.extend(play(target.address, Ipv4Addr::new(127, 0, 1, 1 + player), end));
                }
                times.lock().expect("nobody panics").extend(own);
            });
        }
    });
    times.into_inner().expect("nobody panics")
}

/// Plays a match, at most to its end.
fn play(address: SocketAddr, own: Ipv4Addr, end: Instant) -> Vec<f64> {
    let mut connection = Connection::open_from(own, address).expect("the server listens");
    let mut dice = Dice::new(u64::from(own.octets()[3]));
    let mut ask = |request: Request| request.on(&mut connection).expect("it answers");
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    let opened = ask(Request::new("POST", "/v1/matches").json(&body)).created();
    let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
    let token =
        |seat: usize| format!("Bearer {}", opened["seat_tokens"][seat].as_str().expect("a token"));
    let mut times = Vec::new();
    while Instant::now() < end {
        let Some(seat) = ask(Request::new("GET", &path)).ok()["active_seat"].as_u64() else {
            break;
        };
        let token = token(usize::try_from(seat).expect("a seat"));
        let signed = |method, what| {
            Request::new(method, &format!("{path}/{what}")).header("Authorization", &token)
        };
        let legal = ask(signed("GET", "legal-commands")).ok();
        let legal = legal["items"].as_array().expect("a list");
        thread::sleep(THOUGHT);
        let command =
            signed("POST", "commands").json(&json!({"command": legal[dice.below(legal.len())]}));
        let start = Instant::now();
        ask(command).created();
        times.push(1e3 * start.elapsed().as_secs_f64());
    }
    let owner = format!("Bearer {}", opened["owner_token"].as_str().expect("a token"));
    let close = Request::new("POST", &format!("{path}/close")).header("Authorization", &owner);
    ask(close);
    times
}

/// Asks for some of these, one after the other, on one connection.
fn ask(target: &Target, own: Ipv4Addr, request: &Request) {
    let Ok(mut connection) = Connection::open_from(own, target.address) else {
        return thread::sleep(PERSISTENCE);
    };
    for _ in 0..20 {
        let answer = taken_in(target, &mut connection, request);
        if !answer.is_ok_and(|answer| is_taken(&answer)) {
            return thread::sleep(PERSISTENCE);
        }
    }
}

/// Asks for this; a body in parts is thrown away as it comes, and not read to its end when the time is over.
fn taken_in(
    target: &Target,
    connection: &mut Connection,
    request: &Request,
) -> std::io::Result<Answer> {
    request.leave(connection)?;
    let answer = connection.read_head()?;
    if request.is_head() || answer.header("transfer-encoding") != Some("chunked") {
        return connection.read_body(answer, request.is_head());
    }
    while !connection.read_chunk()?.is_empty() {
        if target.is_over.load(Ordering::Acquire) {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
    }
    Ok(answer)
}

fn is_taken(answer: &Answer) -> bool {
    assert_ne!(answer.status, 500, "{}", answer.text());
    answer.status != 429
}

/// The past of a long match, by paths that are written otherwise each time.
fn look_back(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let at = 1 + dice.below(target.versions);
    let matches = ["matches", "matche%73", "m%61tches"][dice.below(3)];
    let what = ["view", "board.svg", "legal-commands", "position", "replay", "ledger", "view"];
    let what = match what[dice.below(what.len())] {
        "replay" => format!("replay?from={}", at.saturating_sub(900).max(1)),
        "ledger" => "ledger".to_owned(),
        what => format!("{what}?at={at}"),
    };
    let method = ["GET", "HEAD"][dice.below(2)];
    ask(target, own, &Request::new(method, &format!("/v1/{matches}/{}/{what}", target.long)));
}

/// Everything that there is, and the feed for what is not in it.
fn read_all(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let paths = [
        "/v1/events?type=GodAdvanced&game=rosenkoenig&limit=1000",
        "/v1/events.ndjson",
        "/v1/tables/commits.csv",
        "/v1/tables/events.ndjson",
        "/v1/tables.tar",
        "/v1/matches?limit=1000",
        "/v1/stats/rosenkoenig",
    ];
    ask(target, own, &Request::new("GET", paths[dice.below(paths.len())]));
}

/// Connections that say nothing, half of something, or never read what they asked for.
fn hold(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let bytes = [
        &b""[..],
        b"GET /v1/matc",
        b"POST /v1/matches HTTP/1.1\r\nhost: a\r\ncontent-length: 99\r\n\r\n{",
    ];
    let opened = (0..40).map_while(|_| Connection::open_from(own, target.address).ok());
    let held: Vec<Connection> = opened
        .filter_map(|mut connection| match dice.below(4) {
            3 => Request::new("GET", "/v1/tables/events.ndjson")
                .leave(&mut connection)
                .ok()
                .map(|()| connection),
            what => connection.write(bytes[what]).ok().map(|()| connection),
        })
        .collect();
    thread::sleep(Duration::from_secs(2));
    drop(held);
}

/// Positions and pictures.
fn compute(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let what = ["analysis", "board.svg", "analysis"][dice.below(3)];
    let body = json!({"position": target.position});
    ask(target, own, &Request::new("POST", &format!("/v1/games/voluspa/{what}")).json(&body));
}

/// Matches of bots without end, made-up tokens, and a query that never ends.
fn open_and_query(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let request = match dice.below(3) {
        0 => Request::new("POST", "/v1/matches")
            .json(&json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "random"}]})),
        1 => Request::new("POST", "/v1/query").json(&json!({"sql":
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"})),
        _ => Request::new("GET", &format!("/v1/matches/{}/view", target.long))
            .header("Authorization", &format!("Bearer {:064x}", dice.below(1 << 30))),
    };
    ask(target, own, &request);
}

fn held(when: &str, server: &Process) {
    let folder = format!("/proc/{}/fd", server.id());
    let descriptors = fs::read_dir(folder).expect("Linux").count();
    println!("{when:<44} {:>10} MB, {descriptors} descriptors", server.resident_kib() >> 10);
}

/// Tells how long it took, and returns the p99.
fn report(name: &str, mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{name:<44} {:>10.1} ms p50, {:.1} ms p99, {} of them", at(50), at(99), times.len());
    at(99)
}

//! People play while seven attackers do their worst, each from an address of their own.

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
    let more = [
        &DEFAULTS[..],
        &["--query", "on", "--matches-per-address", "100", "--wait-for-projections"],
    ]
    .concat();
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
    let (alone, listed_alone) = played(&target, length / 6);
    held("at the start", &server);
    server.forget_peak();
    let (attacked, listed) = thread::scope(|scope| {
        let attackers: [fn(&Target, Ipv4Addr, &mut Dice); 7] =
            [look_back, read_all, hold, compute, open_and_query, catch_up, count];
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
    println!("{:<44} {:>10.0} MB", "its peak", server.peak_mb());
    thread::sleep(AFTERMATH);
    held("afterwards", &server);
    let [before, after] =
        [report("a command, alone", alone), report("a command, under attack", attacked)];
    println!("{:<44} {:>10.2} (goal at most 3)", "p99 under attack / alone", after / before);
    let [before, after] = [
        report("legal commands with words, alone", listed_alone),
        report("legal commands with words, under attack", listed),
    ];
    println!("{:<44} {:>10.2} (goal at most 3)", "p99 under attack / alone", after / before);
    server.stop();
}

const GAMES: [&str; 4] = ["voluspa", "rosenkoenig", "copenhagen", "delphi"];

/// Makes the store: finished matches of bots, very many running ones, and a long one.
fn prepare(folder: &Path) -> (String, usize) {
    for game in GAMES {
        let asked = format!("--game {game} --seats 2 --matches 250 --bot greedy");
        acceptance::simulate(folder, &asked);
    }
    let unlimited = [&OFF[..], &["--matches-per-address", "0"]].concat();
    let server = Process::serve(folder, &unlimited);
    let client = server.client();
    for number in 0..setting("LOAD_RUNNING", 10_000) {
        client.open(&json!({"game": GAMES[number % 4], "seats": [{}, {}]})).created();
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

/// How long the commands of all who play took, and the lists of those that they may choose, in milliseconds.
fn played(target: &Target, length: Duration) -> (Vec<f64>, Vec<f64>) {
    let times = Mutex::new((Vec::new(), Vec::new()));
    let end = Instant::now() + length;
    thread::scope(|scope| {
        for player in 0..PLAYERS {
            let times = &times;
            scope.spawn(move || {
                let own = Ipv4Addr::new(127, 0, 1, 1 + player);
                for round in usize::from(player).. {
                    if Instant::now() >= end {
                        break;
                    }
                    let (played, listed) = play(target.address, own, GAMES[round % 4], end);
                    let mut times = times.lock().expect("nobody panics");
                    times.0.extend(played);
                    times.1.extend(listed);
                }
            });
        }
    });
    times.into_inner().expect("nobody panics")
}

/// Plays a match, at most to its end.
fn play(address: SocketAddr, own: Ipv4Addr, game: &str, end: Instant) -> (Vec<f64>, Vec<f64>) {
    let mut connection = Connection::open_from(own, address).expect("the server listens");
    let mut dice = Dice::new(u64::from(own.octets()[3]));
    let mut ask = |request: Request| request.on(&mut connection).expect("it answers");
    let body = json!({"game": game, "seats": [{}, {}]});
    let opened = ask(Request::new("POST", "/v1/matches").json(&body)).created();
    let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
    let token =
        |seat: usize| format!("Bearer {}", opened["seat_tokens"][seat].as_str().expect("a token"));
    let (mut times, mut listed) = (Vec::new(), Vec::new());
    while Instant::now() < end {
        let Some(seat) = ask(Request::new("GET", &path)).ok()["active_seat"].as_u64() else {
            break;
        };
        let token = token(usize::try_from(seat).expect("a seat"));
        let signed = |method, what| {
            Request::new(method, &format!("{path}/{what}")).header("Authorization", &token)
        };
        let start = Instant::now();
        let legal = ask(signed("GET", "legal-commands?include=spots,labels")).ok();
        listed.push(1e3 * start.elapsed().as_secs_f64());
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
    (times, listed)
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

/// Positions and pictures, and half commands that may be completed in thousands of ways.
fn compute(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    if dice.below(4) == 0 {
        return half(target, own, dice);
    }
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

/// A match of its own, and dry runs of half a command in it.
fn half(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let Ok(mut connection) = Connection::open_from(own, target.address) else { return };
    let body = json!({"game": "copenhagen", "seats": [{}, {}]});
    let opened = Request::new("POST", "/v1/matches").json(&body).on(&mut connection);
    let Some(opened) = opened.ok().filter(|opened| opened.status == 201) else {
        return thread::sleep(PERSISTENCE);
    };
    let opened = opened.json();
    let path = format!("/v1/matches/{}", opened["match"].as_str().expect("an id"));
    let token = |token: &Value| format!("Bearer {}", token.as_str().expect("a token"));
    let dry_run = Request::new("POST", &format!("{path}/commands?dry_run=true"))
        .json(&json!({"command": {"type": "PlaceTile"}}))
        .header("Authorization", &token(&opened["seat_tokens"][dice.below(2)]));
    ask(target, own, &dry_run);
    let close = Request::new("POST", &format!("{path}/close"));
    let close = close.header("Authorization", &token(&opened["owner_token"]));
    // Where it is refused the match stays, and its quota ends the attack.
    drop(close.on(&mut connection));
}

/// Streams that catch up with a long match, each message with its patch.
fn catch_up(target: &Target, own: Ipv4Addr, _: &mut Dice) {
    let path = format!("/v1/matches/{}/stream?after=0&patch=true&moves=true", target.long);
    let streams = (0..12).filter_map(|_| {
        let mut connection = Connection::open_from(own, target.address).ok()?;
        Request::new("GET", &path).leave(&mut connection).ok()?;
        connection.read_head().ok().filter(|head| head.status == 200).map(|_| connection)
    });
    let mut streams: Vec<Connection> = streams.collect();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(20) && !target.is_over.load(Ordering::Acquire) {
        streams.retain_mut(|stream| stream.read_chunk().is_ok_and(|chunk| !chunk.is_empty()));
        if streams.is_empty() {
            return thread::sleep(PERSISTENCE);
        }
    }
}

/// Reports, and statistics by groups, each time of other matches.
fn count(target: &Target, own: Ipv4Addr, dice: &mut Dice) {
    let game = GAMES[dice.below(4)];
    let day = 1 + dice.below(28);
    let path = match dice.below(3) {
        0 => format!("/v1/stats/{game}/report?players=all&from=2026-01-{day:02}"),
        1 => format!("/v1/stats/{game}?group_by=player,bot,day&limit=1000"),
        _ => format!("/v1/stats/{game}?group_by=seats,edition&from=2026-01-{day:02}"),
    };
    ask(target, own, &Request::new("GET", &path));
}

fn held(when: &str, server: &Process) {
    let folder = format!("/proc/{}/fd", server.id());
    let descriptors = fs::read_dir(folder).expect("Linux").count();
    println!("{when:<44} {:>10.0} MB, {descriptors} descriptors", server.resident_mb());
}

/// Tells how long it took, and returns the p99.
fn report(name: &str, mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    let at = |share: usize| times[(times.len() - 1) * share / 100];
    println!("{name:<44} {:>10.1} ms p50, {:.1} ms p99, {} of them", at(50), at(99), times.len());
    at(99)
}

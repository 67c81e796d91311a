//! Matches without end: who opens them has a quota, and what nobody touches is closed.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::disk::Disk;
use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::rewritten::{Part, rewrite};
use acceptance::{Answer, Client, Dice, Request, Table, until};
use serde_json::{Value, json};

/// `muninn serve` with the quotas that it has by itself, and without limits of how often one may ask.
fn serve(folder: &Path, more: &[&str]) -> Process {
    let mut command = Process::command(folder);
    command.args(["--trusted-proxies", "1"]).args(more);
    for quota in ["MATCHES_PER_ADDRESS", "BOT_MATCHES_PER_ADDRESS", "LIVE_MATCHES", "MATCH_EVENTS"]
    {
        command.env_remove(format!("MUNINN_{quota}"));
    }
    Process::spawn(&mut command)
}

/// Opens a match from an address, as a proxy names it.
fn open(client: &Client, from: &str, body: &Value) -> Answer {
    let request = Request::new("POST", "/v1/matches").json(body);
    client.send(request.header("X-Forwarded-For", from))
}

/// Takes a seat from an address, as a proxy names it.
fn join(client: &Client, from: &str, table: &Table, seat: usize) -> Answer {
    let request = Request::new("POST", &format!("/v1/matches/{}/seats/{seat}", table.id));
    client.send(request.json(&json!({})).header("X-Forwarded-For", from))
}

fn people() -> Value {
    json!({"game": "rosenkoenig", "seats": [{}, {}]})
}

fn waiting() -> Value {
    json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]})
}

fn bots() -> Value {
    json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "greedy"}]})
}

const HERE: &str = "192.0.2.1";
const ELSEWHERE: &str = "192.0.2.2";

#[track_caller]
fn refused(answer: &Answer, which: &str) {
    let problem = answer.problem(429, "quota_reached");
    let detail = problem["detail"].as_str().expect("a sentence");
    assert!(detail.contains(which) && detail.contains("owner token"), "{detail}");
}

#[test]
fn an_address_has_a_hundred_matches_and_ten_of_bots_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--bot-pause", "3600000"]);
    let client = server.client();
    for _ in 0..10 {
        open(&client, HERE, &bots()).created();
    }
    refused(&open(&client, HERE, &bots()), "10 running matches that bots play alone");
    // Where a person plays too, it is a match like any other.
    let mixed = json!({"game": "rosenkoenig", "seats": [{}, {"bot": "random"}]});
    open(&client, HERE, &mixed).created();
    let mine: Vec<Table> = (0..89)
        .map(|number| {
            let body = if number % 2 == 0 { people() } else { waiting() };
            Table::read(&client, &open(&client, HERE, &body).created())
        })
        .collect();
    for body in [people(), waiting(), mixed, bots()] {
        refused(&open(&client, HERE, &body), "100 open and running matches");
    }
    for (limit, count) in [("matches", 4), ("bot_matches", 1)] {
        let name = format!("muninn_limits_hit_total{{limit=\"{limit}\"}}");
        assert_eq!(server.operator().figure(&name), count, "{name}");
    }
    open(&client, ELSEWHERE, &people()).created();
    // One that is closed, and one that is played to its end, make room for one each.
    mine[0].owner().close(&mine[0].id).ok();
    mine[0].owner().close(&mine[0].id).ok();
    mine[2].finish(&mut Dice::new(8));
    open(&client, HERE, &people()).created();
    open(&client, HERE, &people()).created();
    refused(&open(&client, HERE, &people()), "100 open and running matches");
}

#[test]
fn a_network_of_ipv6_is_one_address_and_zero_is_no_limit() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(&folder.path().join("a"), &["--matches-per-address", "2"]);
    let client = server.client();
    open(&client, "2001:db8::1", &people()).created();
    open(&client, "2001:db8::2", &people()).created();
    refused(&open(&client, "2001:db8::3", &people()), "2 open and running matches");
    open(&client, "2001:db8:0:1::1", &people()).created();
    let none = ["--matches-per-address", "0", "--bot-matches-per-address", "0"];
    let server = serve(&folder.path().join("b"), &none);
    for _ in 0..101 {
        open(&server.client(), HERE, &bots()).created();
    }
}

#[test]
fn whatever_opens_a_match_counts_and_a_repeated_opening_does_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--matches-per-address", "2"]);
    let client = server.client();
    let finished = Table::read(&client, &open(&client, HERE, &people()).created());
    finished.finish(&mut Dice::new(9));
    let branch = || {
        let path = format!("/v1/matches/{}/branches", finished.id);
        let request = Request::new("POST", &path).json(&json!({"at": 2}));
        client.send(request.header("X-Forwarded-For", HERE))
    };
    branch().created();
    let keyed = || {
        let request = Request::new("POST", "/v1/matches").json(&people());
        let request = request.header("Idempotency-Key", "0198c0de-5c00-7000-8000-000000000003");
        client.send(request.header("X-Forwarded-For", HERE))
    };
    let opened = keyed().created();
    refused(&branch(), "2 open and running matches");
    assert_eq!(keyed().created(), opened, "the answer of before");
    // What is refused takes no place.
    let table = Table::read(&client, &opened);
    table.owner().close(&table.id).ok();
    let wrong = json!({"game": "rosenkoenig", "seats": [{}, {}, {}]});
    open(&client, HERE, &wrong).problem(422, "invalid_options");
    branch().created();
}

#[test]
fn an_address_joins_no_more_matches_than_it_may_open() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--matches-per-address", "2"]);
    let client = server.client();
    let three = json!({"game": "copenhagen", "seats": [{}, {"open": true}, {"open": true}]});
    let hosted = |from| Table::read(&client, &open(&client, from, &three).created());
    let [first, second, third] = [ELSEWHERE, ELSEWHERE, "192.0.2.3"].map(hosted);
    let join = |from: &str, table: &Table, seat: usize| join(&client, from, table, seat);
    // Both seats of a match count once, and a seat that was not to be had not at all.
    join(HERE, &first, 1).created();
    join(HERE, &first, 2).created();
    join(HERE, &third, 0).problem(409, "seat_taken");
    join(HERE, &third, 7).problem(404, "not_found");
    join(HERE, &second, 1).created();
    refused(&join(HERE, &third, 1), "2 open and running matches");
    refused(&open(&client, HERE, &people()), "2 open and running matches");
    // A match that was opened from there counts already.
    join(ELSEWHERE, &second, 2).created();
    refused(&join(ELSEWHERE, &third, 1), "2 open and running matches");
    first.owner().close(&first.id).ok();
    join(HERE, &third, 1).created();
    refused(&open(&client, HERE, &people()), "2 open and running matches");
    open(&client, ELSEWHERE, &people()).created();
}

/// Nobody could ever end it, so it would keep its place until a restart.
#[test]
fn a_match_that_is_set_aside_makes_room() {
    let (_folder, [data]) = acceptance::places(["data"]);
    // It is counted anew every ten seconds.
    let limits = ["--matches-per-address", "1", "--idle-running", "40s"];
    let server = serve(&data, &limits);
    let table = Table::read(&server.client(), &open(&server.client(), HERE, &waiting()).created());
    server.stop();
    // Its seal is another one: only a verification looks at that.
    rewrite(&data, &data, |_, part, bytes| {
        if part == Part::Commit(1) {
            bytes[10] ^= 1;
        }
    });
    let server = serve(&data, &limits);
    let client = server.client();
    join(&client, HERE, &table, 1).created();
    refused(&open(&client, HERE, &people()), "1 open and running matches");
    server.operator().send(Request::new("POST", "/verify")).lines();
    client.info(&table.id).problem(503, "damaged");
    until("room", || open(&client, HERE, &people()).status == 201);
    refused(&open(&client, HERE, &people()), "1 open and running matches");
    server.stop();
}

#[test]
fn what_the_store_refuses_takes_no_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), 48) else { return };
    let quotas = ["--trusted-proxies", "1", "--matches-per-address", "2"];
    let server = disk.serve(folder.path(), &[&quotas[..], &["--rate-limit-address", "0"]].concat());
    let client = server.client();
    let hosts = ["192.0.2.3", "192.0.2.4", "192.0.2.5"];
    let tables = hosts.map(|host| Table::read(&client, &open(&client, host, &waiting()).created()));
    // The store takes nothing where less than 32 MiB would be left.
    let filler = disk.path.join("filler");
    fs::write(&filler, vec![7_u8; 20 << 20]).expect("there is room for it");
    for table in &tables {
        open(&client, HERE, &people()).problem(503, "unavailable");
        join(&client, ELSEWHERE, table, 1).problem(503, "unavailable");
    }
    fs::remove_file(&filler).expect("it was made");
    until("there is space again", || open(&client, HERE, &people()).status == 201);
    open(&client, HERE, &people()).created();
    refused(&open(&client, HERE, &people()), "2 open and running matches");
    for table in &tables[..2] {
        join(&client, ELSEWHERE, table, 1).created();
    }
    refused(&join(&client, ELSEWHERE, &tables[2], 1), "2 open and running matches");
}

#[test]
fn many_openings_at_once_do_not_pass() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--matches-per-address", "7"]);
    let opened = AtomicU32::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..5 {
                    let answer = open(&server.client(), HERE, &people());
                    if answer.status == 201 {
                        opened.fetch_add(1, Ordering::Relaxed);
                    } else {
                        refused(&answer, "7 open and running matches");
                    }
                }
            });
        }
    });
    assert_eq!(opened.into_inner(), 7);
}

#[test]
fn a_restart_forgets_who_opened_but_not_how_many_there_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let limits = ["--matches-per-address", "3", "--live-matches", "5"];
    let server = serve(folder.path(), &limits);
    let client = server.client();
    let private = json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    for _ in 0..3 {
        open(&client, HERE, &private).created();
    }
    refused(&open(&client, HERE, &people()), "3 open and running matches");
    server.stop();
    let server = serve(folder.path(), &limits);
    let client = server.client();
    let table = Table::read(&client, &open(&client, HERE, &people()).created());
    open(&client, HERE, &people()).created();
    for from in [HERE, ELSEWHERE] {
        let problem = open(&client, from, &people()).problem(503, "unavailable");
        let detail = problem["detail"].as_str().expect("a sentence");
        assert!(detail.contains("5 open and running matches"), "{detail}");
    }
    table.owner().close(&table.id).ok();
    open(&client, ELSEWHERE, &people()).created();
    open(&client, ELSEWHERE, &people()).problem(503, "unavailable");
    let refused = server.operator().figure("muninn_limits_hit_total{limit=\"live_matches\"}");
    assert_eq!(refused, 3);
}

#[track_caller]
fn ended_idle(table: &Table) {
    let info = table.info();
    assert_eq!(info["status"], "abandoned", "{info}");
    let log = Table::pages(1000, |query| table.owner().commits(&table.id, query).ok());
    let last = log.last().expect("commits");
    let closed = json!({"type": "MatchClosed", "by": "operator", "reason": "idle"});
    assert_eq!(last["events"], json!([closed]), "{last}");
    assert_eq!((&last["seat"], &last["command"]), (&Value::Null, &Value::Null), "{last}");
}

#[test]
fn what_nobody_touches_is_closed_and_what_is_played_is_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--idle-open", "2s", "--idle-running", "6s"]);
    let client = server.client();
    let private = json!({"game": "rosenkoenig", "seats": [{}, {}], "visibility": "private"});
    let finished = Table::open(&client, &people());
    finished.finish(&mut Dice::new(10));
    let [open_seat, running, private, played] =
        [waiting(), people(), private, people()].map(|body| Table::open(&client, &body));
    let stream = running.seat(0).stream(&running.id, "", None);
    let start = Instant::now();
    let mut dice = Dice::new(11);
    until("the ends", || {
        // One plays on, a command now and then.
        if played.play(&mut dice, 1).is_empty() {
            return true;
        }
        thread::sleep(Duration::from_millis(600));
        start.elapsed() > Duration::from_secs(12)
    });
    for table in [&open_seat, &running, &private] {
        ended_idle(table);
    }
    assert_ne!(played.info()["status"], "abandoned");
    assert_eq!(client.status(&finished.id), "finished");
    let told = stream.rest();
    assert!(
        told.iter().any(|message| message.data.to_string().contains("\"idle\"")),
        "who watches is told"
    );
    let seat = running.seat(0);
    seat.command(&running.id, &json!({})).problem(409, "match_finished");
    server.stop();
    let verified = acceptance::process::verify(folder.path());
    assert_eq!(verified.0, Some(0), "{}", verified.1);
}

#[test]
fn what_is_idle_while_no_server_runs_is_closed_by_the_next() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--idle-open", "0", "--idle-running", "0"]);
    let bodies = [waiting(), people(), people()];
    let tables = bodies.map(|body| Table::open(&server.client(), &body));
    server.stop();
    thread::sleep(Duration::from_secs(3));
    let server = serve(folder.path(), &["--idle-open", "2s", "--idle-running", "1d"]);
    let tables = tables.map(|table| table.through(&server.client()));
    until("the end", || server.client().status(&tables[0].id) == "abandoned");
    ended_idle(&tables[0]);
    server.kill();
    let server = serve(folder.path(), &["--idle-running", "2s"]);
    let tables = tables.map(|table| table.through(&server.client()));
    for table in &tables {
        until("the end", || server.client().status(&table.id) == "abandoned");
        ended_idle(table);
    }
}

#[test]
fn a_match_that_is_long_enough_is_closed_whoever_plays_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = serve(folder.path(), &["--match-events", "40", "--bot-pause", "0"]);
    let client = server.client();
    let undone = json!({"game": "rosenkoenig", "options": {"start": "red"}, "seats": [{}, {}], "take_back": true});
    let tables = [people(), bots(), undone].map(|body| Table::open(&client, &body));
    let [people, bots, undone] = &tables;
    // A commit counts as three events at least.
    let length = |version: &Value, commit: &Value| {
        let number = |value: &Value| value.as_u64().expect("a number");
        number(version).max(3 * number(commit))
    };
    let mut dice = Dice::new(12);
    // Before, it goes on like any other; what reaches the length is accepted.
    while let info = people.info()
        && info["status"] == "running"
    {
        assert!(length(&info["version"], &info["commit"]) < 40, "{info}");
        people.play(&mut dice, 1);
    }
    while undone.info()["status"] == "running" {
        undone.play(&mut dice, 1);
        undone.seat(0).take_back(&undone.id);
    }
    until("the end", || client.status(&bots.id) == "abandoned");
    for table in &tables {
        let log = Table::pages(1000, |query| table.owner().commits(&table.id, query).ok());
        let [.., before, longest, last] = log.as_slice() else { panic!("{log:?}") };
        let closed = json!({"type": "MatchClosed", "by": "operator", "reason": "length"});
        assert_eq!(last["events"], json!([closed]), "{last}");
        let length = |commit: &Value| length(&commit["last_version"], &commit["commit"]);
        assert!(length(before) < 40 && length(longest) >= 40, "{before} {longest}");
    }
    let commits = undone.info()["commit"].as_u64().expect("a number");
    assert!(commits <= 40 / 3 + 2, "{commits}");
    people.seat(0).command(&people.id, &json!({})).problem(409, "match_finished");
    // One that is opened so long, before anybody acts in it.
    let mut long = self::people();
    long["sandbox"] = json!({"fast_forward": {"version": 50}});
    let long = Table::open(&client, &long);
    assert_eq!(client.status(&long.id), "abandoned");
    let log = Table::pages(1000, |query| long.owner().commits(&long.id, query).ok());
    let closed = json!({"type": "MatchClosed", "by": "operator", "reason": "length"});
    assert_eq!(log.last().map(|last| &last["events"]), Some(&json!([closed])));
    server.stop();
    let verified = acceptance::process::verify(folder.path());
    assert_eq!(verified.0, Some(0), "{}", verified.1);
}

#[test]
fn seven_days_for_an_open_match_and_ninety_for_a_running_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let data = folder.path().join("data");
    let after = |days: u32| {
        let mut command = Process::command(&data);
        command.env("LD_PRELOAD", &library).env("MUNINN_CLOCK", (days * 86_400).to_string());
        Process::spawn(&mut command)
    };
    let server = after(0);
    let tables = [waiting(), people()].map(|body| Table::open(&server.client(), &body));
    server.stop();
    for (day, statuses) in [
        (6, ["open", "running"]),
        (8, ["abandoned", "running"]),
        (89, ["abandoned", "running"]),
        (91, ["abandoned", "abandoned"]),
    ] {
        let server = after(day);
        let known = || tables.each_ref().map(|table| server.client().status(&table.id));
        // Where nothing is to happen, there is time for it to happen.
        thread::sleep(Duration::from_secs(2));
        until(&format!("day {day}"), || known() == statuses.map(Value::from));
        server.stop();
    }
}

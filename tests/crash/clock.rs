//! A clock that is set back, or ahead: the times of a match never fall, and nothing is lost by it.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::proof::{hex, sha256};
use acceptance::{Dice, Request, Table, muninn, run, until};
use store::{Config, Store, Write};

const DAY: i64 = 24 * 60 * 60;

/// What starts a server whose clock is so many seconds off, or as many as a file of that name says.
fn clocked(folder: &Path, library: &Path, clock: impl AsRef<OsStr>) -> Command {
    let mut command = Process::command(folder);
    command.env("LD_PRELOAD", library).env("MUNINN_CLOCK", clock);
    command
}

/// A server whose clock is so many seconds off.
fn serve(folder: &Path, library: &Path, seconds: i64) -> Process {
    Process::spawn(&mut clocked(folder, library, seconds.to_string()))
}

/// Waits until a log says that.
#[track_caller]
fn says(log: &Path, what: &str) {
    until(what, || fs::read_to_string(log).expect("a log").contains(what));
}

fn times(table: &Table) -> Vec<String> {
    let commits = Table::pages(1000, |query| table.owner().commits(&table.id, query).ok());
    let time = |commit: &Value| commit["recorded_at"].as_str().expect("a time").to_owned();
    commits.iter().map(time).collect()
}

#[test]
fn times_do_not_fall_when_the_clock_is_set_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let data = folder.path().join("data");
    let server = serve(&data, &library, 3600);
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let tables: Vec<Table> = (0..2).map(|_| Table::open(&server.client(), &body)).collect();
    tables.iter().for_each(|table| drop(table.play(&mut Dice::new(5), 4)));
    let early = times(&tables[0]);
    server.stop();
    let server = serve(&data, &library, 0);
    let tables: Vec<Table> = tables.iter().map(|table| table.through(&server.client())).collect();
    let table = &tables[0];
    table.play(&mut Dice::new(6), 3);
    let seat = table.active().expect("it runs");
    table.seat(seat).command(&table.id, &table.legal()[0]).created();
    let taken_back = table.seat(seat).take_back(&table.id).status;
    assert!(taken_back == 201 || taken_back == 422, "{taken_back}");
    tables[1].owner().close(&tables[1].id).ok();
    let now = times(table);
    assert!(now.len() > early.len() && now.is_sorted(), "{now:?}");
    for table in &tables {
        let info = table.info();
        let time = |name: &str| info[name].as_str().expect("a time").to_owned();
        assert!(time("created_at") <= time("updated_at"), "{info}");
        assert_eq!(time("updated_at"), *times(table).last().expect("commits"));
    }
    server.stop();
    run(muninn().arg("verify").arg("--data").arg(&data)).ok();
}

/// A POST with an idempotency key.
fn keyed(path: &str, body: &Value) -> Request {
    Request::new("POST", path).json(body).header("Idempotency-Key", "a request of yesterday")
}

/// Writes what a program of before wrote beside the commit of a command with a key: a note.
fn note_as_before(data: &Path, table: &Table, seat: usize, body: &Value, answer: &Value) {
    let id = table.id.replace('-', "");
    let id = (0..16).map(|at| u8::from_str_radix(&id[2 * at..2 * at + 2], 16).expect("an id"));
    let key = [
        b"command/".to_vec(),
        id.collect(),
        sha256(&[&[u8::try_from(seat).expect("few")], b"older"]).to_vec(),
    ]
    .concat();
    let body = hex(&sha256(&[body.to_string().as_bytes()]));
    let value = json!({"body": body, "version": answer["version"], "commit": answer["commit"]});
    let store = Store::open(data, Config::default()).expect("it opens");
    let notes = vec![(key, value.to_string().into_bytes())];
    store.submit(Write { notes, ..Write::default() }).wait().expect("it is stored");
}

/// How many notes of idempotency keys a store has.
fn notes_of_keys(data: &Path) -> usize {
    let store = Store::open(data, Config::default()).expect("it opens");
    let notes = store.notes(None, usize::MAX).expect("readable");
    let is_key = |key: &[u8]| key.starts_with(b"command/") || key.starts_with(b"open/");
    notes.iter().filter(|note| is_key(&note.key)).count()
}

#[test]
fn idempotency_keys_end_after_a_day() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let data = folder.path().join("data");
    let server = serve(&data, &library, 0);
    let opening = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    let opened = server.client().send(keyed("/v1/matches", &opening)).created();
    let table = Table::read(&server.client(), &opened);
    let path = format!("/v1/matches/{}/commands", table.id);
    let seat = table.active().expect("it runs");
    let body = json!({"command": table.legal()[0], "expected_version": table.version()});
    let played = table.seat(seat).send(keyed(&path, &body)).created();
    let older = |body| Request::new("POST", &path).json(body).header("Idempotency-Key", "older");
    server.stop();
    note_as_before(&data, &table, seat, &body, &played);
    assert_eq!(notes_of_keys(&data), 2);

    let hour = 60 * 60;
    let server = serve(&data, &library, 23 * hour);
    let table = table.through(&server.client());
    let other = json!({"command": table.legal()[0]});
    for _ in 0..2 {
        assert_eq!(server.client().send(keyed("/v1/matches", &opening)).created(), opened);
        assert_eq!(table.seat(seat).send(keyed(&path, &body)).created(), played);
        assert_eq!(table.seat(seat).send(older(&body)).created(), played);
        for request in [keyed(&path, &other), older(&other)] {
            table.seat(seat).send(request).problem(409, "idempotency_conflict");
        }
        // Once more where the match is in memory with all that is played meanwhile.
        table.play(&mut Dice::new(7), 2);
    }
    server.stop();

    let server = serve(&data, &library, 25 * hour);
    let table = table.through(&server.client());
    for request in [keyed(&path, &body), older(&body)] {
        table.seat(seat).send(request).problem(409, "version_conflict");
    }
    let again = server.client().send(keyed("/v1/matches", &opening)).created();
    assert_ne!(again["match"], opened["match"], "a new match");
    assert_eq!(server.client().send(keyed("/v1/matches", &opening)).created(), again);
    server.stop();
    assert_eq!(notes_of_keys(&data), 1, "the one that was just written");
}

#[test]
fn no_match_is_closed_by_a_clock_that_is_set_far_ahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let [data, clock, log] = ["data", "clock", "log"].map(|name| folder.path().join(name));
    let set = |seconds: i64| fs::write(&clock, seconds.to_string()).expect("a file");
    set(0);
    let mut command = clocked(&data, &library, &clock);
    command.args(["--idle-open", "4s"]).env("MUNINN_LOG", "info");
    let server = Process::spawn(command.stderr(File::create(&log).expect("a file for the log")));
    let client = server.client();
    let opening = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    let opened = client.send(keyed("/v1/matches", &opening)).created();
    let table = Table::read(&client, &opened);
    let ahead = || server.operator().figure("muninn_clock_ahead_seconds");
    assert_eq!(ahead(), 0);
    set(365 * DAY);
    says(&log, "the clock was set ahead: the closing of idle matches waits");
    assert!(ahead() > 364 * DAY.unsigned_abs());
    set(0);
    says(&log, "the clock was set back: the closing of idle matches goes on");
    assert_eq!(ahead(), 0);
    let waiting = json!({"game": "rosenkoenig", "seats": [{}, {"open": true}]});
    let waiting = Table::open(&client, &waiting);
    until("the end of what is idle", || client.status(&waiting.id) == "abandoned");
    assert_eq!(client.status(&table.id), "running");
    assert_eq!(client.send(keyed("/v1/matches", &opening)).created(), opened);
    server.stop();
}

#[test]
fn keys_are_remembered_while_the_clock_is_set_far_ahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let [data, clock] = ["data", "clock"].map(|name| folder.path().join(name));
    let set = |seconds: i64| fs::write(&clock, seconds.to_string()).expect("a file");
    set(0);
    let server = Process::spawn(&mut clocked(&data, &library, &clock));
    let opening = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    let opened = server.client().send(keyed("/v1/matches", &opening)).created();
    let table = Table::read(&server.client(), &opened);
    let path = format!("/v1/matches/{}/commands", table.id);
    let seat = table.active().expect("it runs");
    let body = json!({"command": table.legal()[0]});
    let played = table.seat(seat).send(keyed(&path, &body)).created();
    let same = |server: &Process| {
        let table = table.through(&server.client());
        assert_eq!(server.client().send(keyed("/v1/matches", &opening)).created(), opened);
        assert_eq!(table.seat(seat).send(keyed(&path, &body)).created(), played);
    };
    set(2 * DAY);
    same(&server);
    // A commit of that time does not end the keys of those before.
    let other = table.active().expect("it runs");
    assert_ne!(other, seat);
    let later = json!({"command": table.legal()[0]});
    let answered = table.seat(other).send(keyed(&path, &later)).created();
    same(&server);
    set(0);
    same(&server);
    server.stop();
    let server = Process::spawn(&mut clocked(&data, &library, &clock));
    same(&server);
    let table = table.through(&server.client());
    assert_eq!(table.seat(other).send(keyed(&path, &later)).created(), answered);
    server.stop();
}

#[test]
fn no_key_is_removed_by_a_clock_that_is_set_far_ahead() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let [data, log] = ["data", "log"].map(|name| folder.path().join(name));
    let server = serve(&data, &library, 0);
    let opening = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    server.client().send(keyed("/v1/matches", &opening)).created();
    server.stop();
    // It is right at the start of the server, and no longer when the thread of this name looks.
    let mut command = clocked(&data, &library, (365 * DAY).to_string());
    command.env("MUNINN_CLOCK_THREAD", "keys").env("MUNINN_LOG", "warn");
    let server = Process::spawn(command.stderr(File::create(&log).expect("a file for the log")));
    says(&log, "the clock was set ahead: the removal of old idempotency keys waits");
    server.stop();
    assert_eq!(notes_of_keys(&data), 1);
}

#[test]
fn an_id_has_the_time_at_which_its_match_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let [data, clock] = ["data", "clock"].map(|name| folder.path().join(name));
    let set = |seconds: i64| fs::write(&clock, seconds.to_string()).expect("a file");
    set(2 * DAY);
    let server = Process::spawn(&mut clocked(&data, &library, &clock));
    let [_, first, second] = [2 * DAY, 0, 0].map(|seconds| {
        set(seconds);
        let table = Table::rosenkoenig(&server.client());
        let time = i64::from_str_radix(&table.id.replace('-', "")[..12], 16).expect("a time");
        let info = table.info();
        let created_at = info["created_at"].as_str().expect("a time");
        let created_at = DateTime::parse_from_rfc3339(created_at).expect("a time");
        assert!((time - created_at.timestamp_millis()).abs() < 60_000, "{info}");
        table.id
    });
    assert!(first < second, "{first} {second}");
    server.stop();
}

#[test]
fn a_bot_waits_for_who_may_take_back_though_the_clock_was_set_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let data = folder.path().join("data");
    let server = serve(&data, &library, 3600);
    let seats = json!([{}, {"bot": "random"}]);
    let body = json!({"game": "rosenkoenig", "options": {"start": "red"}, "seats": seats, "take_back": true});
    let table = Table::open(&server.client(), &body);
    table.act(&table.legal()[0]);
    server.stop();
    let began = Instant::now();
    let server = serve(&data, &library, 0);
    let table = table.through(&server.client());
    until("the answer", || table.info()["commit"] == 3);
    assert!(began.elapsed() > Duration::from_millis(2_900), "{:?}", began.elapsed());
    server.stop();
}

#[test]
fn a_restore_says_what_it_leaves_out_where_the_clock_was_ahead_for_a_while() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "crash/clock.c") else { return };
    let names = ["data", "archive", "time", "position"];
    let [data, archive, time, position] = names.map(|name| folder.path().join(name));
    let [first, ahead, last] = [0, 30 * DAY, 0].map(|seconds| {
        let server = serve(&data, &library, seconds);
        Table::rosenkoenig(&server.client()).play(&mut Dice::new(5), 2);
        let end = server.operator().figure("muninn_feed_position");
        server.stop();
        end
    });
    run(muninn().arg("backup").arg("--data").arg(&data).arg("--out").arg(&archive)).ok();
    let restore = |out: &Path, until: &str| {
        let from = [OsStr::new("--from"), archive.as_os_str(), OsStr::new("--data")];
        run(muninn().arg("restore").args(from).arg(out).args(["--until", until]))
    };
    let in_an_hour = Utc::now() + TimeDelta::hours(1);
    let said = restore(&time, &in_an_hour.to_rfc3339());
    let note = format!("note: {} commits behind position {first} were recorded", last - ahead);
    assert!(said.error.contains(&note), "{}", said.error);
    let told = said.ok();
    assert!(told.contains(&format!("up to position {first} ")), "{told}");
    let said = restore(&position, &last.to_string());
    assert!(said.code == Some(0) && !said.error.contains("behind position"), "{}", said.error);
}

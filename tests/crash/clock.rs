//! A clock that is set back: the times of a match never fall.

use std::path::Path;

use serde_json::{Value, json};

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::proof::{hex, sha256};
use acceptance::{Dice, Request, Table, muninn, run};
use store::{Config, Store, Write};

/// A server whose clock is so many seconds off.
fn serve(folder: &Path, library: &Path, seconds: i64) -> Process {
    let mut command = Process::command(folder);
    command.env("LD_PRELOAD", library).env("MUNINN_CLOCK", seconds.to_string());
    Process::spawn(&mut command)
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

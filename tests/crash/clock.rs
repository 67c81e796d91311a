//! A clock that is set back: the times of a match never fall.

use std::path::Path;

use serde_json::{Value, json};

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::{Dice, Table, muninn};

/// A server whose clock is so many seconds off.
fn serve(folder: &Path, library: &Path, seconds: i64) -> Process {
    let mut command = muninn();
    command.args(["serve", "--listen", "127.0.0.1:0", "--log", "error", "--data"]).arg(folder);
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
    let mut verify = muninn();
    let verified = verify.arg("verify").arg("--data").arg(&data).status();
    assert!(verified.expect("the program runs").success());
}

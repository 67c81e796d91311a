//! A disk that takes no more: 503, reads go on, and nothing that was acknowledged is lost.

use std::fs::File;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::failing_disk::Fault;
use crate::follower::Follower;
use acceptance::disk::Disk;
use acceptance::preload::library;
use acceptance::process::{Process, verify};
use acceptance::{Answer, Client, Dice, Table, muninn, simulate, until};

/// The server with files of at most so many blocks of 512 bytes.
fn limited(folder: &Path, blocks: u64, more: &[&str]) -> Process {
    let program = muninn();
    let mut limited = Command::new("sh");
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    limited.args(["-c", &script, "sh"]).arg(program.get_program());
    limited.args(["serve", "--listen", "127.0.0.1:0", "--data"]);
    limited.arg(folder).args(more).args(["--rate-limit-address", "0"]);
    limited.args(["--rate-limit-token", "0"]).stderr(Stdio::null());
    Process::spawn(&mut limited)
}

/// Plays match after match until an answer is no success; what was acknowledged, and that answer.
pub(crate) fn play_until_full(client: &Client, dice: &mut Dice) -> (Vec<(Table, u64)>, Answer) {
    let mut tables: Vec<(Table, u64)> = Vec::new();
    loop {
        assert!(tables.len() < 200, "the limit is never met");
        let opened = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
        if opened.status != 201 {
            return (tables, opened);
        }
        let table = Table::read(client, &opened.created());
        // The setup has more than one event.
        let version = table.version();
        tables.push((table, version));
        let (table, version) = tables.last_mut().expect("it was just pushed");
        while let Some(seat) = table.active() {
            let legal = table.legal();
            let command = &legal[dice.below(legal.len())];
            let answer = table.seat(seat).command(&table.id, command);
            if answer.status != 201 {
                return (tables, answer);
            }
            *version = answer.created()["version"].as_u64().expect("a version");
        }
    }
}

/// Asserts that a write was refused, or under way when the disk took no more: then nobody knows.
pub(crate) fn cut_off(failed: &Answer) {
    let code = failed.json()["code"].as_str().map(str::to_owned).unwrap_or_default();
    assert!(["unavailable", "outcome_unknown"].contains(&code.as_str()), "{code}");
    failed.problem(503, &code);
}

/// Asserts that everything that was acknowledged is there.
pub(crate) fn check(client: &Client, tables: &[(Table, u64)]) {
    for (table, version) in tables {
        let found = client.info(&table.id).ok()["version"].as_u64();
        assert!(found >= Some(*version), "{found:?} of {version}");
    }
}

#[test]
fn a_store_that_fails_is_unavailable_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = limited(folder.path(), 7_600, &[]);
    let client = server.client();
    assert_eq!(client.get("/readyz").ok()["status"], "ok");
    let (mut dice, mut follower) = (Dice::new(5), Follower::default());
    let (tables, failed) = follower.follow_during(&client, || play_until_full(&client, &mut dice));
    assert!(follower.shown() > 0, "nobody followed the feed");
    cut_off(&failed);
    client.get("/readyz").problem(503, "unavailable");
    assert_eq!(client.get("/healthz").ok()["status"], "ok", "the process lives");
    let again = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
    again.problem(503, "unavailable");
    let (last, version) = tables.last().expect("something was stored");
    assert_eq!(client.info(&last.id).ok()["version"], *version, "reads go on");
    server.stop();

    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    check(&client, &tables);
    follower.check(&server);
    let (last, _) = tables.last().expect("something was stored");
    last.through(&client).play(&mut dice, 2);
    server.stop();
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn a_full_disk_is_unavailable_until_there_is_space_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), 48) else { return };
    let server = disk.serve(folder.path(), &[]);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let (mut dice, mut follower) = (Dice::new(21), Follower::default());
    for left in [20, 0] {
        table.play(&mut dice, 2);
        let version = table.version();
        let free = || fs2::available_space(&disk.path).expect("a disk has space");
        let before = free();
        let filler = File::create(disk.path.join("filler")).expect("it can be made");
        fill(&filler, &disk.path, left << 20);
        let seat = table.active().expect("it runs");
        let legal = table.legal();
        let refused = table.seat(seat).command(&table.id, &legal[0]);
        refused.problem(503, "unavailable");
        client.get("/readyz").problem(503, "unavailable");
        let opened = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
        opened.problem(503, "unavailable");
        assert_eq!(table.version(), version, "reads go on, and nothing was stored");
        let commits = client.commits(&table.id, "limit=1000").ok();
        assert_eq!(commits["next"], Value::Null);
        follower.catch_up(&client);
        std::fs::remove_file(disk.path.join("filler")).expect("it can be removed");
        drop(filler);
        // A process that is being started beside this one has all open files for a moment.
        until("the disk has its space back", || free() + (1 << 20) > before);
        until("it is ready", || client.get("/readyz").status == 200);
        table.seat(seat).command(&table.id, &legal[0]).created();
    }
    follower.catch_up(&client);
    assert_eq!(follower.shown() as u64, table.version(), "all of it was shown");
    follower.check(&server);
    server.stop();
}

/// To read the tables, SQLite makes a small file beside them. Where there is no space for it, nothing is known against the tables.
#[test]
fn a_full_disk_is_no_damage_of_the_tables() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), 48) else { return };
    let data = disk.path.join("store");
    let server = disk.serve(folder.path(), &["--query", "on"]);
    Table::rosenkoenig(&server.client()).finish(&mut Dice::new(4));
    let question = json!({"sql": "SELECT match_id FROM matches"});
    let ask = |server: &Process| server.client().post("/v1/query", &question);
    let rows = |answer: &Answer| answer.json()["rows"].clone();
    until("the tables", || rows(&ask(&server))[0].is_array());
    let before = rows(&ask(&server));
    server.stop();
    let server = disk.serve(folder.path(), &["--query", "on"]);
    until("the tables to be looked at", || {
        let ready = server.operator().get("/readyz").ok();
        let all = ready["projections"].as_array().expect("a list").iter();
        let is_there = |p: &Value| p["position"] == ready["position"];
        all.filter(|p| is_there(p)).count() == 3 && !data.join("tables.sqlite-shm").exists()
    });
    let file = data.join("tables.sqlite");
    let inode = || std::fs::metadata(&file).expect("a file").ino();
    let kept = inode();
    let filler = File::create(disk.path.join("filler")).expect("it can be made");
    fill(&filler, &disk.path, 0);
    ask(&server).problem(503, "unavailable");
    drop(filler);
    std::fs::remove_file(disk.path.join("filler")).expect("it can be removed");
    until("the tables again", || ask(&server).status == 200);
    assert_eq!((rows(&ask(&server)), inode()), (before, kept), "they are those of before");
    assert_eq!(server.operator().rebuilt("tables"), 0);
    server.stop();
}

/// What is written of the list may be in its file though the disk is full before all of it is done.
#[test]
fn matches_are_counted_right_while_the_list_cannot_be_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let fault = Fault { file: "/list.sqlite", call: "full", skip: 0, times: 1_000_000 };
    let server = fault.serve(folder.path(), &library);
    let client = server.client();
    let armed = folder.path().join("armed");
    File::create(&armed).expect("it can be made");
    (0..10).for_each(|_| drop(Table::rosenkoenig(&client)));
    let sums = || std::fs::read(folder.path().join("data/list.sums")).expect("a file");
    let before = sums();
    until("the list is written in part", || sums() != before);
    let counted = |status: &str| {
        let name = format!("muninn_matches_by_status{{status=\"{status}\"}}");
        server.operator().figure(&name)
    };
    assert_eq!(["open", "running", "finished", "abandoned"].map(counted), [0, 10, 0, 0]);
    assert_eq!(server.operator().figure("muninn_matches"), 10);
    let listed = client.matches("status=running").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(10));
    std::fs::remove_file(armed).expect("it was made");
    server.stop();
}

/// Writes until no more than so many bytes are left on the disk.
pub(crate) fn fill(mut file: &File, disk: &Path, left: u64) {
    let block = vec![7; 1 << 16];
    while fs2::available_space(disk).expect("a disk has space") > left
        && file.write_all(&block).is_ok()
    {}
}

/// Makes a store far larger than a cache of one MiB: what is not in memory must be read from the disk. Returns answers, by path.
fn large(data: &Path) -> (Vec<String>, Vec<Value>) {
    simulate(data, "--game voluspa --matches 120");
    let server = Process::serve(data, &[]);
    let listed = server.client().matches("limit=1000").ok();
    let ids = listed["items"].as_array().expect("a list").iter();
    let paths = ids.flat_map(|item| {
        let path = format!("/v1/matches/{}", item["match"].as_str().expect("an id"));
        ["/commits?limit=1000", "/view?at=20", ""].map(|more| format!("{path}{more}"))
    });
    let paths: Vec<String> = paths.collect();
    let truth = paths.iter().map(|path| server.client().get(path).ok()).collect();
    server.stop();
    (paths, truth)
}

/// Asserts that each answer is right or says that it cannot be had; returns how many cannot.
fn unavailable(client: &Client, paths: &[String], truth: &[Value]) -> usize {
    let mut unavailable = 0;
    for (path, expected) in paths.iter().zip(truth) {
        let answer = client.get(path);
        if answer.status == 200 {
            assert_eq!(answer.json(), *expected, "{path}");
        } else {
            // Where only the record of one match cannot be read, that match is named.
            let is_named = answer.json()["code"] == "damaged";
            answer.problem(503, if is_named { "damaged" } else { "unavailable" });
            unavailable += 1;
        }
    }
    assert!(unavailable < paths.len(), "reads go on");
    unavailable
}

#[test]
fn reads_of_a_store_that_failed_are_true_or_unavailable() {
    let folder = tempfile::tempdir().expect("a folder");
    let (paths, truth) = large(folder.path());
    let size = std::fs::metadata(folder.path().join("log/db")).expect("it is there").len();
    let small = ["--cache-mib", "1", "--matches-mib", "0"];
    let server = limited(folder.path(), size / 512 + 2_000, &small);
    let client = server.client();
    let mut follower = Follower::default();
    let (tables, failed) =
        follower.follow_during(&client, || play_until_full(&client, &mut Dice::new(9)));
    cut_off(&failed);
    client.get("/readyz").problem(503, "unavailable");
    follower.follow_during(&client, || unavailable(&client, &paths, &truth));
    server.stop();
    let server = Process::serve(folder.path(), &[]);
    check(&server.client(), &tables);
    follower.check(&server);
    assert_eq!(unavailable(&server.client(), &paths, &truth), 0);
    server.stop();
}

#[test]
fn what_the_disk_does_not_read_is_said_and_nothing_else_is_shown() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let (paths, truth) = large(&folder.path().join("data"));
    let mut follower = Follower::default();
    for (skip, times) in [(40, 1), (0, 1_000_000)] {
        let fault = Fault { file: "/log/db", call: "pread", skip, times };
        let server = fault.serve(folder.path(), &library);
        let client = server.client();
        // A part is in memory.
        client.get(&paths[0]).ok();
        File::create(folder.path().join("armed")).expect("it can be made");
        let lost = follower.follow_during(&client, || unavailable(&client, &paths, &truth));
        // One that fails may be of nobody's answer; then the same is read again, and well.
        if times > 1 {
            assert!(lost > 0, "nothing was read");
            client.get("/readyz").problem(503, "unavailable");
            let opened = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
            opened.problem(503, "unavailable");
        }
        server.kill();
        std::fs::remove_file(folder.path().join("armed")).expect("it was made");
    }
    let server = Process::serve(&folder.path().join("data"), &[]);
    assert_eq!(unavailable(&server.client(), &paths, &truth), 0);
    follower.catch_up(&server.client());
    follower.check(&server);
    server.stop();
}

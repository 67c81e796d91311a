//! What happens to the files behind the back of a running server: it notices, takes no more writes, and says why.

use std::fs;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::failing_disk::Fault;
use acceptance::preload::library;
use acceptance::process::{Process, verify};
use acceptance::{Client, Dice, Request, Table, simulate, until};

/// Starts the server with this log.
fn serve(data: &Path, log: &Path) -> Process {
    let mut serve = Process::command(data);
    serve.args(["--log", "warn", "--bot-pause", "0", "--cache-mib", "1", "--matches-mib", "0"]);
    Process::spawn(serve.stderr(fs::File::create(log).expect("a file for the log")))
}

fn count(log: &Path, words: &str) -> u64 {
    let text = fs::read_to_string(log).expect("a log");
    text.lines().filter(|line| line.contains(words)).count() as u64
}

/// Asserts that the server takes no writes, and says this word about it.
#[track_caller]
fn takes_no_writes(client: &Client, word: &str) {
    let ready = client.get("/readyz").problem(503, "unavailable");
    assert!(ready["detail"].as_str().is_some_and(|detail| detail.contains(word)), "{ready}");
    let opened = client.open(&json!({"game": "rosenkoenig", "seats": [{}, {}]}));
    opened.problem(503, "unavailable");
    client.get("/healthz").ok();
}

#[test]
fn a_folder_that_is_gone_takes_no_writes() {
    let (folder, [data, aside]) = acceptance::places(["data", "aside"]);
    let log = folder.path().join("log.txt");
    let server = serve(&data, &log);
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    table.play(&mut Dice::new(3), 6);
    let version = table.version();
    fs::rename(&data, &aside).expect("it can be moved");
    takes_no_writes(&client, "removed or replaced");
    let seat = table.active().expect("it runs");
    let command = table.legal()[0].clone();
    let start = Instant::now();
    for _ in 0..400 {
        table.seat(seat).command(&table.id, &command).problem(503, "unavailable");
    }
    let lines = count(&log, "the store refuses a write");
    assert!((1..=start.elapsed().as_secs() + 3).contains(&lines), "{lines} lines");
    // What the client was told leads to the cause.
    thread::sleep(Duration::from_millis(1100));
    let path = format!("/v1/matches/{}/commands", table.id);
    let request = Request::new("POST", &path).json(&json!({"command": command}));
    let problem = table.seat(seat).send(request.header("X-Request-Id", "mine"));
    assert_eq!(problem.problem(503, "unavailable")["request_id"], "mine");
    assert_eq!(count(&log, "request.id=\"mine\""), 1);
    assert_eq!(table.version(), version, "reads go on");
    // Another one in its place is not the same.
    simulate(&data, "--game rosenkoenig --matches 1");
    takes_no_writes(&client, "removed or replaced");
    fs::remove_dir_all(&data).expect("it can be removed");
    fs::rename(&aside, &data).expect("it can be moved");
    until("it is ready", || client.get("/readyz").status == 200);
    table.seat(seat).command(&table.id, &command).created();
    server.stop();
    assert_eq!(verify(&data).0, Some(0));
}

#[test]
fn a_damaged_snapshot_is_removed_and_nothing_is_lost() {
    let (_folder, [data, log]) = acceptance::places(["data", "log.txt"]);
    simulate(&data, "--game rosenkoenig --matches 30");
    let (code, before) = verify(&data);
    assert_eq!(code, Some(0), "{before}");
    // Each start but the first writes one.
    let server = serve(&data, &log);
    server.client().get("/readyz").ok();
    server.stop();
    let entries = fs::read_dir(data.join("log")).expect("a folder");
    let mut paths = entries.map(|entry| entry.expect("an entry").path());
    let snapshot = paths.find(|path| path.to_string_lossy().contains("snap."));
    let snapshot = snapshot.expect("there is one");
    let mut bytes = fs::read(&snapshot).expect("readable");
    bytes[20] ^= 1;
    fs::write(&snapshot, bytes).expect("writable");
    let (code, said) = verify(&data);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("store: the snapshot snap.") && said.contains("1 findings"), "{said}");
    let server = serve(&data, &log);
    let listed = server.client().matches("limit=1000").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(30));
    server.stop();
    assert_eq!(count(&log, "is damaged and was removed"), 1);
    assert_eq!(verify(&data), (Some(0), before));
}

/// A fault, which happens as long as this lives.
struct Armed(PathBuf);

impl Armed {
    fn new(folder: &Path) -> Self {
        let armed = folder.join("armed");
        fs::File::create(&armed).expect("it can be made");
        Armed(armed)
    }
}

impl Drop for Armed {
    fn drop(&mut self) {
        drop(fs::remove_file(&self.0));
    }
}

/// For how many seconds the batch that is being written has been, as the metrics say.
fn writing(server: &Process) -> Option<f64> {
    let metrics = server.operator().get("/metrics").text();
    let mut values = metrics.lines();
    values.find_map(|line| line.strip_prefix("muninn_store_writing_seconds ")?.parse().ok())
}

/// The first write after a start makes space in the log, and waits for its sync. Whoever asks whether the server is ready does neither.
#[test]
fn readiness_is_told_while_a_write_waits_for_the_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    simulate(&folder.path().join("data"), "--game rosenkoenig --matches 2");
    let fault = Fault { file: "/log/db", call: "held", skip: 0, times: 1_000_000 };
    let server = fault.serve(folder.path(), &library);
    let client = server.client();
    let armed = Armed::new(folder.path());
    client.get("/readyz").ok();
    let open = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    thread::scope(|scope| {
        // However this ends, the write goes on.
        let until_now = armed;
        let opened = scope.spawn(|| client.open(&open));
        until("a write that waits", || folder.path().join("armed.held").exists());
        // The door asks the store itself, each time.
        for client in [&client, &server.operator()] {
            client.get("/readyz").ok();
        }
        until("it is told how long it waits", || writing(&server) > Some(0.5));
        assert!(!opened.is_finished(), "it waits for the disk");
        drop(until_now);
        opened.join().expect("an answer").created();
    });
    until("nothing is being written", || writing(&server) == Some(0.0));
    client.get("/readyz").ok();
    server.stop();
}

/// The engine moves what is still needed out of old parts of its log. The thread that does so ends where it cannot read one, and tells nobody.
#[test]
fn a_part_that_cannot_be_read_to_be_moved_takes_no_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let data = folder.path().join("data");
    // Far larger than the cache: what is moved must be read.
    simulate(&data, "--game voluspa --matches 120");
    let fault = Fault { file: "/log/db", call: "pread", skip: 0, times: 1_000_000 };
    let mut serve = fault.command(folder.path(), &library);
    let server = Process::spawn(serve.env("FAULT_THREAD", "log flusher"));
    let client = server.client();
    let table = Table::rosenkoenig(&client);
    let armed = Armed::new(folder.path());
    // Each is written to places all over the log, so that old parts of it become garbage.
    let sandbox =
        json!({"game": "rosenkoenig", "seats": [{}, {}], "sandbox": {"fast_forward": {}}});
    until("a part that is to be moved", || {
        let is_refused = (0..20).any(|_| client.open(&sandbox).status != 201);
        is_refused && client.get("/readyz").status == 503
    });
    drop(armed);
    takes_no_writes(&client, "cannot be read");
    assert_eq!(server.operator().figure("muninn_store_writable"), 0);
    assert_eq!(table.info()["commit"], 1, "reads go on");
    server.stop();
    // Nothing was damaged: the next start finds everything, and goes on.
    let server = Process::serve(&data, &[]);
    let client = server.client();
    client.get("/readyz").ok();
    client.open(&sandbox).created();
    server.stop();
    assert_eq!(verify(&data).0, Some(0));
}

#[test]
fn a_store_with_holes_takes_no_writes_and_all_of_them_are_listed() {
    // A hole in the root of the log leaves no match that can be read. That is answered as well; but some shall be left here.
    assert!((0..5).any(|_| unreadable_by_holes() < 150));
}

/// Plants holes in the log of 150 matches; returns how many cannot be read then.
fn unreadable_by_holes() -> usize {
    let (_folder, [data, log]) = acceptance::places(["data", "log.txt"]);
    simulate(&data, "--game voluspa --matches 150 --seed 5");
    let server = serve(&data, &log);
    let client = server.client();
    let listed = client.matches("limit=1000").ok();
    let ids = listed["items"].as_array().expect("a list").iter();
    let paths =
        ids.map(|item| format!("/v1/matches/{}/commits", item["match"].as_str().expect("an id")));
    let paths: Vec<String> = paths.collect();
    let truth: Vec<_> = paths.iter().map(|path| client.get(path).ok()).collect();
    let file = fs::File::options().write(true).open(data.join("log/db")).expect("the log");
    let length = file.metadata().expect("a length").len();
    let mut unreadable = Vec::new();
    // How much of the log is still in use, and where, differs from run to run: holes are added until they hit something.
    let mut shifts = 0..8;
    while unreadable.len() < 2
        && let Some(shift) = shifts.next()
    {
        for at in (1..24).map(|n| (8 * n + shift) * length / 320) {
            file.write_all_at(&[0x55; 20_000], at).expect("writable");
        }
        unreadable.clear();
        for (path, expected) in paths.iter().zip(&truth) {
            let answer = client.get(path);
            if answer.status == 200 {
                assert_eq!(answer.json(), *expected);
            } else {
                answer.problem(503, "damaged");
                unreadable.push(path.split('/').nth(3).expect("an id"));
            }
        }
    }
    assert!(unreadable.len() > 1, "{} cannot be read", unreadable.len());
    takes_no_writes(&client, "cannot be read");
    server.kill();
    let (code, said) = verify(&data);
    assert_eq!(code, Some(1), "{said}");
    // A hole in what was written last keeps the store from being opened: then that is all that can be said. Else everything is listed: by
    // name while the feed can be read, which names every commit; where a hole hits the feed too, as ranges that hold nothing readable.
    // The store's own tests compare the list record by record.
    let is_opened = !said.contains("error: the store is damaged");
    if is_opened && said.contains("store: the feed between ") {
        assert!(said.contains("store: the commits between "), "{said}");
    } else if is_opened {
        assert!(said.contains("150 matches, "), "{said}");
        for id in &unreadable {
            assert!(said.contains(&format!("match {id}")), "{id} is not in:\n{said}");
        }
    }
    assert!(count(&log, "a part of the store cannot be read") >= 1);
    unreadable.len()
}

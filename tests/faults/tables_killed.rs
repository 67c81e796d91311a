//! The tables for SQL when the server that fills them is killed, and when the files that it left are damaged then: the right rows all the same.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::{Client, Dice, run_on, simulate};

use crate::derived_files::{read, write};
use crate::failing_disk::Fault;

const FILES: [&str; 4] = ["tables.sqlite", "tables.sqlite-wal", "tables.sqlite-shm", "tables.sums"];

const QUESTIONS: [&str; 3] = [
    "SELECT count(*), sum(version), sum(length(event)), min(match_no), max(match_no) FROM events",
    "SELECT game, event_type, count(*) FROM _events GROUP BY game, event_type",
    "SELECT s.seat, sum(s.final_points), sum(a.points) FROM seats s JOIN awards a USING (match_no, seat) GROUP BY s.seat",
];

fn answer(client: &Client, sql: &str) -> Option<Value> {
    let answer = client.query(sql);
    if answer.status == 503 {
        return None;
    }
    let answer = answer.ok();
    assert_eq!(answer["complete"], json!(answer["position"] == answer["feed_end"]), "{answer}");
    Some(answer)
}

/// The rows when they are all there. How long that takes hangs on how many they are, so it is asked whether there are ever more.
#[track_caller]
fn complete(client: &Client, what: &str) -> Vec<Value> {
    let (mut reached, mut since) = (Value::Null, Instant::now());
    let mut rows = |sql: &&str| loop {
        if let Some(answer) = answer(client, sql) {
            if answer["complete"] == true {
                return answer["rows"].clone();
            }
            if answer["position"] != reached {
                (reached, since) = (answer["position"].clone(), Instant::now());
            }
        }
        assert!(since.elapsed() < Duration::from_secs(120), "{what}: stays at {reached}");
        thread::sleep(Duration::from_millis(50));
    };
    QUESTIONS.iter().map(&mut rows).collect()
}

fn serve(data: &Path) -> Process {
    Process::serve(data, &["--query", "on"])
}

/// What a server leaves that is killed when it has filled a part, and is going on.
fn half_filled(data: &Path) -> BTreeMap<&'static str, Vec<u8>> {
    for _ in 0..20 {
        for name in FILES {
            drop(fs::remove_file(data.join(name)));
        }
        let server = serve(data);
        let (client, start) = (server.client(), Instant::now());
        while answer(&client, QUESTIONS[0]).is_none() {
            assert!(start.elapsed() < Duration::from_secs(120), "nothing is filled");
        }
        server.kill();
        let left = read(data, &FILES);
        // Else it had come to the end before.
        if left.get("tables.sqlite-wal").is_some_and(|log| !log.is_empty()) {
            return left;
        }
    }
    panic!("a server fills all at once");
}

#[test]
fn a_fill_that_was_killed_is_gone_on_with_whatever_it_left() {
    let (rounds, seed) = crate::rounds(3);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    simulate(data, "--game rosenkoenig --matches 560");
    let server = serve(data);
    let truth = complete(&server.client(), "undisturbed");
    server.stop();
    let left = half_filled(data);
    let mut dice = Dice::new(seed);
    for round in 0..rounds {
        let mut files = left.clone();
        let mut what = format!("round {round}, seed {seed}");
        // The first time nothing is damaged.
        for _ in 0..round.min(3) {
            let names: Vec<&str> = files.keys().copied().collect();
            let name = names[dice.below(names.len())];
            let bytes = files.get_mut(name).expect("the name is from there");
            let (at, bit) = (dice.below(bytes.len()), dice.below(8));
            bytes[at] ^= 1 << bit;
            what.push_str(&format!(", {name} bit {bit} of {at}"));
        }
        write(data, &FILES, &files);
        let server = serve(data);
        assert_eq!(complete(&server.client(), &what), truth, "{what}");
        let rebuilt = server.operator().rebuilt("tables");
        assert!(round > 0 || rebuilt == 0, "an undamaged file is gone on with");
        server.stop();
    }
}

/// Killed again and again, wherever it is: it ends with the right rows.
#[test]
fn kills_at_any_moment_leave_right_rows() {
    let (rounds, seed) = crate::rounds(6);
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path();
    let mut dice = Dice::new(seed);
    for round in 1..=rounds {
        simulate(data, &format!("--game rosenkoenig --matches 30 --seed {round}"));
        let server = serve(data);
        thread::sleep(Duration::from_millis(dice.below(1500) as u64));
        server.kill();
    }
    let server = serve(data);
    let kept = complete(&server.client(), "after the kills");
    server.stop();
    for name in FILES {
        drop(fs::remove_file(data.join(name)));
    }
    let server = serve(data);
    assert_eq!(kept, complete(&server.client(), "made anew"));
    server.stop();
}

/// Nothing says then that the file is damaged: whoever asked is told to ask again.
#[test]
fn a_read_that_fails_once_is_no_failure_of_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let (data, armed) = (folder.path().join("data"), folder.path().join("armed"));
    simulate(&data, "--game rosenkoenig --matches 40");
    let server = serve(&data);
    let truth = complete(&server.client(), "undisturbed");
    server.stop();
    let mut failed = 0;
    for skip in [0, 1, 3, 8, 21] {
        let fault = Fault { file: "/tables.sqlite", call: "pread", skip, times: 1 };
        let server = Process::spawn(fault.command(folder.path(), &library).args(["--query", "on"]));
        let client = server.client();
        assert_eq!(complete(&client, "before it fails"), truth);
        fs::File::create(&armed).expect("it can be made");
        failed += QUESTIONS.iter().filter(|sql| answer(&client, sql).is_none()).count();
        fs::remove_file(&armed).expect("it was made");
        assert_eq!(complete(&client, "after it failed"), truth);
        server.stop();
    }
    assert!(failed > 0, "no read failed");
}

/// The same of statistics at a start, where too many files are open: they are read again, and not thrown away.
#[test]
fn statistics_that_only_cannot_be_read_now_are_not_counted_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let data = folder.path().join("data");
    simulate(&data, "--game rosenkoenig --matches 40");
    let counted = |server: &Process| {
        let client = server.client();
        acceptance::until_some("all are counted", || {
            let finished = client.get("/v1/stats/rosenkoenig").ok()["finished"].clone();
            (finished["complete"] == true).then_some(finished)
        })
    };
    let server = Process::serve(&data, &[]);
    let truth = counted(&server);
    server.stop();
    fs::File::create(folder.path().join("armed")).expect("it can be made");
    let fault = Fault { file: "/statistics.json", call: "open", skip: 0, times: 3 };
    let server = fault.serve(folder.path(), &library);
    assert_eq!(counted(&server), truth);
    assert_eq!(server.operator().rebuilt("statistics"), 0);
    server.stop();
}

/// Whoever is refused finds the reason in `/readyz` at once, until the tables answer again.
#[test]
fn what_is_refused_is_told_as_behind() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "--game rosenkoenig --matches 60");
    let server = serve(&data);
    let client = server.client();
    let truth = complete(&client, "undisturbed");
    let mut told = 0;
    acceptance::until("a refusal", || {
        let path = data.join("tables.sqlite");
        let mut file = fs::File::options().write(true).open(path).expect("it is there");
        file.seek(SeekFrom::Start(8192)).expect("it is inside");
        file.write_all(&[0x55; 64]).expect("it is written");
        // Between two refusals SQL was refused.
        let refused = || answer(&client, QUESTIONS[1]).is_none();
        let mut before = refused();
        while before {
            let ready = client.get("/readyz").ok();
            before = refused();
            if before {
                assert!(ready["behind"]["tables"].as_u64() > Some(0), "{ready}");
                told += 1;
            }
        }
        told > 0
    });
    assert_eq!(complete(&client, "made anew"), truth);
    acceptance::until("readiness", || client.get("/readyz").ok().get("behind").is_none());
    server.stop();
}

/// What is thrown away is in the log and in the metrics.
#[test]
fn what_is_made_anew_is_said() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "--game rosenkoenig --matches 3");
    for arguments in [&["stats"][..], &["query", "SELECT 1"]] {
        run_on(&data, arguments).ok();
    }
    for name in ["statistics.json", "tables.sqlite"] {
        let mut bytes = fs::read(data.join(name)).expect("a file");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(data.join(name), bytes).expect("it is written");
    }
    let log = folder.path().join("log");
    let server = Process::serve_logging(&data, &log, "json");
    complete(&server.client(), "damaged");
    for projection in ["statistics", "tables"] {
        assert_eq!(server.operator().rebuilt(projection), 1, "{projection}");
    }
    server.stop();
    let log = fs::read_to_string(log).expect("a log");
    for words in
        ["the statistics are being counted anew", "the tables for SQL are being filled anew"]
    {
        let line = log.lines().find(|line| line.contains(words)).expect("it is logged");
        let line: Value = serde_json::from_str(line).expect("an object");
        assert_eq!(line["level"], "WARN");
        assert!(line["why"].as_str().is_some_and(|why| !why.is_empty()), "{line}");
    }
}

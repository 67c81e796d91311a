//! SIGTERM and SIGINT: answered, closed, kept.

use std::fs::{self, File};
use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::failing_disk::Fault;
use crate::players::Player;
use crate::threads::Ended;
use acceptance::preload::library;
use acceptance::process::{Process, signal, verify};
use acceptance::{Connection, Dice, Request, Table, simulate, until, until_some};

#[test]
fn a_stop_ends_streams_and_loses_nothing() {
    for signal in ["TERM", "INT"] {
        let folder = tempfile::tempdir().expect("a folder");
        let server = Process::serve(folder.path(), &[]);
        let client = server.client();
        let watched = Table::rosenkoenig(&client);
        watched.play(&mut Dice::new(3), 5);
        let streams: Vec<_> = (0..3).map(|_| client.stream(&watched.id, "", None)).collect();
        let mut idle = Connection::open(server.address).expect("the server listens");
        Request::new("GET", "/healthz").on(&mut idle).expect("an answer").ok();
        let mut half = Connection::open(server.address).expect("the server listens");
        half.write(b"POST /v1/matches HTTP/1.1\r\n").expect("the server reads");
        let mut players: Vec<Player> = (0..3).map(Player::new).collect();
        let (promise, promised) = mpsc::channel();
        let start = thread::scope(|scope| {
            for player in &mut players {
                let (promise, server) = (promise.clone(), &server);
                scope.spawn(move || player.play(server, &promise));
            }
            for _ in 0..40 {
                promised.recv().expect("the players play");
            }
            server.signal(signal);
            Instant::now()
        });
        for stream in streams {
            assert_eq!(stream.rest().len(), 6, "a stream ends after whole messages");
        }
        let status = server.wait(Duration::from_secs(20)).expect("it ends in time");
        assert_eq!(status.code(), Some(0), "after SIG{signal}");
        assert!(start.elapsed() < Duration::from_secs(15), "{:?}", start.elapsed());
        let server = Process::serve(folder.path(), &[]);
        players.iter().for_each(|player| player.check_all(&server));
        assert_eq!(watched.through(&server.client()).info()["commit"], 6);
        server.stop();
    }
}

/// The process of a query that has the tables open.
fn reading(server: &Process) -> Option<u32> {
    let is_reading = |id: &u32| {
        let open = fs::read_dir(format!("/proc/{id}/fd")).into_iter().flatten().flatten();
        let mut files = open.filter_map(|entry| fs::read_link(entry.path()).ok());
        files.any(|file| file.ends_with("tables.sqlite"))
    };
    server.queries().into_iter().find(is_reading)
}

/// Ctrl-C, and a service manager that is not told otherwise, send a signal to every process of the server.
#[test]
fn a_stop_answers_a_query_though_its_process_is_told_to_end() {
    let folder = tempfile::tempdir().expect("a folder");
    simulate(folder.path(), "--game rosenkoenig --matches 2");
    for name in ["TERM", "INT"] {
        let server = Process::serve(folder.path(), &["--query", "on", "--query-seconds", "30"]);
        let client = server.client();
        let count = |most: u64| {
            let numbers = format!("SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {most}");
            client.query(&format!("WITH RECURSIVE n(i) AS ({numbers}) SELECT count(*) FROM n"))
        };
        until("the tables can be read", || count(1).status == 200);
        let taken = [(); 3].map(|()| {
            let start = Instant::now();
            count(1_000_000).ok();
            start.elapsed().as_secs_f64()
        });
        // What takes about three seconds on this machine, or a little longer if it was busy just now.
        let most = (1_000_000.0 * 3.0 / taken.into_iter().fold(f64::MAX, f64::min)) as u64;
        let answer = thread::scope(|scope| {
            let asking = scope.spawn(|| count(most));
            let query = until_some("a query that reads", || reading(&server));
            server.signal(name);
            signal(query, name);
            asking.join().expect("an answer")
        });
        assert_eq!(answer.ok()["rows"], json!([[most]]), "SIG{name}");
        let status = server.wait(Duration::from_secs(20)).expect("it ends in time");
        assert_eq!(status.code(), Some(0), "after SIG{name}");
    }
}

#[test]
fn a_stop_right_after_the_start_is_a_stop() {
    let folder = tempfile::tempdir().expect("a folder");
    for round in 0..10 {
        let server = Process::serve(folder.path(), &[]);
        server.signal(if round % 2 == 0 { "TERM" } else { "INT" });
        let status = server.wait(Duration::from_secs(20)).expect("it ends in time");
        assert_eq!(status.code(), Some(0), "round {round}: {status}");
    }
}

#[test]
fn a_second_signal_ends_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    // A body that never comes: a graceful stop waits for it.
    let mut slow = Connection::open(server.address).expect("the server listens");
    let head = "POST /v1/matches HTTP/1.1\r\nHost: muninn\r\nContent-Type: application/json\r\n";
    let body = "Content-Length: 9\r\n\r\n{";
    slow.write(format!("{head}{body}").as_bytes()).expect("the server reads");
    let table = Table::rosenkoenig(&server.client());
    server.signal("TERM");
    thread::sleep(Duration::from_millis(300));
    let start = Instant::now();
    server.signal("TERM");
    let status = server.wait(Duration::from_secs(20)).expect("it ends in time");
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(status.code(), Some(143), "as if the signal had killed it");
    let server = Process::serve(folder.path(), &[]);
    assert_eq!(table.through(&server.client()).info()["commit"], 1, "what was answered is there");
    server.stop();
}

/// While it starts nobody has been answered: it need not end what it does.
#[test]
fn a_signal_during_the_start_ends_it_at_once() {
    for name in ["TERM", "INT"] {
        let folder = tempfile::tempdir().expect("a folder");
        let Some(library) = library(folder.path(), "faults/faults.c") else { return };
        File::create(folder.path().join("armed")).expect("our folder");
        let fault = Fault { file: "/FORMAT", call: "held", skip: 0, times: 1_000_000 };
        let mut serve = fault.command(folder.path(), &library);
        let mut server = Ended(serve.stdout(Stdio::null()).spawn().expect("the program is there"));
        until("a start that waits", || folder.path().join("armed.held").exists());
        signal(server.0.id(), name);
        let status = until_some("its end", || server.0.try_wait().expect("our process"));
        assert_eq!(status.code(), Some(0), "SIG{name}: {status}");
        let data = folder.path().join("data");
        let again = Process::serve(&data, &[]);
        let table = Table::rosenkoenig(&again.client());
        assert_eq!(table.info()["commit"], 1);
        again.stop();
        let (code, said) = verify(&data);
        assert_eq!(code, Some(0), "{said}");
    }
}

/// What is written last waits for the disk, and the server for that.
#[test]
fn a_second_signal_ends_at_once_whatever_is_waited_for() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/faults.c") else { return };
    let data = folder.path().join("data");
    simulate(&data, "--game rosenkoenig --matches 2");
    let fault = Fault { file: "/statistics.new", call: "held", skip: 0, times: 1_000_000 };
    let server = fault.serve(folder.path(), &library);
    until("what is to be written", || {
        let mut connection = Connection::open(server.address).expect("the server listens");
        let counted = Request::new("GET", "/v1/stats/rosenkoenig?players=all");
        counted.on(&mut connection).expect("an answer").ok()["finished"]["matches"] == 2
    });
    File::create(folder.path().join("armed")).expect("our folder");
    let door = server.operator().address;
    server.signal("TERM");
    until("the last write", || folder.path().join("armed.held").exists());
    // It is the last that is shut: nothing is left to wait for but what is written.
    until("a shut door", || Connection::open(door).is_err());
    server.signal("TERM");
    let status = server.wait(Duration::from_secs(20)).expect("it ends in time");
    assert_eq!(status.code(), Some(143), "as if the signal had killed it");
    let (code, said) = verify(&data);
    assert_eq!(code, Some(0), "{said}");
}

//! SIGTERM and SIGINT: answered, closed, kept.

use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::players::Player;
use acceptance::process::Process;
use acceptance::{Connection, Dice, Request, Table};

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

//! Connections that nobody uses, or nobody reads from.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::thread;
use std::time::Duration;

use acceptance::http::Connection;
use acceptance::process::Process;
use acceptance::{Request, until};

fn sockets(server: &Process) -> usize {
    let open = fs::read_dir(format!("/proc/{}/fd", server.id())).expect("the process lives");
    let targets = open.flatten().flat_map(|descriptor| fs::read_link(descriptor.path()));
    targets.filter(|target| target.to_string_lossy().starts_with("socket:")).count()
}

/// How many sockets it has once all its threads have started.
fn settled(server: &Process) -> usize {
    let mut known = 0;
    loop {
        let now = sockets(server);
        if now == known {
            return now;
        }
        known = now;
        thread::sleep(Duration::from_secs(1));
    }
}

#[test]
fn who_reads_nothing_is_cut_off() {
    let server = Process::alone(&["--send-timeout", "2"]);
    let before = settled(&server);
    let silent: Vec<TcpStream> = (0..10)
        .map(|_| {
            let mut stream = TcpStream::connect(server.address).expect("it listens");
            // More than the system takes from the server on its own.
            let ask =
                "GET /openapi.json HTTP/1.1\r\nHost: muninn\r\nAccept-Encoding: identity\r\n\r\n";
            stream.write_all(ask.repeat(40).as_bytes()).expect("it is sent");
            stream
        })
        .collect();
    until("they are connected", || sockets(&server) >= before + silent.len());
    until("they are cut off", || sockets(&server) <= before);
    assert_eq!(server.client().get("/healthz").status, 200);
    drop(silent);
}

#[test]
fn who_says_nothing_is_cut_off() {
    let server = Process::alone(&[]);
    let before = settled(&server);
    let silent: Vec<TcpStream> = (0..20)
        .map(|half| {
            let mut stream = TcpStream::connect(server.address).expect("it listens");
            if half % 2 == 0 {
                stream.write_all(b"GET /v1/games HTTP/1.1\r\nHo").expect("it is sent");
            }
            stream
        })
        .collect();
    until("they are connected", || sockets(&server) >= before + silent.len());
    until("they are cut off", || sockets(&server) <= before);
}

/// A proxy would send a request into a connection that is just being closed. Whoever comes without one is not waited for so long.
#[test]
fn a_proxy_that_is_trusted_may_leave_a_connection_idle() {
    let behind = Process::alone(&["--trusted-proxies", "1"]);
    let without = Process::alone(&[]);
    let games = Request::new("GET", "/v1/games");
    let [mut kept, mut closed] = [&behind, &without].map(|server| {
        let mut connection = Connection::open(server.address).expect("it listens");
        assert_eq!(games.on(&mut connection).expect("an answer").status, 200);
        connection
    });
    closed.wait().expect("its end comes in");
    assert!(games.on(&mut closed).is_err(), "it is closed");
    // Longer than that, however late the other server was.
    thread::sleep(Duration::from_secs(6));
    assert_eq!(games.on(&mut kept).expect("an answer").status, 200);
}

#[test]
fn a_body_in_chunks_that_does_not_end_is_cut_off() {
    let server = Process::alone(&[]);
    let before = settled(&server);
    let chunks = "Host: muninn\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked";
    let ends = ["\r\n\r\n", "\r\nConnection: close\r\n\r\n5\r\n{\"a\":\r\n", "\r\n\r\n5\r\n{\""];
    let asked =
        ["GET /healthz", "GET /v1/games", "POST /v1/matches", "POST /v1/seeds", "POST /nope"];
    let endless: Vec<TcpStream> = asked
        .iter()
        .flat_map(|what| ends.map(|end| format!("{what} HTTP/1.1\r\n{chunks}{end}")))
        .map(|request| {
            let mut stream = TcpStream::connect(server.address).expect("it listens");
            stream.write_all(request.as_bytes()).expect("it is sent");
            stream
        })
        .collect();
    for mut stream in endless {
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).expect("each is answered");
        assert!(answer.starts_with(b"HTTP/1.1 "), "{answer:?}");
        // Whoever goes on sending nothing keeps no connection.
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("it is a socket");
        let end = stream.read_to_end(&mut Vec::new()).map_err(|error| error.kind());
        assert!(!matches!(end, Err(ErrorKind::WouldBlock | ErrorKind::TimedOut)), "it is held");
    }
    until("no socket is left", || sockets(&server) <= before);
    // One that ends leaves the connection to the next request.
    let mut connection = Connection::open(server.address).expect("it listens");
    for _ in 0..2 {
        let request =
            format!("POST /v1/matches HTTP/1.1\r\n{chunks}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n");
        connection.write(request.as_bytes()).expect("it is sent");
        connection.read(false).expect("an answer").problem(400, "malformed");
    }
}

#[test]
fn an_address_has_so_many_connections() {
    let server = Process::alone(&["--connections-per-address", "3"]);
    let games = Request::new("GET", "/v1/games");
    let mut open: Vec<Connection> = (0..3)
        .map(|_| {
            let mut connection = Connection::open(server.address).expect("it listens");
            assert_eq!(games.on(&mut connection).expect("an answer").status, 200);
            connection
        })
        .collect();
    let mut one_more = TcpStream::connect(server.address).expect("the system takes it");
    one_more.set_read_timeout(Some(Duration::from_secs(20))).expect("a time");
    assert_eq!(one_more.read(&mut [0]).unwrap_or(0), 0, "it is closed");
    assert_eq!(games.on(&mut open[0]).expect("an answer").status, 200, "the others go on");
    open.pop();
    until("its place is free again", || {
        let mut connection = Connection::open(server.address).expect("it listens");
        games.on(&mut connection).is_ok_and(|answer| answer.status == 200)
    });
}

#[test]
fn there_are_so_many_connections_in_all() {
    let more = ["--connections", "3", "--connections-per-address", "2"];
    let server = Process::alone(&more);
    let games = Request::new("GET", "/v1/games");
    let open = |from: u8| Connection::open_from(Ipv4Addr::new(127, 0, 0, from), server.address);
    let mut held: Vec<Connection> =
        [1, 1, 2].map(|from| open(from).expect("it listens")).into_iter().collect();
    for connection in &mut held {
        assert_eq!(games.on(connection).expect("an answer").status, 200);
    }
    let mut one_more = open(3).expect("the system takes it");
    assert!(games.on(&mut one_more).is_err(), "it is closed");
    assert_eq!(games.on(&mut held[0]).expect("an answer").status, 200, "the others go on");
    held.pop();
    until("its place is free again", || {
        open(3).is_ok_and(|mut connection| games.on(&mut connection).is_ok())
    });
}

//! A client that does not read: it is cut off, told so, and can go on where it was.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use serde_json::json;
use socket2::{Domain, Socket, Type};

use crate::client;
use acceptance::{Dice, Table};

/// The body of an answer in chunks.
fn body(answer: &str) -> String {
    let (_, mut rest) = answer.split_once("\r\n\r\n").expect("a head");
    let mut body = String::new();
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).expect("the size of a chunk");
        body.push_str(&after[..size]);
        rest = &after[size + 2..];
    }
    body
}

fn ids(body: &str) -> Vec<u64> {
    let ids = body.lines().filter_map(|line| line.strip_prefix("id: "));
    ids.map(|id| id.parse().expect("a version")).collect()
}

#[test]
fn who_reads_too_slowly_is_cut_off_and_resumes() {
    let (client, _server) = client();
    // Some 200 kB, more than sockets and the server hold of what nobody reads.
    let played = json!({"fast_forward": {"version": 900, "bot": "greedy"}});
    let long = json!({"game": "delphi", "seats": [{}, {}, {}], "sandbox": played});
    let table = Table::open(&client, &long);
    // A small window and small segments: what is sent soon waits at the server.
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    socket.set_recv_buffer_size(2048).expect("a small buffer");
    socket.set_tcp_mss(600).expect("small segments");
    socket.connect(&client.address.into()).expect("it listens");
    let mut slow = TcpStream::from(socket);
    let request = |last: u64| {
        format!(
            "GET /v1/matches/{}/stream HTTP/1.1\r\nHost: muninn\r\nLast-Event-ID: {last}\r\nConnection: close\r\n\r\n",
            table.id
        )
    };
    slow.write_all(request(0).as_bytes()).expect("it is sent");
    // And what comes while it does not read.
    table.play(&mut Dice::new(3), 20);
    table.owner().close(&table.id).ok();
    // Longer than four heartbeats of the test's server.
    thread::sleep(Duration::from_secs(5));

    let mut answer = String::new();
    slow.read_to_string(&mut answer).expect("it ends");
    let first = body(&answer);
    let seen = ids(&first);
    let last = *seen.last().expect("something was sent");
    let end = format!(": too slow, cut off: resume with Last-Event-ID: {last}\n\n");
    assert!(first.ends_with(&end), "{}", &first[first.len() - 200..]);

    let mut stream = TcpStream::connect(client.address).expect("it listens");
    stream.write_all(request(last).as_bytes()).expect("it is sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the match is over");
    let second = ids(&body(&answer));
    assert!(!second.is_empty(), "there was more");
    let commits = client.commits(&table.id, "limit=1000").items();
    let versions: Vec<u64> =
        commits.iter().filter_map(|commit| commit["last_version"].as_u64()).collect();
    assert_eq!([seen, second].concat(), versions, "each once, in order");
}

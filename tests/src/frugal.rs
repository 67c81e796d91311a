//! The server in a process of its own, and an HTTP client that takes little of the machine.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::http::Connection;
use crate::process::Process;
use actix_web::rt;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// The program with a store in this folder, and where it listens.
pub fn muninn(folder: &Path) -> (Process, SocketAddr) {
    muninn_with(folder, &[])
}

/// With more arguments.
pub fn muninn_with(folder: &Path, more: &[&str]) -> (Process, SocketAddr) {
    let process = Process::serve(&folder.join("data"), more);
    let address = process.address;
    (process, address)
}

/// A match that is played for ever.
pub struct Match {
    pub id: String,
    /// A card is played, and taken back.
    pub requests: [Vec<u8>; 2],
}

/// Opens a match whose first seat can play a card.
pub fn open(client: &crate::Client) -> Match {
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true, "options": {"start": "red"}});
    let opened = client.open(&body).created();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (id, token) = (text(&opened["match"]), text(&opened["seat_tokens"][0]));
    let legal = client.with_token(&token).legal_commands(&id, "").ok();
    let command = json!({"command": legal["items"][0]}).to_string();
    let ask = |what: &str, body: &str| {
        request("POST", &format!("/v1/matches/{id}/{what}"), Some(&token), body)
    };
    let requests = [ask("commands", &command), ask("take-back", "{}")];
    Match { id, requests }
}

/// All players play at the same time, as fast as they can. Each sends its requests in turn, to its servers in turn. Returns the time of each request.
pub async fn play(players: Vec<(Vec<Client>, [Vec<u8>; 2])>, length: Duration) -> Vec<Duration> {
    let play = |(mut clients, requests): (Vec<Client>, [Vec<u8>; 2])| {
        rt::spawn(async move {
            let (start, mut times) = (Instant::now(), Vec::new());
            // All of them, so that the match stands where it stood.
            while start.elapsed() < length {
                for (at, request) in requests.iter().enumerate() {
                    let sent = Instant::now();
                    let turn = at % clients.len();
                    let (status, answer) = clients[turn].send(request).await;
                    assert_eq!(status, 201, "{}", String::from_utf8_lossy(&answer));
                    times.push(sent.elapsed());
                }
            }
            times
        })
    };
    let players: Vec<_> = players.into_iter().map(play).collect();
    let mut times = Vec::new();
    for player in players {
        times.extend(player.await.expect("a player does not panic"));
    }
    times
}

/// Takes all events as Parquet, or those that come until it is over, and counts their bytes; whether it was all of them.
pub fn export(address: SocketAddr, is_over: &AtomicBool, bytes: &AtomicU64) -> bool {
    let mut connection = Connection::open(address).expect("the server listens");
    let request = request("GET", "/v1/tables/events.parquet", None, "");
    connection.write(&request).expect("the server reads");
    assert_eq!(connection.read_head().expect("the server answers").status, 200);
    while !is_over.load(Ordering::Relaxed) {
        let chunk = connection.read_chunk().expect("the server sends");
        if chunk.is_empty() {
            return true;
        }
        bytes.fetch_add(chunk.len() as u64, Ordering::Relaxed);
    }
    false
}

pub fn request(method: &str, path: &str, token: Option<&str>, body: &str) -> Vec<u8> {
    let mut text = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
    if let Some(token) = token {
        text.push_str(&format!("authorization: Bearer {token}\r\n"));
    }
    if !body.is_empty() {
        text.push_str(&format!(
            "content-type: application/json\r\ncontent-length: {}\r\n",
            body.len()
        ));
    }
    text.push_str("\r\n");
    text.push_str(body);
    text.into_bytes()
}

/// A connection that is kept: no more of HTTP than this server's answers need, so that the client takes little of the machine.
pub struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a TCP stream");
        Client { stream, buffer: Vec::with_capacity(16 << 10) }
    }

    pub async fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Value {
        let (status, answer) = self.send(&request("POST", path, token, body)).await;
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&answer));
        serde_json::from_slice(&answer).expect("JSON")
    }

    pub async fn send(&mut self, request: &[u8]) -> (u16, Vec<u8>) {
        self.stream.write_all(request).await.expect("the server reads");
        self.buffer.clear();
        loop {
            let read = self.stream.read_buf(&mut self.buffer).await.expect("the server answers");
            assert!(read > 0, "the server closed the connection");
            let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(&self.buffer[..end]).expect("ASCII");
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "))
                .expect("a length");
            let length: usize = length.parse().expect("a number");
            if self.buffer.len() >= end + 4 + length {
                let status = head[9..12].parse().expect("a status");
                return (status, self.buffer[end + 4..].to_vec());
            }
        }
    }
}

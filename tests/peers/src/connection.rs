//! HTTP as far as the answers of these servers need it, so that the client takes little of the machine.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// A connection that is kept.
pub(crate) struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Connection {
    pub(crate) fn open(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_nodelay(true).expect("a TCP stream");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a TCP stream");
        Connection { stream, buffer: Vec::new() }
    }

    pub(crate) fn get(&mut self, path: &str, token: &str) -> &[u8] {
        self.send("GET", path, token, "", 200)
    }

    pub(crate) fn post(&mut self, path: &str, token: &str, body: &str) -> &[u8] {
        self.send("POST", path, token, body, 201)
    }

    /// Sends a request, and returns the body of the answer, which must have this status.
    fn send(&mut self, method: &str, path: &str, token: &str, body: &str, status: u16) -> &[u8] {
        let mut request = format!("{method} {path} HTTP/1.1\r\nhost: localhost\r\n");
        if !token.is_empty() {
            request.push_str(&format!("authorization: Bearer {token}\r\n"));
        }
        if !body.is_empty() {
            let length = body.len();
            request.push_str(&format!(
                "content-type: application/json\r\ncontent-length: {length}\r\n"
            ));
        }
        request.push_str("\r\n");
        request.push_str(body);
        self.stream.write_all(request.as_bytes()).expect("the server reads");
        self.buffer.clear();
        let mut piece = [0; 8192];
        loop {
            let read = self.stream.read(&mut piece).expect("the server answers");
            assert!(read > 0, "the server closed the connection");
            self.buffer.extend_from_slice(&piece[..read]);
            let Some(end) = self.buffer.windows(4).position(|window| window == b"\r\n\r\n") else {
                continue;
            };
            let head = std::str::from_utf8(&self.buffer[..end]).expect("ASCII");
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.expect("a length").parse().expect("the length is a number");
            if self.buffer.len() >= end + 4 + length {
                let body = String::from_utf8_lossy(&self.buffer[end + 4..]);
                assert!(head[9..].starts_with(&status.to_string()), "{path}: {head}\n{body}");
                return &self.buffer[end + 4..];
            }
        }
    }
}

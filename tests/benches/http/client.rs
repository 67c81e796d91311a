//! The server in a process of its own, and an HTTP client that takes little of the machine.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// CPU time that a process has used, in seconds; `self` or a number.
pub(crate) fn cpu(process: &str) -> f64 {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).expect("Linux");
    let fields: Vec<&str> = stat.rsplit(')').next().expect("a name").split_whitespace().collect();
    let ticks: u64 =
        fields[11..13].iter().map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
    ticks as f64 / 100.0
}

/// A child process; it is killed when dropped.
pub(crate) struct Process(Child);

impl Process {
    /// CPU time used so far, in seconds.
    pub(crate) fn cpu(&self) -> f64 {
        cpu(&self.id().to_string())
    }

    /// Resident memory in bytes.
    pub(crate) fn resident(&self) -> u64 {
        self.status("VmRSS:")
    }

    /// A line of the process's status that is a size, in bytes.
    pub(crate) fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.id())).expect("Linux");
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        let line = line.expect("a process has memory").trim();
        let kilobytes = line.trim_end_matches(" kB").parse::<u64>();
        kilobytes.expect("a number") * 1024
    }

    /// The number of the process.
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

pub(crate) fn muninn(folder: &Path) -> (Process, SocketAddr) {
    muninn_with(folder, &[])
}

/// With more arguments.
pub(crate) fn muninn_with(folder: &Path, more: &[&str]) -> (Process, SocketAddr) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_muninn-tested"));
    child(
        command
            .args(["serve", "--listen", "127.0.0.1:0", "--log", "warn", "--data"])
            .arg(folder.join("data"))
            .args(more),
    )
}

pub(crate) fn child(command: &mut Command) -> (Process, SocketAddr) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let address = line.trim().rsplit('/').next().expect("a URL").parse().expect("an address");
    (Process(child), address)
}

pub(crate) fn request(method: &str, path: &str, token: Option<&str>, body: &str) -> Vec<u8> {
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
pub(crate) struct Client {
    stream: TcpStream,
    buffer: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a TCP stream");
        Client { stream, buffer: Vec::with_capacity(16 << 10) }
    }

    pub(crate) async fn post(&mut self, path: &str, token: Option<&str>, body: &str) -> Value {
        let (status, answer) = self.send(&request("POST", path, token, body)).await;
        assert_eq!(status, 201, "{}", String::from_utf8_lossy(&answer));
        serde_json::from_slice(&answer).expect("JSON")
    }

    pub(crate) async fn send(&mut self, request: &[u8]) -> (u16, Vec<u8>) {
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

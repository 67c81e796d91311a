//! Who reads the live stream of a match.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::thread::{self, JoinHandle};

/// A thread that reads a stream to its end, and counts the commits in it.
pub(crate) struct Watcher {
    stream: TcpStream,
    reader: JoinHandle<u64>,
}

impl Watcher {
    pub(crate) fn open(address: SocketAddr, path: &str, token: &str) -> Self {
        let mut stream = TcpStream::connect(address).expect("the server listens");
        let request = format!(
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).expect("the server reads");
        let lines = BufReader::new(stream.try_clone().expect("a descriptor")).split(b'\n');
        let reader = thread::spawn(move || {
            let lines = lines.map_while(Result::ok);
            lines.filter(|line| line.starts_with(b"data:")).count() as u64
        });
        Watcher { stream, reader }
    }

    /// Waits for the end of the match: how many commits came.
    pub(crate) fn commits(self) -> u64 {
        self.reader.join().expect("a reader does not panic")
    }

    /// Goes before the end.
    pub(crate) fn leave(self) {
        // The server may have gone first.
        drop(self.stream.shutdown(Shutdown::Both));
        self.commits();
    }
}

//! A system that gives no more threads: the server serves, or it ends and says why. It never hangs.

use std::fs::{self, File};
use std::net::SocketAddr;
use std::path::Path;
use std::process::Child;

use acceptance::preload::library;
use acceptance::{Connection, Request, muninn, until};

/// More than a server makes at its start.
const MANY: usize = 60;

/// A process; it is ended with this.
pub(crate) struct Ended(pub(crate) Child);

impl Drop for Ended {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// How a server that gets so many threads ended, and what it said; `None` where it serves.
fn end_with(threads: usize, library: &Path) -> Option<(Option<i32>, String)> {
    let (folder, [out, log]) = acceptance::places(["out", "log"]);
    let file = |path| File::create(path).expect("our folder");
    let said = |path| fs::read_to_string(path).expect("our file");
    let mut serve = muninn();
    serve.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder.path().join("data"));
    serve.env("LD_PRELOAD", library).env("THREADS_MOST", threads.to_string());
    let mut server = Ended(serve.stdout(file(&out)).stderr(file(&log)).spawn().expect("it starts"));
    let mut status = None;
    until(&format!("a server with {threads} threads to serve or to end: {}", said(&log)), || {
        status = server.0.try_wait().expect("our process");
        status.is_some() || serves(&said(&out))
    });
    status.map(|status| (status.code(), said(&log)))
}

/// Does the server that said this answer?
fn serves(said: &str) -> bool {
    let address = said.trim().strip_prefix("listening on http://").map(str::parse::<SocketAddr>);
    let Some(Ok(address)) = address else { return false };
    let connection = Connection::open(address);
    connection.is_ok_and(|mut connection| {
        Request::new("GET", "/healthz").on(&mut connection).is_ok_and(|answer| answer.status == 200)
    })
}

#[test]
fn a_server_that_gets_too_few_threads_serves_or_says_why_not() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(library) = library(folder.path(), "faults/threads.c") else { return };
    let mut threads = 0;
    while let Some((code, said)) = end_with(threads, &library) {
        assert!(code.is_some_and(|code| code > 0), "{threads}: {code:?}, {said}");
        assert!(said.contains("Resource temporarily unavailable"), "{threads}: {said}");
        let is_twice = |line: &str| line.matches("Resource temporarily unavailable").count() > 1;
        assert!(!said.lines().any(is_twice), "{threads}: {said}");
        threads += 1;
        assert!(threads < MANY, "it never serves: {said}");
    }
    assert!(threads > 0, "the library gives threads without an end");
}

//! Clients that watch one match after the other, over every end of the server.

use std::io;

use serde_json::Value;

use acceptance::process::Process;
use acceptance::stream::Stream;
use acceptance::{Request, Table};

/// A client, the match that it watches, and every commit that it was shown.
#[derive(Default)]
pub(crate) struct Watcher {
    table: Option<Table>,
    commits: Vec<Value>,
    /// How often it came back to a match that it had seen a part of.
    pub(crate) resumed: usize,
}

impl Watcher {
    /// Watches another match, if the one before is over.
    pub(crate) fn turn_to(&mut self, table: Option<&Table>) {
        if self.table.is_none() {
            self.table = table.cloned();
            self.commits.clear();
        }
    }

    /// Watches until the server is gone or the match is over.
    pub(crate) fn watch(&mut self, server: &Process) {
        let Some(table) = self.table.clone() else {
            return;
        };
        match self.follow(&table, server) {
            Ok(()) => self.table = None,
            Err(error) => assert_ne!(error.kind(), io::ErrorKind::TimedOut, "{error}"),
        }
    }

    fn follow(&mut self, table: &Table, server: &Process) -> io::Result<()> {
        let mut request = Request::new("GET", &format!("/v1/matches/{}/stream", table.id));
        if let Some(last) = self.commits.last() {
            request = request.header("Last-Event-ID", &last["last_version"].to_string());
            self.resumed += 1;
        }
        let mut stream = Stream::try_open(server.address, &request)?;
        match stream.answer.status {
            204 => return Ok(()),
            503 => return Err(io::Error::other("the disk failed")),
            _ => {}
        }
        while let Some(message) = stream.try_next()? {
            assert_eq!(message.data["last_version"], message.id);
            let number = message.data["commit"].as_u64();
            assert_eq!(number, Some(self.commits.len() as u64 + 1), "once, in order");
            self.commits.push(message.data);
        }
        Ok(())
    }

    /// Asserts that what was shown is there: nobody was shown what a crash could take back.
    pub(crate) fn check(&self, server: &Process) {
        let Some(table) = &self.table else { return };
        let stored = server.client().public_commits(&table.id);
        assert!(stored.len() >= self.commits.len(), "a commit was shown and is gone");
        assert_eq!(stored[..self.commits.len()], self.commits);
    }
}

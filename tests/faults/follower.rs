//! A client that follows the feed of the whole store, over every end of the server and every failure of its disk.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use acceptance::process::Process;
use acceptance::{Client, Request};

/// A client, and every event that it was shown.
pub(crate) struct Follower {
    lines: Vec<Value>,
    /// How many they are, for those who wait for it.
    count: Arc<AtomicUsize>,
    /// Where the next page begins.
    after: String,
}

impl Default for Follower {
    fn default() -> Self {
        Follower { lines: Vec::new(), count: Arc::default(), after: "0".to_owned() }
    }
}

impl Follower {
    /// Follows until the server is gone.
    pub(crate) fn follow(&mut self, server: &Process) {
        let error = self.read_on(server).expect_err("it goes on until the server is gone");
        assert_ne!(error.kind(), io::ErrorKind::TimedOut, "{error}");
    }

    fn read_on(&mut self, server: &Process) -> io::Result<()> {
        let client = server.client();
        loop {
            if self.page(&client)? == 0 {
                thread::sleep(Duration::from_millis(3));
            }
        }
    }

    /// Follows a server that lives on, whatever its disk does, while something goes on.
    pub(crate) fn follow_during<T>(&mut self, client: &Client, what: impl FnOnce() -> T) -> T {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| self.follow_until(client, &is_over));
            let _end = End(&is_over);
            what()
        })
    }

    fn follow_until(&mut self, client: &Client, is_over: &AtomicBool) {
        while !is_over.load(Ordering::Acquire) {
            match self.page(client) {
                Ok(0) => thread::sleep(Duration::from_millis(3)),
                Ok(_) => {}
                // What cannot be read now is asked for again.
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::Other, "{error}");
                    thread::sleep(Duration::from_millis(20));
                }
            }
        }
    }

    /// Follows up to the end of the feed, which can be read.
    #[track_caller]
    pub(crate) fn catch_up(&mut self, client: &Client) {
        while self.page(client).expect("the feed can be read") > 0 {}
    }

    /// Reads on by one page; returns how many events it had.
    fn page(&mut self, client: &Client) -> io::Result<usize> {
        let path = format!("/v1/events?limit=100&after={}", self.after);
        let answer = client.try_send(Request::new("GET", &path))?;
        if answer.status == 503 {
            answer.problem(503, "unavailable");
            return Err(io::Error::other("the disk failed"));
        }
        let page = answer.ok();
        let items = page["items"].as_array().expect("a list");
        // Commits that cannot be read are named in their places: they are asked for again when the disk works.
        if items.iter().any(|line| line["what"] == "unreadable") {
            return Err(io::Error::other("the disk failed"));
        }
        self.lines.extend(items.iter().cloned().map(outline));
        self.count.store(self.lines.len(), Ordering::Release);
        self.after = match page["next"].as_str() {
            Some(next) => next.to_owned(),
            None => page["position"].to_string(),
        };
        Ok(items.len())
    }

    /// How many events it was shown.
    pub(crate) fn shown(&self) -> usize {
        self.lines.len()
    }

    /// The same while it follows.
    pub(crate) fn count(&self) -> Arc<AtomicUsize> {
        Arc::clone(&self.count)
    }

    /// Asserts that what it was shown is there, in the same order, with nothing between.
    #[track_caller]
    pub(crate) fn check(&self, server: &Process) {
        let lines = feed(&server.client());
        assert!(lines.len() >= self.lines.len(), "an event was shown and is gone");
        for (shown, line) in self.lines.iter().zip(&lines) {
            assert_eq!(line, shown, "an event was shown, and is another one");
        }
    }
}

/// What was followed is over, even if that ends in a panic.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

/// The feed, which has every position up to its end.
#[track_caller]
pub(crate) fn feed(client: &Client) -> Vec<Value> {
    let lines: Vec<Value> = client.feed_lines("").lines().into_iter().map(outline).collect();
    let mut last = 0;
    for line in &lines {
        let position = line["position"].as_u64().expect("a position");
        assert!(position == last || position == last + 1, "{position} follows on {last}");
        last = position;
    }
    lines
}

/// A line with the type of its event instead of all of it: once a match is finished, more of it is shown. The chains hold what is in it.
fn outline(mut line: Value) -> Value {
    line["event"] = line["event"]["type"].take();
    line
}

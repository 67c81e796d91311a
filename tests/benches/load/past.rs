//! The past of a long match: any version of it, pictures, and all of it again.

use std::time::Instant;

use testkit::Dice;

use crate::bounds::{longest_match, only_match};
use acceptance::frugal::{muninn_with, request};
use acceptance::http::Connection;
use acceptance::process::{Process, megabytes};

/// Requests of a kind,
const ASKED: usize = 1_000;
/// and versions of a replay, of which each has the whole view.
const FRAMES: usize = 10_000;
/// A match of Rosenkönig has some 350, so its replay is asked for again and again.
const REPLAYS: usize = 1_000;

/// What one asks of it.
struct Reader<'a> {
    server: &'a Process,
    connection: Connection,
    path: String,
}

impl Reader<'_> {
    fn get(&mut self, what: &str) -> Vec<u8> {
        let request = request("GET", &format!("{}{what}", self.path), None, "");
        self.connection.write(&request).expect("the server reads");
        let answer = self.connection.read(false).expect("the server answers");
        assert_eq!(answer.status, 200, "{what}: {}", answer.text());
        answer.body
    }

    /// Tells how long each took, and what it cost the server.
    fn each(&mut self, name: &str, mut what: impl FnMut() -> String) {
        let worked = self.server.cpu();
        let mut times: Vec<f64> = (0..ASKED)
            .map(|_| {
                let start = Instant::now();
                self.get(&what());
                start.elapsed().as_secs_f64() * 1e3
            })
            .collect();
        let worked = (self.server.cpu() - worked) * 1e3 / ASKED as f64;
        times.sort_unstable_by(f64::total_cmp);
        let (median, late) = (times[ASKED / 2], times[ASKED * 99 / 100]);
        println!(
            "{name:<44} p50 {median:.2}, p99 {late:.2} ms, {worked:.2} ms of a core (goal of a version 5)"
        );
    }

    /// Asks for a replay so often, and tells how fast its frames came, and what they took; returns how many came.
    fn replayed(&mut self, name: &str, what: &str, times: usize) -> usize {
        let before = self.server.resident_kib();
        self.server.forget_peak();
        let worked = self.server.cpu();
        let (mut frames, mut bytes) = (0, 0);
        for _ in 0..times {
            let answer = self.get(what);
            frames += answer.iter().filter(|byte| **byte == b'\n').count();
            bytes += answer.len();
        }
        let worked = self.server.cpu() - worked;
        println!(
            "{name:<44} {:.0} frames of {:.1} kB and {:.0} MB a second of a core (goal 200000 frames), {:.1} MB more at its peak",
            frames as f64 / worked,
            bytes as f64 / frames as f64 / 1e3,
            bytes as f64 / worked / 1e6,
            megabytes(1024 * self.server.peak_kib().saturating_sub(before))
        );
        frames
    }
}

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let id = longest_match(folder.path());
    let (server, address) = muninn_with(folder.path(), &[]);
    let connection = Connection::open(address).expect("the server listens");
    let path = format!("/v1/matches/{id}");
    let mut reader = Reader { server: &server, connection, path };
    let start = Instant::now();
    let info: serde_json::Value = serde_json::from_slice(&reader.get("")).expect("JSON");
    let versions = usize::try_from(info["version"].as_u64().expect("a version")).expect("a number");
    println!(
        "{:<44} {:.0} ms, {versions} events",
        "first look after a start",
        start.elapsed().as_secs_f64() * 1e3
    );
    let mut dice = Dice::new(7);
    let all: Vec<usize> = (1..=versions).collect();
    reader.each("view?at= of any version", || format!("/view?at={}", dice.of(&all)));
    reader.each("board.svg?at= of any version", || format!("/board.svg?at={}", dice.of(&all)));
    let frames = reader.replayed("replay", &format!("/replay?from=1&to={FRAMES}"), 1);
    assert_eq!(frames, FRAMES);
    rosenkoenig();
}

/// Replays of a short match with small views.
fn rosenkoenig() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let id = only_match(folder.path(), "rosenkoenig");
    let (server, address) = muninn_with(folder.path(), &[]);
    let connection = Connection::open(address).expect("the server listens");
    let mut reader = Reader { server: &server, connection, path: format!("/v1/matches/{id}") };
    // The first one reads the match.
    reader.get("/replay");
    reader.replayed("replay of Rosenkönig", "/replay", REPLAYS);
}

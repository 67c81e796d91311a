//! How fast the store appends, against bare sled with the same durability, and how fast it reads.
//!
//! `cargo bench -p store`; `-- quick` for a look. One commit is 5 events, 1,300 bytes of JSON. Rounds alternate, so
//! that a loaded machine slows both alike; the medians and their ratio count.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use store::{Commit, Config, Store, StreamId, Write};

const WRITERS: u64 = 64;
const STREAM_COMMITS: u64 = 120;

fn main() {
    let quick = std::env::args().any(|argument| argument == "quick");
    let (rounds, commits) = if quick { (1, 10_000) } else { (5, 60_000) };
    let mut bare = Vec::new();
    let mut ours = Vec::new();
    let mut noted = Vec::new();
    for _ in 0..rounds {
        bare.push(append_bare(commits));
        ours.push(append_store(commits, alone));
        noted.push(append_store(commits, with_note));
    }
    let bare = median("bare sled, group commit", bare);
    let ours = median("store", ours);
    println!("store / bare sled: {:.0} %", 100.0 * ours / bare);
    figure("store / bare sled", ours / bare);
    let noted = median("store, a note with each commit and a header with the first", noted);
    println!("with notes / without: {:.0} %", 100.0 * noted / ours);
    figure("with notes / without", noted / ours);
    read(commits);
    let mut alone: Vec<Round> =
        (0..3).map(|_| append_alone(if quick { 500 } else { 5_000 })).collect();
    alone.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
    alone[1].print("one writer alone");
    open(if quick { 50_000 } else { 1_000_000 });
}

/// Notes a ratio where `tests/bench_check.py` asks for it, as other benches do by `testkit`, which the store does not know.
fn figure(name: &str, ratio: f64) {
    if let Some(path) = std::env::var_os("BENCH_FIGURES") {
        let mut file = File::options().create(true).append(true).open(path).expect("a file");
        writeln!(file, "{{\"name\": \"{name}\", \"ratio\": {ratio}}}").expect("a file to write");
    }
}

/// One measured round.
struct Round {
    commits: u64,
    elapsed: Duration,
    latencies: Vec<Duration>,
    bytes_on_disk: u64,
}

impl Round {
    fn per_second(&self) -> f64 {
        self.commits as f64 / self.elapsed.as_secs_f64()
    }

    fn print(&mut self, name: &str) {
        self.latencies.sort_unstable();
        let at = |percent: usize| self.latencies[(self.latencies.len() - 1) * percent / 100];
        println!(
            "{name}: {:.0} commits/s, p50 {:.2?}, p99 {:.2?}, {} bytes on disk per commit",
            self.per_second(),
            at(50),
            at(99),
            self.bytes_on_disk / self.commits
        );
    }
}

fn median(name: &str, mut rounds: Vec<Round>) -> f64 {
    rounds.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
    let middle = rounds.len() / 2;
    rounds[middle].print(name);
    rounds[middle].per_second()
}

/// The commit of a writer: five events as a game would write them, with values that differ.
fn payload(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    let mut events = Vec::new();
    for kind in ["tile_placed", "score_awarded", "tile_drawn", "god_advanced", "turn_ended"] {
        events.push(format!(
            "{{\"type\":\"{kind}\",\"seat\":{},\"cell\":{{\"x\":{},\"y\":{}}},\"tile\":\"tile_{}\",\"points\":[{},{},{},{}],\
             \"remaining_tiles\":{},\"reason\":\"row_and_column\",\"digest\":\"{:016x}{:016x}\",\
             \"candidates\":[\"fenrir\",\"odin\",\"skadi\",\"dragon\"],\"is_final\":false}}",
            next(5), next(19), next(19), next(60), next(99), next(99), next(99), next(99), next(60), next(u64::MAX), next(u64::MAX),
        ));
    }
    format!(
        "{{\"recorded_at\":\"2026-11-21T03:{:02}:{:02}.{:03}Z\",\"events\":[{}]}}",
        next(60),
        next(60),
        next(1000),
        events.join(",")
    )
    .into_bytes()
}

/// The id of a stream: time first, as in a UUIDv7, then something random.
fn stream(writer: u64, nth: u64) -> StreamId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&(nth * WRITERS + writer).to_be_bytes());
    id[8..].copy_from_slice(
        &(nth * WRITERS + writer).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes(),
    );
    StreamId(id)
}

/// Runs 64 writers that each append their share, one after another, and times every append.
fn with_writers(
    commits: u64,
    append: impl Fn(StreamId, u64, Vec<u8>) + Sync,
) -> (Duration, Vec<Duration>) {
    let latencies = Mutex::new(Vec::new());
    let payloads: Vec<Vec<u8>> = (0..512).map(payload).collect();
    let start = Instant::now();
    thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (latencies, append, payloads) = (&latencies, &append, &payloads);
            scope.spawn(move || {
                let mut own = Vec::new();
                for i in 0..commits / WRITERS {
                    let bytes = payloads[((writer * 7 + i) % 512) as usize].clone();
                    let start = Instant::now();
                    append(stream(writer, i / STREAM_COMMITS), i % STREAM_COMMITS + 1, bytes);
                    own.push(start.elapsed());
                }
                latencies.lock().expect("no writer panics").extend(own);
            });
        }
    });
    (start.elapsed(), latencies.into_inner().expect("no writer panics"))
}

/// A commit and nothing else.
fn alone(stream: StreamId, number: u64, bytes: Vec<u8>) -> Write {
    let commit = Commit { stream, number, bytes, header: None };
    Write { commit: Some(commit), ..Write::default() }
}

/// A commit as the server writes one for a client that sends an idempotency key: with a note, whose key is like a hash.
fn with_note(stream: StreamId, number: u64, bytes: Vec<u8>) -> Write {
    let id = u128::from_be_bytes(stream.0).wrapping_add(u128::from(number));
    let hash = id.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    let key = [hash.to_be_bytes(), stream.0].concat();
    let value = format!("{{\"body\":\"{hash:064x}\",\"version\":{number},\"commit\":{number}}}");
    let header = (number == 1).then(|| value.repeat(4).into_bytes());
    Write {
        commit: Some(Commit { stream, number, bytes, header }),
        notes: vec![(key, value.into_bytes())],
    }
}

fn append_store(commits: u64, write: impl Fn(StreamId, u64, Vec<u8>) -> Write + Sync) -> Round {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(folder.path(), Config::default()).expect("a new store");
    let (elapsed, latencies) = with_writers(commits, |stream, number, bytes| {
        store.submit(write(stream, number, bytes)).wait().expect("a durable commit");
    });
    drop(store);
    Round { commits, elapsed, latencies, bytes_on_disk: size(folder.path()) }
}

fn append_alone(commits: u64) -> Round {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(folder.path(), Config::default()).expect("a new store");
    let mut latencies = Vec::new();
    let start = Instant::now();
    for i in 0..commits {
        let write = alone(stream(0, i / STREAM_COMMITS), i % STREAM_COMMITS + 1, payload(i));
        let start = Instant::now();
        store.submit(write).wait().expect("a durable commit");
        latencies.push(start.elapsed());
    }
    let elapsed = start.elapsed();
    drop(store);
    Round { commits, elapsed, latencies, bytes_on_disk: size(folder.path()) }
}

/// The same group commit with nothing but sled: one record per commit, no checks, no feed, no checksum of our own.
fn append_bare(commits: u64) -> Round {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let db = sled::Config::new()
        .path(folder.path())
        .cache_capacity(64 << 20)
        .open()
        .expect("a new sled");
    let file = File::options().write(true).open(folder.path().join("db")).expect("sled's file");
    type Waiting = (Vec<u8>, Vec<u8>, Sender<()>);
    let (queue, waiting) = mpsc::channel::<Waiting>();
    let (elapsed, latencies) = thread::scope(|scope| {
        let (db, file) = (&db, &file);
        scope.spawn(move || {
            while let Ok(first) = waiting.recv() {
                let (mut batch, mut answers) = (sled::Batch::default(), Vec::new());
                for (key, bytes, answer) in std::iter::once(first).chain(waiting.try_iter()) {
                    batch.insert(key, bytes);
                    answers.push(answer);
                }
                db.apply_batch(batch).expect("sled applies");
                db.flush().expect("sled flushes");
                file.sync_data().expect("the disk syncs");
                answers.into_iter().for_each(|answer| answer.send(()).expect("the writer waits"));
            }
        });
        let queue = queue;
        with_writers(commits, |stream, number, bytes| {
            let (answer, answered) = mpsc::channel();
            let mut key = stream.0.to_vec();
            key.extend_from_slice(&number.to_be_bytes());
            queue.send((key, bytes, answer)).expect("the writing thread runs");
            answered.recv().expect("an answer");
        })
    });
    drop(db);
    Round { commits, elapsed, latencies, bytes_on_disk: size(folder.path()) }
}

fn read(commits: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Store::open(folder.path(), Config::default()).expect("a new store");
    with_writers(commits, |stream, number, bytes| {
        store.submit(alone(stream, number, bytes)).wait().expect("a durable commit");
    });
    let mut times = Vec::new();
    for writer in 0..WRITERS {
        let start = Instant::now();
        let read = store.commits(stream(writer, 0), 0, 1000).expect("a stream");
        times.push(start.elapsed());
        assert_eq!(read.len() as u64, STREAM_COMMITS.min(commits / WRITERS));
    }
    times.sort_unstable();
    println!("a stream of {STREAM_COMMITS} commits: p50 {:.2?}, p99 {:.2?}", times[32], times[63]);
    feed(&store);
}

/// Reads the whole feed in pages, then checks everything.
fn feed(store: &Store) {
    let start = Instant::now();
    let mut after = 0;
    while after < store.position() {
        after = store.feed(after, 100).expect("the feed").last().expect("more").position;
    }
    println!(
        "the feed in pages of 100: {:.0} commits/s",
        after as f64 / start.elapsed().as_secs_f64()
    );
    let start = Instant::now();
    assert!(store.check(&mut |_| {}).damage.is_empty());
    println!("check: {:.0} commits/s", after as f64 / start.elapsed().as_secs_f64());
}

/// How long a store with many commits takes to open: after a run that wrote them all, and again.
fn open(commits: u64) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let store = Arc::new(Store::open(folder.path(), Config::default()).expect("a new store"));
    let next = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                loop {
                    let nth = next.fetch_add(1, Ordering::Relaxed);
                    if nth >= commits / STREAM_COMMITS {
                        break;
                    }
                    let write = |i: u64| alone(stream(0, nth), i + 1, payload(i));
                    let tickets: Vec<_> =
                        (0..STREAM_COMMITS).map(|i| store.submit(write(i))).collect();
                    tickets.into_iter().for_each(|ticket| assert!(ticket.wait().is_ok()));
                }
            });
        }
    });
    let (position, syncs) = (store.position(), store.syncs());
    let start = Instant::now();
    drop(Arc::into_inner(store));
    println!(
        "{position} commits in {syncs} syncs, {:.0} MB: closed in {:.2?}",
        size(folder.path()) as f64 / 1e6,
        start.elapsed()
    );
    for name in ["first", "second", "third"] {
        let start = Instant::now();
        let store = Store::open(folder.path(), Config::default()).expect("the store");
        println!("the {name} open afterwards: {:.2?}", start.elapsed());
        assert_eq!(store.position(), position);
    }
}

fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).expect("the folder").map(|entry| entry.expect("an entry"));
    entries
        .map(|entry| {
            if entry.path().is_dir() {
                size(&entry.path())
            } else {
                entry.metadata().expect("a file").len()
            }
        })
        .sum()
}

//! Commits a second at the store's door.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::copies;
use store::{Commit, Store, StreamId, Write};

use crate::stores::{Databases, Place};
use crate::{compare, length};

/// A stream has so many commits.
const COMMITS: u64 = 100;

pub(crate) fn measure() {
    let (one, three) = (Databases::one(), Databases::three());
    let records = copies::records();
    for writers in [64, 512] {
        let places = [
            ("a folder", Place::folder()),
            ("one database", Place::Database(one.store())),
            ("three databases", Place::Database(three.store())),
        ];
        let ways = places.map(|(name, place)| {
            (format!("append, {writers} writers, {name}"), (writers, place.open(), place))
        });
        compare(ways.into(), |(writers, store, _)| write(store, *writers, &records));
    }
}

/// So many threads append, each to streams of its own; the time of each commit.
fn write(store: &Store, writers: u64, records: &[Vec<u8>]) -> Vec<Duration> {
    let round = store.position();
    timed(writers, |writer, nth| {
        let stream = (round << 32) | (writer << 16) | (nth / COMMITS);
        let write = commit(records, stream, nth % COMMITS + 1);
        store.submit(write).wait().expect("it is stored");
    })
}

/// So many threads do something again and again; the time of each time.
pub(crate) fn timed(threads: u64, one: impl Fn(u64, u64) + Sync) -> Vec<Duration> {
    let (start, all) = (Instant::now(), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for thread in 0..threads {
            let (all, one) = (&all, &one);
            scope.spawn(move || {
                let mut own = Vec::new();
                for nth in 0.. {
                    if start.elapsed() >= length() {
                        break;
                    }
                    let sent = Instant::now();
                    one(thread, nth);
                    own.push(sent.elapsed());
                }
                all.lock().expect("no thread panics").extend(own);
            });
        }
    });
    all.into_inner().expect("no thread panics")
}

/// A stream by its number.
pub(crate) fn stream(number: u64) -> StreamId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&number.to_be_bytes());
    StreamId(id)
}

/// A commit that has one of these records.
pub(crate) fn commit(records: &[Vec<u8>], nth: u64, number: u64) -> Write {
    let mixed = (nth ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let bytes = records[usize::try_from(mixed).expect("32 bits") % records.len()].clone();
    Write {
        commit: Some(Commit { stream: stream(nth), number, bytes, header: None }),
        ..Write::default()
    }
}

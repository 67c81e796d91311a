//! Reads at the store's door.

use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use store::{Store, StreamId};

use crate::append::commit;
use crate::stores::{Databases, Place};
use crate::{compare, length};

const STREAMS: u64 = 1_000;
/// A stream has so many commits, about as many as a match.
const COMMITS: u64 = 100;

pub(crate) fn measure() {
    let one = Databases::one();
    let places = [("a folder", Place::folder()), ("a database", Place::Database(one.store()))];
    let stores = places.each_ref().map(|(name, place)| (*name, place.open()));
    stores.iter().for_each(|(_, store)| fill(store));
    for readers in [1, 8] {
        let ways = |what: &str| {
            let name = |name: &str| format!("{what}, {readers} readers, {name}");
            stores.each_ref().map(|(place, store)| (name(place), store)).into()
        };
        compare(ways("a stream of 100 commits"), |store| {
            read(readers, |nth| {
                let read = store.commits(stream(nth * 7919 % STREAMS), 0, 1_000);
                assert_eq!(read.expect("a stream").len() as u64, COMMITS);
            })
        });
        compare(ways("a page of 1,000 of the feed"), |store| {
            read(readers, |nth| {
                let after = nth * 7919 % (STREAMS * COMMITS / 1_000) * 1_000;
                assert_eq!(store.feed(after, 1_000).expect("the feed").len(), 1_000);
            })
        });
    }
}

fn stream(nth: u64) -> StreamId {
    commit(nth, 1).commit.expect("it has one").stream
}

fn fill(store: &Store) {
    for number in 1..=COMMITS {
        let writes = (0..STREAMS).map(|nth| commit(nth, number)).collect();
        let stored = store.submit_together(writes);
        stored.into_iter().for_each(|ticket| assert!(ticket.wait().is_ok()));
    }
}

/// So many threads read; the time of each read.
fn read(readers: u64, one: impl Fn(u64) + Sync) -> Vec<Duration> {
    let (start, all) = (Instant::now(), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for reader in 0..readers {
            let (all, one) = (&all, &one);
            scope.spawn(move || {
                let mut own = Vec::new();
                for nth in 0.. {
                    if start.elapsed() >= length() {
                        break;
                    }
                    let sent = Instant::now();
                    one(nth * readers + reader);
                    own.push(sent.elapsed());
                }
                all.lock().expect("no reader panics").extend(own);
            });
        }
    });
    all.into_inner().expect("no reader panics")
}

//! A store that is made of much that is written at once: nothing of it counts before it is settled.

use store::{Commit, Config, Store, Write};

use crate::content;

const COMMITS: u64 = 3_000;

fn fill(store: &Store, numbers: std::ops::RangeInclusive<u64>) {
    let stream = content::stream(0);
    let tickets: Vec<_> =
        numbers.map(|number| store.submit(content::write(stream, number))).collect();
    for ticket in tickets {
        ticket.wait().expect("it is in the store");
    }
}

#[test]
fn what_is_made_is_synced_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new");
    let store = Store::make(&path, Config::default()).expect("it is made");
    fill(&store, 1..=COMMITS);
    assert_eq!(store.position(), COMMITS);
    assert_eq!(store.syncs(), 0, "nothing of it counts yet");
    let settled = store.settle().wait().expect("it is on disk");
    assert_eq!((settled, store.syncs()), (COMMITS, 1));
    assert_eq!(store.check(&mut |_| {}).damage, []);
    drop(store);
    let store = Store::open(&path, Config::default()).expect("it opens");
    assert_eq!(store.position(), COMMITS);
    content::assert_whole(&store);
}

#[test]
fn a_store_that_is_there_syncs_each_write_however_it_is_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    drop(Store::open(folder.path(), Config::default()).expect("it opens"));
    let store = Store::make(folder.path(), Config::default()).expect("it opens");
    for number in 1..=3 {
        fill(&store, number..=number);
        assert_eq!(store.syncs(), number);
    }
}

/// More streams than the writer remembers, many of them with several commits in one batch: as a large archive is restored.
#[test]
fn many_streams_side_by_side_are_made() {
    const STREAMS: u64 = 100_500;
    const BESIDE: u64 = 100;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("new");
    let store = Store::make(&path, Config::default()).expect("it is made");
    let mut tickets = Vec::new();
    for number in 0..STREAMS + BESIDE {
        let first = Some((number, 1)).filter(|(stream, _)| *stream < STREAMS);
        let second = number.checked_sub(BESIDE).map(|stream| (stream, 2));
        for (stream, commit) in first.into_iter().chain(second) {
            let header = (commit == 1).then(Vec::new);
            let stream = content::stream(stream);
            let commit = Commit { stream, number: commit, bytes: Vec::new(), header };
            tickets.push(store.submit(Write { commit: Some(commit), notes: Vec::new() }));
        }
        // As many as are put together wait at once.
        if tickets.len() > 800 {
            for ticket in tickets.drain(..) {
                ticket.wait().expect("it is in the store");
            }
        }
    }
    for ticket in tickets {
        ticket.wait().expect("it is in the store");
    }
    assert_eq!(store.position(), 2 * STREAMS);
}

//! A store that is made of much that is written at once: nothing of it counts before it is settled.

use store::{Config, Store};

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

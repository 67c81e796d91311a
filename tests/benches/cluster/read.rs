//! Reads at the store's door.

use acceptance::copies;
use store::Store;

use crate::append::{commit, stream, timed};
use crate::compare;
use crate::stores::{Databases, Place};

const STREAMS: u64 = 1_000;
/// A stream has so many commits, about as many as a match.
const COMMITS: u64 = 100;

pub(crate) fn measure() {
    let one = Databases::one();
    let places = [("a folder", Place::folder()), ("a database", Place::Database(one.store()))];
    let stores = places.each_ref().map(|(name, place)| (*name, place.open()));
    let records = copies::records();
    stores.iter().for_each(|(_, store)| fill(store, &records));
    for readers in [1, 8] {
        let ways = |what: &str| {
            let name = |name: &str| format!("{what}, {readers} readers, {name}");
            stores.each_ref().map(|(place, store)| (name(place), store)).into()
        };
        compare(ways("a stream of 100 commits"), |store| {
            timed(readers, |reader, nth| {
                let nth = nth * readers + reader;
                let read = store.commits(stream(nth * 7919 % STREAMS), 0, 1_000);
                assert_eq!(read.expect("a stream").len() as u64, COMMITS);
            })
        });
        compare(ways("a page of 1,000 of the feed"), |store| {
            timed(readers, |reader, nth| {
                let after = (nth * readers + reader) * 7919 % (STREAMS * COMMITS / 1_000) * 1_000;
                assert_eq!(store.feed(after, 1_000).expect("the feed").len(), 1_000);
            })
        });
    }
}

fn fill(store: &Store, records: &[Vec<u8>]) {
    for number in 1..=COMMITS {
        let writes = (0..STREAMS).map(|nth| commit(records, nth, number)).collect();
        let stored = store.submit_together(writes);
        stored.into_iter().for_each(|ticket| assert!(ticket.wait().is_ok()));
    }
}

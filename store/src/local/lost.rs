//! Searches of sled that lead nowhere.
//!
//! Where a page is missing, or pages do not fit together, sled takes that for a change that is just being made, and begins anew, a million times,
//! before it gives up with a panic: seconds for each key. But it tells its log of each page that it looks at. So once that has happened we count
//! what it says there, and end a search that goes on for too long. A program with a logger of its own keeps that one, and waits as ever.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

use log::{Level, LevelFilter, Log, Metadata, Record};

/// So much may sled say in one search. It says a few dozen lines if nothing is wrong.
const MOST: u32 = 10_000;
/// What it says before it looks at a page: there it holds nothing.
const BETWEEN_PAGES: &str = "getting page iterator ";
/// After so much another thread may go first: it may be the one that makes the change.
const POLITE: u32 = 1_000;

thread_local! {
    /// What sled has said in the search that goes on.
    static SAID: Cell<Option<u32>> = const { Cell::new(None) };
}

/// Searches something in sled, for no longer than need be if one search led nowhere before. It may end in a panic.
pub(crate) fn search<T>(call: impl FnOnce() -> T) -> T {
    struct Done;
    impl Drop for Done {
        fn drop(&mut self) {
            SAID.set(None);
        }
    }
    let _done = Done;
    SAID.set(Some(0));
    call()
}

/// Counts from now on, if this is what sled says when it gives up a search.
pub(crate) fn gave_up(why: &str) {
    let is_search = why.starts_with("cannot find pid ") || why.contains("tree traversal ");
    if is_search && log::set_logger(&Listener).is_ok() {
        log::set_max_level(LevelFilter::Trace);
    }
}

struct Listener;

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() == Level::Trace && metadata.target().starts_with("sled::")
    }

    fn log(&self, record: &Record<'_>) {
        if let Some(said) = SAID.get()
            && self.enabled(record.metadata())
        {
            if said >= MOST && record.args().to_string().starts_with(BETWEEN_PAGES) {
                // As sled's own, but nobody need be told on the way.
                resume_unwind(Box::new("a page that is looked for is missing".to_owned()));
            }
            if said % POLITE == POLITE - 1 {
                thread::yield_now();
            }
            SAID.set(Some(said.saturating_add(1)));
        }
    }

    fn flush(&self) {}
}

//! Pages that sled does not find.
//!
//! sled takes a page that is missing for one that is just being moved, and looks for it a million times before it gives up with a panic: a fifth
//! of a second for each key, and the panic names another page. But it tells its log each time that it begins anew. So once a page is missing we
//! listen there, and end the search early. A program with a logger of its own keeps that one, and waits as ever.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::thread;

use log::{Level, LevelFilter, Log, Metadata, Record};

/// How often sled may begin anew at the same page. Whoever moves a page is done long before.
const PATIENCE: u32 = 2_000;
/// After so many times another thread may go first: it may be the one that moves the page.
const POLITE: u32 = 200;

thread_local! {
    /// While something is searched: where sled began anew last, and how often in a row.
    static SEARCH: Cell<Option<(u64, u32)>> = const { Cell::new(None) };
}

/// Searches something in sled, and no longer for a page that is missing than need be, if there was one before. The search may end in a panic.
pub(crate) fn search<T>(call: impl FnOnce() -> T) -> T {
    struct Done;
    impl Drop for Done {
        fn drop(&mut self) {
            SEARCH.set(None);
        }
    }
    let _done = Done;
    SEARCH.set(Some((0, 0)));
    call()
}

/// Listens from now on, if this is what sled says of a page that is missing.
pub(crate) fn listen(why: &str) {
    if why.starts_with("cannot find pid ") && log::set_logger(&Listener).is_ok() {
        log::set_max_level(LevelFilter::Trace);
    }
}

struct Listener;

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.level() == Level::Trace
            && metadata.target() == "sled::tree"
            && SEARCH.get().is_some()
    }

    fn log(&self, record: &Record<'_>) {
        if self.enabled(record.metadata())
            && let Some((last, times)) = SEARCH.get()
            && let Some(page) = begun_anew(&record.args().to_string())
        {
            let times = if page == last { times + 1 } else { 1 };
            if times > PATIENCE {
                // As sled's own, but nobody need be told on the way.
                resume_unwind(Box::new(format!("page {page} is missing")));
            }
            if times.is_multiple_of(POLITE) {
                thread::yield_now();
            }
            SEARCH.set(Some((page, times)));
        }
    }

    fn flush(&self) {}
}

/// The page at which sled begins anew, if that is what it says.
fn begun_anew(said: &str) -> Option<u64> {
    let (_, page) = said.strip_prefix("retrying at line ")?.split_once(" when cursor was ")?;
    page.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::begun_anew;

    #[test]
    fn what_sled_says_is_understood() {
        assert_eq!(begun_anew("retrying at line 1652 when cursor was 3"), Some(3));
        assert_eq!(begun_anew("getting key [104, 1]"), None);
    }
}

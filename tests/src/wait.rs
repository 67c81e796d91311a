//! Waiting for what the server does by itself.

use std::thread;
use std::time::{Duration, Instant};

/// Looks again and again until it is so, for a minute.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    until_some(what, || is_so().then_some(()));
}

/// The same until there is something.
#[track_caller]
pub fn until_some<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "waited for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

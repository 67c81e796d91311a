//! Waiting for what the server does by itself.

use std::thread;
use std::time::{Duration, Instant};

/// Looks again and again until it is so, for a minute.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "waited for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

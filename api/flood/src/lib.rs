//! Log lines that may come by the thousand: one a second, with the number of those that were left out.
//!
//! Whoever logs what a failing disk, a damaged store or a client that does not give up can bring about again and again has one [`Flood`]
//! for each such line, mostly in a `static`. The line says `more`: how many were left out since the one before it.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_secs(1);

/// One kind of line.
#[derive(Default)]
pub struct Flood(Mutex<State>);

#[derive(Default)]
struct State {
    last: Option<Instant>,
    left_out: u64,
}

impl Flood {
    /// No line was written yet.
    #[must_use]
    pub const fn new() -> Self {
        Flood(Mutex::new(State { last: None, left_out: 0 }))
    }

    /// Writes the line, unless one was written within the last second. It is told how many were left out since then.
    pub fn line(&self, write: impl FnOnce(u64)) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if state.last.is_some_and(|last| now.duration_since(last) < PAUSE) {
            state.left_out += 1;
            return;
        }
        let left_out = std::mem::take(&mut state.left_out);
        state.last = Some(now);
        drop(state);
        write(left_out);
    }
}

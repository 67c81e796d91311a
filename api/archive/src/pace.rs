//! Who reads all of a store leaves room for those who play in it.

use std::thread;
use std::time::{Duration, Instant};

use store::Store;

/// While somebody plays, so many times the time of the work is waited behind it: it takes a quarter of a core.
const REST: u32 = 3;
/// No rest is longer: on a machine with much other work the time that something took says little, and it must come to an end.
const LONGEST: Duration = Duration::from_millis(4);
/// Somebody plays who has committed within this time.
const RECENT: Duration = Duration::from_millis(250);

/// The pace of a thread.
pub(crate) struct Pace<'a> {
    store: &'a Store,
    position: u64,
    /// When the position was seen to move.
    moved: Option<Instant>,
}

impl<'a> Pace<'a> {
    pub(crate) fn new(store: &'a Store) -> Self {
        Pace { store, position: store.position(), moved: None }
    }

    /// Rests after work that began then, if somebody plays.
    pub(crate) fn rest(&mut self, begun: Instant) {
        let position = self.store.position();
        if position != self.position {
            (self.position, self.moved) = (position, Some(Instant::now()));
        }
        if self.moved.is_some_and(|moved| moved.elapsed() < RECENT) {
            thread::sleep((begun.elapsed() * REST).min(LONGEST));
        }
    }
}

//! What the engine does with damage: it is set aside, told, and tried again.

use journal::{Damaged, Place};

use crate::engine::Engine;

impl Engine {
    /// How much is set aside: matches, and places in the feed whose match is unknown.
    #[must_use]
    pub fn damaged_count(&self) -> u64 {
        self.journal.aside().count() as u64
    }

    /// What is set aside, after a place, at most `limit`.
    #[must_use]
    pub fn damaged_after(&self, after: Option<Place>, limit: usize) -> Vec<Damaged> {
        self.journal.aside().after(after, limit)
    }

    /// Tries again what the disk did not give out. What is well again is served from now on.
    pub fn try_again(&self) {
        let known = self.damaged_after(None, usize::MAX);
        for damaged in known.iter().filter(|damaged| !damaged.lasts()) {
            match damaged.place() {
                Place::Match(id) => drop(self.load(id)),
                Place::Position(position) => {
                    if let Ok([_]) = self.journal.store().feed(position - 1, 1).as_deref() {
                        self.journal.aside().remove(damaged.place());
                    }
                }
            }
        }
    }
}

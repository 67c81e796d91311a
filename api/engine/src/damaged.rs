//! What the engine does with damage: it is set aside, told, and tried again.

use journal::{Damaged, MatchId, Place};

use crate::engine::Engine;

impl Engine {
    /// Sets aside what somebody has found damaged; each match counts once.
    pub fn set_aside(&self, damaged: &Damaged) {
        self.journal.aside().put(damaged);
    }

    /// What is known to be damaged of a match.
    #[must_use]
    pub fn damaged(&self, id: MatchId) -> Option<Damaged> {
        self.journal.aside().of(id)
    }

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

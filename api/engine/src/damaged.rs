//! What the engine does with damage: it is set aside, told, and tried again.

use journal::{DamageKind, Damaged, Header, MatchId, Place, Unread};

use crate::engine::Engine;
use crate::error::Error;

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

    /// The header of a match. In a folder a match without one is damaged if it is listed, or has commits.
    pub(crate) fn header(&self, id: MatchId, is_listed: bool) -> Result<Header, Error> {
        if let Some(header) = self.whole(self.journal.header(id))? {
            return Ok(header);
        }
        // What a database answers may be older than what it has answered before.
        let is_there = !self.is_shared()
            && (is_listed || !self.whole(self.journal.commits(id, 0, 1))?.is_empty());
        if !is_there {
            return Err(Error::NotFound("match with this id"));
        }
        // It may have been opened meanwhile: what is there of it is all there.
        let header = self.whole(self.journal.header(id))?;
        let none = || Damaged::of_match(id, DamageKind::Corrupt, "it has no header");
        header.map_or_else(|| self.whole(Err(Unread::Damaged(none()))), Ok)
    }
}

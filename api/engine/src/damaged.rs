//! What the engine does with damage: it is set aside, told, and tried again.

use journal::{DamageKind, Damaged, MatchId, Place, stream_id};
use store::{ReadError, Trouble};

use crate::engine::Engine;
use crate::error::Error;

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

    /// Sets a match aside; the error says so.
    pub fn spoilt(&self, damaged: Damaged) -> Error {
        self.journal.aside().put(&damaged);
        Error::Damaged(Box::new(damaged))
    }

    /// Has the disk failed, so that a read says nothing about what it reads?
    pub fn disk_failed(&self) -> bool {
        matches!(self.trouble(), Some(Trouble::Failed(_) | Trouble::Gone(_)))
    }

    /// The header of a match could not be read.
    pub fn no_match(&self, id: MatchId, error: ReadError) -> Error {
        if self.disk_failed() {
            Error::Read(error)
        } else {
            self.spoilt(self.no_header(id, &error))
        }
    }

    /// Commits after `after` could not be read: finds out which one it is. If all of them can be read now, the disk was the reason.
    pub fn unread(&self, id: MatchId, after: u64, error: ReadError) -> Error {
        if self.disk_failed() {
            return Error::Read(error);
        }
        let mut number = after;
        loop {
            match self.journal.store().commits(stream_id(id), number, 1) {
                Ok(page) if page.is_empty() => return Error::Read(error),
                Ok(_) => number += 1,
                Err(error) => {
                    let what = DamageKind::of(self.journal.store(), &error);
                    let damaged = Damaged::of_match(id, what, error.to_string());
                    return self.spoilt(damaged.commit(number + 1));
                }
            }
        }
    }
}

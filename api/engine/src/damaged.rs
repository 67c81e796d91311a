//! What is damaged in a store: set aside, counted and named, so that one match never hides the others.
//!
//! Whoever finds damage tells it here, each match once: the start, whoever loads a match, the archive, and what is made of it. What the
//! disk did not give out is tried again; bytes that are not those that were written, and events that no rule leads to, stay what they are
//! until the program is started anew, on a store that somebody has mended.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use serde::Serialize;
use store::{ReadError, Store, Trouble};
use utoipa::ToSchema;

use crate::engine::stream_id;
use crate::header::MatchId;
use crate::{Engine, Error};

/// What is wrong with something that is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DamageKind {
    /// The disk did not give it out; it is tried again.
    Unreadable,
    /// Its bytes are not those that were written, or are missing.
    Corrupt,
    /// It is of a form, or of a game, that this program does not know.
    UnknownForm,
    /// It is not what its game decides.
    Differs,
}

impl DamageKind {
    /// In the words of the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DamageKind::Unreadable => "unreadable",
            DamageKind::Corrupt => "corrupt",
            DamageKind::UnknownForm => "unknown_form",
            DamageKind::Differs => "differs",
        }
    }

    /// In a sentence, without anything of the store's insides.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            DamageKind::Unreadable => "it cannot be read from the disk at present",
            DamageKind::Corrupt => "its bytes are not those that were written",
            DamageKind::UnknownForm => "it is of a form that this program does not know",
            DamageKind::Differs => "it is not what its game decides",
        }
    }

    /// What an error of the store means. After a failed write some of what is stored cannot be read before the next start: it is not lost.
    pub(crate) fn of(store: &Store, error: &ReadError) -> Self {
        let lasts = store.healthy() && !error.is_of_store();
        if lasts { DamageKind::Corrupt } else { DamageKind::Unreadable }
    }
}

/// Something in the store that cannot be read, or is not what the game decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema, thiserror::Error)]
#[error("{}: {cause}", self.whereabouts())]
pub struct Damaged {
    /// The match; null where it is not known which one the place in the feed belongs to.
    #[schema(value_type = Option<String>, format = "uuid")]
    r#match: Option<MatchId>,
    /// The feed position, where it is known: that of the match's end, or of the commit.
    position: Option<u64>,
    /// The first commit that is damaged, where it is known; null for the whole match.
    commit: Option<u64>,
    /// What is wrong.
    what: DamageKind,
    /// For the log, and for whoever has the store.
    #[serde(skip)]
    cause: String,
}

/// What was set aside: a match, or a place in the feed where it is not known which match has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A feed position.
    Position(u64),
    /// A match.
    Match(MatchId),
}

impl Damaged {
    /// A match is damaged. `cause` is for the log.
    #[must_use]
    pub fn of_match(id: MatchId, what: DamageKind, cause: impl Into<String>) -> Self {
        let cause = cause.into();
        Damaged { r#match: Some(id), position: None, commit: None, what, cause }
    }

    /// A place in the feed is damaged, of which nobody knows the match. `cause` is for the log.
    #[must_use]
    pub fn at_position(position: u64, what: DamageKind, cause: impl Into<String>) -> Self {
        let cause = cause.into();
        Damaged { r#match: None, position: Some(position), commit: None, what, cause }
    }

    /// The same, and it is this commit.
    #[must_use]
    pub fn commit(self, number: u64) -> Self {
        Damaged { commit: Some(number), ..self }
    }

    /// The same, and it is at this feed position.
    #[must_use]
    pub fn position(self, position: u64) -> Self {
        Damaged { position: Some(position), ..self }
    }

    /// What is to be set aside.
    #[must_use]
    pub fn place(&self) -> Place {
        let position = Place::Position(self.position.unwrap_or_default());
        self.r#match.map_or(position, Place::Match)
    }

    /// The commit that is damaged, where it is known.
    #[must_use]
    pub fn number(&self) -> Option<u64> {
        self.commit
    }

    /// The feed position, where it is known.
    #[must_use]
    pub fn at(&self) -> Option<u64> {
        self.position
    }

    /// Why it is so: for whoever has the store, and for nobody else.
    #[must_use]
    pub fn cause(&self) -> &str {
        &self.cause
    }

    /// What is wrong.
    #[must_use]
    pub fn what(&self) -> DamageKind {
        self.what
    }

    /// Does it stay as it is, whoever reads it again?
    #[must_use]
    pub fn lasts(&self) -> bool {
        self.what != DamageKind::Unreadable
    }

    /// What everybody may know of it.
    #[must_use]
    pub fn told(&self) -> String {
        format!("{}: {}", self.whereabouts(), self.what.text())
    }

    fn whereabouts(&self) -> String {
        let place = self.place();
        self.commit.map_or_else(|| place.to_string(), |number| format!("{place}, commit {number}"))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Position(position) => write!(f, "feed position {position}"),
            Place::Match(id) => write!(f, "match {id}"),
        }
    }
}

impl Place {
    /// As a cursor of pages.
    #[must_use]
    pub fn cursor(self) -> String {
        match self {
            Place::Position(position) => position.to_string(),
            Place::Match(id) => id.to_string(),
        }
    }
}

/// Reads a cursor.
impl FromStr for Place {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Place::Position).or_else(|_| text.parse().map(Place::Match))
    }
}

/// What was set aside since the start, shared by an engine and its archives.
#[derive(Default)]
pub(crate) struct Aside {
    known: RwLock<BTreeMap<Place, Known>>,
    /// How many: whoever looks for one of none takes no lock.
    count: AtomicUsize,
}

#[derive(Clone)]
struct Known {
    damaged: Damaged,
    /// The least feed position that was told of it; the greatest is in what is told.
    first: Option<u64>,
}

impl Aside {
    fn read(&self) -> RwLockReadGuard<'_, BTreeMap<Place, Known>> {
        self.known.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets something aside: what is new is logged, what is known is made more precise.
    pub(crate) fn put(&self, damaged: &Damaged) {
        let place = damaged.place();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = known.get_mut(&place) else {
            tracing::error!(%damaged, "set aside as damaged");
            known.insert(place, Known { damaged: damaged.clone(), first: damaged.position });
            self.count.store(known.len(), Ordering::Release);
            return;
        };
        before.first = [before.first, damaged.position].into_iter().flatten().min();
        let old = before.damaged.clone();
        let newer = if damaged.lasts() && !old.lasts() { damaged.clone() } else { old.clone() };
        before.damaged = Damaged {
            position: old.position.max(damaged.position),
            commit: newer.commit.or(old.commit).or(damaged.commit),
            ..newer
        };
    }

    /// It could be read after all.
    pub(crate) fn remove(&self, place: Place) {
        if self.count() == 0 {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(Known { damaged, first: _ }) = known.remove(&place) {
            tracing::info!(%damaged, "no longer set aside: it can be read again");
            self.count.store(known.len(), Ordering::Release);
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    pub(crate) fn get(&self, place: Place) -> Option<Damaged> {
        if self.count() == 0 {
            return None;
        }
        self.read().get(&place).map(|known| known.damaged.clone())
    }

    pub(crate) fn of(&self, id: MatchId) -> Option<Damaged> {
        self.get(Place::Match(id))
    }

    /// The same, if reading it again is no use.
    pub(crate) fn lasting(&self, id: MatchId) -> Option<Damaged> {
        self.of(id).filter(Damaged::lasts)
    }

    /// All matches.
    pub(crate) fn matches(&self) -> BTreeSet<MatchId> {
        self.read().values().filter_map(|known| known.damaged.r#match).collect()
    }

    /// What is, or may be, in a span of the feed.
    pub(crate) fn within(&self, span: &Range<u64>) -> BTreeSet<Place> {
        let inside = |known: &&Known| match (known.first, known.damaged.position) {
            (Some(first), Some(last)) => first <= span.end && last > span.start,
            (None, _) | (_, None) => true,
        };
        self.read().values().filter(inside).map(|known| known.damaged.place()).collect()
    }
}

impl Engine {
    /// Sets aside what somebody has found damaged; each match counts once.
    pub fn set_aside(&self, damaged: &Damaged) {
        self.aside.put(damaged);
    }

    /// What is known to be damaged of a match.
    #[must_use]
    pub fn damaged(&self, id: MatchId) -> Option<Damaged> {
        self.aside.of(id)
    }

    /// How much is set aside: matches, and places of the feed of which nobody knows the match.
    #[must_use]
    pub fn damaged_count(&self) -> u64 {
        self.aside.count() as u64
    }

    /// What is set aside, after a place, at most `limit`.
    #[must_use]
    pub fn damaged_after(&self, after: Option<Place>, limit: usize) -> Vec<Damaged> {
        let after = after.map_or(std::ops::Bound::Unbounded, std::ops::Bound::Excluded);
        let known = self.aside.read();
        let range = known.range((after, std::ops::Bound::Unbounded));
        range.take(limit).map(|(_, known)| known.damaged.clone()).collect()
    }

    /// Tries again what the disk did not give out. What is well again is served from now on.
    pub fn try_again(&self) {
        let known = self.damaged_after(None, usize::MAX);
        for damaged in known.iter().filter(|damaged| !damaged.lasts()) {
            match damaged.place() {
                Place::Match(id) => drop(self.load(id)),
                Place::Position(position) => {
                    if let Ok([_]) = self.store.feed(position - 1, 1).as_deref() {
                        self.aside.remove(damaged.place());
                    }
                }
            }
        }
    }

    /// Sets a match aside; the error says so.
    pub(crate) fn spoilt(&self, damaged: Damaged) -> Error {
        self.aside.put(&damaged);
        Error::Damaged(Box::new(damaged))
    }

    /// Has the disk failed, so that a read says nothing about what it reads?
    pub(crate) fn disk_failed(&self) -> bool {
        matches!(self.trouble(), Some(Trouble::Failed(_) | Trouble::Gone(_)))
    }

    /// The header of a match could not be read.
    pub(crate) fn no_match(&self, id: MatchId, error: ReadError) -> Error {
        if self.disk_failed() {
            Error::Read(error)
        } else {
            self.spoilt(self.no_header(id, &error))
        }
    }

    /// Commits after `after` could not be read: finds out which one it is. If all of them can be read now, the disk was the reason.
    pub(crate) fn unread(&self, id: MatchId, after: u64, error: ReadError) -> Error {
        if self.disk_failed() {
            return Error::Read(error);
        }
        let mut number = after;
        loop {
            match self.store.commits(stream_id(id), number, 1) {
                Ok(page) if page.is_empty() => return Error::Read(error),
                Ok(_) => number += 1,
                Err(error) => {
                    let what = DamageKind::of(&self.store, &error);
                    let damaged = Damaged::of_match(id, what, error.to_string());
                    return self.spoilt(damaged.commit(number + 1));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(byte: u8) -> MatchId {
        MatchId::from_bytes([byte; 16])
    }

    #[test]
    fn a_match_counts_once_and_is_told_as_well_as_it_is_known() {
        let aside = Aside::default();
        assert_eq!(aside.of(id(1)), None);
        aside.put(&Damaged::of_match(id(1), DamageKind::Unreadable, "the disk"));
        assert_eq!(aside.lasting(id(1)), None);
        aside.put(
            &Damaged::of_match(id(1), DamageKind::Differs, "its events").commit(7).position(30),
        );
        aside.put(
            &Damaged::of_match(id(1), DamageKind::Unreadable, "the disk").commit(9).position(20),
        );
        aside.put(&Damaged::at_position(40, DamageKind::Corrupt, "the feed"));
        assert_eq!(aside.count(), 2);
        let known = aside.lasting(id(1)).unwrap();
        assert_eq!(
            (known.number(), known.at(), known.what()),
            (Some(7), Some(30), DamageKind::Differs)
        );
        for (span, within) in [(0..19, 0), (0..20, 1), (25..27, 1), (29..39, 1), (30..39, 0)] {
            assert_eq!(aside.within(&span).len(), within, "{span:?}");
        }
        aside.remove(Place::Match(id(1)));
        assert_eq!((aside.count(), aside.of(id(1))), (1, None));
    }

    #[test]
    fn a_cursor_is_read_as_it_was_given() {
        for place in [Place::Position(57), Place::Match(id(3))] {
            assert_eq!(place.cursor().parse(), Ok(place));
        }
        assert!("next".parse::<Place>().is_err());
    }
}

//! The register of damage: who serves live matches and who reads finished ones tell it, and ask it.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Bound, Range};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use flood::Flood;

use crate::damaged::{Damaged, Place};
use crate::id::MatchId;

/// A damaged disk is found out match by match, by thousands at once.
static FOUND: Flood = Flood::new();
static AGAIN: Flood = Flood::new();

/// What was set aside since the start, shared by an engine and its archives.
#[derive(Default)]
pub struct Aside {
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

    /// Sets something aside: what is new is logged, what is known is made more precise. What a database that is away did not give out is not damaged.
    pub fn put(&self, damaged: &Damaged) {
        if damaged.is_away() {
            return;
        }
        let place = damaged.place();
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = known.get_mut(&place) else {
            known.insert(place, Known { damaged: damaged.clone(), first: damaged.at() });
            self.count.store(known.len(), Ordering::Release);
            let all = known.len();
            FOUND.line(|more| tracing::error!(%damaged, all, more, "set aside as damaged"));
            return;
        };
        before.first = [before.first, damaged.at()].into_iter().flatten().min();
        before.damaged = before.damaged.and(damaged);
    }

    /// It could be read after all.
    pub fn remove(&self, place: Place) {
        if self.count() == 0 {
            return;
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(Known { damaged, first: _ }) = known.remove(&place) {
            self.count.store(known.len(), Ordering::Release);
            AGAIN.line(|more| {
                tracing::info!(%damaged, more, "no longer set aside: it can be read again");
            });
        }
    }

    /// How much is set aside.
    #[must_use]
    pub fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// What is known of a place.
    #[must_use]
    pub fn get(&self, place: Place) -> Option<Damaged> {
        if self.count() == 0 {
            return None;
        }
        self.read().get(&place).map(|known| known.damaged.clone())
    }

    /// What is known of a match.
    #[must_use]
    pub fn of(&self, id: MatchId) -> Option<Damaged> {
        self.get(Place::Match(id))
    }

    /// The same, if reading it again cannot help.
    #[must_use]
    pub fn lasting(&self, id: MatchId) -> Option<Damaged> {
        self.of(id).filter(Damaged::lasts)
    }

    /// What is set aside, after a place, at most `limit`.
    #[must_use]
    pub fn after(&self, after: Option<Place>, limit: usize) -> Vec<Damaged> {
        let after = after.map_or(Bound::Unbounded, Bound::Excluded);
        let known = self.read();
        let range = known.range((after, Bound::Unbounded));
        range.take(limit).map(|(_, known)| known.damaged.clone()).collect()
    }

    /// What is, or may be, in a span of the feed.
    #[must_use]
    pub fn within(&self, span: &Range<u64>) -> BTreeSet<Place> {
        let inside = |known: &&Known| match (known.first, known.damaged.at()) {
            (Some(first), Some(last)) => first <= span.end && last > span.start,
            (None, _) | (_, None) => true,
        };
        self.read().values().filter(inside).map(|known| known.damaged.place()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::damaged::DamageKind;

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
        let first = Damaged::of_match(id(1), DamageKind::Unreadable, "the disk").commit(5);
        aside.put(&first.position(10));
        let known = aside.lasting(id(1)).unwrap();
        assert_eq!((known.number(), known.at()), (Some(5), Some(30)));
        for (span, within) in [(0..9, 0), (0..20, 1), (25..27, 1), (29..39, 1), (30..39, 0)] {
            assert_eq!(aside.within(&span).len(), within, "{span:?}");
        }
        aside.remove(Place::Match(id(1)));
        assert_eq!((aside.count(), aside.of(id(1))), (1, None));
    }
}

//! How many matches may go on at once, of whoever opened them or took a seat, of those that bots play among themselves, and in all; and how long
//! each may be.
//!
//! Who opened a match or took a seat is kept in memory alone, as long as the match goes on: it is written nowhere. After a restart, matches that
//! were opened before count in all, and for nobody who does not take a seat in one.

use std::collections::HashMap;
use std::sync::Mutex;

use journal::{Folded, MatchId};

use crate::error::{Error, Quota};
use crate::live::lock;

/// How often the matches are counted anew where one is opened or ends meanwhile.
const TRIES: usize = 8;

/// As many events a commit counts as at least, where the length of a match is bounded.
const EVENTS: u64 = 3;

/// How many matches may go on at once, and how long they may be; 0 is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Quotas {
    /// Open and running matches that one opener has opened or taken a seat in.
    pub matches: u32,
    /// Of these, matches that bots play alone.
    pub bot_matches: u32,
    /// Open and running matches in all.
    pub live: u32,
    /// Events of one match; a commit counts as three at least.
    pub events: u64,
}

/// Who opens a match or takes a seat: what one opener opens and takes is counted together.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Opener(pub u128);

/// The matches that go on.
pub(crate) struct Counted {
    quotas: Quotas,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    live: u64,
    /// How many matches are being opened, and how often something else changed.
    opening: u64,
    changes: u64,
    /// Who opened a match or took a seat in it, each once, and whether it counts as one that bots play alone.
    openers: HashMap<MatchId, Vec<(Opener, bool)>>,
    /// How many matches, and how many of them bots play alone.
    of: HashMap<Opener, (u32, u32)>,
}

impl Held {
    /// One match less goes on.
    fn lessen(&mut self) {
        self.live = self.live.saturating_sub(1);
        self.changes += 1;
    }

    /// A match does not count for somebody any more.
    fn less_of(&mut self, (opener, bots_alone): (Opener, bool)) {
        let Some((all, bots)) = self.of.get_mut(&opener) else { return };
        (*all, *bots) = (*all - 1, *bots - u32::from(bots_alone));
        if *all == 0 {
            self.of.remove(&opener);
        }
    }

    /// A match does not count for anybody any more.
    fn release(&mut self, id: MatchId) {
        for counted in self.openers.remove(&id).unwrap_or_default() {
            self.less_of(counted);
        }
    }
}

/// The place of a match that is being opened: the list may have it already, or not.
pub(crate) struct Place<'a>(&'a Counted);

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut held = lock(&self.0.held);
        held.opening -= 1;
        held.changes += 1;
    }
}

impl Counted {
    pub(crate) fn new(quotas: Quotas) -> Self {
        Counted { quotas, held: Mutex::default() }
    }

    /// Takes a place for a match that is about to be opened.
    pub(crate) fn take(
        &self,
        id: MatchId,
        opener: Option<Opener>,
        bots_alone: bool,
    ) -> Result<Place<'_>, Error> {
        let Quotas { matches, bot_matches, live, events: _ } = self.quotas;
        let mut held = lock(&self.held);
        let opener = opener.filter(|_| matches > 0 || bot_matches > 0);
        let own = opener.and_then(|opener| held.of.get(&opener)).copied();
        let (all, bots) = own.unwrap_or_default();
        self.has_room(all)?;
        if bots_alone && bot_matches > 0 && bots >= bot_matches {
            return Err(Error::QuotaReached { quota: Quota::BotMatches, most: bot_matches });
        }
        if live > 0 && held.live >= u64::from(live) {
            return Err(Error::Full { most: live });
        }
        held.live += 1;
        held.opening += 1;
        if let Some(opener) = opener {
            held.of.insert(opener, (all + 1, bots + u32::from(bots_alone)));
            held.openers.insert(id, vec![(opener, bots_alone)]);
        }
        Ok(Place(self))
    }

    fn has_room(&self, all: u32) -> Result<(), Error> {
        let most = self.quotas.matches;
        let full = most > 0 && all >= most;
        if full { Err(Error::QuotaReached { quota: Quota::Matches, most }) } else { Ok(()) }
    }

    /// A match in which a seat is about to be taken counts for whoever takes it, once, until it does not go on. If nothing comes of it,
    /// [`leave`](Counted::leave); returns whether that is needed then.
    pub(crate) fn join(&self, id: MatchId, joiner: Opener) -> Result<bool, Error> {
        if self.quotas.matches == 0 {
            return Ok(false);
        }
        let mut held = lock(&self.held);
        let Held { openers, of, .. } = &mut *held;
        let in_match = openers.entry(id).or_default();
        if in_match.iter().any(|(known, _)| *known == joiner) {
            return Ok(false);
        }
        let (all, bots) = of.get(&joiner).copied().unwrap_or_default();
        if let Err(full) = self.has_room(all) {
            if in_match.is_empty() {
                openers.remove(&id);
            }
            return Err(full);
        }
        in_match.push((joiner, false));
        of.insert(joiner, (all + 1, bots));
        Ok(true)
    }

    /// The seat was not taken.
    pub(crate) fn leave(&self, id: MatchId, joiner: Opener) {
        let mut held = lock(&self.held);
        let Some(in_match) = held.openers.get_mut(&id) else { return };
        let Some(at) = in_match.iter().position(|(known, _)| *known == joiner) else { return };
        let left = in_match.swap_remove(at);
        if in_match.is_empty() {
            held.openers.remove(&id);
        }
        held.less_of(left);
    }

    /// Does a match end here, however far it is? What is noted of each commit weighs as much as a few events.
    pub(crate) fn is_long(&self, folded: &Folded) -> bool {
        let (most, length) = (self.quotas.events, folded.version.max(EVENTS * folded.commit));
        most > 0 && length >= most
    }

    /// The match does not go on.
    pub(crate) fn free(&self, id: MatchId) {
        let mut held = lock(&self.held);
        held.lessen();
        held.release(id);
    }

    /// Matches in which nobody can act before a restart count for nobody who opened or joined them.
    pub(crate) fn release(&self, is_lost: impl Fn(MatchId) -> bool) {
        let mut held = lock(&self.held);
        let lost: Vec<_> = held.openers.keys().copied().filter(|id| is_lost(*id)).collect();
        lost.into_iter().for_each(|id| held.release(id));
    }

    /// A match goes on that another server has opened.
    pub(crate) fn found(&self) {
        let mut held = lock(&self.held);
        held.live += 1;
        held.changes += 1;
    }

    /// A match that was taken here was found as well.
    pub(crate) fn found_own(&self) {
        lock(&self.held).lessen();
    }

    /// Counts the matches that go on, as the list has them, if it can be read. Where matches are opened or end all the time, it may be a few too many.
    pub(crate) fn recount(&self, live: impl Fn() -> Option<u64>) {
        for tries_left in (0..TRIES).rev() {
            let changes = lock(&self.held).changes;
            let Some(live) = live() else { return };
            let mut held = lock(&self.held);
            let is_exact = held.opening == 0 && held.changes == changes;
            if is_exact || tries_left == 0 {
                held.live = live + held.opening;
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn what_is_opened_while_the_matches_are_counted_is_not_lost() {
        let counted = Counted::new(Quotas { live: 2, ..Quotas::default() });
        let take = || counted.take(MatchId::now_v7(), None, false);
        let first = take().expect("there is room");
        // The list does not have it yet.
        counted.recount(|| Some(0));
        drop(first);
        // Opened and in the list, but after it was counted: so it is counted again.
        let listed = Cell::new(1);
        counted.recount(|| {
            let live = listed.get();
            if live == 1 {
                drop(take().expect("there is room"));
                listed.set(2);
            }
            Some(live)
        });
        assert!(take().is_err());
        // Nobody knows how many there are.
        counted.recount(|| None);
        assert!(take().is_err());
        counted.recount(|| Some(1));
        assert!(take().is_ok());
    }
}

//! The list of matches as everybody reads it: with who is to act in each.

use std::sync::Arc;

use journal::MatchId;
use kernel::Seat;

use crate::engine::Engine;
use crate::error::Error;
use crate::index::Index;
use crate::listed::{Filter, MatchSummary};

/// So many events are folded for one page, of the list to find who is to act, of the feed to hide what is hidden; the page ends there.
pub(crate) const FOLDED_EVENTS: u64 = 10_000;

impl Engine {
    /// The newest matches first, those before `before`, at most `limit`, and whether more may follow because it took too much to say who is
    /// to act; private and damaged matches are never listed. Every other match that was on disk when the call began is among them; where
    /// other servers write as well, as far as one has [waited](Engine::up_to_date) for them. May read the store.
    ///
    /// # Errors
    /// [`Error::NotListed`] while the list is being made, and if the store cannot be read.
    pub fn list(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        limit: usize,
    ) -> Result<(Vec<Arc<MatchSummary>>, bool), Error> {
        let is_aside = |id| self.journal.aside().of(id).is_some();
        loop {
            let mut listed = self.index.list(filter, before, limit)?;
            match self.tell(&mut listed) {
                Ok(told) => {
                    let more = told < listed.len();
                    listed.truncate(told);
                    return Ok((listed, more));
                }
                // What was set aside is not listed again.
                Err(Error::Damaged(damaged)) if damaged.id().is_some_and(is_aside) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Says who is to act where that is not known yet, in the first matches at least; returns in how many.
    fn tell(&self, listed: &mut [Arc<MatchSummary>]) -> Result<usize, Error> {
        let mut left = FOLDED_EVENTS;
        for (number, summary) in listed.iter_mut().enumerate().filter(|(_, known)| !known.is_told) {
            if left == 0 {
                return Ok(number);
            }
            left = left.saturating_sub(summary.version);
            let active_seat = self.active_seat(summary)?;
            let told = MatchSummary { active_seat, is_told: true, ..MatchSummary::clone(summary) };
            let told = Arc::new(told);
            self.index.remember(summary, &told);
            *summary = told;
        }
        Ok(listed.len())
    }

    /// Who is to act in a match. One that is not in memory is folded, and stays there only if others may write to it: then it is followed, and
    /// its next commits are told as they come.
    fn active_seat(&self, summary: &MatchSummary) -> Result<Option<Seat>, Error> {
        let MatchSummary { r#match: id, version, .. } = *summary;
        let slot = match self.resident(id) {
            None if self.is_shared() => Some(self.load(id)?),
            resident => resident,
        };
        let resident = slot.map(|slot| slot.head().folded.clone());
        let folded = match resident.filter(|folded| folded.version == version) {
            Some(folded) => folded,
            None => self.fold_until(id, version)?.folded,
        };
        Ok(folded.state.active_seat())
    }
}

impl Index {
    /// Keeps who is to act in a match that was listed, unless the match has changed meanwhile.
    fn remember(&self, listed: &MatchSummary, told: &Arc<MatchSummary>) {
        // While changes go into the file nobody can tell; then it is found again another time.
        let Ok(_gate) = self.moving.try_lock() else { return };
        let id = listed.r#match;
        if self.known(id).as_deref() != Some(listed) {
            return;
        }
        self.write(|entries| {
            let changed = entries.changed.get(&id);
            if changed.is_none_or(|now| now.as_deref() == Some(listed)) {
                entries.changed.insert(id, Some(Arc::clone(told)));
            }
        });
    }
}

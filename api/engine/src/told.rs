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
    /// The newest matches first, those before `before`, at most `limit`, and before which match to go on, if it took too much to say who is to
    /// act in more; private and damaged matches are never listed. Every other match that was on disk when the call began is among them; where
    /// other servers write as well, as far as one has [waited](Engine::up_to_date) for them. May read the store.
    ///
    /// # Errors
    /// [`Error::NotListed`] while the list is being made, and if the store cannot be read.
    pub fn list(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        limit: usize,
    ) -> Result<(Vec<Arc<MatchSummary>>, Option<MatchId>), Error> {
        let is_aside = |id| self.journal.aside().of(id).is_some();
        let mut left = FOLDED_EVENTS;
        let mut found = None;
        loop {
            let mut listed = self.index.list(filter, before, limit)?;
            match self.tell(&mut listed, &mut left, found) {
                Ok(told) => {
                    let more = told < listed.len();
                    listed.truncate(told);
                    let last = listed.last().map(|last| last.r#match).or(found);
                    return Ok((listed, last.filter(|_| more)));
                }
                // What was set aside is not listed again.
                Err(Error::Damaged(damaged)) if damaged.id().is_some_and(is_aside) => {
                    found = damaged.id();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Says who is to act where that is not known yet, in the first matches at least, while events are left to be folded; returns in how many. `found` is
    /// the last one that was found damaged: only after one it may be in none.
    fn tell(
        &self,
        listed: &mut [Arc<MatchSummary>],
        left: &mut u64,
        found: Option<MatchId>,
    ) -> Result<usize, Error> {
        for (number, summary) in listed.iter_mut().enumerate().filter(|(_, known)| !known.is_told) {
            let is_first = number == 0 && found.is_none_or(|found| found < summary.r#match);
            if *left == 0 && !is_first {
                return Ok(number);
            }
            *left = left.saturating_sub(summary.version);
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

#[cfg(test)]
mod tests {
    use journal::MatchId;

    use super::FOLDED_EVENTS;
    use crate::listed::{Filter, MatchSummary};
    use crate::people::tests::{GAMES, done};
    use crate::{Config, Engine};

    #[test]
    fn damaged_matches_that_are_found_do_not_make_a_page_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request = serde_json::from_str(r#"{"game": "nim", "seats": [{}, {}]}"#);
        let opened = done(engine.open(request.expect("a request"), None, None));
        let opened = opened.expect("it is opened").r#match;
        let known = engine.index.known(opened).expect("it is listed");
        // Newer ones, which have no commit.
        let lost = [9, 8, 7, 6, 5].map(|byte| MatchId::from_bytes([0xf0 | byte; 16]));
        for id in lost {
            let found = MatchSummary { r#match: id, ..MatchSummary::clone(&known) };
            let version = FOLDED_EVENTS / 2;
            let found = MatchSummary { version, is_told: false, active_seat: None, ..found };
            assert!(engine.index.put_found(found, engine.forgettings()));
        }
        let folded = || engine.cache_hits().1;
        let (mut before, mut pages) = (None, Vec::new());
        loop {
            let start = folded();
            let page = engine.list(&Filter::default(), before, 10).expect("it is complete");
            pages.push((page.0.len(), folded() - start));
            before = page.1;
            if before.is_none() {
                break;
            }
        }
        assert_eq!(pages, [(0, 2), (0, 2), (1, 1)]);
        assert_eq!(engine.damaged_count(), 5);
    }
}

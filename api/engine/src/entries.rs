//! What the index of matches has in memory: what has changed since its file was written, and how far both go.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use journal::MatchId;

use crate::listed::MatchSummary;

#[derive(Default)]
pub(crate) struct Entries {
    /// The matches that have changed since the file was written; `None` if one is not to be listed.
    pub(crate) changed: BTreeMap<MatchId, Option<Arc<MatchSummary>>>,
    /// Those that are not listed, since the disk did not give them out: perhaps it does later.
    pub(crate) unread: BTreeSet<MatchId>,
    /// Has the file been opened, or given up?
    pub(crate) begun: bool,
    /// Is all that is in the file from this run? Then each match was met at its first commit.
    pub(crate) fresh: bool,
    /// Were the headers read, since a part of the feed could not be?
    pub(crate) by_header: bool,
    /// Is there no file?
    pub(crate) in_memory: bool,
    /// Every commit up to this feed position is in the file or was found since,
    pub(crate) caught: u64,
    /// and those up to here are still to be found,
    pub(crate) until: u64,
    /// and every commit after that and up to here is among the changes,
    pub(crate) through: u64,
    /// and so are these beyond it,
    pub(crate) beyond: BTreeSet<u64>,
    /// and somebody is putting these there.
    pub(crate) claimed: BTreeSet<u64>,
}

impl Entries {
    /// Takes a summary, unless a later one is known.
    pub(crate) fn put(&mut self, summary: MatchSummary) {
        self.unread.remove(&summary.r#match);
        let known = self.changed.get(&summary.r#match).and_then(Option::as_ref);
        if known.is_none_or(|known| known.version <= summary.version) {
            self.changed.insert(summary.r#match, Some(Arc::new(summary)));
        }
    }

    pub(crate) fn has(&self, position: u64) -> bool {
        position <= self.through || self.beyond.contains(&position)
    }

    /// The commit at this feed position is in the index now.
    pub(crate) fn reached(&mut self, position: u64) {
        self.claimed.remove(&position);
        if position > self.through {
            self.beyond.insert(position);
        }
        while self.beyond.remove(&(self.through + 1)) {
            self.through += 1;
        }
    }

    pub(crate) fn is_complete(&self) -> bool {
        self.begun && self.caught >= self.until
    }

    pub(crate) fn position(&self) -> u64 {
        if self.is_complete() { self.through } else { self.caught }
    }

    /// The file holds nothing any more: all is to be found again.
    pub(crate) fn begin_again(&mut self) {
        (self.caught, self.until) = (0, self.through);
        (self.fresh, self.by_header) = (true, false);
    }
}

//! Matches that nobody has touched for a long time: they are found in the list, and closed when it is their turn.

use std::time::Duration;

use journal::{CloseReason, ClosedBy, MatchId, Status, stream_id};
use store::share_of;

use crate::answered::opened_at;
use crate::clock::{seconds_ahead, seconds_now, seconds_since};
use crate::engine::Engine;
use crate::error::Error;

/// How long nobody may have touched a match until it is closed; `None` is for ever.
#[derive(Clone, Copy, Debug, Default)]
pub struct IdleEnds {
    /// One with an open seat.
    pub open: Option<Duration>,
    /// One that is running.
    pub running: Option<Duration>,
}

impl IdleEnds {
    /// Is a match over, whose last commit was recorded then?
    pub(crate) fn is_over(&self, status: Status, updated_at: &str) -> bool {
        let most = match status {
            Status::Open => self.open,
            Status::Running => self.running,
            Status::Finished | Status::Abandoned => None,
        };
        // The clock may be set far ahead after whoever calls has looked at it.
        let since = || seconds_since(updated_at).saturating_sub(seconds_ahead());
        most.is_some_and(|most| since() >= most.as_secs())
    }

    /// What was opened after that cannot be over: in seconds.
    fn horizon(&self) -> Option<u64> {
        let least = [self.open, self.running].into_iter().flatten().min()?;
        Some(seconds_now().saturating_sub(least.as_secs()))
    }
}

impl Engine {
    /// Looks at the next matches of the list, those after `after` in the order of their ids: which have nobody touched for so long, as far
    /// as they are not another server's to close, and after which to go on; nothing at the end. Reads a file, which blocks.
    #[must_use]
    pub fn idle(&self, ends: &IdleEnds, after: Option<MatchId>) -> (Vec<MatchId>, Option<MatchId>) {
        let Some(horizon) = ends.horizon().filter(|_| self.index.is_complete()) else {
            return (Vec::new(), None);
        };
        let (mut page, next) = self.index.page(after);
        page.retain(|match_| {
            self.leases().holds(share_of(stream_id(match_.r#match)))
                && ends.is_over(match_.status, &match_.updated_at)
                && self.journal.aside().of(match_.r#match).is_none()
        });
        let idle = page.iter().map(|match_| match_.r#match).collect();
        (idle, next.filter(|next| opened_at(*next) <= horizon))
    }

    /// Closes a match, unless somebody has touched it meanwhile; says whether it did.
    ///
    /// # Errors
    /// If the match cannot be read, or the store takes no writes.
    pub async fn close_idle(&self, id: MatchId, ends: &IdleEnds) -> Result<bool, Error> {
        let slot = self.load(id)?;
        let is_over = |status, updated_at: &str| ends.is_over(status, updated_at);
        self.close_by(&slot, ClosedBy::Operator, CloseReason::Idle, &is_over).await
    }

    /// Counts the matches that go on, as the list has them, if it can be read; those that stay set aside count for no address. Reads a file,
    /// which blocks.
    pub fn recount(&self) {
        self.counted.release(|id| self.journal.aside().lasting(id).is_some());
        if self.index.is_complete() {
            let live = |(status, count)| match status {
                Status::Open | Status::Running => count,
                Status::Finished | Status::Abandoned => 0,
            };
            self.counted.recount(|| Some(self.index.by_status()?.map(live).iter().sum()));
        }
    }
}

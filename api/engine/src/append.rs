//! Writing the next commit of a match, and what follows from it: whoever waits is called, and a match that is too long ends.

use std::sync::Arc;

use flood::Flood;
use journal::{CloseReason, ClosedBy, MatchClosed, Next, People, PlatformEvent, raw};
use kernel::{Seat, Seen, StreamError};
use store::WriteError;

use crate::clock::now_after;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::{Head, Slot};

/// A match whose end is not written tries again at each of its commits.
static TOO_LONG: Flood = Flood::new();

impl Engine {
    /// Writes the commit of a match that follows on `head`, and shows it; nothing if another one follows there already, by another server.
    /// A match that has become as long as one may be is closed.
    pub(crate) async fn append(
        &self,
        slot: &Slot,
        head: &Head,
        next: Next,
    ) -> Result<Option<Arc<Head>>, Error> {
        let people = Arc::clone(&head.people);
        let written = self.append_with(slot, head, next, people, Vec::new()).await?;
        if let Some(head) = &written {
            self.end_if_long(slot, head).await;
        }
        Ok(written)
    }

    /// Closes a match that is as long as one may be. Its gate is held.
    pub(crate) async fn end_if_long(&self, slot: &Slot, head: &Head) {
        if self.counted.is_long(&head.folded)
            && let Err(error) = self.end_long(slot, head).await
        {
            TOO_LONG.line(
                |more| tracing::warn!(match.id = %slot.id, %error, more, "a match that is too long goes on for now"),
            );
        }
    }

    async fn end_long(&self, slot: &Slot, head: &Head) -> Result<(), Error> {
        if head.folded.end().is_some() {
            return Ok(());
        }
        let closed = MatchClosed { by: ClosedBy::Operator, reason: CloseReason::Length };
        let next = platform_commit(head, None, &PlatformEvent::MatchClosed(closed))?;
        self.append_with(slot, head, next, Arc::clone(&head.people), Vec::new()).await?;
        Ok(())
    }

    /// The same with who sits there from now on, and notes to write with it; however long the match is.
    pub(crate) async fn append_with(
        &self,
        slot: &Slot,
        head: &Head,
        next: Next,
        people: Arc<People>,
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<Option<Arc<Head>>, Error> {
        let (by, tag) = (next.seat, next.tag);
        let chain = (slot.seed(), head.record.hash());
        let (head, position) = match self.write(slot.id, next, chain, people, notes).await {
            Ok(written) => written,
            Err(error) => {
                let is_conflict = matches!(error, WriteError::Conflict { .. });
                // What stands there may be the same request, sent to another server.
                let unread = |error: Error| if tag.is_some() { error.of_stored() } else { error };
                if is_conflict && self.catch_up(slot, head.folded.commit).await.map_err(unread)? {
                    return Ok(None);
                }
                let is_shared = self.journal.store().is_shared();
                let error = if is_conflict && tag.is_some() && is_shared {
                    // What is in the way cannot be read yet.
                    Error::OutcomeUnknown(error.to_string())
                } else {
                    Error::from(error)
                };
                if !is_shared {
                    self.keys.failed(slot.id, tag, &error);
                }
                return Err(error);
            }
        };
        let is_claimed = self.index.claim(position);
        slot.advance(Arc::clone(&head), tag);
        if is_claimed {
            self.slots.grown(slot);
            self.index.put(slot, position);
            self.waiting.call(slot, by);
            if head.folded.end().is_some() {
                self.counted.free(slot.id);
            }
        }
        Ok(Some(head))
    }
}

/// A commit with this one event.
pub(crate) fn platform_commit(
    head: &Head,
    seat: Option<Seat>,
    event: &PlatformEvent,
) -> Result<Next, StreamError> {
    let after = head.folded.after(event)?;
    let events = vec![Seen { full: raw(event), public: None }];
    let recorded_at = now_after(&head.updated_at);
    Ok(Next { seat, command: None, events, recorded_at, after, tag: None })
}

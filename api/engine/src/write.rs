//! The one writer of commits: seals what was decided, writes it with all that belongs to it, and gives the match after it.

use std::sync::Arc;

use journal::{Body, Bytes32, Folded, MatchId, Record, stream_id};
use serde_json::value::RawValue;
use store::{Commit, Write};

use crate::engine::Engine;
use crate::error::Error;
use crate::live::Head;

/// A commit that was decided, and the match after it.
pub(crate) struct Next {
    pub(crate) body: Body,
    /// The events as a spectator sees them, where that differs.
    pub(crate) public: Option<Vec<Box<RawValue>>>,
    pub(crate) after: Folded,
}

impl Engine {
    /// Seals a commit of a match by its `seed` and the hash of the commit before, and waits until it is on disk together with `beside`, its
    /// header and notes. Returns the match at it and its feed position; nobody sees it yet but in the store.
    pub(crate) async fn write(
        &self,
        id: MatchId,
        next: Next,
        (seed, prev_hash): (Bytes32, Bytes32),
        beside: Write,
    ) -> Result<(Head, u64), Error> {
        let Next { body, public, after } = next;
        let finished = after.state.active_seat().is_none();
        let record = Record::seal(&body, public, seed, prev_hash, finished);
        let bytes = record.bytes().to_vec();
        let commit = Commit { stream: stream_id(id), number: body.commit, bytes };
        let position =
            self.journal.store().submit(Write { commit: Some(commit), ..beside }).await?;
        let record = Arc::new(record);
        Ok((Head { folded: after, record, updated_at: body.recorded_at }, position))
    }
}

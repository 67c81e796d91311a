//! The one writer of commits: seals what was decided, and writes it with all that belongs to it.

use kernel::{Seat, Seen};
use serde_json::value::RawValue;
use store::{Commit, Write, WriteError};

use crate::fold::Folded;
use crate::hash::Bytes32;
use crate::id::{MatchId, stream_id};
use crate::journal::Journal;
use crate::record::{Body, Record};
use crate::tag::Tag;

/// A commit that was decided.
pub struct Next {
    /// Who acted; `None` for a setup, and for a match that is closed.
    pub seat: Option<Seat>,
    /// The command, if it is the commit of one.
    pub command: Option<Box<RawValue>>,
    /// What it leads to.
    pub events: Vec<Seen>,
    /// When: RFC 3339 in UTC with milliseconds.
    pub recorded_at: String,
    /// The match after it.
    pub after: Folded,
    /// Of the request's idempotency key, if it had one.
    pub tag: Option<Tag>,
}

impl Next {
    fn seal(&self, seed: Bytes32, prev_hash: Bytes32) -> Record {
        let events: Vec<&RawValue> = self.events.iter().map(|event| &*event.full).collect();
        let hidden = self.events.iter().any(|event| event.public.is_some());
        let public = hidden.then(|| self.events.iter().map(Seen::shown).collect());
        let body = Body {
            command: self.command.as_deref(),
            commit: self.after.commit,
            first_version: self.after.version + 1 - events.len() as u64,
            last_version: self.after.version,
            events,
            recorded_at: self.recorded_at.clone(),
            seat: self.seat,
        };
        let record = Record::seal(&body, public, seed, prev_hash, self.after.end());
        match self.tag {
            Some(tag) => record.tagged(tag),
            None => record,
        }
    }
}

impl Journal {
    /// Seals a commit of a match by its `seed` and the hash of the commit before, and waits until it is on disk together with the notes
    /// that are written beside it. Returns it with its feed position; nobody sees it yet but in the store.
    ///
    /// # Errors
    /// If the store does not write, or nobody knows whether it did.
    pub async fn write(
        &self,
        id: MatchId,
        next: &Next,
        (seed, prev_hash): (Bytes32, Bytes32),
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(Record, u64), WriteError> {
        let record = next.seal(seed, prev_hash);
        let position = self.store().submit(write(id, next, &record, None, notes)).await?;
        Ok((record, position))
    }

    /// Writes all commits with which a match is opened, its header and its notes together: all of it is stored, or nothing. Returns the
    /// last one, and the feed position of each.
    ///
    /// # Errors
    /// If the store does not write, or nobody knows whether it did.
    ///
    /// # Panics
    /// Without a commit.
    pub async fn write_all(
        &self,
        id: MatchId,
        commits: &[Next],
        seed: Bytes32,
        header: Vec<u8>,
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(Record, Vec<u64>), WriteError> {
        let (mut writes, mut last) = (Vec::with_capacity(commits.len()), None::<Record>);
        let (mut header, mut notes) = (Some(header), notes);
        for next in commits {
            let record = next.seal(seed, last.map_or_else(Bytes32::default, |last| last.hash()));
            writes.push(write(id, next, &record, header.take(), std::mem::take(&mut notes)));
            last = Some(record);
        }
        let mut positions = Vec::with_capacity(commits.len());
        for ticket in self.store().submit_together(writes) {
            positions.push(ticket.await?);
        }
        Ok((last.expect("a match is opened with a commit"), positions))
    }
}

fn write(
    id: MatchId,
    next: &Next,
    record: &Record,
    header: Option<Vec<u8>>,
    notes: Vec<(Vec<u8>, Vec<u8>)>,
) -> Write {
    let bytes = record.bytes().to_vec();
    let commit = Commit { stream: stream_id(id), number: next.after.commit, bytes, header };
    Write { commit: Some(commit), notes }
}

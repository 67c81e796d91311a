//! Idempotency keys: what was answered to a request before, and when that ends.
//!
//! A commit keeps a tag of its command's key, and a match in memory those of its last day. Older programs wrote a note for each command
//! instead; an opening has a note to this day, since its answer has tokens that are stored nowhere else.

use std::sync::Arc;

use journal::{Bytes32, Journal, MatchId, Record, Tag};
use kernel::Seat;
use serde::Deserialize;
use store::Note;

use crate::answered::{is_over, opened_at};
use crate::clock::seconds_of;
use crate::engine::Engine;
use crate::error::{Error, broken};
use crate::live::Slot;
use crate::submit::Done;

/// So many notes are looked at at once, of those that end.
const PAGE: usize = 200;
/// The notes of keys begin so.
const COMMANDS: &[u8] = b"command/";
const OPENINGS: &[u8] = b"open/";

/// What older programs wrote down of a command.
#[derive(Deserialize)]
struct CommandNote {
    body: Bytes32,
    commit: u64,
}

/// Which match a note of an opening is of.
#[derive(Deserialize)]
struct OpeningOf {
    r#match: MatchId,
}

impl Engine {
    /// What was answered to a command before.
    pub(crate) async fn accepted_before(
        &self,
        slot: &Slot,
        seat: Seat,
        (key, body): (&str, Bytes32),
        tag: Tag,
    ) -> Result<Option<Done>, Error> {
        if self.keys.is_unknown(slot.id, tag) {
            return Err(unknown());
        }
        let (is_same, commit) = if let Some((first, commit)) = slot.answered(tag.key) {
            (first.body == tag.body, commit)
        } else if let Some(note) = self.noted(slot, seat, key).await? {
            (note.body == body, note.commit)
        } else {
            return Ok(None);
        };
        if !is_same {
            return Err(Error::IdempotencyConflict { current: Some(slot.version()) });
        }
        let head = slot.head();
        if commit == head.folded.commit {
            let (folded, record) = (head.folded.clone(), Arc::clone(&head.record));
            return Ok(Some(Done { seat, folded, record }));
        }
        // It is stored: that it cannot be told now says nothing else.
        let record = self.record(slot.id, commit).await.map_err(Error::of_stored)?;
        let none = || kernel::StreamError(format!("commit {commit} is missing"));
        let record = record.ok_or_else(none)?;
        let version = record.outline()?.last_version;
        let (folded, _) = self.at_elsewhere(slot, version).await.map_err(Error::of_stored)?;
        Ok(Some(Done { seat, folded, record: Arc::new(record) }))
    }

    /// A commit, if there is one with this number.
    async fn record(&self, id: MatchId, commit: u64) -> Result<Option<Record>, Error> {
        let read = move |journal: &Journal| journal.commits(id, commit.saturating_sub(1), 1);
        let commits = self.whole(self.reading(read).await?)?;
        Ok(commits.into_iter().next().map(|(_, record)| record))
    }

    /// What an older program noted of a command, unless that is over.
    async fn noted(
        &self,
        slot: &Slot,
        seat: Seat,
        key: &str,
    ) -> Result<Option<CommandNote>, Error> {
        if !self.keys.may_be_noted() {
            return Ok(None);
        }
        let hash = Bytes32::hash(&[&[seat.0], key.as_bytes()]);
        let key = [COMMANDS, slot.id.as_bytes(), &hash.0].concat();
        let Some(note) = self.earlier(key).await? else { return Ok(None) };
        let note: CommandNote = serde_json::from_slice(&note.value).map_err(broken)?;
        let record = self.record(slot.id, note.commit).await.map_err(Error::of_stored)?;
        let outline = record.map(|record| record.outline()).transpose()?;
        let at = outline.map(|outline| seconds_of(&outline.recorded_at));
        Ok((!at.is_some_and(is_over)).then_some(note))
    }

    /// When a commit was recorded.
    fn recorded_at(&self, id: MatchId, commit: u64) -> Result<Option<u64>, Error> {
        let records = self.records(id, commit.saturating_sub(1), 1)?;
        let outline = records.first().map(|record| record.outline()).transpose()?;
        Ok(outline.map(|outline| seconds_of(&outline.recorded_at)))
    }

    /// What was stored under an idempotency key before. Where that cannot be told, nothing may be said about the outcome.
    pub(crate) async fn earlier(&self, key: Vec<u8>) -> Result<Option<Note>, Error> {
        if self.journal.store().is_unknown(&key) {
            return Err(unknown());
        }
        let note = self.reading(move |journal| journal.store().note_with_position(&key)).await?;
        note.map_err(|error| Error::OutcomeUnknown(error.to_string()))
    }

    /// Looks whether older programs have noted commands. This one does not, nor does any that has its store in a database.
    fn look_for_noted(&self) {
        let first = self.journal.store().notes(Some(COMMANDS), 1);
        // What cannot be read may be one.
        let none = |first: Vec<Note>| first.iter().all(|note| !note.key.starts_with(COMMANDS));
        self.keys.looked(first.is_ok_and(none));
    }

    /// Removes notes of keys that are remembered no longer: those of the next page, after the note `after`. Returns the last note of the
    /// page; nothing at the end. Reads the store, which blocks.
    ///
    /// # Errors
    /// If the store cannot be read or written.
    pub async fn forget_keys(&self, after: Option<Vec<u8>>) -> Result<Option<Vec<u8>>, Error> {
        if after.is_none() {
            self.look_for_noted();
        }
        // One server is enough.
        if !self.leases().holds(0) {
            return Ok(None);
        }
        let after = after.unwrap_or_else(|| COMMANDS.to_vec());
        let kind = if after.starts_with(COMMANDS) { COMMANDS } else { OPENINGS };
        // A key of an opening that is used anew meanwhile is not forgotten: at this server it waits, and of others the note that was read is meant.
        let _keyed = if kind == OPENINGS { Some(self.keyed.all().await) } else { None };
        let mut notes = match self.journal.store().notes(Some(&after), PAGE) {
            // One of them cannot be read, and stays: all others of this kind are looked at at once.
            Err(error) if !error.is_of_store() => {
                self.forget_readable_keys(kind).await?;
                return Ok((kind == COMMANDS).then(|| OPENINGS.to_vec()));
            }
            notes => notes?,
        };
        notes.retain(|note| note.key.starts_with(kind));
        let over: Vec<_> = notes.iter().filter(|note| self.ended(note)).cloned().collect();
        if !over.is_empty() {
            self.journal.store().forget_read(&over).await?;
        }
        let next = (kind == COMMANDS).then(|| OPENINGS.to_vec());
        Ok(notes.pop().map(|note| note.key).or(next))
    }

    async fn forget_readable_keys(&self, kind: &[u8]) -> Result<(), Error> {
        let mut over = Vec::new();
        self.journal.store().readable_notes(&mut |note| {
            if note.key.starts_with(kind) && self.ended(&note) {
                over.push(Note { value: Vec::new(), ..note });
            }
        })?;
        for notes in over.chunks(PAGE) {
            self.journal.store().forget_read(notes).await?;
        }
        Ok(())
    }

    /// Whether a note of a key is over. What cannot be told is not.
    fn ended(&self, note: &Note) -> bool {
        let id = note.key.strip_prefix(COMMANDS).and_then(<[u8]>::first_chunk).copied();
        match id.map(MatchId::from_bytes) {
            Some(id) => serde_json::from_slice(&note.value).is_ok_and(|note: CommandNote| {
                self.recorded_at(id, note.commit).is_ok_and(|at| at.is_some_and(is_over))
            }),
            None => serde_json::from_slice(&note.value)
                .is_ok_and(|note: OpeningOf| is_over(opened_at(note.r#match))),
        }
    }
}

fn unknown() -> Error {
    let why = "the disk failed while a request with the same key was carried out";
    Error::OutcomeUnknown(why.to_owned())
}

#[cfg(test)]
mod tests {
    use store::Write;

    use super::*;
    use crate::Config;
    use crate::people::tests::{GAMES, done};

    #[test]
    fn notes_of_commands_are_asked_for_only_where_there_may_be_some() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        assert!(engine.keys.may_be_noted(), "nobody has looked yet");
        done(engine.forget_keys(None)).expect("it is looked");
        assert!(!engine.keys.may_be_noted(), "no older program was there");
        let note = |kind: &[u8]| {
            let key = [kind, MatchId::now_v7().as_bytes(), &[7_u8; 32]].concat();
            let notes = vec![(key, b"{}".to_vec())];
            engine.journal.store().submit(Write { notes, ..Write::default() }).wait()
        };
        note(OPENINGS).expect("it is stored");
        done(engine.forget_keys(None)).expect("it is looked");
        assert!(!engine.keys.may_be_noted(), "an opening is no command");
        note(COMMANDS).expect("it is stored");
        done(engine.forget_keys(None)).expect("it is looked");
        assert!(engine.keys.may_be_noted());
    }
}

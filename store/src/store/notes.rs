//! Notes: reading and removing them, and taking those of another store.

use super::{Engine, Store};
use crate::error::ReadError;
use crate::stream::Note;
use crate::write::Ticket;

impl Store {
    /// Queues notes of another store, which keep the positions that they have there; a restore uses this. Their keys must be new, as in any write.
    pub fn restore_notes(&self, notes: &[Note]) -> Ticket {
        ask!(self, engine => engine.restore_notes(notes))
    }

    /// Removes notes for good, all or none; notes that do not exist are ignored. The ticket resolves when the removal is on disk. The notes can no
    /// longer be read; their bytes stay in the log's file until the engine reuses their place.
    pub fn forget(&self, keys: &[Vec<u8>]) -> Ticket {
        ask!(self, engine => engine.forget(keys, None))
    }

    /// The same of notes that were read; one that was forgotten and written anew since, with a later position, stays.
    pub fn forget_read(&self, notes: &[Note]) -> Ticket {
        ask!(self, engine => engine.forget_read(notes))
    }

    /// Removes notes as [`forget`](Store::forget) does, and writes a note with it: both, or nothing if its key is taken.
    pub fn forget_noting(&self, keys: &[Vec<u8>], note: (Vec<u8>, Vec<u8>)) -> Ticket {
        ask!(self, engine => engine.forget(keys, Some(note)))
    }

    /// The value of a note.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn note(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.note_with_position(key)?.map(|note| note.value))
    }

    /// The same with its position.
    ///
    /// # Errors
    /// As [`note`](Store::note).
    pub fn note_with_position(&self, key: &[u8]) -> Result<Option<Note>, ReadError> {
        ask!(self, engine => engine.note(key))
    }

    /// The notes with keys above `after`, in order of key, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, or one is damaged.
    pub fn notes(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<Note>, ReadError> {
        ask!(self, engine => engine.notes(after, limit))
    }

    /// All notes that can be read, in order of key: damaged ones are passed over, and listed by [`check`](Store::check).
    ///
    /// # Errors
    /// If the database does not answer to the end: there may be more.
    pub fn readable_notes(&self, take: &mut dyn FnMut(Note)) -> Result<(), ReadError> {
        ask!(self, engine => engine.readable_notes(take))
    }
}

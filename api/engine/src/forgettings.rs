//! Names that were forgotten at any server: each of those that share a store takes them out of what it has.
//!
//! With the notes of a name, the note `forgotten/N` is written, N counted from 1 without a gap, which names the match; it has nothing of the
//! name. Every server looks for the next ones about once a second, and reads the names of those matches again. Its list keeps the number that
//! it has come to, so a server that was away goes on from there. Where a server is alone with its store, archives need the note: one that
//! continues another has what was forgotten between the two. And in either store it tells that statistics, tables and the list are older than it, after a
//! kill.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flood::Flood;
use journal::{MatchId, forgetting_note, last_forgetting, stream_id};
use store::{ReadError, Store, WriteError};

use crate::error::Error;
use crate::index::Index;

/// So many are read at once: commits come in between.
const PAGE: usize = 16;

/// What is damaged is found again each time.
static UNREAD: Flood = Flood::new();

/// Which forgettings this server knows.
#[derive(Default)]
pub(crate) struct Forgettings {
    /// The last one that it has taken in, or written.
    known: AtomicU64,
    /// Those that it has written, and need not take in.
    own: Mutex<BTreeSet<u64>>,
    /// Matches that still have a name here that was forgotten, since the database was away when their names were to be read again.
    due: Mutex<BTreeSet<MatchId>>,
    /// One name is forgotten after the other, until the list is without it.
    pub(crate) turn: tokio::sync::Mutex<()>,
    /// How often names were forgotten here since the start.
    count: AtomicU64,
}

impl Forgettings {
    fn own(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn due(&self) -> MutexGuard<'_, BTreeSet<MatchId>> {
        self.due.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The names of this match are to be read again.
    pub(crate) fn put_due(&self, id: MatchId) {
        self.due().insert(id);
    }

    /// Whether they are. Whoever asks reads them, or puts it there again.
    pub(crate) fn take_due(&self, id: MatchId) -> bool {
        self.due().remove(&id)
    }

    /// Are the names of this match to be read again?
    pub(crate) fn is_due(&self, id: MatchId) -> bool {
        self.due().contains(&id)
    }

    /// Takes a match whose names are to be read again. Whoever takes it reads them, or puts it there again.
    pub(crate) fn next_due(&self) -> Option<MatchId> {
        self.due().pop_first()
    }

    /// Is there such a match?
    pub(crate) fn is_any_due(&self) -> bool {
        !self.due().is_empty()
    }

    /// How often names were forgotten here since the start.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Names were forgotten here: what is derived from the store is made anew.
    pub(crate) fn add(&self) {
        self.count.fetch_add(1, Ordering::Release);
    }

    /// Goes on after this one. A store that does not have it is another one: then from the beginning.
    pub(crate) fn go_on(&self, store: &Store, after: u64) {
        let is_there = after == 0 || !matches!(store.note(&forgetting_note(after)), Ok(None));
        self.known.store(if is_there { after } else { 0 }, Ordering::Release);
    }

    /// Removes the notes of a name in a match, and tells it to all servers, and to archives. The caller holds `turn`.
    ///
    /// # Errors
    /// If the store cannot be read, or does not write.
    pub(crate) async fn write(
        &self,
        store: &Store,
        id: MatchId,
        keys: &[Vec<u8>],
    ) -> Result<(), Error> {
        if !store.is_shared() && self.known() == 0 {
            // Nobody has come to them one by one.
            self.reached(last_forgetting(store)?);
        }
        let known = self.known();
        let mut number = self.own().last().map_or(known, |last| known.max(*last));
        loop {
            number += 1;
            let note = (forgetting_note(number), id.as_bytes().to_vec());
            match store.forget_noting(keys, note).await {
                Ok(_) => {
                    // Only now: until it is written, another server may write one with this number.
                    self.own().insert(number);
                    if !store.is_shared() {
                        self.reached(number);
                    }
                    return Ok(());
                }
                Err(WriteError::NoteTaken { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// The last one that was taken in.
    pub(crate) fn known(&self) -> u64 {
        self.known.load(Ordering::Acquire)
    }

    /// The next ones, in order: the number of each, and its match unless it was written here.
    pub(crate) fn next(&self, store: &Store) -> Vec<(u64, Option<MatchId>)> {
        // One by one: what lies beside them may be damaged, or of a newer program.
        let note = |number: u64| match store.note(&forgetting_note(number)) {
            Ok(note) => Some((number, note?)),
            // That the database is away is no news of a name.
            Err(ReadError::Database(_)) => None,
            Err(error) => {
                UNREAD.line(|more| {
                    tracing::warn!(number, %error, more, "whether a name was forgotten elsewhere cannot be found out: it is asked for again");
                });
                None
            }
        };
        let next: Vec<_> = (self.known() + 1..).map_while(note).take(PAGE).collect();
        let own = self.own();
        next.into_iter()
            .map(|(number, id)| {
                let id = MatchId::from_slice(&id).ok();
                (number, id.filter(|_| !own.contains(&number)))
            })
            .collect()
    }

    /// All up to this one were taken in.
    pub(crate) fn reached(&self, number: u64) {
        self.known.fetch_max(number, Ordering::AcqRel);
        self.own().retain(|own| *own > number);
    }
}

impl Index {
    /// The last forgetting that the file has taken in.
    pub(crate) fn forgotten(&self) -> u64 {
        self.file.forgotten.load(Ordering::Acquire)
    }

    /// The same, from its next change on.
    pub(crate) fn set_forgotten(&self, number: u64) {
        self.file.forgotten.store(number, Ordering::Release);
    }

    /// How often names were forgotten in the store, as far as it is known here.
    pub(crate) fn forgettings(&self) -> u64 {
        self.forgettings.load(Ordering::Acquire)
    }

    /// Names were forgotten in the store: whoever has read one before does not put it.
    pub(crate) fn forget(&self) {
        self.forgettings.fetch_add(1, Ordering::AcqRel);
    }

    /// Takes a name that was forgotten out of the file, wherever it is. Returns the matches that still have it, since the database is away; nothing
    /// where the file cannot be read or written, and may have it.
    pub(crate) fn forget_in_file(&self, name: &str) -> Option<Vec<MatchId>> {
        // What has changed here may have the name too, from a match that was read before.
        if !self.keep() {
            return None;
        }
        let mut named = self.file.named(name).ok()?;
        named.retain(|id| !self.find(stream_id(*id)));
        self.keep().then_some(named)
    }

    /// A name was forgotten in a match that is not in memory: it is listed without it. Returns false where that is not possible now.
    pub(crate) fn find_without(&self, id: MatchId) -> bool {
        // A store that was restored up to a point knows also what was forgotten in later matches, which it does not have.
        let is_missing = matches!(self.journal.header(id), Ok(None)) && self.known(id).is_none();
        if is_missing {
            return true;
        }
        // One whose last commits are lost stays in the file.
        self.look_at(stream_id(id));
        self.find(stream_id(id))
    }

    /// Lists without them the names that were forgotten after the file was written: the program may have ended before it was written again, or it is an
    /// older copy. Called before anything of it is shown. Where other servers write as well, the thread that follows them does it.
    pub(crate) fn forget_missed(&self) {
        let store = self.journal.store();
        if store.is_shared() {
            return;
        }
        if let Err(error) = self.find_missed(store) {
            self.file.distrust(&format!("it cannot be read which names were forgotten: {error}"));
        }
    }

    fn find_missed(&self, store: &Store) -> Result<(), ReadError> {
        let last = last_forgetting(store)?;
        let known = match self.forgotten() {
            // It was made just now.
            _ if self.file.known() > 0 => last,
            known if known <= last => known,
            // A store that has fewer is another one.
            _ => 0,
        };
        let mut missed = known + 1..=last;
        let found = missed.try_for_each(|number| -> Result<(), ReadError> {
            let id = store.note(&forgetting_note(number))?;
            if let Some(id) = id.and_then(|id| MatchId::from_slice(&id).ok()) {
                self.find_without(id);
            }
            Ok(())
        });
        // Also where one cannot be read: then the file is made anew, without any of them.
        self.set_forgotten(last);
        found
    }
}

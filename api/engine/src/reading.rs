//! Reading a store that is asked over a network, for requests: a thread that serves them does not wait for it.

use std::ptr;
use std::sync::Arc;

use journal::{Journal, Name};
use store::ReadError;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

use crate::engine::Engine;
use crate::error::Error;
use crate::follow;
use crate::live::{Head, Slot};

/// So many requests of one thread that serves them read a database at once, each on another thread.
pub const READERS: usize = 2;

thread_local! {
    /// The turns of the requests of this thread.
    static TURNS: Arc<Semaphore> = Arc::new(Semaphore::new(READERS));
}

impl Engine {
    /// Reads the store: at once where it is on this machine, and on another thread where it may not answer for long.
    ///
    /// # Errors
    /// If the program ends meanwhile.
    pub(crate) async fn reading<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Journal) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let runtime = Handle::try_current().ok().filter(|_| self.is_shared());
        let Some(runtime) = runtime else { return Ok(read(&self.journal)) };
        let ended = |why: String| Error::Read(ReadError::Database(why));
        let turn = TURNS.with(Arc::clone).acquire_owned().await;
        let turn = turn.map_err(|error| ended(error.to_string()))?;
        let journal = self.journal.clone();
        // The turn ends with the reading, also where nobody waits for it.
        let read = move || {
            let done = read(&journal);
            drop(turn);
            done
        };
        runtime.spawn_blocking(read).await.map_err(|error| ended(error.to_string()))
    }

    /// Shows what others have committed to a match, of which one here is at `commit`; says whether there was something.
    pub(crate) async fn catch_up(&self, slot: &Slot, commit: u64) -> Result<bool, Error> {
        if self.is_shared() {
            // Who uses it keeps it in memory.
            let known = self.slots.peek(slot.id).filter(|known| ptr::eq(&raw const **known, slot));
            let read = match known {
                Some(known) => {
                    self.reading(move |journal| follow::catch_up(journal, &known)).await?
                }
                None => follow::catch_up(&self.journal, slot),
            };
            self.whole(read)?;
        }
        Ok(slot.commit() > commit)
    }

    /// Takes a match that was read, which nobody is shown before it is [whole](Slot::whole); says whether it is this one, and not one that was
    /// there already. It stays there also if the store cannot be read now: others may have it already.
    pub(crate) fn keep_slot(&self, slot: Slot) -> Result<(Arc<Slot>, bool), Error> {
        let head = slot.head();
        let slot = self.slots.insert(slot);
        // One that has changed since passes for another one: then its names are read once more.
        let is_own = Arc::ptr_eq(&head, &slot.head());
        // What was written before it was there did not reach it: by another server, or by a slot that has made room meanwhile.
        self.whole(follow::catch_up(&self.journal, &slot))?;
        Ok((slot, is_own))
    }

    /// Reads the names of a match again, since one was forgotten. Whoever has taken a seat meanwhile keeps it. If they cannot be read now, the match
    /// is read anew before it is used.
    pub(crate) fn name_again(&self, slot: &Slot) -> Result<(), Error> {
        let head = slot.head();
        let names = self.journal.names(slot.id, &head.folded.table);
        self.name_as_read(slot, &head, self.whole(names))
    }

    /// Shows a match that was just opened without the names that were forgotten since `forgettings` was how often: whoever forgot them did not find it
    /// here. Called before anybody is told of it.
    pub(crate) async fn name_opened(&self, slot: &Slot, forgettings: u64) {
        if self.index.forgettings() == forgettings {
            return;
        }
        let head = slot.head();
        let (id, table) = (slot.id, Arc::clone(&head.folded.table));
        let names = self.reading(move |journal| journal.names(id, &table)).await;
        let names = names.and_then(|names| self.whole(names));
        if self.name_as_read(slot, &head, names).is_err() {
            // Until they can be read.
            slot.rename(|people| people.names.fill(None));
        }
    }

    /// Shows the names of a match that were read for this state of it.
    fn name_as_read(
        &self,
        slot: &Slot,
        head: &Head,
        names: Result<Vec<Option<Name>>, Error>,
    ) -> Result<(), Error> {
        if names.is_err() {
            self.forgettings.put_due(slot.id);
            slot.not_whole();
        }
        let names = names?;
        slot.rename(|people| {
            let read = head.people.names.iter().zip(names);
            let seats = people.names.iter_mut().zip(read);
            let same = seats.filter(|(now, (before, _))| *now == *before);
            same.for_each(|(now, (_, read))| *now = read);
        });
        self.index.put_known(slot);
        Ok(())
    }

    /// Keeps a match that was opened here, also if the store cannot be read now.
    pub(crate) async fn keep_opened(&self, slot: &Slot) {
        let is_read = self.catch_up(slot, slot.commit()).await.is_ok();
        if is_read && !self.forgettings.is_due(slot.id) {
            slot.whole();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Config;
    use crate::people::tests::{GAMES, done};

    /// Who reads a match meanwhile finds it there as it was read by somebody who has not come back to it.
    #[test]
    fn a_match_that_was_read_before_a_name_was_forgotten_is_not_shown_with_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let start = || Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let engine = start();
        let request = r#"{"game": "nim", "seats": [{"name": "Ada"}, {"name": "Ben"}]}"#;
        let request = serde_json::from_str(request).expect("a request");
        let id = done(engine.open(request, None, None)).expect("it is opened").r#match;
        let slot = engine.load(id).expect("it is there");
        let (header, created_at) = (slot.header().clone(), slot.created_at.clone());
        let read = Slot::new(id, slot.game, header, created_at, slot.head());
        drop((slot, engine));
        let engine = start();
        done(engine.forget_name("Ada", None)).expect("it is forgotten");
        let (kept, is_own) = engine.keep_slot(read).expect("it is kept");
        assert!(is_own && engine.resident(id).is_none());
        let slot = engine.load(id).expect("it is there");
        assert!(Arc::ptr_eq(&kept, &slot) && engine.resident(id).is_some());
        let names = slot.head().people.names.clone().into_iter();
        let names: Vec<_> = names.map(|name| Some(name?.name)).collect();
        assert_eq!(names, [None, Some("Ben".to_owned())]);
    }
}

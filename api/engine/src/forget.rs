//! Forgetting a name: its notes go, the chain keeps the commitments.

use journal::{MatchId, looked_for, stream_id};

use crate::engine::Engine;
use crate::error::Error;
use crate::live::Slot;

/// What was forgotten.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// In how many matches.
    pub matches: u64,
    /// How many names.
    pub names: u64,
}

impl Engine {
    /// Forgets a name for good, in one match or in all. What is derived from the store is made anew, also if nothing is found: the program may have
    /// ended in an earlier call, before the list was without the name.
    ///
    /// # Errors
    /// If the names cannot be read, or the store does not write. Then some may be forgotten. If a match cannot be read again without the name, or the
    /// file of the list cannot be written without it: then that is done as soon as it can, or when the request is repeated.
    pub async fn forget_name(&self, name: &str, only: Option<MatchId>) -> Result<Forgotten, Error> {
        // As it would be kept; a name that would be refused was kept as it is, by an older version.
        let kept = looked_for(name);
        let _turn = self.forgettings.turn.lock().await;
        let first = self.forget_kept(&kept, only).await;
        if kept == name {
            return first;
        }
        // Also where the list still has the other form.
        let more = self.forget_kept(name, only).await;
        let (mut forgotten, more) = (first?, more?);
        forgotten.matches += more.matches;
        forgotten.names += more.names;
        Ok(forgotten)
    }

    /// The same of a name that is kept in just this form.
    async fn forget_kept(&self, name: &str, only: Option<MatchId>) -> Result<Forgotten, Error> {
        let found = self.journal.notes_of_name(name)?;
        let mut forgotten = Forgotten::default();
        let mut is_all = true;
        for (id, keys) in found.into_iter().filter(|(id, _)| only.is_none_or(|only| only == *id)) {
            // One that is read meanwhile is looked for below.
            let slot = self.slots.peek(id);
            let _gate = match &slot {
                Some(slot) => Some(slot.gate.lock().await),
                None => None,
            };
            let store = self.journal.store();
            self.forgettings.write(store, id, &keys).await?;
            self.index.forget();
            match &slot {
                Some(slot) => self.show_without(slot, name),
                // Of a damaged match nothing is listed.
                None if self.journal.aside().of(id).is_some() => {}
                None if self.index.find(stream_id(id)) => {}
                None => {
                    self.forgettings.put_due(id);
                    is_all = false;
                }
            }
            forgotten.matches += 1;
            forgotten.names += keys.len() as u64;
        }
        // It was read meanwhile, or another server has removed the notes.
        for slot in self.with_name(name) {
            if only.is_none_or(|only| only == slot.id) {
                let _gate = slot.gate.lock().await;
                self.show_without(&slot, name);
            }
        }
        // Where nobody else writes, the list has all that was written here.
        let is_new = forgotten.matches > 0 && !self.is_shared();
        if is_new && self.index.read(|entries| entries.begun) {
            self.index.set_forgotten(self.forgettings.known());
        }
        let left = self.index.forget_in_file(name);
        self.forgettings.add();
        let Some(left) = left else {
            return Err(Error::StillTold("the file of the list may still have it"));
        };
        is_all &= left.is_empty();
        left.into_iter().for_each(|id| self.forgettings.put_due(id));
        if is_all {
            Ok(forgotten)
        } else {
            Err(Error::StillTold("a match that had it could not be read again"))
        }
    }

    /// From now on a match is shown without a name, but for a seat whose name is kept: whoever took it meanwhile.
    fn show_without(&self, slot: &Slot, name: &str) {
        let kept = self.journal.names(slot.id, &slot.head().folded.table);
        if kept.is_err() {
            // Perhaps somebody has taken a seat with it: that is looked for later.
            self.forgettings.put_due(slot.id);
        }
        let kept = kept.unwrap_or_default();
        slot.rename(|people| {
            for (seat, known) in people.names.iter_mut().enumerate() {
                known.take_if(|known| {
                    known.name == name && !matches!(kept.get(seat), Some(Some(_)))
                });
            }
        });
        self.index.put_known(slot);
    }

    /// How often names were forgotten since the start: what is derived from the store before is not to be kept.
    #[must_use]
    pub fn forgettings(&self) -> u64 {
        self.forgettings.count()
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};
    use std::thread;

    use tempfile::TempDir;

    use super::*;
    use crate::engine::Config;
    use crate::open::OpenRequest;
    use crate::people::tests::{GAMES, done};

    /// A new engine, and a request to open a match of Ada and Ben.
    fn engine_and_request() -> (TempDir, Engine, OpenRequest) {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request = r#"{"game": "nim", "seats": [{"name": "Ada"}, {"name": "Ben"}]}"#;
        (folder, engine, serde_json::from_str(request).expect("a request"))
    }

    /// As one that somebody took after it was looked for who has the name.
    #[test]
    fn a_name_that_is_kept_is_shown() {
        let (_folder, engine, request) = engine_and_request();
        let opened = done(engine.open(request, None, None)).expect("it is opened");
        let slot = engine.load(opened.r#match).expect("it is there");
        let shown = || {
            let names = slot.head().people.names.clone();
            names.into_iter().map(|name| Some(name?.name)).collect::<Vec<_>>()
        };
        let [ada, ben] = ["Ada", "Ben"].map(|name| Some(name.to_owned()));
        engine.show_without(&slot, "Ada");
        assert_eq!(shown(), [ada, ben.clone()]);
        done(engine.forget_name("Ada", None)).expect("it is forgotten");
        assert_eq!(shown(), [None, ben]);
    }

    /// The match is stored, and whoever opens it has not heard of that yet.
    #[test]
    fn a_name_that_is_forgotten_while_a_match_is_opened_does_not_come_back() {
        let (_folder, engine, request) = engine_and_request();
        let mut opening = pin!(engine.open(request, None, None));
        let begun = opening.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        while engine.position() == 0 {
            thread::yield_now();
        }
        let forgotten = done(engine.forget_name("Ada", None)).expect("it is forgotten");
        assert_eq!(forgotten, Forgotten { matches: 1, names: 1 });
        let opened = match begun {
            Poll::Ready(opened) => opened,
            Poll::Pending => done(opening),
        };
        let id = opened.expect("it is opened").r#match;
        let names = [None, Some("Ben".to_owned())];
        let slot = engine.resident(id).expect("it is in memory");
        let shown = slot.head().people.names.clone().into_iter().map(|name| Some(name?.name));
        assert_eq!(shown.collect::<Vec<_>>(), names);
        let listed = engine.index.known(id).expect("it is listed");
        let listed = listed.seats.iter().map(|seat| seat.name.clone());
        assert_eq!(listed.collect::<Vec<_>>(), names);
    }
}

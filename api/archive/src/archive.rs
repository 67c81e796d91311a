//! Finished matches in bulk: every commit decided again, with its draws and the number of legal commands before it.
//!
//! What is stored is the truth, whatever the rules of this program would decide: where they decide otherwise, that is said, and what only
//! deciding again can tell is left out.
//!
//! A match that goes on, or was closed before its end, keeps its secrets: it is not in the archive.

use std::collections::BTreeSet;
use std::ops::Range;

use journal::{DamageKind, Damaged, Journal, Place, Visibility};
use kernel::AnyGame;
use store::{Home, OpenError};

use crate::finished::FinishedMatch;
use crate::finishes::{Finish, Finishes};
use crate::replay::{Detail, Mode, Replay, Stopped};

/// How many commits of a match are read from the store at once.
const PAGE: usize = 256;

/// A store to be read in bulk. Cheap to clone.
#[derive(Clone)]
pub struct Archive {
    journal: Journal,
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("position", &self.position()).finish_non_exhaustive()
    }
}

impl Archive {
    /// The finished matches of a journal. What is found damaged is set aside there.
    #[must_use]
    pub fn new(journal: Journal) -> Self {
        Archive { journal }
    }

    /// Opens the store there. A folder may be open in no server. Damage inside is found as it is read.
    ///
    /// # Errors
    /// If the store does not open.
    pub fn open(
        home: impl Into<Home>,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, OpenError> {
        Ok(Archive::new(Journal::open(home, games, cache_bytes)?))
    }

    /// The journal that it is read from.
    #[must_use]
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.journal.games()
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.journal.position()
    }

    /// The matches that ended at feed positions above `span.start`, up to and with `span.end`, in this order. What cannot be read is
    /// set aside, told, and passed.
    #[must_use]
    pub fn finishes(&self, span: Range<u64>) -> Finishes {
        let span = span.start..span.end.min(self.position());
        Finishes::new(self.journal.clone(), span)
    }

    /// What is known to be damaged, and is or may be in a span of the feed.
    #[must_use]
    pub fn damaged(&self, span: &Range<u64>) -> BTreeSet<Place> {
        self.journal.aside().within(span)
    }

    /// Whether it is known to be damaged, so that reading it again does not help.
    #[must_use]
    pub fn lasts(&self, place: Place) -> bool {
        self.journal.aside().get(place).is_some_and(|damaged| damaged.lasts())
    }

    /// Sets a match aside that is not of the form that its game describes.
    #[must_use]
    pub fn misfit(&self, finish: &Finish, cause: String) -> Damaged {
        let damaged = Damaged::of_match(finish.r#match, DamageKind::Differs, cause);
        let damaged = damaged.position(finish.position);
        self.journal.aside().put(&damaged);
        damaged
    }

    /// The game and the visibility of a match: what is known before its commits are read.
    ///
    /// # Errors
    /// If its first commit is damaged; then the match is set aside.
    pub fn outline(&self, finish: &Finish) -> Result<(&'static dyn AnyGame, Visibility), Damaged> {
        let opening = self.noted(finish, self.journal.opening(finish.r#match))?;
        Ok((opening.game, opening.table.opened.visibility))
    }

    /// The game of a match that counts in statistics: one that is public and no sandbox.
    ///
    /// # Errors
    /// As [`outline`](Archive::outline).
    pub fn counted(&self, finish: &Finish) -> Result<Option<&'static dyn AnyGame>, Damaged> {
        let opening = self.noted(finish, self.journal.opening(finish.r#match))?;
        let counts = match opening.table.opened.visibility {
            Visibility::Public => !opening.table.is_sandbox(),
            Visibility::Private => false,
        };
        Ok(counts.then_some(opening.game))
    }

    /// Whether what is damaged is of this game, or it is not known of which.
    #[must_use]
    pub fn may_be_of(&self, damaged: &Damaged, game: &str) -> bool {
        let is_of =
            |id| self.journal.opening(id).map_or(true, |opening| opening.game.info().id == game);
        damaged.id().is_none_or(is_of)
    }

    /// Sets aside what is damaged.
    fn noted<T>(&self, finish: &Finish, read: Result<T, Damaged>) -> Result<T, Damaged> {
        read.map_err(|damaged| self.journal.set_aside(&damaged.position(finish.position)))
    }

    /// Reads a finished match and decides each of its commands again.
    ///
    /// # Errors
    /// If a commit cannot be read, or does not follow on the one before; then the match is set aside, and only what the disk did not give
    /// out is read again the next time.
    pub fn read(&self, finish: &Finish) -> Result<FinishedMatch, Damaged> {
        self.read_with(finish, Detail::Decided)
    }

    /// The same, with what tables have of each position and statistics do not need.
    ///
    /// # Errors
    /// As [`read`](Archive::read).
    pub fn read_with(&self, finish: &Finish, detail: Detail) -> Result<FinishedMatch, Damaged> {
        let known = self.journal.aside().of(finish.r#match);
        if let Some(known) = known.clone().filter(Damaged::lasts) {
            return self.noted(finish, Err(known));
        }
        let read = self.noted(finish, self.read_anew(finish, detail))?;
        if let Some(known) = known {
            self.journal.aside().remove(known.place());
        }
        Ok(read)
    }

    fn read_anew(&self, finish: &Finish, detail: Detail) -> Result<FinishedMatch, Damaged> {
        // Few matches would go otherwise, and only they cost a copy of the position at each commit.
        match self.read_as(finish, Mode::Same, detail)? {
            Some(read) => Ok(read),
            None => self
                .read_as(finish, Mode::Otherwise, detail)
                .map(|read| read.expect("a match that may go otherwise is read to its end")),
        }
    }

    /// Reads the match; `None` if it would go otherwise and is read as one that would not.
    fn read_as(
        &self,
        finish: &Finish,
        mode: Mode,
        detail: Detail,
    ) -> Result<Option<FinishedMatch>, Damaged> {
        let id = finish.r#match;
        let seed = self.journal.known_header(id)?.seed;
        let mut replay = Replay::new(self.games(), seed, mode, detail);
        loop {
            let after = replay.commits.len() as u64;
            let page = self.journal.next_commits(id, after, PAGE)?;
            if page.is_empty() {
                break;
            }
            for ((position, record), number) in page.iter().zip(after + 1..) {
                match replay.commit(*position, record) {
                    Ok(()) => {}
                    Err(Stopped::Otherwise) => return Ok(None),
                    Err(Stopped::Damaged(error)) => {
                        let damaged = Damaged::of_match(id, DamageKind::Differs, error.0);
                        return Err(damaged.commit(number));
                    }
                    Err(Stopped::Changed) => {
                        let what = "its bytes are not those that were sealed";
                        let damaged = Damaged::of_match(id, DamageKind::Corrupt, what);
                        return Err(damaged.commit(number));
                    }
                }
            }
        }
        let last = replay.commits.len() as u64;
        let names = replay.folded.as_ref().map(|folded| self.journal.names(id, &folded.table));
        let names = names.transpose().map_err(|unread| self.journal.damage(id, unread))?;
        let names = names.unwrap_or_default().into_iter().map(|name| Some(name?.name)).collect();
        let origin = self.journal.origin(id).map_err(|unread| self.journal.damage(id, unread))?;
        let read = replay.end(finish.clone(), names).ok_or_else(|| {
            let what = "the match does not end there";
            Damaged::of_match(id, DamageKind::Differs, what).commit(last)
        })?;
        Ok(Some(FinishedMatch { origin, ..read }))
    }
}

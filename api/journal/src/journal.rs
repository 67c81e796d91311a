//! A store as matches, and the one reader of it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use kernel::{AnyGame, StreamError};
use store::{Home, OpenError, Place, ReadError, Store, Stored, Trouble};

use crate::aside::Aside;
use crate::damaged::{DamageKind, Damaged};
use crate::forgetting::last_forgetting;
use crate::hash::Bytes32;
use crate::header::Header;
use crate::id::{MatchId, match_id, stream_id};
use crate::platform::PlatformEvent;
use crate::record::{Body, Outline, Record};
use crate::table::Table;

/// How many places of the feed are looked at at once where one of them cannot be read.
const FEWER: usize = 256;
/// How many commits are read at once to find the first damaged one.
const FEW: usize = 16;
/// Commits that have so many bytes are read at once, and no more.
const READ_BYTES: usize = 1 << 20;

/// A store of matches: the games that are played in it, and what of it is known to be damaged. Cheap to clone; the clones share it.
#[derive(Clone)]
pub struct Journal {
    store: Arc<Store>,
    games: &'static [&'static dyn AnyGame],
    aside: Arc<Aside>,
}

/// How a match was opened.
pub struct Opening {
    /// The game that is played.
    pub game: &'static dyn AnyGame,
    /// Who sits there, and how it is played.
    pub table: Table,
    /// When.
    pub created_at: String,
}

/// Why something of a match was not read.
#[derive(Debug)]
pub enum Unread {
    /// The disk failed, or did so for a moment: that says nothing about what is stored.
    Disk(ReadError),
    /// It is damaged.
    Damaged(Damaged),
}

impl Journal {
    /// Opens the store there. A folder may be open in no other program. Damage inside is found as it is read.
    ///
    /// # Errors
    /// If the store does not open.
    pub fn open(
        home: impl Into<Home>,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, OpenError> {
        Ok(Self::of(home.into().open(store::Config { cache_bytes })?, games))
    }

    /// Opens a copy of the store in a folder, made in `scratch` and removed again: the store itself is left as it is. A database is not
    /// copied; what is written there meanwhile need not be seen.
    ///
    /// # Errors
    /// If the store cannot be copied, or does not open.
    pub fn open_copy(
        home: impl Into<Home>,
        scratch: &Path,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, OpenError> {
        let config = store::Config { cache_bytes };
        Ok(Self::of(home.into().open_copy(scratch, config)?, games))
    }

    /// The matches of a store that is open.
    #[must_use]
    pub fn of(store: Store, games: &'static [&'static dyn AnyGame]) -> Self {
        Journal { store: Arc::new(store), games, aside: Arc::default() }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// What is damaged and has been set aside.
    #[must_use]
    pub fn aside(&self) -> &Aside {
        &self.aside
    }

    /// Sets aside what was found at a place, of a match with the first of its commits that cannot be read; returns what is known of it then.
    #[must_use]
    pub fn set_aside(&self, damaged: &Damaged) -> Damaged {
        if damaged.is_away() {
            return damaged.clone();
        }
        let known = self.aside.get(damaged.place()).and_then(|known| known.number());
        self.aside.put(damaged);
        if let (Some(id), Some(number)) = (damaged.id(), damaged.number())
            && known.is_none_or(|known| number < known)
            && let Some(earlier) = self.first_damaged(id, number)
        {
            self.aside.put(&earlier);
        }
        self.aside.get(damaged.place()).unwrap_or_else(|| damaged.clone())
    }

    /// What is damaged of a match before this commit.
    fn first_damaged(&self, id: MatchId, number: u64) -> Option<Damaged> {
        let mut after = 0;
        while after + 1 < number {
            let left = usize::try_from(number - 1 - after).unwrap_or(FEW);
            match self.next_commits(id, after, left.min(FEW)) {
                Ok(page) if page.is_empty() => return None,
                Ok(page) => after += page.len() as u64,
                Err(damaged) => return Some(damaged),
            }
        }
        None
    }

    /// What was found damaged, each match once and each place whose match is not known once, as well as it is known now.
    #[must_use]
    pub fn each_once(&self, found: Vec<Damaged>) -> Vec<Damaged> {
        let known = |place, found| self.aside.get(place).unwrap_or(found);
        let found: BTreeMap<_, _> = found.into_iter().map(|found| (found.place(), found)).collect();
        found.into_iter().map(|(place, found)| known(place, found)).collect()
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.store.position()
    }

    /// The hash of the commit at a feed position: two stores with the same hash there are the same up to there. `None` if there is no such
    /// commit, or it is damaged.
    ///
    /// # Errors
    /// If the database does not answer. A folder answers at once; what it cannot read it cannot read later either.
    pub fn mark(&self, position: u64) -> Result<Option<Bytes32>, ReadError> {
        let Some(before) = position.checked_sub(1) else { return Ok(None) };
        match self.store.feed(before, 1) {
            Ok(page) => {
                Ok(page.first().and_then(|entry| Some(Record::read(&entry.bytes).ok()?.hash())))
            }
            Err(error @ ReadError::Database(_)) => Err(error),
            Err(_) => Ok(None),
        }
    }

    /// The last commit at or below a feed position that can be read: its position, and its hash. `None` if there is none.
    ///
    /// # Errors
    /// As [`mark`](Journal::mark).
    pub fn last_mark(&self, position: u64) -> Result<Option<(u64, Bytes32)>, ReadError> {
        for position in (1..=position).rev() {
            if let Some(mark) = self.mark(position)? {
                return Ok(Some((position, mark)));
            }
        }
        Ok(None)
    }

    /// The [mark](Journal::mark) for what is derived from the store, which in a database also says which store it is: one that was restored
    /// there gets a new identity, since whoever followed the one before may have seen a part of it.
    ///
    /// # Errors
    /// As [`mark`](Journal::mark).
    pub fn mark_of_derived(&self, position: u64) -> Result<Option<Bytes32>, ReadError> {
        let mark = self.mark(position)?;
        Ok(mark.map(|hash| match self.store.identity() {
            Some(identity) => Bytes32::hash(&[hash.0.as_slice(), identity.as_bytes()]),
            None => hash,
        }))
    }

    /// How often names were forgotten in the store: what was derived before the last time is not to be used. Whoever forgets a name derives it
    /// anew, but may end before. Where the notes of it are damaged it is told as more than there can be: what was derived when they were well is not used.
    ///
    /// # Errors
    /// If the disk fails, or the database does not answer.
    pub fn forgettings(&self) -> Result<u64, ReadError> {
        match last_forgetting(&self.store) {
            Err(error) if !self.is_of_disk(&error) => Ok(u64::MAX),
            found => found,
        }
    }

    /// Has the disk failed, or the database gone or got another store, so that a read says nothing about what it reads?
    #[must_use]
    pub fn disk_failed(&self) -> bool {
        let failed = |trouble| {
            matches!(
                trouble,
                Trouble::Failed(_)
                    | Trouble::Gone(_)
                    | Trouble::Unreachable(_)
                    | Trouble::Replaced(_)
            )
        };
        self.store.trouble().is_some_and(failed)
    }

    /// Says this error nothing about what is stored?
    fn is_of_disk(&self, error: &ReadError) -> bool {
        matches!(error, ReadError::Database(_)) || self.disk_failed()
    }

    pub(crate) fn unread(&self, id: MatchId, error: ReadError) -> Unread {
        if self.is_of_disk(&error) {
            Unread::Disk(error)
        } else {
            Unread::Damaged(self.lost(id, &error))
        }
    }

    /// Something of a match that the store did not give out.
    fn lost(&self, id: MatchId, error: &ReadError) -> Damaged {
        Damaged::of_match(id, DamageKind::of(&self.store, error), error.to_string()).by(error)
    }

    /// What is to be said of a match of which something was not read, by whoever does not wait for the disk.
    #[must_use]
    pub fn damage(&self, id: MatchId, unread: Unread) -> Damaged {
        match unread {
            Unread::Disk(error) => self.lost(id, &error),
            Unread::Damaged(damaged) => damaged,
        }
    }

    /// The header of a match; `None` if there is no such match.
    ///
    /// # Errors
    /// If it cannot be read, or is of another format.
    pub fn header(&self, id: MatchId) -> Result<Option<Header>, Unread> {
        let unread = |error| match self.unread(id, error) {
            Unread::Damaged(damaged) => Unread::Damaged(damaged.of_part("its header")),
            disk @ Unread::Disk(_) => disk,
        };
        let bytes = self.store.header(stream_id(id)).map_err(unread)?;
        let Some(bytes) = bytes else { return Ok(None) };
        Ok(Some(Header::read(&bytes).map_err(|error| Unread::Damaged(unknown(id, error)))?))
    }

    /// The same of a match that is there: without a header it is damaged.
    ///
    /// # Errors
    /// As [`header`](Journal::header).
    pub fn known_header(&self, id: MatchId) -> Result<Header, Damaged> {
        let header = self.header(id).map_err(|unread| self.damage(id, unread))?;
        header.ok_or_else(|| Damaged::of_match(id, DamageKind::Corrupt, "it has no header"))
    }

    /// How a match was opened: its first commit, without its game's events.
    ///
    /// # Errors
    /// If the header or the commit cannot be read, it does not open a table, or the game or its edition is unknown.
    pub fn opening(&self, id: MatchId) -> Result<Opening, Damaged> {
        // Nothing is shown of a match whose secrets are lost: it cannot go on, nor be checked.
        self.known_header(id)?;
        let first = self.commits(id, 0, 1).map_err(|unread| self.damage(id, unread))?;
        let none = || Damaged::of_match(id, DamageKind::Corrupt, "it has no commit, only a header");
        let (position, record) = first.first().ok_or_else(none)?;
        let opening = record.body().and_then(|body| self.opened_by(body));
        opening.map_err(|error| unknown(id, error).commit(1).position(*position))
    }

    /// How a match was opened by this commit, its first one.
    ///
    /// # Errors
    /// If it does not open a table, or the game or its edition is unknown.
    pub fn opened_by(&self, body: Body<'_>) -> Result<Opening, StreamError> {
        let table = Table::open(&body)?;
        let game = table.game(self.games)?;
        table.edition(game)?;
        Ok(Opening { game, table, created_at: body.recorded_at })
    }

    /// A match as it was opened, with the seats that were taken since: all that is known of it but for its game.
    ///
    /// # Errors
    /// As [`opening`](Journal::opening).
    pub fn table(&self, id: MatchId) -> Result<Opening, Damaged> {
        let mut opening = self.opening(id)?;
        let mut number = 1;
        while opening.table.free() > 0 {
            // Those before one that cannot be read come alone, and it is asked for again: no seat that was taken passes for a free one.
            let taken = self.next_commits(id, number, opening.table.free())?;
            if taken.is_empty() {
                break;
            }
            for (_, record) in taken {
                number += 1;
                let mut read = || {
                    let body = record.body()?;
                    let [event] = body.events.as_slice() else { return Ok(()) };
                    match PlatformEvent::read(event) {
                        Some(PlatformEvent::SeatTaken(taken)) => opening.table.take(&taken),
                        Some(_) => Ok(()),
                        // Nobody plays before all seats are taken: it may be a seat that was.
                        None => Err(StreamError("its event is not known here".to_owned())),
                    }
                };
                read().map_err(|error: StreamError| unknown(id, error).commit(number))?;
            }
        }
        Ok(opening)
    }

    /// Commits `after + 1` and later of a match, at most `limit` and fewer where they are large, each with its feed position.
    ///
    /// # Errors
    /// If one cannot be read, or is of another format: it is named. If all of them can be read once more, the disk was the reason.
    pub fn commits(
        &self,
        id: MatchId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, Record)>, Unread> {
        let stored = self.store.commits_within(stream_id(id), after, limit, READ_BYTES);
        let stored = stored.map_err(|error| self.first_unread(id, after, error))?;
        let record = |stored: &Stored| {
            let record = Record::read(&stored.bytes).map_err(|error| {
                let damaged = unknown(id, error).commit(stored.number);
                Unread::Damaged(damaged.position(stored.position))
            });
            Ok((stored.position, record?))
        };
        stored.iter().map(record).collect()
    }

    /// The same, but the commits before a damaged one come one by one.
    ///
    /// # Errors
    /// If the next one cannot be read, or is of another format.
    pub fn next_commits(
        &self,
        id: MatchId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<(u64, Record)>, Damaged> {
        let commits = |limit| self.commits(id, after, limit);
        commits(limit).or_else(|_| commits(1)).map_err(|unread| {
            let damaged = self.damage(id, unread);
            if damaged.number().is_some() { damaged } else { damaged.commit(after + 1) }
        })
    }

    /// Commits after `after` could not be read: finds out which one it is.
    fn first_unread(&self, id: MatchId, after: u64, error: ReadError) -> Unread {
        if self.is_of_disk(&error) {
            return Unread::Disk(error);
        }
        let mut number = after;
        loop {
            match self.store.commits(stream_id(id), number, 1) {
                Ok(page) if page.is_empty() => return Unread::Disk(error),
                Ok(_) => number += 1,
                Err(error) if self.is_of_disk(&error) => return Unread::Disk(error),
                Err(error) => return Unread::Damaged(self.lost(id, &error).commit(number + 1)),
            }
        }
    }

    /// The last commit of a match.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or it is of another format.
    pub fn last(&self, id: MatchId) -> Result<(Record, Outline), Damaged> {
        let last = self.store.last(stream_id(id)).map_err(|error| self.lost(id, &error))?;
        let none = || Damaged::of_match(id, DamageKind::Corrupt, "it has no commit, only a header");
        let last = last.ok_or_else(none)?;
        let known = Record::read(&last.bytes).and_then(|record| {
            let outline = record.outline()?;
            Ok((record, outline))
        });
        known.map_err(|error| unknown(id, error).commit(last.number).position(last.position))
    }

    /// Whose commits are at the feed positions after `after`, at most `limit`; fewer around a place that cannot be read.
    ///
    /// # Errors
    /// If the next one cannot be read.
    pub fn places(&self, after: u64, limit: usize) -> Result<Vec<Place>, Damaged> {
        let places = |most: usize| self.store.feed_places(after, limit.min(most));
        // A database that does not answer is not asked for less.
        let fewer = |error: ReadError, most: usize| {
            if matches!(error, ReadError::Database(_)) { Err(error) } else { places(most) }
        };
        let places = places(limit).or_else(|error| fewer(error, FEWER));
        places.or_else(|error| fewer(error, 1)).map_err(|error| {
            let what = DamageKind::of(&self.store, &error);
            Damaged::at_position(after + 1, what, error.to_string()).by(&error)
        })
    }

    /// The commits at these places, in their order, as they are stored: only [`Record::read`] tells whether the format of one is known. One that
    /// cannot be read is told as that.
    pub fn at<'a>(
        &'a self,
        places: &'a [Place],
    ) -> impl Iterator<Item = (Place, Result<Stored, Damaged>)> + 'a {
        let read = places.iter().copied().zip(self.store.at_places(places));
        read.map(|(place, read)| {
            let damaged = |error| {
                let damaged = self.lost(match_id(place.stream), &error);
                damaged.commit(place.number).position(place.position)
            };
            (place, read.map_err(damaged))
        })
    }
}

/// A match that is of a form, or of a game, that this program does not know.
fn unknown(id: MatchId, error: StreamError) -> Damaged {
    Damaged::of_match(id, DamageKind::UnknownForm, error.0)
}

//! Statistics of finished matches: a projection of the feed, which can be made anew from nothing.
//!
//! Only finished matches count, each once, where it ends in the feed; so the same feed gives the same statistics, whether they were kept up
//! to date or made anew. A short record of each is kept, from which any filter and any grouping is computed without reading a match again. Sandboxes have none, nor
//! have private matches, or what they hold could be found from two requests.

mod asked;
mod chosen;
mod counting;
mod game;
mod kept;
mod largest;
mod numbers;
mod players;
mod reach;
mod record;
mod shared;
mod student;
mod time;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use journal::{Bytes32, DamageKind, Damaged, MatchId, Place};
use serde::{Deserialize, Serialize};
use store::ReadError;

pub use asked::{Asked, Population, Unasked};
pub use counting::{Counted, Counting};
pub use game::{
    AwardStats, GameStats, GroupStats, GroupValue, OptionStats, PieceStats, SeatStats, TableStats,
};
pub use numbers::{Mean, Rate, Share};
pub use players::PlayerStats;
pub use reach::Reach;

use players::Ratings;
use record::Records;

use crate::archive::Archive;
use crate::finished::FinishedMatch;

/// The format of the file; another one is made anew.
const FORMAT: u8 = 10;

/// The statistics of a store up to a feed position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Projection {
    format: u8,
    position: u64,
    /// The store's mark at this position, which distinguishes it from other stores.
    mark: Option<Bytes32>,
    /// How often names had been forgotten when the first match was counted; none before.
    forgettings: Option<u64>,
    /// Copies share what is known of a game until a match of it ends, and most of it after that.
    games: BTreeMap<String, Arc<Known>>,
    /// What is damaged and was passed, by feed position: the match, where it is known.
    left_out: BTreeMap<u64, Option<MatchId>>,
}

impl Default for Projection {
    fn default() -> Self {
        Projection {
            format: FORMAT,
            position: 0,
            mark: None,
            forgettings: None,
            games: BTreeMap::new(),
            left_out: BTreeMap::new(),
        }
    }
}

/// Why it is not known whether statistics in a file can be used.
#[derive(Debug, thiserror::Error)]
pub enum Unread {
    /// The file cannot be read now, though nothing says that it is damaged: too many files are open, or there is no memory.
    #[error("the statistics in {path} cannot be read: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The database does not answer.
    #[error(transparent)]
    Store(#[from] ReadError),
}

/// What is known of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    records: Records,
    ratings: Ratings,
}

impl Projection {
    /// The one in this file, or an empty one: with the reason, if there is a file that cannot be used. It is damaged, was edited, is of another
    /// format, was made from another store, or is somebody else's.
    ///
    /// # Errors
    /// If the file cannot be read now, or the database does not answer: then whether the file is of this store is not known.
    pub fn read(file: &Path, archive: &Archive) -> Result<(Self, Option<String>), Unread> {
        Ok(match kept::read::<Self>(file) {
            Ok(known) => match known.unfit(archive)? {
                None => (known, None),
                Some(why) => (Self::default(), Some(why.to_owned())),
            },
            Err(error) if error.kind() == io::ErrorKind::NotFound => (Self::default(), None),
            Err(source) if !kept::is_unfit(&source) => {
                return Err(Unread::File { path: file.to_owned(), source });
            }
            Err(error) => (Self::default(), Some(error.to_string())),
        })
    }

    /// Why it is no use for this store.
    fn unfit(&self, archive: &Archive) -> Result<Option<&'static str>, ReadError> {
        if self.format != FORMAT {
            return Ok(Some("it is of another format"));
        }
        if self.position > archive.position()
            || self.mark != archive.journal().mark_of_derived(self.position)?
        {
            return Ok(Some("it was made from another store"));
        }
        let is_older = self.position > 0 && self.forgettings != forgettings(archive)?;
        Ok(is_older.then_some("it was made before a name was forgotten"))
    }

    /// Replaces the file in one step.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        kept::write(file, self)
    }

    /// How much it holds: the matches that count, and what is left out. It grows, until all is counted anew.
    #[must_use]
    pub fn size(&self) -> usize {
        let counted = self.games.values().map(|known| known.records.matches.len());
        counted.sum::<usize>() + self.left_out.len()
    }

    /// The feed position up to which it counts.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.position
    }

    /// How much is left out as damaged: matches, each once, and places in the feed whose match is unknown.
    #[must_use]
    pub fn damaged(&self) -> u64 {
        let place = |(position, id): (&u64, &Option<MatchId>)| {
            id.map_or(Place::Position(*position), Place::Match)
        };
        self.left_out.iter().map(place).collect::<BTreeSet<_>>().len() as u64
    }

    /// Tries again what was left out, and returns what still is; no more of it where the database does not answer. If some of it can be read
    /// now, everything is counted anew: a rating depends on the order in which matches ended.
    pub fn mend(&mut self, archive: &Archive) -> Vec<Damaged> {
        let mut still = Vec::new();
        for position in self.left_out.keys() {
            let mut finishes = archive.finishes(position.saturating_sub(1)..*position);
            match finishes.try_for_each(|finish| archive.read(&finish?).map(drop)) {
                Err(damaged) => {
                    let is_away = damaged.is_away();
                    still.push(damaged);
                    if is_away {
                        break;
                    }
                }
                Ok(()) => {
                    *self = Self::default();
                    return Vec::new();
                }
            }
        }
        still
    }

    /// Goes on until the feed position `until`; `told` gets the position after each match, and says whether to go on. What cannot
    /// be read is passed, and returned. Where the database does not answer it ends: then the last that is returned [is away](Damaged::is_away), and
    /// this is not to be [written](Projection::write), since it may not be known of which store it is.
    pub fn go_on(
        &mut self,
        archive: &Archive,
        until: u64,
        told: &mut dyn FnMut(&Self) -> bool,
    ) -> Vec<Damaged> {
        let before = self.position;
        if before == 0 {
            self.forgettings = match forgettings(archive) {
                Ok(forgettings) => forgettings,
                Err(error) => return vec![away(before, &error)],
            };
        }
        let mut damaged = self.count(archive, until, told);
        if self.position != before || self.mark.is_none() {
            let position = self.position;
            self.mark = archive.journal().mark_of_derived(position).unwrap_or_else(|error| {
                if !damaged.iter().any(Damaged::is_away) {
                    damaged.push(away(position, &error));
                }
                None
            });
        }
        damaged
    }

    fn count(
        &mut self,
        archive: &Archive,
        until: u64,
        told: &mut dyn FnMut(&Self) -> bool,
    ) -> Vec<Damaged> {
        let mut damaged = Vec::new();
        let mut finishes = archive.finishes(self.position..until);
        while let Some(finish) = finishes.next() {
            match finish.and_then(|finish| archive.read(&finish)) {
                Ok(finished) => self.add(&finished),
                // It is counted when the database answers again.
                Err(damage) if damage.is_away() => {
                    damaged.push(damage);
                    return damaged;
                }
                Err(damage) => {
                    let id = match damage.place() {
                        Place::Match(id) => Some(id),
                        Place::Position(_) => None,
                    };
                    self.left_out.insert(finishes.position(), id);
                    damaged.push(damage);
                }
            }
            self.position = finishes.position();
            if !told(self) {
                return damaged;
            }
        }
        self.position = self.position.max(finishes.position());
        damaged
    }

    fn add(&mut self, finished: &FinishedMatch) {
        if !game::counts(finished) {
            return;
        }
        let known = self.games.entry(finished.game.info().id.to_owned()).or_default();
        let known = Arc::make_mut(known);
        let record = known.records.add(finished);
        players::count(&mut known.ratings, &record);
    }

    /// The statistics of a game that are asked for, which may have no finished match yet, with the end of the feed at the time of the request.
    #[must_use]
    pub fn game(&self, game: &str, asked: &Asked, feed_end: u64) -> GameStats {
        let none = Records::default();
        let records = self.games.get(game).map_or(&none, |known| &known.records);
        let reach = Reach::new(self.position, feed_end);
        game::told(game, records, asked, reach, self.damaged())
    }

    /// The players of a game that are people, bots, or either, the strongest first, at most `limit` after the first `skip`.
    #[must_use]
    pub fn players_of(
        &self,
        game: &str,
        which: Population,
        skip: usize,
        limit: usize,
    ) -> Vec<PlayerStats> {
        let known = self.games.get(game);
        let page = |known: &Arc<Known>| {
            let Known { records, ratings } = &**known;
            players::page(game, records, ratings, which, (skip, limit))
        };
        known.map(page).unwrap_or_default()
    }

    /// The results in all games of the person and the bots with a name; empty if there are none.
    #[must_use]
    pub fn player(&self, name: &str) -> Vec<PlayerStats> {
        let named = |(game, known): (&String, &Arc<Known>)| {
            let Known { records, ratings } = &**known;
            players::named(game, records, ratings, name)
        };
        let results = self.games.iter().map(named);
        results.flatten().collect()
    }
}

/// How often names were forgotten; nothing where it cannot be told.
fn forgettings(archive: &Archive) -> Result<Option<u64>, ReadError> {
    match archive.journal().forgettings() {
        Err(error @ ReadError::Database(_)) => Err(error),
        read => Ok(read.ok()),
    }
}

/// The database does not answer after this position.
fn away(position: u64, error: &ReadError) -> Damaged {
    let away = Damaged::at_position(position + 1, DamageKind::Unreadable, error.to_string());
    away.by(error)
}

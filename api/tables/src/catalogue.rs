//! All tables of all games, and how a match becomes rows.

use std::collections::{BTreeMap, HashMap};

use archive::{Archive, Detail, Finish, FinishedMatch};
use journal::{Bytes32, Damaged};
use kernel::AnyGame;

use crate::batch::Batch;
use crate::column::Table;
use crate::in_commit::{Commit, Event, kind};
use crate::key::{Key, int};
use crate::members::Members;
use crate::rows::{self, Rows};
use crate::wide::Wide;

/// The version of the tables that are the same for every game. A change of theirs counts one up; new columns and tables of a game do not.
pub const VERSION: u32 = 2;

/// The tables of all games.
#[derive(Clone, Debug)]
pub struct Catalogue {
    basic: [Table; rows::COUNT],
    games: BTreeMap<&'static str, Vec<Wide>>,
    /// For each game, which of its events' tables a type of event has.
    kinds: BTreeMap<&'static str, HashMap<String, usize>>,
    /// Are there columns of hashes?
    hashes: bool,
}

/// Rows of one game, for each of its tables in the order of [`Catalogue::tables`].
#[derive(Clone, Debug)]
pub struct Batches {
    /// The game.
    pub game: &'static str,
    /// One for each table.
    pub tables: Vec<Batch>,
}

impl Catalogue {
    /// The tables of these games.
    #[must_use]
    pub fn new(games: &[&'static dyn AnyGame]) -> Self {
        let wide = |game: &&'static dyn AnyGame| {
            let id = game.info().id;
            (id, Wide::all(id, &game.schemas()))
        };
        let games: BTreeMap<&'static str, Vec<Wide>> = games.iter().map(wide).collect();
        let kinds = |wide: &Vec<Wide>| wide.iter().map(|wide| wide.kind.clone()).zip(0..).collect();
        Catalogue {
            basic: rows::tables(true),
            hashes: true,
            kinds: games.iter().map(|(game, wide)| (*game, kinds(wide))).collect(),
            games,
        }
    }

    /// The same tables without the columns of hashes, which are a large part of each file and help nobody who counts.
    #[must_use]
    pub fn without_hashes(self) -> Self {
        Catalogue { basic: rows::tables(false), hashes: false, ..self }
    }

    /// Are there columns of hashes?
    #[must_use]
    pub fn has_hashes(&self) -> bool {
        self.hashes
    }

    /// Reads a match as its rows need it.
    ///
    /// # Errors
    /// As [`Archive::read`].
    pub(crate) fn read(
        &self,
        archive: &Archive,
        finish: &Finish,
    ) -> Result<FinishedMatch, Damaged> {
        let detail = if self.hashes { Detail::Hashed } else { Detail::Legal };
        archive.read_with(finish, detail)
    }

    /// The tables that are the same for every game.
    #[must_use]
    pub fn basic(&self) -> &[Table] {
        &self.basic
    }

    /// The games, in order of their ids.
    pub fn games(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.games.keys().copied()
    }

    /// The tables of a game: first those that are the same for every game, then its events'.
    pub fn tables(&self, game: &str) -> impl Iterator<Item = &Table> {
        let wide = self.games.get(game).into_iter().flatten();
        self.basic.iter().chain(wide.map(|wide| &wide.table))
    }

    /// The events' tables of a game.
    pub fn wide(&self, game: &str) -> impl Iterator<Item = &Table> {
        let wide = self.games.get(game).into_iter().flatten();
        wide.map(|wide| &wide.table)
    }

    /// All tables, each with the games that have rows in it.
    pub fn all(&self) -> impl Iterator<Item = (&Table, Vec<&'static str>)> {
        let basic = self.basic.iter().map(|table| (table, self.games().collect()));
        let wide =
            self.games().flat_map(|game| self.wide(game).map(move |table| (table, vec![game])));
        basic.chain(wide)
    }

    /// The table of this name, with its games.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<(&Table, Vec<&'static str>)> {
        if let Some(table) = self.basic.iter().find(|table| table.name == name) {
            return Some((table, self.games().collect()));
        }
        self.games.iter().find_map(|(game, wide)| {
            let wide = wide.iter().find(|wide| wide.table.name == name)?;
            Some((&wide.table, vec![*game]))
        })
    }

    /// A hash of all tables and columns, or those of one game: changes when a game gets a new event or field.
    #[must_use]
    pub fn fingerprint(&self, game: Option<&str>) -> String {
        let games = self.games().filter(|id| game.is_none_or(|game| game == *id));
        let mut text = String::new();
        for table in games.flat_map(|game| self.tables(game)) {
            text.push_str(&format!("{}:", table.name));
            for column in &table.columns {
                let (name, kind, nullable) = (&column.name, column.kind.name(), column.nullable);
                text.push_str(&format!(" {name} {kind} {nullable},"));
            }
        }
        Bytes32::hash(&[text.as_bytes()]).hex()
    }

    /// No rows for a game.
    #[must_use]
    pub fn batches(&self, game: &'static str) -> Batches {
        let tables = self.tables(game);
        Batches { game, tables: tables.map(|table| Batch::new(table, game)).collect() }
    }

    /// Appends the rows of a match.
    ///
    /// # Errors
    /// If an event or the standing has not the form of its schema; then no row was appended.
    pub fn rows(&self, m: &FinishedMatch, batches: &mut Batches) -> Result<(), String> {
        let before: Vec<usize> = batches.tables.iter().map(Batch::rows).collect();
        let done = self.append(m, &mut batches.tables);
        if done.is_err() {
            for (batch, rows) in batches.tables.iter_mut().zip(before) {
                batch.truncate(rows);
            }
        }
        done
    }

    fn append(&self, m: &FinishedMatch, batches: &mut [Batch]) -> Result<(), String> {
        let key = Key::of(m);
        let game = m.game.info().id;
        let tables = self.games.get(game).zip(self.kinds.get(game));
        let (wide, kinds) = tables.ok_or_else(|| format!("the game {game} has no tables"))?;
        let commits = Commit::all(m, &key)?;
        let rows = Rows::new(&key, self.hashes);
        rows.of_match(m, batches)?;
        let mut members = Vec::new();
        for commit in &commits {
            rows.of_commit(commit, batches)?;
            let first = int(commit.stored.first_version);
            for (json, version) in commit.stored.events().zip(first..) {
                members.clear();
                members.extend(Members::of(json));
                let kind = kind(members.iter().copied())?;
                let event = || Event { commit, version, kind, json };
                rows.of_event(event(), batches)?;
                // An event of the platform has no table of its own.
                if let Some(&at) = kinds.get(kind) {
                    // The table of a type has its columns of today; `events` has what was stored.
                    let lifted = m.game.lifted(json);
                    let lifted: Option<Vec<_>> =
                        lifted.as_ref().map(|event| Members::of(event.get()).collect());
                    let members = lifted.as_deref().unwrap_or(&members);
                    wide[at].push(&rows, event(), members, &mut batches[rows::COUNT + at])?;
                }
            }
        }
        Ok(())
    }
}

impl Batches {
    /// How much memory is held for rows, in bytes: also for those of before.
    #[must_use]
    pub fn held(&self) -> usize {
        self.tables.iter().map(Batch::held).sum()
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        let filled = self.tables.iter_mut().filter(|batch| batch.rows() > 0);
        filled.for_each(|batch| batch.truncate(0));
    }

    /// Appends the rows of other batches of the same game.
    pub fn append(&mut self, other: &Batches) {
        let filled = self.tables.iter_mut().zip(&other.tables);
        let filled = filled.filter(|(_, other)| other.rows() > 0);
        filled.for_each(|(batch, other)| batch.append(other));
    }
}

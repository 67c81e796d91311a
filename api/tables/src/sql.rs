//! The tables in a SQLite file beside the store, kept up with the feed, and queries that can do no harm.
//!
//! The file is made from the store, and made anew when the tables have changed. A table is a view over narrow rows: the ids of matches, times as
//! text, and whole events and commands are looked up only where a query asks for them.

mod answer;

mod layout;

mod query;

mod statement;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use engine::{Archive, Damaged, Finish, Place, Visibility};
use rusqlite::{Connection, OptionalExtension, params};

use crate::catalogue::Catalogue;
use crate::read_ahead::{self, Rows};
use layout::Layout;

pub use query::{Answer, Limits, QueryError, Value};

/// How many matches are one transaction.
const STEP: u64 = 500;

/// The tables in a SQLite file.
#[derive(Clone, Debug)]
pub struct Sql {
    path: PathBuf,
    layout: Layout,
    catalogue: Catalogue,
}

/// Why the tables could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// The file could not be read or written.
    #[error("the tables in {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// A file that cannot be replaced.
    #[error("cannot remove {path}: {source}")]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Sql {
    /// The tables of the store in `data`; nothing is opened yet.
    #[must_use]
    pub fn beside(data: &Path, catalogue: Catalogue) -> Self {
        Sql { path: data.join("tables.sqlite"), layout: Layout::new(&catalogue), catalogue }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The feed position up to which the tables are filled; `None` without a file that fits.
    #[must_use]
    pub fn position(&self) -> Option<u64> {
        let db = query::open(&self.path).ok()?;
        let made: String = meta(&db, "layout").ok()??;
        (made == self.layout.version).then_some(())?;
        let position: i64 = meta(&db, "position").ok()??;
        u64::try_from(position).ok()
    }

    /// Adds what ended since the last time. `progress` is told the feed position and the number of matches that were added; it may break
    /// off, and what was added stays. A damaged match is left out, and has a row in the table `damaged`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn refresh(
        &self,
        archive: &Archive,
        threads: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), SqlError> {
        let file = |source| SqlError::File { path: self.path.clone(), source };
        let mut db = self.writable(archive)?;
        let position: i64 = meta(&db, "position").map_err(file)?.unwrap_or(0);
        let span = u64::try_from(position).unwrap_or(0)..archive.position();
        let start = span.start;
        let mut filling =
            Filling { sql: self, archive, db: &mut db, start, matches: 0, waiting: 0 };
        filling.begin().map_err(file)?;
        let wanted = |finish: &Finish| Ok(archive.outline(finish)?.1 == Visibility::Public);
        let end = span.end;
        // What was left out before may be well again.
        let again = filling.left_out().map_err(file)?;
        let again = again.into_iter().map(|at| (at.saturating_sub(1)..at, true));
        let done = again.chain([(span, false)]).try_for_each(|(span, again)| {
            if again {
                filling.forget(span.end).map_err(Halt::Failed)?;
            }
            read_ahead::each((archive, &self.catalogue), span, threads, &wanted, |read| {
                let position = filling.add(read).map_err(Halt::Failed)?;
                match position.map(|at| progress(at, filling.matches)) {
                    Some(ControlFlow::Break(())) => Err(Halt::Enough),
                    Some(ControlFlow::Continue(())) | None => Ok(()),
                }
            })
        });
        match done {
            Ok(()) => filling.commit(Some(end)).map_err(file)?,
            Err(Halt::Enough) => filling.commit(None).map_err(file)?,
            Err(Halt::Failed(error)) => return Err(file(error)),
        }
        drop(db.execute_batch("PRAGMA wal_checkpoint(TRUNCATE)"));
        Ok(())
    }

    /// Was the file made from this store?
    fn of(&self, archive: &Archive) -> bool {
        let known = || {
            let mark: Option<Option<String>> = meta(&query::open(&self.path).ok()?, "mark").ok()?;
            Some((self.position()?, mark.flatten()))
        };
        known().is_some_and(|(position, mark)| {
            position <= archive.position() && mark == mark_of(archive, position)
        })
    }

    /// The file, made anew where it does not fit the tables or is of another store.
    fn writable(&self, archive: &Archive) -> Result<Connection, SqlError> {
        let file = |source| SqlError::File { path: self.path.clone(), source };
        if self.of(archive) {
            return layout::open(&self.path).map_err(file);
        }
        for suffix in ["", "-wal", "-shm"] {
            let mut path = self.path.clone().into_os_string();
            path.push(suffix);
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(SqlError::Remove { path: path.into(), source });
                }
                Ok(()) | Err(_) => {}
            }
        }
        let db = layout::open(&self.path).map_err(file)?;
        self.layout.create(&db).map_err(file)?;
        Ok(db)
    }
}

/// Why a refresh ended before the end of the feed.
enum Halt {
    Enough,
    Failed(rusqlite::Error),
}

/// A refresh under way.
struct Filling<'a> {
    sql: &'a Sql,
    archive: &'a Archive,
    db: &'a mut Connection,
    /// The feed position up to which the tables were filled before.
    start: u64,
    matches: u64,
    waiting: u64,
}

impl Filling<'_> {
    fn begin(&mut self) -> rusqlite::Result<()> {
        self.db.execute_batch("BEGIN IMMEDIATE")
    }

    /// Adds the rows of a match; returns its position now and then.
    fn add(&mut self, read: Result<&Rows, Damaged>) -> rusqlite::Result<Option<u64>> {
        let rows = match read {
            Ok(rows) => rows,
            Err(damaged) => return self.leave_out(&damaged).map(|()| None),
        };
        let (position, batches) = (rows.finish.position.max(self.start), &rows.batches);
        self.sql.layout.insert(self.db, batches)?;
        self.matches += 1;
        self.waiting += 1;
        if self.waiting < STEP {
            return Ok(None);
        }
        self.commit(Some(position))?;
        self.begin()?;
        Ok(Some(position))
    }

    /// Gives a damaged match a row of its own, and none elsewhere.
    fn leave_out(&self, damaged: &Damaged) -> rusqlite::Result<()> {
        let id = match damaged.place() {
            Place::Match(id) => Some(id.to_string()),
            Place::Position(_) => None,
        };
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let (position, commit) = (damaged.at().map(number), damaged.number().map(number));
        let insert = "INSERT OR REPLACE INTO damaged VALUES (?, ?, ?, ?)";
        self.db.execute(insert, params![position, id, commit, damaged.what().name()])?;
        Ok(())
    }

    /// The feed positions of what was left out before, and may be well again.
    fn left_out(&self) -> rusqlite::Result<Vec<u64>> {
        let mut select =
            self.db.prepare("SELECT position, match_id FROM damaged ORDER BY position")?;
        let mut rows = select.query([])?;
        let mut positions = Vec::new();
        while let Some(row) = rows.next()? {
            let position = u64::try_from(row.get::<_, i64>(0)?).unwrap_or(0);
            let id = row.get::<_, Option<String>>(1)?.and_then(|id| id.parse().ok());
            if !self.archive.lasts(id.map_or(Place::Position(position), Place::Match)) {
                positions.push(position);
            }
        }
        Ok(positions)
    }

    /// Whoever is still damaged gets its row again.
    fn forget(&self, position: u64) -> rusqlite::Result<()> {
        let position = i64::try_from(position).unwrap_or(i64::MAX);
        self.db.execute("DELETE FROM damaged WHERE position = ?", [position]).map(drop)
    }

    fn commit(&mut self, position: Option<u64>) -> rusqlite::Result<()> {
        self.waiting = 0;
        if let Some(position) = position {
            let mark = mark_of(self.archive, position);
            let position = i64::try_from(position).unwrap_or(i64::MAX);
            let insert = "INSERT OR REPLACE INTO meta VALUES ('position', ?), ('mark', ?)";
            self.db.execute(insert, params![position, mark])?;
        }
        self.db.execute_batch("COMMIT")
    }
}

/// Tells the store up to this position from others.
fn mark_of(archive: &Archive, position: u64) -> Option<String> {
    archive.mark(position).map(|hash| hash.hex())
}

fn meta<T: rusqlite::types::FromSql>(db: &Connection, key: &str) -> rusqlite::Result<Option<T>> {
    let select = "SELECT value FROM meta WHERE key = ?";
    db.query_row(select, [key], |row| row.get(0)).optional()
}

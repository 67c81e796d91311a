//! The file is found whole or made anew, and brought up to the end of the feed.

use std::ops::ControlFlow;
use std::sync::MutexGuard;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use archive::{Archive, Finish};
use journal::{Damaged, Place, Visibility};
use rusqlite::{Connection, ErrorCode, params};

use super::file::{Sql, SqlError, meta};
use super::state::{Known, Stamp, State};
use super::sums::{Differs, Sums, Trouble, beside};
use super::{layout, query};
use crate::read_ahead::{self, Rows};

/// How many matches are one transaction.
const STEP: u64 = 500;

/// The file, complete, and open for filling.
pub struct Prepared<'a> {
    sql: &'a Sql,
    archive: &'a Archive,
    db: Connection,
    sums: Sums,
    /// The feed position up to which the tables were filled before.
    start: u64,
    matches: u64,
    waiting: u64,
    /// Why the file that was there has been thrown away, if it has.
    pub unfit: Option<String>,
}

/// Why a refresh ended before the end of the feed.
enum Halt {
    Enough,
    Failed(SqlError),
}

impl Sql {
    /// Whether the file has to be prepared again although the feed has not grown: it was found damaged, was changed by another program, or
    /// has not been compared with its checksums for a long time.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        let state = self.state();
        let known = state.known.as_ref();
        let fits = known.is_some_and(|k| !k.is_due() && k.stamp == Stamp::of(&self.path));
        !fits || state.damaged.is_some()
    }

    /// Lets the file be made anew when it is next prepared, and answers nothing from it until then: it holds what the store has forgotten.
    pub fn begin_again(&self) {
        self.state().damaged.get_or_insert_with(|| "a name was forgotten".to_owned());
    }

    /// Compares the file with its checksums, where that is due, and opens it. One that is damaged, was edited, or is of another store or layout
    /// is thrown away and begun anew.
    ///
    /// # Errors
    /// If the file cannot be replaced or written.
    pub fn prepare<'a>(&'a self, archive: &'a Archive) -> Result<Prepared<'a>, SqlError> {
        let (sums, unfit) = if self.path.exists() {
            match self.whole(archive) {
                Ok(sums) => (Some(sums), None),
                Err(Trouble::Damaged(why)) => (None, Some(why)),
                Err(Trouble::Unread(why)) => return Err(self.unread(why)),
            }
        } else {
            (None, None)
        };
        let mut state = self.state();
        let (db, sums) = match sums {
            Some(sums) => (layout::open(&self.path).map_err(|error| self.file(error))?, sums),
            None => self.begin_anew(&mut state)?,
        };
        drop(state);
        Ok(Prepared { sql: self, archive, db, sums, start: 0, matches: 0, waiting: 0, unfit })
    }

    fn whole(&self, archive: &Archive) -> Result<Sums, Trouble> {
        let other = |what: &str| Err(Trouble::Damaged(what.to_owned()));
        if let Some(damaged) = self.state().damaged.clone() {
            return Err(Trouble::Damaged(damaged));
        }
        let sums = Sums::read(&self.path)?;
        if self.is_suspect() {
            // Nobody else writes meanwhile: queries need not wait.
            let (stamp, at) = (Stamp::of(&self.path), Instant::now());
            sums.check(&self.path)?;
            self.state().known = Some(Known { stamp, at, took: at.elapsed() });
        }
        sums.cut(&self.path)?;
        let db = query::open(&self.path)?;
        let layout: Option<String> = meta(&db, "layout")?;
        let position: Option<i64> = meta(&db, "position")?;
        let mark: Option<Option<String>> = meta(&db, "mark")?;
        let generation: Option<i64> = meta(&db, "generation")?;
        let position = position.and_then(|position| u64::try_from(position).ok());
        let ours = position.is_some_and(|position| {
            position <= archive.position() && mark.flatten() == mark_of(archive, position)
        });
        if layout.as_ref() != Some(&self.layout.version) {
            return other("it was made by another version");
        }
        if generation.and_then(|g| u64::try_from(g).ok()) != Some(sums.generation) {
            return other("its checksums are of another state");
        }
        if ours { Ok(sums) } else { other("it was made from another store") }
    }

    fn begin_anew(&self, state: &mut State) -> Result<(Connection, Sums), SqlError> {
        for ending in ["", "-wal", "-shm", "-journal", ".sums", ".sums.new"] {
            let path =
                if ending.is_empty() { self.path.clone() } else { beside(&self.path, ending) };
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(SqlError::Remove { path, source });
                }
                Ok(()) | Err(_) => {}
            }
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let generation = u64::try_from(since.as_micros()).unwrap_or(0);
        let start = Instant::now();
        let db = layout::open(&self.path).map_err(|error| self.file(error))?;
        let created = self.layout.create(&db, integer(generation));
        created.map_err(|error| self.file(error))?;
        let sums = Sums::of(&self.path, generation).map_err(|error| self.sums(error))?;
        sums.write(&self.path).map_err(|error| self.sums(error))?;
        let known = Known { stamp: Stamp::of(&self.path), at: start, took: start.elapsed() };
        *state = State { known: Some(known), damaged: None, anew: state.anew + 1 };
        Ok((db, sums))
    }
}

impl Prepared<'_> {
    /// Adds what ended since the last time. `progress` is told the feed position and the number of matches that were added; it may break
    /// off, and what was added stays. A damaged match is left out, and has a row in the table `damaged`.
    ///
    /// # Errors
    /// If the file cannot be written, or is found damaged meanwhile: then it is made anew when it is prepared the next time.
    pub fn refresh(
        mut self,
        threads: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), SqlError> {
        let refreshed = self.fill(threads, progress);
        self.close(&refreshed);
        refreshed
    }

    fn fill(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), SqlError> {
        let (sql, archive) = (self.sql, self.archive);
        let file = |error| sql.file(error);
        let position: Option<i64> = meta(&self.db, "position").map_err(file)?;
        self.start = position.and_then(|position| u64::try_from(position).ok()).unwrap_or(0);
        let span = self.start..archive.position();
        let end = span.end.max(self.start);
        // What was left out before may be well again.
        let again = self.left_out().map_err(file)?;
        if span.is_empty() && again.is_empty() {
            return Ok(());
        }
        self.begin()?;
        let again = again.into_iter().map(|at| (at.saturating_sub(1)..at, true));
        let wanted = |finish: &Finish| Ok(archive.outline(finish)?.1 == Visibility::Public);
        let read = again.chain([(span, false)]).try_for_each(|(span, again)| {
            if again {
                self.forget(span.end).map_err(|error| Halt::Failed(file(error)))?;
            }
            read_ahead::each((archive, &sql.catalogue), span, threads, &wanted, |read| {
                let position = self.add(read).map_err(Halt::Failed)?;
                match position.map(|at| progress(at, self.matches)) {
                    Some(ControlFlow::Break(())) => Err(Halt::Enough),
                    Some(ControlFlow::Continue(())) | None => Ok(()),
                }
            })
        });
        match read {
            Ok(()) => self.commit(end),
            // What was added is committed; the transaction is empty.
            Err(Halt::Enough) => Ok(()),
            Err(Halt::Failed(error)) => Err(error),
        }
    }

    /// Closes the file: that changes how it looks. After a failure it is compared anew, whatever it looks like.
    fn close(self, refreshed: &Result<(), SqlError>) {
        let Prepared { sql, archive: _, db, sums: _, start: _, matches: _, waiting: _, unfit: _ } =
            self;
        let mut state = sql.state();
        match refreshed {
            Ok(()) => {
                state.look_again(&sql.path);
                layout::copy_log(&db);
                drop(db);
                state.settle(&sql.path);
            }
            Err(error) => {
                state.known = None;
                if let SqlError::File { path: _, source } = error
                    && says_damaged(source)
                {
                    state.damaged.get_or_insert_with(|| source.to_string());
                }
            }
        }
    }

    fn begin(&mut self) -> Result<(), SqlError> {
        self.db.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.sql.file(error))
    }

    /// Adds the rows of a match; returns its position now and then.
    fn add(&mut self, read: Result<&Rows, Damaged>) -> Result<Option<u64>, SqlError> {
        let file = |error| self.sql.file(error);
        let rows = match read {
            Ok(rows) => rows,
            Err(damaged) => return self.leave_out(&damaged).map(|()| None).map_err(file),
        };
        self.sql.layout.insert(&self.db, &rows.batches).map_err(file)?;
        self.matches += 1;
        self.waiting += 1;
        if self.waiting < STEP {
            return Ok(None);
        }
        let position = rows.finish.position.max(self.start);
        self.commit(position)?;
        self.begin()?;
        Ok(Some(position))
    }

    /// Gives a damaged match a row of its own, and none elsewhere.
    fn leave_out(&self, damaged: &Damaged) -> rusqlite::Result<()> {
        let id = match damaged.place() {
            Place::Match(id) => Some(id.to_string()),
            Place::Position(_) => None,
        };
        let (position, commit) = (damaged.at().map(integer), damaged.number().map(integer));
        let insert = "INSERT OR REPLACE INTO damaged VALUES (?, ?, ?, ?)";
        self.db.execute(insert, params![position, id, commit, damaged.what().name()]).map(drop)
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
        let delete = "DELETE FROM damaged WHERE position = ?";
        self.db.execute(delete, [integer(position)]).map(drop)
    }

    /// Ends the transaction, and writes its checksums before any of it gets into the file.
    fn commit(&mut self, position: u64) -> Result<(), SqlError> {
        self.waiting = 0;
        let (sql, db) = (self.sql, &self.db);
        let mark = mark_of(self.archive, position);
        // Nobody begins to read between the transaction and its checksums.
        let mut state = sql.state();
        if let Some(differs) = &state.damaged {
            return Err(sql.damaged(differs.clone()));
        }
        state.look_again(&sql.path);
        let insert =
            "INSERT OR REPLACE INTO meta VALUES ('position', ?), ('mark', ?), ('generation', ?)";
        let next = integer(self.sums.generation + 1);
        let done = db.execute(insert, params![integer(position), mark, next]);
        done.and_then(|_| db.execute_batch("COMMIT")).map_err(|error| sql.file(error))?;
        match self.sums.advance(&sql.path) {
            Ok(()) => {}
            Err(Trouble::Unread(why)) => return Err(sql.unread(why)),
            Err(Trouble::Damaged(differs)) => {
                state.damaged = Some(differs.clone());
                return Err(sql.damaged(differs));
            }
        }
        self.sums.write(&sql.path).map_err(|error| sql.sums(error))?;
        db.execute_batch("PRAGMA wal_checkpoint(PASSIVE)").map_err(|error| sql.file(error))?;
        state.settle(&sql.path);
        Ok(())
    }
}

impl Sql {
    pub(super) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn file(&self, source: rusqlite::Error) -> SqlError {
        SqlError::File { path: self.path.clone(), source }
    }

    fn sums(&self, source: std::io::Error) -> SqlError {
        SqlError::Sums { path: beside(&self.path, ".sums"), source }
    }

    fn unread(&self, what: String) -> SqlError {
        SqlError::Unread { path: self.path.clone(), what }
    }

    fn damaged(&self, what: Differs) -> SqlError {
        SqlError::Damaged { path: self.path.clone(), what }
    }
}

/// Does the error say that the file is no database, or damaged?
pub(super) fn says_damaged(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// Tells the store up to this position from others.
fn mark_of(archive: &Archive, position: u64) -> Option<String> {
    archive.mark(position).map(|hash| hash.hex())
}

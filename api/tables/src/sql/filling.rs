//! The file is found whole or made anew, and brought up to the end of the feed.

use std::ops::ControlFlow;

use archive::{Archive, Finish};
use derived::{FileError, Opened, Source};
use journal::{Damaged, Place, Visibility};
use rusqlite::params;

use super::file::{Reached, Sql};
use super::waiting::Waiting;
use crate::read_ahead::{self, Rows};

/// How many matches are one transaction.
const STEP: u64 = 500;

/// The file, complete, and open for filling.
pub struct Prepared<'a> {
    sql: &'a Sql,
    archive: &'a Archive,
    opened: Opened<'a>,
    /// The feed position up to which the tables were filled before.
    start: u64,
    /// How often names had been forgotten before the first row was read.
    forgettings: u64,
    matches: u64,
    /// How many matches of it the transaction has.
    taken: u64,
    waiting: Waiting<'a>,
    /// Why the file that was there has been thrown away, if it has.
    pub unfit: Option<String>,
}

/// Why a refresh ended before the end of the feed.
enum Halt {
    Enough,
    Failed(FileError),
}

impl Sql {
    /// Compares the file with its checksums, where that is due, and opens it. One that is damaged, was edited, or is of another store or layout
    /// is thrown away and begun anew.
    ///
    /// # Errors
    /// If the file cannot be replaced or written.
    pub fn prepare<'a>(&'a self, archive: &'a Archive) -> Result<Prepared<'a>, FileError> {
        let forgettings = archive.journal().forgettings();
        let forgettings = forgettings.map_err(|error| self.file.unread(error.to_string()))?;
        let mark = |position| mark_of(archive, position, forgettings);
        let (opened, unfit) =
            self.file.open(&self.source(archive, &mark), &|db| self.layout.create(db))?;
        let start = self.reaches(opened.generation(), opened.position);
        let waiting = Waiting::new(&self.layout);
        Ok(Prepared {
            sql: self,
            archive,
            opened,
            start,
            forgettings,
            matches: 0,
            taken: 0,
            waiting,
            unfit,
        })
    }

    /// Whether the file, which was filled here before and is not suspect, has all up to `end`, since no match ended that belongs in it: then it
    /// need not be written, and answers say that it goes so far.
    pub fn goes_on(&self, archive: &Archive, end: u64) -> bool {
        let Reached { generation, position } = *self.reached();
        if generation == 0 {
            return false;
        }
        let mut finishes = archive.finishes(position..end);
        // What cannot be read is for who fills.
        let is_nothing = finishes.all(|found| {
            let wanted = found.and_then(|finish| is_wanted(archive, &finish));
            wanted.is_ok_and(|wanted| !wanted)
        });
        if is_nothing {
            *self.reached() = Reached { generation, position: position.max(end) };
        }
        is_nothing
    }

    /// Answers nothing from a file that was made before a name was forgotten, or from another store, until it is made anew: to be called before
    /// anybody asks. What else may be wrong with it is found when it is prepared.
    pub fn refuse_older(&self, archive: &Archive) {
        if !self.path().exists() {
            return;
        }
        let made = derived::open(self.path()).and_then(|db| {
            let position: Option<i64> = derived::meta(&db, "position")?;
            Ok((position, derived::meta::<Option<String>>(&db, "mark")?))
        });
        // One that cannot be read answers nothing.
        let Ok((Some(position), mark)) = made else { return };
        let position = u64::try_from(position).unwrap_or(u64::MAX);
        let now = archive.journal().forgettings().map_err(|error| error.to_string());
        let now = now.and_then(|forgettings| mark_of(archive, position, forgettings));
        // Where the store does not answer, nothing says that it is an older one.
        if now.is_ok_and(|now| now != mark.flatten()) {
            let why = "it was made from another store, or before a name was forgotten";
            self.file.begin_again(why);
        }
    }

    fn source<'a>(
        &'a self,
        archive: &Archive,
        mark: &'a dyn Fn(u64) -> Result<Option<String>, String>,
    ) -> Source<'a> {
        Source { layout: &self.layout.version, end: archive.position(), mark }
    }
}

impl Prepared<'_> {
    /// Was the file begun anew, or did matches end since it was filled?
    #[must_use]
    pub fn is_behind(&self) -> bool {
        self.unfit.is_some() || self.start < self.archive.position()
    }

    /// The feed position up to which the tables are filled.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.start
    }

    /// Adds what ended since the last time. `progress` is told the feed position and the number of matches that were added; it may break
    /// off, and what was added stays. A damaged match is left out, and has a row in the table `damaged`.
    ///
    /// # Errors
    /// If the file cannot be written, or is found damaged meanwhile: then it is made anew when it is prepared the next time.
    pub fn refresh(
        mut self,
        threads: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        let refreshed = self.fill(threads, progress);
        let (generation, position) = (self.opened.generation(), self.opened.position);
        if refreshed.is_ok() {
            *self.sql.reached() = Reached { generation, position: position.max(self.start) };
        }
        self.opened.close(&refreshed);
        refreshed
    }

    fn fill(
        &mut self,
        threads: usize,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<(), FileError> {
        let (sql, archive) = (self.sql, self.archive);
        let file = |error| sql.file.failed(error);
        let span = self.start..archive.position();
        let end = span.end.max(self.start);
        // What was left out before may be well again.
        let again = self.left_out().map_err(file)?;
        if span.is_empty() && again.is_empty() {
            return Ok(());
        }
        self.opened.begin()?;
        let again = again.into_iter().map(|at| (at.saturating_sub(1)..at, true));
        let wanted = |finish: &Finish| is_wanted(archive, finish);
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

    /// Adds the rows of a match; returns its position now and then.
    fn add(&mut self, read: Result<&Rows, Damaged>) -> Result<Option<u64>, FileError> {
        let file = |error| self.sql.file.failed(error);
        let rows = match read {
            Ok(rows) => rows,
            // It is there: the database does not answer, and is asked again from here on.
            Err(damaged) if damaged.is_away() => {
                return Err(self.sql.file.unread(damaged.to_string()));
            }
            Err(damaged) => return self.leave_out(&damaged).map(|()| None).map_err(file),
        };
        let added = self.waiting.add(&rows.batches);
        added.expect("rows that were taken into batches fit the columns they were made for");
        self.matches += 1;
        self.taken += 1;
        if self.taken < STEP {
            if self.waiting.is_full() {
                self.waiting.write(&self.opened.db).map_err(file)?;
            }
            return Ok(None);
        }
        let position = rows.finish.position.max(self.start);
        self.commit(position)?;
        self.opened.begin()?;
        Ok(Some(position))
    }

    /// Gives a damaged match a row of its own, and none elsewhere.
    fn leave_out(&self, damaged: &Damaged) -> rusqlite::Result<()> {
        let id = match damaged.place() {
            Place::Match(id) => Some(id.to_string()),
            Place::Position(_) => None,
        };
        let (position, commit) = (damaged.at().map(integer), damaged.number().map(integer));
        // It may have been found at another of its commits before.
        let delete = "DELETE FROM damaged WHERE match_id = ?";
        self.opened.db.execute(delete, [&id])?;
        let insert = "INSERT OR REPLACE INTO damaged VALUES (?, ?, ?, ?)";
        self.opened
            .db
            .execute(insert, params![position, id, commit, damaged.what().name()])
            .map(drop)
    }

    /// The feed positions of what was left out before, and may be well again.
    fn left_out(&self) -> rusqlite::Result<Vec<u64>> {
        let mut select = self
            .opened
            .db
            .prepare("SELECT feed_position, match_id FROM damaged ORDER BY feed_position")?;
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
        let delete = "DELETE FROM damaged WHERE feed_position = ?";
        self.opened.db.execute(delete, [integer(position)]).map(drop)
    }

    fn commit(&mut self, position: u64) -> Result<(), FileError> {
        self.taken = 0;
        let written = self.waiting.write(&self.opened.db);
        written.map_err(|error| self.sql.file.failed(error))?;
        let mark = |position| mark_of(self.archive, position, self.forgettings);
        self.opened.commit(position, &self.sql.source(self.archive, &mark))
    }
}

/// Does a match that ended belong in the file?
fn is_wanted(archive: &Archive, finish: &Finish) -> Result<bool, Damaged> {
    Ok(archive.outline(finish)?.1 == Visibility::Public)
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What tells the store up to a position, with the names that it still had, from others.
fn mark_of(archive: &Archive, position: u64, forgettings: u64) -> Result<Option<String>, String> {
    let mark = archive.journal().mark_of_derived(position).map_err(|error| error.to_string())?;
    Ok(mark.map(|hash| match forgettings {
        0 => hash.hex(),
        _ => format!("{} {forgettings}", hash.hex()),
    }))
}

//! The file: found whole or begun anew, and written one transaction after the other.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, OptionalExtension, params};

use crate::error::FileError;
use crate::held::Held;
use crate::state::{Kept, Known, Locked, Stamp, State, left};
use crate::sums::{Differs, Sums, Trouble, beside};
use crate::wal::PAGE;

/// How often a file is begun anew, at most, while another program writes to it.
const AGAIN: u32 = 100;

/// A derived file. It has a table `meta (key, value)` with the keys `layout`, `position`, `mark` and `generation`.
#[derive(Debug)]
pub struct Derived {
    what: &'static str,
    path: PathBuf,
    state: Kept,
    held: Mutex<Option<Arc<Held>>>,
}

/// What it is made from.
pub struct Source<'a> {
    /// How the tables lie in the file: another text, another file.
    pub layout: &'a str,
    /// The feed position of the last commit.
    pub end: u64,
    /// Tells the store up to a position from others; an error, where the store does not answer, says why.
    pub mark: &'a dyn Fn(u64) -> Result<Option<String>, String>,
}

/// Why a file was begun anew, if it was there before.
pub type Begun = Option<String>;

/// The file, whole, and open for writing.
pub struct Opened<'a> {
    file: &'a Derived,
    /// The database.
    pub db: Connection,
    sums: Sums,
    /// The feed position that it has reached.
    pub position: u64,
}

impl Derived {
    /// The file at this path; nothing is opened yet. `what` says what is in it, for messages.
    #[must_use]
    pub fn new(what: &'static str, path: PathBuf) -> Self {
        Derived { what, path, state: Kept::default(), held: Mutex::default() }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What this process knows of it. Nobody ends a transaction while this is held.
    pub fn state(&self) -> Locked<'_> {
        self.state.lock()
    }

    /// Whether the file has to be opened again although the feed has not grown: it was found damaged, was changed by another program, or
    /// has not been compared with its checksums for a long time.
    #[must_use]
    pub fn is_suspect(&self) -> bool {
        let state = self.state();
        let known = state.known.as_ref();
        let fits = known.is_some_and(|k| !k.is_due() && k.stamp == Stamp::of(&self.path));
        !fits || state.damaged.is_some()
    }

    /// Whether nothing is answered from the file: it was found damaged, or is to be begun again, and nothing is in the new one yet. That is told
    /// at once, also while somebody has its state.
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.state.is_refused()
    }

    /// Lets the file be made anew when it is next opened, and says that nothing is to be answered from it until then.
    pub fn begin_again(&self, why: &str) {
        self.state().damaged.get_or_insert_with(|| why.to_owned());
    }

    /// Compares the file with its checksums, where that is due, and opens it. One that is damaged, was edited, or is of another store or layout
    /// is thrown away and begun anew: `create` makes its tables.
    ///
    /// # Errors
    /// If the file cannot be replaced or written.
    pub fn open(
        &self,
        source: &Source<'_>,
        create: &dyn Fn(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(Opened<'_>, Begun), FileError> {
        let (whole, unfit) = if self.path.exists() {
            match self.whole(source) {
                Ok(whole) => (Some(whole), None),
                Err(Trouble::Damaged(why)) => (None, Some(why)),
                Err(Trouble::Unread(why)) => return Err(self.unread(why)),
            }
        } else {
            (None, None)
        };
        let mut state = self.state();
        let (db, sums, position) = match whole {
            Some((sums, position)) => (self.writable()?, sums, position),
            None => self.begin_anew(&mut state, source, create)?,
        };
        state.is_empty |= unfit.is_some();
        drop(state);
        Ok((Opened { file: self, db, sums, position }, unfit))
    }

    fn whole(&self, source: &Source<'_>) -> Result<(Sums, u64), Trouble> {
        let other = |what: &str| Trouble::Damaged(what.to_owned());
        if let Some(damaged) = self.state().damaged.clone() {
            return Err(Trouble::Damaged(damaged));
        }
        // A command that root has run may have made it.
        let held = match self.held() {
            Ok(held) if held.is_writable => held,
            Err(error) if error.kind() != std::io::ErrorKind::PermissionDenied => {
                return Err(error.into());
            }
            Ok(_) | Err(_) => return Err(other("this user may not write it")),
        };
        let sums = Sums::read(&self.path)?;
        // Another process may have compared it a moment ago.
        self.state().recall(&self.path);
        if self.is_suspect() {
            // Nobody else writes meanwhile: queries need not wait.
            let (stamp, at) = (Stamp::ticked(&self.path), Instant::now());
            sums.check(&self.path, &held)?;
            let known = Known { stamp, at, took: at.elapsed() };
            known.leave(&self.path);
            self.state().known = Some(known);
        }
        if let Err(trouble) = sums.cover_log(&self.path) {
            // A transaction of ours whose checksums were not written is made again. It has the next generation; other programs count none.
            let generation: Option<i64> = meta(&open(&self.path)?, "generation")?;
            if generation != Some(integer(sums.generation + 1)) {
                return Err(trouble);
            }
            // Who reads meanwhile has the old index of the log, and can be answered nothing.
            self.state().cuts += 1;
            sums.cut(&self.path)?;
        }
        let db = open(&self.path)?;
        let layout: Option<String> = meta(&db, "layout")?;
        let position: Option<i64> = meta(&db, "position")?;
        let mark: Option<Option<String>> = meta(&db, "mark")?;
        let generation: Option<i64> = meta(&db, "generation")?;
        let position = position.and_then(|position| u64::try_from(position).ok());
        // Whoever cannot tell which store it is throws nothing away.
        let now = position.map(source.mark).transpose().map_err(Trouble::Unread)?;
        let ours =
            position.filter(|position| *position <= source.end && mark.flatten() == now.flatten());
        if layout.as_deref() != Some(source.layout) {
            return Err(other("it was made by another version"));
        }
        if generation.and_then(|g| u64::try_from(g).ok()) != Some(sums.generation) {
            return Err(other("its checksums are of another state"));
        }
        let position = ours.ok_or_else(|| {
            other("it was made from another store, or before a name was forgotten")
        })?;
        Ok((sums, position))
    }

    /// Compares every page of the file with its checksum. The caller holds a transaction of their generation, or nothing writes.
    ///
    /// # Errors
    /// If one differs, or the file cannot be read.
    pub fn check(&self, sums: &Sums) -> Result<(), Trouble> {
        sums.check(&self.path, &*self.held()?)
    }

    /// The file that is there now. As long as somebody has this, no other file is taken for it.
    ///
    /// # Errors
    /// If it cannot be opened.
    pub fn held(&self) -> std::io::Result<Arc<Held>> {
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        match &*held {
            Some(known) if known.is_at(&self.path) => Ok(Arc::clone(known)),
            Some(_) | None => Ok(Arc::clone(held.insert(Arc::new(Held::open(&self.path)?)))),
        }
    }

    /// Removes the file, and what is beside it.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove(&self) -> Result<(), FileError> {
        *self.held.lock().unwrap_or_else(PoisonError::into_inner) = None;
        for ending in ["", "-wal", "-shm", "-journal", ".sums", ".sums.new", ".seen"] {
            let path =
                if ending.is_empty() { self.path.clone() } else { beside(&self.path, ending) };
            match std::fs::remove_file(&path) {
                Err(source) if source.kind() != std::io::ErrorKind::NotFound => {
                    return Err(FileError::Remove { path, source });
                }
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn begin_anew(
        &self,
        state: &mut State,
        source: &Source<'_>,
        create: &dyn Fn(&Connection) -> rusqlite::Result<()>,
    ) -> Result<(Connection, Sums, u64), FileError> {
        let start = Instant::now();
        let mut tries = 0..AGAIN;
        let (db, sums) = loop {
            self.remove()?;
            let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
            let generation = u64::try_from(since.as_micros()).unwrap_or(0);
            let db = self.writable()?;
            let created = db.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
                create(&db)?;
                db.execute(
                    "INSERT INTO meta VALUES ('layout', ?), ('position', 0), ('generation', ?)",
                    params![source.layout, integer(generation)],
                )?;
                let before = data_version(&db)?;
                db.execute_batch("COMMIT")?;
                Ok(before)
            });
            let before = created.map_err(|error| self.failed(error))?;
            let mut sums = Sums::before(generation);
            match self.advance(&db, &mut sums, before) {
                Ok(()) => break (db, sums),
                Err(Trouble::Unread(why)) => return Err(self.unread(why)),
                // Another program has written to it already.
                Err(Trouble::Damaged(differs)) if tries.next().is_none() => {
                    return Err(self.damaged(differs));
                }
                Err(Trouble::Damaged(_)) => {}
            }
        };
        sums.write(&self.path).map_err(|error| self.sums(error))?;
        let known = Known { stamp: Stamp::of(&self.path), at: start, took: start.elapsed() };
        let State { known: _, damaged: _, anew, cuts, is_empty } = *state;
        *state = State { known: Some(known), damaged: None, anew: anew + 1, cuts, is_empty };
        Ok((db, sums, 0))
    }

    /// Goes on to the transaction that was just ended; `before` it the data had this version.
    fn advance(&self, db: &Connection, sums: &mut Sums, before: i64) -> Result<(), Trouble> {
        let held = self.held()?;
        sums.advance(&self.path, &held)?;
        // Whoever has written since may have begun the log anew: then what is in it is not ours.
        if data_version(db)? == before {
            return Ok(());
        }
        Err(Trouble::Damaged("another program has written to it".to_owned()))
    }

    fn writable(&self) -> Result<Connection, FileError> {
        let open = || {
            let db = Connection::open(&self.path)?;
            db.set_prepared_statement_cache_capacity(512);
            db.execute_batch(&format!(
                "PRAGMA page_size = {PAGE}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -32000;
                 PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 10000;"
            ))?;
            db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
            Ok(db)
        };
        open().map_err(|error| self.failed(error))
    }

    /// What SQLite could not do with the file.
    #[must_use]
    pub fn failed(&self, source: rusqlite::Error) -> FileError {
        FileError::File { what: self.what, path: self.path.clone(), source }
    }

    fn sums(&self, source: std::io::Error) -> FileError {
        FileError::Sums { path: beside(&self.path, ".sums"), source }
    }

    /// That the store it is made from cannot be read now, and why.
    #[must_use]
    pub fn unread(&self, why: String) -> FileError {
        FileError::Unread { what: self.what, path: self.path.clone(), why }
    }

    fn damaged(&self, differs: Differs) -> FileError {
        FileError::Damaged { what: self.what, path: self.path.clone(), differs }
    }
}

impl Opened<'_> {
    /// Counts the transactions of the file; no two files count alike.
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.sums.generation
    }

    /// Begins a transaction.
    ///
    /// # Errors
    /// If the file cannot be written, or another program has written to it: then it is made anew when it is opened the next time.
    pub fn begin(&self) -> Result<(), FileError> {
        self.db.execute_batch("BEGIN IMMEDIATE").map_err(|error| self.file.failed(error))?;
        // From here on nobody else writes. What somebody has written must not get checksums with what we write.
        self.sums.cover_log(&self.file.path).map_err(|trouble| match trouble {
            Trouble::Unread(why) => self.file.unread(why),
            Trouble::Damaged(differs) => {
                self.file.begin_again(&differs);
                self.file.damaged(differs)
            }
        })
    }

    /// Ends the transaction at this feed position, and writes its checksums before any of it gets into the file.
    ///
    /// # Errors
    /// If the file cannot be written, or is found damaged: then it is made anew when it is opened the next time.
    pub fn commit(&mut self, position: u64, source: &Source<'_>) -> Result<(), FileError> {
        let (file, db) = (self.file, &self.db);
        let mark = (source.mark)(position).map_err(|why| file.unread(why))?;
        // Whoever begins to read between the transaction and its checksums waits for this, and looks again.
        let mut state = file.state();
        if let Some(differs) = &state.damaged {
            return Err(file.damaged(differs.clone()));
        }
        state.look_again(&file.path);
        let insert =
            "INSERT OR REPLACE INTO meta VALUES ('position', ?), ('mark', ?), ('generation', ?)";
        let next = integer(self.sums.generation + 1);
        let done = db.execute(insert, params![integer(position), mark, next]);
        let before = done.and_then(|_| data_version(db)).map_err(|error| file.failed(error))?;
        db.execute_batch("COMMIT").map_err(|error| file.failed(error))?;
        match file.advance(db, &mut self.sums, before) {
            Ok(()) => {}
            Err(Trouble::Unread(why)) => return Err(file.unread(why)),
            Err(Trouble::Damaged(differs)) => {
                state.damaged = Some(differs.clone());
                return Err(file.damaged(differs));
            }
        }
        self.sums.write(&file.path).map_err(|error| file.sums(error))?;
        let copied = db.execute_batch("PRAGMA wal_checkpoint(PASSIVE)");
        copied.map_err(|error| file.failed(error))?;
        let stamp = Stamp::of(&file.path);
        let only_ours = self.sums.are_of_log(&file.path).unwrap_or(false);
        state.settle(only_ours.then_some(stamp));
        state.is_empty = false;
        self.position = position;
        Ok(())
    }

    /// Closes the file: that changes how it looks. After a failure it is compared anew, whatever it looks like.
    pub fn close<T>(self, done: &Result<T, FileError>) {
        let Opened { file, db, sums, position: _ } = self;
        // The wait for a tick holds up nobody here.
        drop(Stamp::ticked(&file.path));
        let mut state = file.state();
        match done {
            Ok(_) => {
                if !db.is_autocommit() {
                    drop(db.execute_batch("ROLLBACK"));
                }
                state.look_again(&file.path);
                let known = state.known.as_ref();
                let copied = known.and_then(|known| copied(&db, &sums, &file.path, &known.stamp));
                // The log is emptied, if no reader needs it.
                drop(db.execute_batch("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)"));
                // The end of the connection removes it.
                drop(db.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false));
                drop(db);
                let stamp = Stamp::of(&file.path);
                let is_ours = |before: &Stamp| {
                    before.is_but_for_the_log(&stamp)
                        && (!stamp.has_log() || sums.are_of_log(&file.path).unwrap_or(false))
                };
                state.settle(copied.filter(is_ours).map(|_| stamp));
                if let Some(known) = &state.known {
                    known.leave(&file.path);
                }
            }
            Err(error) => {
                state.known = None;
                drop(std::fs::remove_file(left(&file.path)));
                if let FileError::File { what: _, path: _, source } = error
                    && says_damaged(source)
                {
                    state.damaged.get_or_insert_with(|| source.to_string());
                }
            }
        }
    }
}

/// Copies the log into the file. How the files look then, if nobody else has written to them since they looked like `before`.
fn copied(db: &Connection, sums: &Sums, path: &Path, before: &Stamp) -> Option<Stamp> {
    let was_empty = sums.is_log_empty(path).ok()?;
    db.execute_batch("PRAGMA wal_checkpoint(PASSIVE)").ok()?;
    let stamp = Stamp::ticked(path);
    let only_ours = if was_empty {
        stamp.is_but_for_the_log(before) && sums.is_log_empty(path).ok()?
    } else {
        // Nothing has left the log: who begins it anew leaves another one.
        sums.are_of_log(path).ok()?
    };
    only_ours.then_some(stamp)
}

/// Opens a file for reading. It is not mapped into memory: a page that the disk does not give would end the whole process.
///
/// # Errors
/// If SQLite cannot open it.
pub fn open(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let db = Connection::open_with_flags(path, flags)?;
    db.execute_batch("PRAGMA busy_timeout = 5000;")?;
    Ok(db)
}

/// A fact that a file holds about itself.
///
/// # Errors
/// If it cannot be read.
pub fn meta<T: rusqlite::types::FromSql>(
    db: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let select = "SELECT value FROM meta WHERE key = ?";
    db.query_row(select, [key], |row| row.get(0)).optional()
}

/// Another number after each transaction of another connection.
fn data_version(db: &Connection) -> rusqlite::Result<i64> {
    db.query_row("PRAGMA data_version", [], |row| row.get(0))
}

/// Does the error say that the file is no database, or damaged?
fn says_damaged(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error_code();
    matches!(code, Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase))
}

fn integer(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

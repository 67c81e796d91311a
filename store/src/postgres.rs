//! The engine in a PostgreSQL database, which several servers may share.
//!
//! The tables are those of `store/migrations`. A writer hands all waiting writes to one function of the database, `muninn.append`, which
//! takes the lock of one row: so positions have no gaps, and appear in their order. Each new session commits a barrier before it is used.
//! Beside it only notes that were read are removed.
//!
//! What is read is durable: a commit is visible in the database once a quorum has it. All statements are in autocommit, and each read is
//! one statement, so of a write a reader sees all or nothing.

mod check;
mod database;
mod follow;
mod forget;
mod lease;
mod making;
mod migrate;
mod password;
mod record;
pub(crate) mod session;
mod tls;
mod writer;

use std::iter;
use std::slice;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio_postgres::Row;

use self::database::{Database, big, column, natural};
use self::making::Making;
use self::migrate::Found;
use self::record::Name;
use self::session::Value;
use self::writer::{Job, Shared, Work, Writer};
use crate::error::{OpenError, ReadError, Trouble, WriteError};
use crate::figures::Figures;
use crate::store::{AtPlaces, Checked};
use crate::stream::{Note, Place, Stored, StreamId};
use crate::write::{Ticket, Write};

const HEADER: &str = "SELECT bytes FROM muninn.headers WHERE stream = $1";
const HEADERS: &str = "SELECT stream, bytes FROM muninn.headers ORDER BY stream DESC LIMIT $1";
const HEADERS_BEFORE: &str =
    "SELECT stream, bytes FROM muninn.headers WHERE stream < $2 ORDER BY stream DESC LIMIT $1";
const NOTE: &str = "SELECT key, position, bytes FROM muninn.notes WHERE key = $1";
const NOTES: &str = "SELECT key, position, bytes FROM muninn.notes ORDER BY key LIMIT $1";
const NOTES_AFTER: &str =
    "SELECT key, position, bytes FROM muninn.notes WHERE key > $2 ORDER BY key LIMIT $1";
const COMMITS: &str = "SELECT stream, number, position, bytes FROM muninn.commits
    WHERE stream = $1 AND number > $2 ORDER BY number LIMIT $3";
const LAST: &str = "SELECT stream, number, position, bytes FROM muninn.commits
    WHERE stream = $1 ORDER BY number DESC LIMIT 1";
const AT: &str =
    "SELECT stream, number, position, bytes FROM muninn.commits WHERE position = ANY ($1)";
const FEED: &str = "SELECT stream, number, position, bytes FROM muninn.commits
    WHERE position > $1 ORDER BY position LIMIT $2";
const PLACES: &str = "SELECT stream, number, position FROM muninn.commits
    WHERE position > $1 ORDER BY position LIMIT $2";
const POSITION: &str = "SELECT position FROM muninn.store";

/// So many records are read at once where a caller's limit is larger.
const PAGE: usize = 1_000;

/// So many commits of known places are read with one question.
const TOGETHER: usize = 64;

/// A store in a database. What its functions do is said at the door, [`Store`](crate::Store).
pub(crate) struct Postgres {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
}

impl Postgres {
    pub(crate) fn connect(address: &str) -> Result<Postgres, OpenError> {
        let database = Database::new(session::config(address)?)?;
        let found = migrate::check(&database)?;
        Postgres::begin(database, found)
    }

    /// Lets `make` fill the empty store there, of which nobody else sees anything before all of it is there. Should that fail, it is empty again.
    pub(crate) fn fill<T, E: From<OpenError>>(
        address: &str,
        make: impl FnOnce(Postgres) -> Result<T, E>,
    ) -> Result<T, E> {
        let open = || Database::new(session::config(address)?);
        let database = open()?;
        migrate::check(&database)?;
        let making = Making::begin(&database)?;
        let made = open().and_then(|own| Postgres::begin(own, making.found()));
        let made = made.map_err(E::from).and_then(make);
        let made = made.and_then(|made| making.end(&database).map(|()| made).map_err(E::from));
        made.inspect_err(|_| {
            // Where that fails too, its schema says that it is no store, or it is not the one that was taken.
            drop(making.undo(&database));
        })
    }

    fn begin(database: Database, found: Found) -> Result<Postgres, OpenError> {
        let shared = Arc::new(Shared::new(database, found));
        let (database, known) = (&shared.database, || Arc::clone(&shared.known));
        let (config, questions) = (|| database.config().clone(), Arc::clone(&shared.questions));
        database.spawn(follow::listen(config(), known()));
        database.spawn(follow::answer(config(), database.pool(), questions, known()));
        let writer = Writer::new(Arc::clone(&shared));
        let thread = thread::Builder::new().name("store-writer".to_owned());
        let writer = thread.spawn(move || writer.run());
        let writer = writer.map_err(|error| shared.database.unfit(error.to_string()))?;
        Ok(Postgres { shared, writer: Some(writer) })
    }

    pub(crate) fn migrate(address: &str) -> Result<Vec<i32>, OpenError> {
        migrate::apply(&Database::new(session::config(address)?)?)
    }

    pub(crate) fn notices(&self) -> &[String] {
        &[]
    }

    pub(crate) fn submit(&self, write: Write) -> Ticket {
        let problem = write.problem();
        let (job, ticket) = Work::new(write).job();
        match problem {
            Some(problem) => job.answer(Err(WriteError::Unavailable(problem))),
            None => self.push(job),
        }
        ticket
    }

    pub(crate) fn submit_together(&self, writes: Vec<Write>) -> Vec<Ticket> {
        let problem = writes.iter().find_map(Write::problem);
        let jobs = writes.into_iter().map(|write| Work::new(write).job());
        let (jobs, tickets): (Vec<_>, Vec<_>) = jobs.unzip();
        let problem = problem.or_else(|| self.shared.known.replaced());
        if let Some(why) = self.shared.known.refused() {
            let answer = |job: Job| job.answer(Err(WriteError::Outdated(why.clone())));
            jobs.into_iter().for_each(answer);
            return tickets;
        }
        self.shared.queue.push_together(jobs.into_iter(), problem);
        tickets
    }

    pub(crate) fn restore_notes(&self, notes: &[Note]) -> Ticket {
        let (job, ticket) = Work::restored(notes).job();
        self.push(job);
        ticket
    }

    pub(crate) fn settle(&self) -> Ticket {
        let (job, ticket) = Work::default().job();
        // What the database has answered is on its disk.
        job.answer(Ok(self.position()));
        ticket
    }

    pub(crate) fn forget(&self, keys: &[Vec<u8>], note: Option<(Vec<u8>, Vec<u8>)>) -> Ticket {
        let (job, ticket) = Work::forgotten(keys, note).job();
        self.push(job);
        ticket
    }

    fn push(&self, job: Job) {
        if let Some(why) = self.shared.known.replaced() {
            return job.answer(Err(WriteError::Unavailable(why)));
        }
        if let Some(why) = self.shared.known.refused() {
            return job.answer(Err(WriteError::Outdated(why)));
        }
        if let Err((job, why)) = self.shared.queue.push(job) {
            job.answer(Err(WriteError::Unavailable(why)));
        }
    }

    fn rows(&self, sql: &'static str, values: Vec<Value>) -> Result<Vec<Row>, ReadError> {
        self.shared.database.read(sql, values)
    }

    pub(crate) fn header(&self, stream: StreamId) -> Result<Option<Vec<u8>>, ReadError> {
        let rows = self.rows(HEADER, vec![Box::new(stream)])?;
        value(Name::Header(stream), &rows)
    }

    pub(crate) fn note(&self, key: &[u8]) -> Result<Option<Note>, ReadError> {
        let rows = self.rows(NOTE, vec![Box::new(key.to_vec())])?;
        rows.first().map(note).transpose()
    }

    pub(crate) fn notes(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<Note>, ReadError> {
        self.note_rows(after, limit)?.iter().map(note).collect()
    }

    fn note_rows(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<Row>, ReadError> {
        let limit = Box::new(big(limit as u64));
        match after {
            Some(key) => self.rows(NOTES_AFTER, vec![limit, Box::new(key.to_vec())]),
            None => self.rows(NOTES, vec![limit]),
        }
    }

    /// Hands on all notes as they are stored: key, position, record.
    fn each_note(&self, take: &mut dyn FnMut(Vec<u8>, u64, Vec<u8>)) -> Result<(), ReadError> {
        let mut after: Option<Vec<u8>> = None;
        loop {
            let rows = self.note_rows(after.as_deref(), PAGE)?;
            if rows.is_empty() {
                return Ok(());
            }
            for row in &rows {
                let (key, position, bytes) = note_of(row)?;
                after = Some(key.clone());
                take(key, position, bytes);
            }
        }
    }

    pub(crate) fn readable_notes(&self, take: &mut dyn FnMut(Note)) -> Result<(), ReadError> {
        self.each_note(&mut |key, position, bytes| {
            if let Ok(value) = record::decode(Name::Note(&key), &bytes) {
                take(Note { value: value.to_vec(), key, position });
            }
        })
    }

    pub(crate) fn headers(
        &self,
        before: Option<StreamId>,
        limit: usize,
    ) -> Result<Vec<(StreamId, Vec<u8>)>, ReadError> {
        let header = |row| {
            let (stream, bytes): (StreamId, Vec<u8>) = (column(row, 0)?, column(row, 1)?);
            Ok((stream, record::decode(Name::Header(stream), &bytes)?.to_vec()))
        };
        self.header_rows(before, limit)?.iter().map(header).collect()
    }

    fn header_rows(&self, before: Option<StreamId>, limit: usize) -> Result<Vec<Row>, ReadError> {
        let limit = Box::new(big(limit as u64));
        match before {
            Some(before) => self.rows(HEADERS_BEFORE, vec![limit, Box::new(before)]),
            None => self.rows(HEADERS, vec![limit]),
        }
    }

    pub(crate) fn commits_within(
        &self,
        stream: StreamId,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        let mut commits: Vec<Stored> = Vec::new();
        let (mut last, mut left) = (after, bytes);
        while commits.len() < limit {
            let page = (limit - commits.len()).min(PAGE);
            let values: Vec<Value> =
                vec![Box::new(stream), Box::new(big(last)), Box::new(big(page as u64))];
            let rows = self.rows(COMMITS, values)?;
            for row in &rows {
                let commit = self.stored(row)?;
                let expected = last.saturating_add(1);
                if commit.number != expected {
                    let what = format!("commit {expected} of stream {stream} is missing");
                    return Err(ReadError::Damaged(what));
                }
                last = commit.number;
                left = left.saturating_sub(commit.bytes.len());
                commits.push(commit);
                if left == 0 {
                    return Ok(commits);
                }
            }
            if rows.len() < page {
                break;
            }
        }
        Ok(commits)
    }

    pub(crate) fn last(&self, stream: StreamId) -> Result<Option<Stored>, ReadError> {
        let rows = self.rows(LAST, vec![Box::new(stream)])?;
        rows.first().map(|row| self.stored(row)).transpose()
    }

    fn stored(&self, row: &Row) -> Result<Stored, ReadError> {
        let Place { stream, number, position } = place(row)?;
        let bytes: Vec<u8> = column(row, 3)?;
        let bytes = record::decode(Name::Commit(stream, number), &bytes)?;
        self.shared.known.learn(position);
        Ok(Stored { stream, number, position, bytes })
    }

    pub(crate) fn feed(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let rows = self.feed_rows(FEED, after, limit)?;
        rows.iter().map(|row| self.stored(row)).collect()
    }

    pub(crate) fn feed_places(&self, after: u64, limit: usize) -> Result<Vec<Place>, ReadError> {
        self.feed_rows(PLACES, after, limit)?.iter().map(place).collect()
    }

    /// The rows of a part of the feed, none of which is missing.
    fn feed_rows(
        &self,
        sql: &'static str,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Row>, ReadError> {
        let known = self.position();
        let limit = limit as u64;
        let rows = self.rows(sql, vec![Box::new(big(after)), Box::new(big(limit))])?;
        let mut next = after.saturating_add(1);
        for row in &rows {
            if natural(row, 2)? != next {
                return Err(ReadError::missing_position(next));
            }
            next += 1;
        }
        if next <= known.min(after.saturating_add(limit)) {
            return Err(ReadError::missing_position(next));
        }
        self.shared.known.learn(if rows.is_empty() { 0 } else { next - 1 });
        Ok(rows)
    }

    pub(crate) fn at_places<'a>(&'a self, mut places: &'a [Place]) -> AtPlaces<'a> {
        let mut read = Vec::new().into_iter();
        Box::new(iter::from_fn(move || {
            if let Some(commit) = read.next() {
                return Some(commit);
            }
            if places.is_empty() {
                return None;
            }
            let (asked, left) = places.split_at(places.len().min(TOGETHER));
            match self.asked_places(asked) {
                Ok(commits) => {
                    places = left;
                    read = commits.into_iter();
                    read.next()
                }
                // One of them lies on a page that is damaged: which, each tells by itself.
                Err(ReadError::Damaged(_)) if asked.len() > 1 => {
                    places = left;
                    let alone = asked.iter().map(|place| {
                        let found = self.asked_places(slice::from_ref(place))?.pop();
                        found.unwrap_or_else(|| Err(ReadError::missing_place(*place)))
                    });
                    read = alone.collect::<Vec<_>>().into_iter();
                    read.next()
                }
                Err(error) => {
                    // The one that fails, and the next ones are asked for again.
                    places = &places[1..];
                    Some(Err(error))
                }
            }
        }))
    }

    /// What stands at each of these places, by one question.
    fn asked_places(&self, places: &[Place]) -> Result<Vec<Result<Stored, ReadError>>, ReadError> {
        let positions: Vec<i64> = places.iter().map(|place| big(place.position)).collect();
        let rows = self.rows(AT, vec![Box::new(positions)])?;
        let found = |wanted: &Place| {
            let is_it = |row: &&Row| place(row).is_ok_and(|found| found == *wanted);
            let row = rows.iter().find(is_it).ok_or_else(|| ReadError::missing_place(*wanted))?;
            self.stored(row)
        };
        Ok(places.iter().map(found).collect())
    }

    pub(crate) fn position(&self) -> u64 {
        self.shared.known.get()
    }

    pub(crate) async fn latest(&self) -> Result<u64, ReadError> {
        self.shared.questions.ask().await
    }

    pub(crate) fn wait_beyond(&self, position: u64, most: Duration) -> u64 {
        self.shared.known.wait_beyond(position, most)
    }

    /// The position that the database has now.
    fn asked_position(&self) -> Result<u64, ReadError> {
        let rows = self.rows(POSITION, Vec::new())?;
        let none = || ReadError::Damaged("the store has no position".to_owned());
        natural(rows.first().ok_or_else(none)?, 0)
    }

    pub(crate) fn healthy(&self) -> bool {
        self.shared.queue.failure().is_none()
    }

    /// All of it is known without a look.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        self.known_trouble()
    }

    /// There is no disk to look at.
    pub(crate) fn verdict(&self) -> u64 {
        0
    }

    pub(crate) fn known_trouble(&self) -> Option<Trouble> {
        let failed = self.shared.queue.failure().map(Trouble::Failed);
        let unreachable = || self.shared.database.trouble().map(Trouble::Unreachable);
        let refusing = || self.shared.refusal.why().map(Trouble::Refusing);
        let replaced = || self.replaced().map(Trouble::Replaced);
        let outdated = || self.outdated().map(Trouble::Outdated);
        failed.or_else(replaced).or_else(unreachable).or_else(outdated).or_else(refusing)
    }

    pub(crate) fn identity(&self) -> &str {
        self.shared.known.identity()
    }

    pub(crate) fn replaced(&self) -> Option<String> {
        self.shared.known.replaced()
    }

    pub(crate) fn outdate(&self, what: &str) {
        self.shared.known.written(what);
    }

    pub(crate) fn outdated(&self) -> Option<String> {
        self.shared.known.outdated()
    }

    /// A later write with this note learns the truth, so there is nothing to keep in mind.
    pub(crate) fn is_unknown(&self, _: &[u8]) -> bool {
        false
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.shared.calls.read().counts.iter().sum()
    }

    pub(crate) fn figures(&self) -> Figures {
        self.shared.queue.figures(Figures {
            commits: self.shared.commits.load(Ordering::Relaxed),
            sync: self.shared.calls.read(),
            log_bytes: self.shared.database.bytes(),
            free_bytes: None,
            ..Figures::default()
        })
    }

    pub(crate) fn check(&self, progress: &mut dyn FnMut(u64)) -> Checked {
        check::all(self, progress)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.shared.queue.close();
        if let Some(writer) = self.writer.take() {
            // It returns nothing; had it panicked, its drop would have refused what waits.
            drop(writer.join());
        }
    }
}

/// The bytes of the record in the first column of the first row.
fn value(name: Name<'_>, rows: &[Row]) -> Result<Option<Vec<u8>>, ReadError> {
    let Some(row) = rows.first() else { return Ok(None) };
    let record: Vec<u8> = column(row, 0)?;
    Ok(Some(record::decode(name, &record)?.to_vec()))
}

fn place(row: &Row) -> Result<Place, ReadError> {
    Ok(Place { stream: column(row, 0)?, number: natural(row, 1)?, position: natural(row, 2)? })
}

fn note(row: &Row) -> Result<Note, ReadError> {
    let (key, position, bytes) = note_of(row)?;
    let value = record::decode(Name::Note(&key), &bytes)?.to_vec();
    Ok(Note { key, value, position })
}

fn note_of(row: &Row) -> Result<(Vec<u8>, u64, Vec<u8>), ReadError> {
    Ok((column(row, 0)?, natural(row, 1)?, column(row, 2)?))
}

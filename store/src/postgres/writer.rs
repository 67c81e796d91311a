//! The one thread that writes: it takes all waiting writes, hands them to the database in one call, and answers.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher as _, RandomState};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio_postgres::Row;

use crate::error::{ReadError, WriteError};
use crate::figures::Histogram;
use crate::postgres::database::{Database, big, column, natural};
use crate::postgres::follow::{self, Known, Questions};
use crate::postgres::migrate::Found;
use crate::postgres::record::{self, Name};
use crate::postgres::session::{Access, Failure, Session, Value};
use crate::queue::{self, Queue, micros};
use crate::stream::{Note, StreamId};
use crate::write::{Commit, Ticket, Write};

const APPEND: &str = "SELECT stored, last, taken FROM muninn.append($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
/// Ends the session that this writer had before, so that nothing it sent is done later, and waits until it is gone. With the store's row held it
/// has written nothing: ended while its commit waits for a quorum, it would show a commit that may still be lost.
const END_FORMER: &str = "BEGIN; SELECT FROM muninn.store FOR UPDATE;
    SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity
    WHERE application_name = current_setting('application_name') AND pid <> pg_backend_pid() AND usename = current_user;
    ROLLBACK";

/// So long a batch of unknown outcome is asked for again: longer than a fail-over takes.
const UNTIL_UNKNOWN: Duration = Duration::from_secs(30);
/// So long a batch is tried that was never sent.
const UNTIL_REFUSED: Duration = Duration::from_secs(5);
/// So long a refusal of the database counts where nothing was written since: a balancer may send nothing more to this server meanwhile.
const REMEMBERED: Duration = Duration::from_secs(15);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(100);

pub(crate) type Job = queue::Job<Work>;

/// A write that waits.
#[derive(Debug, Default)]
pub(crate) struct Work {
    /// With bytes and header as they are stored.
    commit: Option<Commit>,
    notes: Vec<Entry>,
}

/// A note: key, its value unless it is removed, its position unless it is that of the write.
type Entry = (Vec<u8>, Option<Vec<u8>>, Option<i64>);

fn written((key, value): (Vec<u8>, Vec<u8>)) -> Entry {
    let value = record::encode(Name::Note(&key), &value);
    (key, Some(value), None)
}

impl Work {
    pub(crate) fn new(write: Write) -> Work {
        let commit = write.commit.map(|Commit { stream, number, bytes, header }| {
            let bytes = record::encode(Name::Commit(stream, number), &bytes);
            let header = header.map(|bytes| record::encode(Name::Header(stream), &bytes));
            Commit { stream, number, bytes, header }
        });
        Work { commit, notes: write.notes.into_iter().map(written).collect() }
    }

    pub(crate) fn restored(notes: &[Note]) -> Work {
        let note = |note: &Note| {
            let value = record::encode(Name::Note(&note.key), &note.value);
            (note.key.clone(), Some(value), Some(big(note.position)))
        };
        Work { commit: None, notes: notes.iter().map(note).collect() }
    }

    pub(crate) fn forgotten(keys: &[Vec<u8>], note: Option<(Vec<u8>, Vec<u8>)>) -> Work {
        let removed = keys.iter().map(|key| (key.clone(), None, None));
        Work { commit: None, notes: removed.chain(note.map(written)).collect() }
    }

    pub(crate) fn job(self) -> (Job, Ticket) {
        let commit = self.commit.as_ref();
        let commit = commit.map_or(0, |c| c.bytes.len() + c.header.as_ref().map_or(0, Vec::len));
        let notes =
            self.notes.iter().map(|(key, value, _)| key.len() + value.as_ref().map_or(0, Vec::len));
        let bytes = commit + notes.sum::<usize>();
        queue::Job::new(self, bytes)
    }
}

/// The arguments of one call.
#[derive(Clone, Debug, Default)]
struct Batch {
    streams: Vec<Option<StreamId>>,
    numbers: Vec<Option<i64>>,
    bodies: Vec<Option<Vec<u8>>>,
    heads: Vec<Option<Vec<u8>>>,
    owners: Vec<i32>,
    offsets: Vec<i32>,
    keys: Vec<Vec<u8>>,
    values: Vec<Option<Vec<u8>>>,
    places: Vec<Option<i64>>,
    marks: Vec<i64>,
    /// No two writes can stand in each other's way.
    clean: bool,
}

impl Batch {
    /// `mark` gives each write one that no other has, of this writer or another.
    fn of(works: impl Iterator<Item = Work>, mut mark: impl FnMut() -> i64) -> Batch {
        let mut batch = Batch { clean: true, ..Batch::default() };
        let mut last: HashMap<StreamId, u64> = HashMap::new();
        let mut keys = HashSet::new();
        let (mut owner, mut commits) = (0, 0);
        for Work { commit, notes } in works {
            owner += 1;
            if let Some(Commit { stream, number, .. }) = &commit {
                commits += 1;
                let before = last.insert(*stream, *number);
                batch.clean &= before.is_none_or(|before| before.checked_add(1) == Some(*number));
            }
            let (stream, number, bytes, header) = match commit {
                Some(Commit { stream, number, bytes, header }) => {
                    (Some(stream), Some(big(number)), Some(bytes), header)
                }
                None => (None, None, None, None),
            };
            batch.streams.push(stream);
            batch.numbers.push(number);
            batch.bodies.push(bytes);
            batch.heads.push(header);
            batch.marks.push(mark());
            for (key, value, place) in notes {
                batch.clean &= value.is_some() && keys.insert(key.clone());
                batch.owners.push(owner);
                batch.offsets.push(commits);
                batch.keys.push(key);
                batch.values.push(value);
                batch.places.push(place);
            }
        }
        batch
    }

    fn values(self, schema: i32, again: bool) -> Vec<Value> {
        vec![
            Box::new(schema),
            Box::new(self.clean),
            Box::new(again),
            Box::new(self.streams),
            Box::new(self.numbers),
            Box::new(self.bodies),
            Box::new(self.heads),
            Box::new(self.owners),
            Box::new(self.offsets),
            Box::new(self.keys),
            Box::new(self.values),
            Box::new(self.places),
            Box::new(self.marks),
        ]
    }
}

/// Why the database refused what was written last, if it did: its disk is full, or what writes need is locked, or gone.
#[derive(Debug, Default)]
pub(crate) struct Refusal(Mutex<Option<(Instant, String)>>);

impl Refusal {
    fn set(&self, why: Option<&str>) {
        let now = Instant::now();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) =
            why.map(|why| (now, why.to_owned()));
    }

    pub(crate) fn why(&self) -> Option<String> {
        let refusal = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refusal.as_ref().filter(|(at, _)| at.elapsed() < REMEMBERED).map(|(_, why)| why.clone())
    }
}

/// What the writer, the readers and the callers share.
pub(crate) struct Shared {
    pub(crate) database: Database,
    /// What the store must have for its writes.
    schema: i32,
    pub(crate) queue: Queue<Work>,
    pub(crate) known: Arc<Known>,
    pub(crate) questions: Arc<Questions>,
    pub(crate) commits: AtomicU64,
    pub(crate) refusal: Refusal,
    /// How long the calls took that committed, in microseconds.
    pub(crate) calls: Histogram,
}

impl Shared {
    pub(crate) fn new(database: Database, found: Found) -> Shared {
        Shared {
            database,
            schema: found.schema,
            queue: Queue::new(),
            known: Arc::new(Known::new(found)),
            questions: Arc::default(),
            commits: AtomicU64::new(0),
            refusal: Refusal::default(),
            calls: Histogram::of_micros(),
        }
    }
}

/// The writing thread's own state.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    config: Access,
    session: Option<Session>,
    /// Of the last write; random at first.
    mark: u64,
}

impl Writer {
    pub(crate) fn new(shared: Arc<Shared>) -> Writer {
        let mut config = shared.database.config().clone();
        let since = std::time::UNIX_EPOCH.elapsed().map_or(0, |since| since.as_nanos());
        config.application_name(format!("muninn writer {} {since}", process::id()));
        let mark = RandomState::new().hash_one(since);
        Writer { shared, config, session: None, mark }
    }

    /// Writes until the store closes.
    pub(crate) fn run(mut self) {
        loop {
            let jobs = self.shared.queue.take();
            if jobs.is_empty() {
                break;
            }
            let jobs = self.in_time(jobs);
            if !jobs.is_empty() {
                self.write(jobs);
            }
        }
    }

    /// Without those that have waited for long while the database did not answer: they were never sent, and are refused now.
    fn in_time(&self, jobs: Vec<Job>) -> Vec<Job> {
        let Some(why) = self.shared.database.trouble() else { return jobs };
        let mut is_late = false;
        let (late, in_time): (Vec<_>, _) = jobs.into_iter().partition(|job| {
            // What is one batch with the one before waits as that does.
            is_late = if job.joined { is_late } else { job.since.elapsed() > UNTIL_REFUSED };
            is_late
        });
        late.into_iter().for_each(|job| job.answer(Err(WriteError::Unavailable(why.clone()))));
        in_time
    }

    fn write(&mut self, jobs: Vec<Job>) {
        let (works, answers): (Vec<_>, Vec<_>) =
            jobs.into_iter().map(|job| (job.work, job.answer)).unzip();
        let has_commit: Vec<bool> = works.iter().map(|work| work.commit.is_some()).collect();
        let batch = Batch::of(works.into_iter(), || {
            self.mark = self.mark.wrapping_add(1);
            self.mark.cast_signed()
        });
        let results = match self.append(&batch).and_then(|rows| self.outcomes(&rows, &has_commit)) {
            Ok(results) => results,
            Err(error) => vec![Err(error); answers.len()],
        };
        for (answer, result) in answers.into_iter().zip(results) {
            // The caller may have dropped the ticket; then nobody wants the answer.
            drop(answer.send(result));
        }
    }

    /// Hands the batch to the database, until its outcome is known or time is up.
    fn append(&mut self, batch: &Batch) -> Result<Vec<Row>, WriteError> {
        let start = Instant::now();
        let mut is_unknown = false;
        let failed = |is_unknown, why| match is_unknown {
            true => WriteError::Unknown(why),
            false => WriteError::Unavailable(why),
        };
        loop {
            // Another store gets nothing that was meant for this one.
            if let Some(why) = self.shared.known.replaced() {
                return Err(failed(is_unknown, why));
            }
            let called = Instant::now();
            let why = match self.call(batch.clone().values(self.shared.schema, is_unknown)) {
                Ok(rows) => {
                    self.shared.calls.observe(micros(called));
                    self.shared.known.schema(None);
                    self.shared.refusal.set(None);
                    return Ok(rows);
                }
                // Whatever an earlier call did: under the newer schema it is not asked.
                Err((_, Failure::OtherSchema(why))) => {
                    self.shared.known.schema(Some(why.clone()));
                    let error = if is_unknown { WriteError::Unknown } else { WriteError::Outdated };
                    return Err(error(why));
                }
                Err((
                    _,
                    Failure::Refused(why)
                    | Failure::Busy(why)
                    | Failure::Damaged(why)
                    | Failure::Odd(why),
                )) => {
                    if !is_unknown {
                        self.shared.refusal.set(Some(&why));
                        return Err(WriteError::Unavailable(why));
                    }
                    // It is not known whether an earlier call did it, so its refusal now says little.
                    why
                }
                Err((was_sent, Failure::Lost(why))) => {
                    is_unknown |= was_sent;
                    why
                }
            };
            let patience = if is_unknown { UNTIL_UNKNOWN } else { UNTIL_REFUSED };
            if start.elapsed() > patience {
                return Err(failed(is_unknown, why));
            }
            thread::sleep(PAUSE);
        }
    }

    /// One call, in the session that there is or in a new one. Of a failure: whether the call was sent.
    fn call(&mut self, values: Vec<Value>) -> Result<Vec<Row>, (bool, Failure)> {
        let session = self.session.take().filter(|session| !session.is_closed());
        let (config, known) = (self.config.clone(), Arc::clone(&self.shared.known));
        let database = &self.shared.database;
        let mut session = match session {
            Some(session) => session,
            None => database
                .run(async move {
                    let mut session = Session::begin(&config).await?;
                    session.execute_uncommitted(END_FORMER).await?;
                    // While there was no session, another store may have come in the place of this one.
                    follow::look(&mut session, &known).await?;
                    Ok(session)
                })
                .map_err(|failure| (false, failure))?,
        };
        let called = database.run(async move {
            let answer = session.ask(APPEND, &values).await;
            answer.map(|rows| (Ok(rows), Some(session))).or_else(|failure| match failure {
                Failure::Refused(_)
                | Failure::Busy(_)
                | Failure::OtherSchema(_)
                | Failure::Damaged(_)
                | Failure::Odd(_) => Ok((Err(failure), None)),
                Failure::Lost(_) => Err(failure),
            })
        });
        let (answer, session) = called.map_err(|failure| (true, failure))?;
        self.session = session;
        answer.map_err(|failure| (true, failure))
    }

    /// What each write is answered.
    fn outcomes(
        &self,
        rows: &[Row],
        has_commit: &[bool],
    ) -> Result<Vec<Result<u64, WriteError>>, WriteError> {
        let read = || -> Result<Vec<_>, ReadError> {
            rows.iter()
                .map(|row| {
                    let taken: Option<Vec<u8>> = column(row, 2)?;
                    let last: Option<i64> = column(row, 1)?;
                    Ok(match (taken, last) {
                        (Some(key), _) => Err(WriteError::NoteTaken { key }),
                        (None, Some(_)) => Err(WriteError::Conflict { last: natural(row, 1)? }),
                        (None, None) => Ok(natural(row, 0)?),
                    })
                })
                .collect()
        };
        let results = read().map_err(|error| WriteError::Unknown(error.to_string()))?;
        if results.len() != has_commit.len() {
            let what = format!("{} answers for {} writes", results.len(), has_commit.len());
            return Err(WriteError::Unknown(what));
        }
        for (result, has_commit) in results.iter().zip(has_commit) {
            if let Ok(position) = result {
                self.shared.known.learn(*position);
                self.shared.commits.fetch_add(u64::from(*has_commit), Ordering::Relaxed);
            }
        }
        Ok(results)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // However the thread ends, nobody waits for it in vain.
        let why = "it was closed";
        let waiting = self.shared.queue.fail(why);
        waiting
            .into_iter()
            .for_each(|job| job.answer(Err(WriteError::Unavailable(why.to_owned()))));
    }
}

//! The one thread that writes: it takes all waiting writes, makes one batch of them, syncs once, and answers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

use sled::Batch;
use tokio::sync::oneshot;

use crate::engine::Engine;
use crate::error::{ReadError, Trouble, WriteError};
use crate::folder::Files;
use crate::head::{Acknowledged, Head};
use crate::layout::{self, Record};
use crate::stream::{Bytes, StreamId};
use crate::write::{Ticket, Write};

/// So many writes, and so many bytes, may wait; what comes then is refused rather than kept in memory.
const WAITING_WRITES: usize = 20_000;
const WAITING_BYTES: usize = 64 << 20;
/// A batch takes no more than this, so that those at its front do not wait for all behind them.
const BATCH_WRITES: usize = 1_000;
const BATCH_BYTES: usize = 4 << 20;
/// The writer remembers the last number of so many streams, to save a look into the tree.
const KNOWN_STREAMS: usize = 100_000;

type Answer = oneshot::Sender<Result<u64, WriteError>>;

/// What the writer, the readers and the callers share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    files: Files,
    pub(crate) visible: Visible,
    /// A batch is being written right now.
    pub(crate) is_writing: AtomicBool,
    /// The commits of that batch. Where the disk failed they stay, as do the headers and notes in [`Visible::replaced`]: nobody knows
    /// what a restart will find of them.
    under_way: Mutex<Vec<(StreamId, u64)>>,
    queue: Mutex<Queue>,
    arrived: Condvar,
}

/// What readers may see while a batch is in the tree but not yet on disk.
#[derive(Debug, Default)]
pub(crate) struct Visible {
    /// The feed position of the last durable commit.
    pub(crate) position: AtomicU64,
    /// By key, the durable values of the headers and notes that the batch replaces.
    pub(crate) replaced: RwLock<BTreeMap<Vec<u8>, Option<Bytes>>>,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Job>,
    bytes: usize,
    is_closing: bool,
    failure: Option<String>,
}

/// A write that waits.
#[derive(Debug)]
struct Job {
    commit: Option<(StreamId, u64, Record)>,
    others: Vec<Record>,
    bytes: usize,
    answer: Answer,
}

impl Job {
    fn new(write: Write, answer: Answer) -> Job {
        let Write { commit, header, notes } = write;
        let commit = commit.map(|c| {
            (c.stream, c.number, Record::new(layout::commit_key(c.stream, c.number), &c.bytes))
        });
        let header = header.map(|(stream, bytes)| Record::new(layout::header_key(stream), &bytes));
        let notes =
            notes.into_iter().map(|(key, bytes)| Record::new(layout::note_key(&key), &bytes));
        let others: Vec<Record> = header.into_iter().chain(notes).collect();
        let bytes =
            commit.iter().map(|(_, _, record)| record).chain(&others).map(Record::size).sum();
        Job { commit, others, bytes, answer }
    }

    fn answer(self, answer: Result<u64, WriteError>) {
        // The caller may have dropped the ticket; then nobody wants the answer.
        drop(self.answer.send(answer));
    }
}

impl Shared {
    pub(crate) fn new(engine: Engine, files: Files, position: u64) -> Shared {
        let visible = Visible { position: AtomicU64::new(position), replaced: RwLock::default() };
        Shared {
            engine,
            files,
            visible,
            is_writing: AtomicBool::new(false),
            under_way: Mutex::default(),
            queue: Mutex::default(),
            arrived: Condvar::new(),
        }
    }

    pub(crate) fn submit(&self, write: Write) -> Ticket {
        let (answer, ticket) = oneshot::channel();
        let problem = write.problem();
        let job = Job::new(write, answer);
        match problem {
            Some(problem) => job.answer(Err(WriteError::Unavailable(problem))),
            None => self.enqueue(job),
        }
        Ticket(ticket)
    }

    fn enqueue(&self, job: Job) {
        let mut queue = self.queue();
        if let Some(failure) = queue.failure.clone() {
            drop(queue);
            return self.refuse(job, &failure);
        }
        if queue.jobs.len() >= WAITING_WRITES || queue.bytes >= WAITING_BYTES {
            let (writes, bytes) = (queue.jobs.len(), queue.bytes);
            let why = format!("{writes} writes of {bytes} bytes are waiting already");
            return job.answer(Err(WriteError::Unavailable(why)));
        }
        queue.bytes += job.bytes;
        queue.jobs.push_back(job);
        self.arrived.notify_one();
    }

    /// Answers a write that comes after the disk failed. It was not stored; but an earlier one that looks the same may have been, and
    /// then its caller must not hear that nothing was.
    fn refuse(&self, job: Job, why: &str) {
        let is_unknown = job.others.iter().any(|record| self.is_replaced(&record.key))
            || job
                .commit
                .as_ref()
                .is_some_and(|(stream, number, _)| self.under_way().contains(&(*stream, *number)));
        let error = if is_unknown { WriteError::Unknown } else { WriteError::Unavailable };
        job.answer(Err(error(why.to_owned())));
    }

    /// Whether the disk failed while the header or note with this key was written.
    pub(crate) fn is_unknown(&self, key: &[u8]) -> bool {
        self.queue().failure.is_some() && self.is_replaced(key)
    }

    fn is_replaced(&self, key: &[u8]) -> bool {
        let replaced = self.visible.replaced.read().unwrap_or_else(PoisonError::into_inner);
        replaced.contains_key(key)
    }

    fn under_way(&self) -> MutexGuard<'_, Vec<(StreamId, u64)>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why no writes are taken now, if they are not.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        if let Some(what) = self.engine.unreadable() {
            return Some(Trouble::Unreadable(what.to_owned()));
        }
        if let Some(why) = self.queue().failure.clone().or_else(|| self.engine.failure()) {
            return Some(Trouble::Failed(why));
        }
        if let Some(path) = self.files.missing() {
            return Some(Trouble::Gone(path.to_owned()));
        }
        (!self.engine.has_space()).then_some(Trouble::Full)
    }

    pub(crate) fn is_healthy(&self) -> bool {
        self.queue().failure.is_none() && self.engine.failure().is_none()
    }

    /// Lets the writer finish what waits, and then end.
    pub(crate) fn close(&self) {
        self.queue().is_closing = true;
        self.arrived.notify_all();
    }

    /// The waiting writes, at most one batch; waits for one. Empty when the store closes.
    fn take(&self) -> Vec<Job> {
        let mut queue = self.queue();
        while queue.jobs.is_empty() && !queue.is_closing {
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        let mut bytes = 0;
        let fits = |job: &&Job| {
            bytes += job.bytes;
            bytes <= BATCH_BYTES
        };
        let count = queue.jobs.iter().take(BATCH_WRITES).take_while(fits).count();
        let count = count.max(1).min(queue.jobs.len());
        let jobs: Vec<Job> = queue.jobs.drain(..count).collect();
        queue.bytes -= jobs.iter().map(|job| job.bytes).sum::<usize>();
        jobs
    }

    /// Refuses all that waits, and all that comes.
    fn fail(&self, why: &str) {
        let mut queue = self.queue();
        queue.failure.get_or_insert_with(|| why.to_owned());
        queue.bytes = 0;
        let jobs = std::mem::take(&mut queue.jobs);
        drop(queue);
        jobs.into_iter().for_each(|job| self.refuse(job, why));
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The writing thread's own state.
pub(crate) struct Writer {
    shared: Arc<Shared>,
    head: Head,
    position: u64,
    known: HashMap<StreamId, u64>,
}

/// A batch in the making.
#[derive(Default)]
struct Plan {
    batch: Batch,
    commits: Vec<(StreamId, u64)>,
    replaced: BTreeMap<Vec<u8>, Option<Bytes>>,
    /// Whom to answer, and with which position: that of the commit, if there was one.
    answers: Vec<(Answer, Option<u64>)>,
}

impl Writer {
    pub(crate) fn new(shared: Arc<Shared>, head: Head, position: u64) -> Writer {
        Writer { shared, head, position, known: HashMap::new() }
    }

    /// Writes until the store closes.
    pub(crate) fn run(mut self) {
        loop {
            let jobs = self.shared.take();
            if jobs.is_empty() {
                break;
            }
            self.shared.is_writing.store(true, Ordering::Release);
            self.write(jobs);
            self.shared.is_writing.store(false, Ordering::Release);
        }
        // Should this fail, the file is as after a crash, which is enough.
        drop(self.head.sync());
    }

    fn write(&mut self, jobs: Vec<Job>) {
        // Looked at before anything is written: a write that fails in the middle leaves an outcome that nobody knows.
        if let Some(trouble) = self.shared.trouble() {
            let refusal = WriteError::Unavailable(trouble.to_string());
            return jobs.into_iter().for_each(|job| job.answer(Err(refusal.clone())));
        }
        let mut plan = Plan::default();
        let planned = self.plan(jobs, &mut plan).and_then(|()| self.prepare(&mut plan));
        let refused = |error| format!("what a write needs could not be read ({error})");
        let failed = |error| format!("a write failed ({error}); restart once the disk works again");
        let written = match planned {
            Err(error) => Err((WriteError::Unavailable as fn(String) -> _, refused(error))),
            Ok(_) if plan.answers.is_empty() => Ok(()),
            Ok(position) => self
                .commit(std::mem::take(&mut plan.batch), position)
                .map_err(|error| (WriteError::Unknown as fn(String) -> _, failed(error))),
        };
        if let Err((_, why)) = &written {
            // First this, so that who learns of the failure finds the store unhealthy.
            self.shared.fail(why);
        }
        let position = self.position;
        for (answer, own) in plan.answers {
            let result = match &written {
                Ok(()) => Ok(own.unwrap_or(position)),
                Err((error, why)) => Err(error(why.clone())),
            };
            drop(answer.send(result));
        }
    }

    /// Checks each write against the stream and those before it, and puts it into the batch or refuses it.
    fn plan(&mut self, jobs: Vec<Job>, plan: &mut Plan) -> Result<(), ReadError> {
        let mut position = self.position;
        let mut jobs = jobs.into_iter();
        while let Some(Job { commit, others, answer, .. }) = jobs.next() {
            let mut own = None;
            if let Some((stream, number, record)) = commit {
                let last = match self.last_number(stream) {
                    Ok(last) => last,
                    Err(error) => {
                        plan.answers.push((answer, None));
                        plan.answers.extend(jobs.map(|job| (job.answer, None)));
                        return Err(error);
                    }
                };
                if number != last + 1 {
                    drop(answer.send(Err(WriteError::Conflict { last })));
                    continue;
                }
                position += 1;
                own = Some(position);
                self.known.insert(stream, number);
                plan.commits.push((stream, number));
                record.place(position, &mut plan.batch);
            }
            for record in others {
                plan.replaced.insert(record.key.clone(), None);
                record.place(0, &mut plan.batch);
            }
            plan.answers.push((answer, own));
        }
        Ok(())
    }

    fn last_number(&mut self, stream: StreamId) -> Result<u64, ReadError> {
        if let Some(last) = self.known.get(&stream) {
            return Ok(*last);
        }
        let last = self.shared.engine.last_number(stream)?;
        if self.known.len() >= KNOWN_STREAMS {
            self.known.clear();
        }
        self.known.insert(stream, last);
        Ok(last)
    }

    /// Completes the batch, and hides what it replaces. Returns the position after it. Nothing is written yet.
    fn prepare(&self, plan: &mut Plan) -> Result<u64, ReadError> {
        let mut first = self.position + 1;
        for commits in plan.commits.chunks(layout::FEED_ENTRIES) {
            plan.batch.insert(layout::feed_key(first), layout::feed_value(first, commits));
            first += commits.len() as u64;
        }
        let Shared { engine, visible, .. } = &*self.shared;
        for (key, old) in &mut plan.replaced {
            *old = engine.record(key)?.map(|(_, bytes)| bytes);
        }
        *visible.replaced.write().unwrap_or_else(PoisonError::into_inner) =
            std::mem::take(&mut plan.replaced);
        *self.shared.under_way() = std::mem::take(&mut plan.commits);
        Ok(first - 1)
    }

    /// Makes the batch durable, then visible. Where this fails, nobody knows what of it is on disk.
    fn commit(&mut self, batch: Batch, position: u64) -> Result<(), ReadError> {
        let Shared { engine, visible, .. } = &*self.shared;
        let lsn = engine.apply(batch)?;
        self.position = position;
        self.head.write(Acknowledged { position: self.position, lsn }).map_err(sled::Error::Io)?;
        // Under one lock: who sees the commit finds its header and notes, and the other way round.
        let mut replaced = visible.replaced.write().unwrap_or_else(PoisonError::into_inner);
        visible.position.store(self.position, Ordering::Release);
        replaced.clear();
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // However the thread ends, nobody waits for it in vain. Were it by a panic, what it was about to write is kept as unknown.
        self.shared.fail("it was closed");
    }
}

//! The one thread that writes: it takes all waiting writes, makes one batch of them, syncs once, and answers.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

use sled::Batch;
use tokio::sync::oneshot;

use crate::engine::Engine;
use crate::error::{ReadError, WriteError};
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
    pub(crate) visible: Visible,
    /// A batch is being written right now.
    pub(crate) is_writing: AtomicBool,
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
}

impl Shared {
    pub(crate) fn new(engine: Engine, position: u64) -> Shared {
        let visible = Visible { position: AtomicU64::new(position), replaced: RwLock::default() };
        Shared {
            engine,
            visible,
            is_writing: AtomicBool::new(false),
            queue: Mutex::default(),
            arrived: Condvar::new(),
        }
    }

    pub(crate) fn submit(&self, write: Write) -> Ticket {
        let (answer, ticket) = oneshot::channel();
        let refusal = match write.problem() {
            Some(problem) => Err((problem, answer)),
            None => self.enqueue(Job::new(write, answer)),
        };
        match refusal {
            Ok(()) => self.arrived.notify_one(),
            // The caller may have dropped the ticket; then nobody wants the answer.
            Err((why, answer)) => drop(answer.send(Err(WriteError::Unavailable(why)))),
        }
        Ticket(ticket)
    }

    fn enqueue(&self, job: Job) -> Result<(), (String, Answer)> {
        let mut queue = self.queue();
        if let Some(failure) = &queue.failure {
            return Err((failure.clone(), job.answer));
        }
        if queue.jobs.len() >= WAITING_WRITES || queue.bytes >= WAITING_BYTES {
            let (writes, bytes) = (queue.jobs.len(), queue.bytes);
            return Err((
                format!("{writes} writes of {bytes} bytes are waiting already"),
                job.answer,
            ));
        }
        queue.bytes += job.bytes;
        queue.jobs.push_back(job);
        Ok(())
    }

    pub(crate) fn is_healthy(&self) -> bool {
        self.queue().failure.is_none()
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
        jobs.into_iter()
            .for_each(|job| drop(job.answer.send(Err(WriteError::Unavailable(why.to_owned())))));
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
        if !self.shared.engine.has_space() {
            let full = WriteError::Unavailable("the disk is full".to_owned());
            return jobs.into_iter().for_each(|job| drop(job.answer.send(Err(full.clone()))));
        }
        let mut plan = Plan::default();
        let written = self.plan(jobs, &mut plan).and_then(|()| self.commit(&mut plan));
        match written {
            Ok(()) => {
                let position = self.position;
                for (answer, own) in plan.answers {
                    drop(answer.send(Ok(own.unwrap_or(position))));
                }
            }
            Err(error) => {
                let why = format!("a write failed ({error}); restart when the disk is well again");
                // First this, so that who learns of the failure finds the store unhealthy.
                self.shared.fail(&why);
                for (answer, _) in plan.answers {
                    drop(answer.send(Err(WriteError::Unavailable(why.clone()))));
                }
            }
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

    /// Makes the batch durable, then visible.
    fn commit(&mut self, plan: &mut Plan) -> Result<(), ReadError> {
        if plan.answers.is_empty() {
            return Ok(());
        }
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
        let lsn = engine.apply(std::mem::take(&mut plan.batch))?;
        self.position = first - 1;
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
        // However the thread ends, nobody waits for it in vain.
        self.shared.fail("it was closed");
    }
}

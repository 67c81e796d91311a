//! The one thread that writes: it takes all waiting writes, makes one batch of them, syncs once, and answers.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use sled::Batch;
use tokio::sync::oneshot;

use crate::error::{ReadError, Trouble, WriteError};
use crate::figures::{Figures, Histogram};
use crate::local::engine::{Engine, micros};
use crate::local::folder::Files;
use crate::local::head::{Acknowledged, Head};
use crate::local::layout::{self, Record};
use crate::stream::{Note, StreamId};
use crate::write::{Commit, Ticket, Write};

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
    /// The feed position when it was opened.
    opened_at: u64,
    pub(crate) visible: Visible,
    /// A batch is being written right now.
    pub(crate) is_writing: AtomicBool,
    queue: Mutex<Queue>,
    arrived: Condvar,
    /// How long writes waited, and how many a batch had.
    waited: Histogram,
    batches: Histogram,
}

/// What readers may see while a batch is in the tree but not yet on disk.
#[derive(Debug, Default)]
pub(crate) struct Visible {
    /// The feed position of the last durable commit.
    pub(crate) position: AtomicU64,
    /// The keys of all records of the batch; none had a value before. Where the disk failed they stay: nobody knows what a restart will
    /// find of them.
    under_way: RwLock<HashSet<Vec<u8>>>,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Job>,
    bytes: usize,
    is_closing: bool,
    failure: Option<String>,
    /// How many writes were refused because too many waited.
    refused: u64,
}

/// A write that waits.
#[derive(Debug)]
struct Job {
    commit: Option<(StreamId, u64, Record)>,
    /// The header, if there is one, and the notes.
    others: Vec<Record>,
    /// The keys of notes that go.
    forgotten: Vec<Vec<u8>>,
    bytes: usize,
    /// It is in one batch with the one before.
    joined: bool,
    answer: Answer,
    since: Instant,
}

impl Job {
    fn new(write: Write, answer: Answer) -> Job {
        let Write { commit, notes } = write;
        let mut others = Vec::new();
        let commit = commit.map(|Commit { stream, number, bytes, header }| {
            others
                .extend(header.map(|bytes| Record::new(layout::header_key(stream), &bytes).at(0)));
            (stream, number, Record::new(layout::commit_key(stream, number), &bytes))
        });
        others.extend(notes.iter().map(|(key, bytes)| Record::new(layout::note_key(key), bytes)));
        Job::of(commit, others, answer)
    }

    fn of(commit: Option<(StreamId, u64, Record)>, others: Vec<Record>, answer: Answer) -> Job {
        let bytes =
            commit.iter().map(|(_, _, record)| record).chain(&others).map(Record::size).sum();
        let forgotten = Vec::new();
        Job { commit, others, forgotten, bytes, joined: false, answer, since: Instant::now() }
    }

    fn answer(self, answer: Result<u64, WriteError>) {
        // The caller may have dropped the ticket; then nobody wants the answer.
        drop(self.answer.send(answer));
    }
}

impl Shared {
    pub(crate) fn new(engine: Engine, files: Files, position: u64) -> Shared {
        let visible = Visible { position: AtomicU64::new(position), under_way: RwLock::default() };
        Shared {
            engine,
            files,
            opened_at: position,
            visible,
            is_writing: AtomicBool::new(false),
            queue: Mutex::default(),
            arrived: Condvar::new(),
            waited: Histogram::of_micros(),
            batches: Histogram::of_writes(),
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

    /// Takes writes that become durable together: they are one batch, however many they are.
    pub(crate) fn submit_together(&self, writes: Vec<Write>) -> Vec<Ticket> {
        let problem = writes.iter().find_map(Write::problem);
        let mut queue = self.queue();
        let enqueue = |(number, write)| {
            let (answer, ticket) = oneshot::channel();
            let job = Job { joined: number > 0, ..Job::new(write, answer) };
            if let Some(why) = problem.as_ref().or(queue.failure.as_ref()) {
                job.answer(Err(WriteError::Unavailable(why.clone())));
            } else {
                queue.bytes += job.bytes;
                queue.jobs.push_back(job);
            }
            Ticket(ticket)
        };
        let tickets = writes.into_iter().enumerate().map(enqueue).collect();
        self.arrived.notify_one();
        tickets
    }

    /// Takes notes that have their positions already.
    pub(crate) fn submit_notes(&self, notes: &[Note]) -> Ticket {
        let (answer, ticket) = oneshot::channel();
        let record =
            |note: &Note| Record::new(layout::note_key(&note.key), &note.value).at(note.position);
        self.enqueue(Job::of(None, notes.iter().map(record).collect(), answer));
        Ticket(ticket)
    }

    pub(crate) fn forget(&self, keys: &[Vec<u8>]) -> Ticket {
        let (answer, ticket) = oneshot::channel();
        let forgotten = keys.iter().map(|key| layout::note_key(key)).collect();
        self.enqueue(Job { forgotten, ..Job::of(None, Vec::new(), answer) });
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
            queue.refused += 1;
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
        let records = job.commit.iter().map(|(_, _, record)| record).chain(&job.others);
        let mut keys = records.map(|record| &record.key).chain(&job.forgotten);
        let is_unknown = keys.any(|key| self.is_under_way(key));
        let error = if is_unknown { WriteError::Unknown } else { WriteError::Unavailable };
        job.answer(Err(error(why.to_owned())));
    }

    /// Whether the disk failed while the record with this key was written.
    pub(crate) fn is_unknown(&self, key: &[u8]) -> bool {
        self.queue().failure.is_some() && self.is_under_way(key)
    }

    /// Whether the record with this key is in the batch that is not durable yet, or never became so.
    pub(crate) fn is_under_way(&self, key: &[u8]) -> bool {
        self.visible.under_way.read().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// Why no batch of so many bytes is taken now, if it is not.
    pub(crate) fn trouble(&self, bytes: u64) -> Option<Trouble> {
        if let Some(what) = self.engine.unreadable() {
            return Some(Trouble::Unreadable(what.to_owned()));
        }
        if let Some(why) = self.queue().failure.clone().or_else(|| self.engine.failure()) {
            return Some(Trouble::Failed(why));
        }
        if let Some(path) = self.files.missing() {
            return Some(Trouble::Gone(path.to_owned()));
        }
        let refused = || self.engine.failure().map_or(Trouble::Full, Trouble::Failed);
        (!self.engine.has_space(bytes)).then(refused)
    }

    pub(crate) fn is_healthy(&self) -> bool {
        self.queue().failure.is_none() && self.engine.failure().is_none()
    }

    pub(crate) fn figures(&self) -> Figures {
        let queue = self.queue();
        let (writes, bytes, refused) = (queue.jobs.len() as u64, queue.bytes as u64, queue.refused);
        // Others need not wait for what the disk tells.
        drop(queue);
        Figures {
            commits: self.visible.position.load(Ordering::Acquire) - self.opened_at,
            sync: self.engine.sync_times(),
            queue: self.waited.read(),
            batch: self.batches.read(),
            waiting_writes: writes,
            waiting_bytes: bytes,
            refused,
            log_bytes: self.engine.log_bytes(),
            free_bytes: self.engine.free_bytes(),
        }
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
        let joined = queue.jobs.iter().skip(count).take_while(|job| job.joined).count();
        let jobs: Vec<Job> = queue.jobs.drain(..count + joined).collect();
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
    /// The keys of all its records.
    keys: HashSet<Vec<u8>>,
    /// Whom to answer once the batch is durable, and with what: the position of the commit, if there was one, or why the write is refused.
    /// A refusal may come from another write of the batch, so it waits as well: whoever hears of it can read what stands in the way.
    answers: Vec<(Answer, Result<Option<u64>, WriteError>)>,
}

impl Plan {
    /// Removes records and their pieces.
    fn forget(&mut self, keys: Vec<Vec<u8>>) {
        keys.iter().for_each(|key| self.batch.remove(key.as_slice()));
        self.keys.extend(keys);
    }
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
        jobs.iter().for_each(|job| self.shared.waited.observe(micros(job.since)));
        self.shared.batches.observe(jobs.len() as u64);
        // Looked at before anything is written: a write that fails in the middle leaves an outcome that nobody knows.
        if let Some(trouble) = self.shared.trouble(jobs.iter().map(|job| job.bytes as u64).sum()) {
            let refusal = WriteError::Unavailable(trouble.to_string());
            return jobs.into_iter().for_each(|job| job.answer(Err(refusal.clone())));
        }
        let mut plan = Plan::default();
        let planned = self.plan(jobs, &mut plan).map(|()| self.prepare(&mut plan));
        let refused = |error| format!("what a write needs could not be read ({error})");
        let failed = |error| format!("a write failed ({error}); restart once the disk works again");
        let written = match planned {
            Err(error) => Err((WriteError::Unavailable as fn(String) -> _, refused(error))),
            Ok(None) => Ok(()),
            Ok(Some(position)) => self
                .commit(std::mem::take(&mut plan.batch), position)
                .map_err(|error| (WriteError::Unknown as fn(String) -> _, failed(error))),
        };
        if let Err((_, why)) = &written {
            // First this, so that who learns of the failure finds the store unhealthy.
            self.shared.fail(why);
        }
        let position = self.position;
        for (answer, planned) in plan.answers {
            let result = match &written {
                Ok(()) => planned.map(|own| own.unwrap_or(position)),
                Err((error, why)) => Err(error(why.clone())),
            };
            drop(answer.send(result));
        }
    }

    /// Checks each write against the stream and those before it, and puts it into the batch or refuses it.
    fn plan(&mut self, jobs: Vec<Job>, plan: &mut Plan) -> Result<(), ReadError> {
        let taken = match self.taken(&jobs) {
            Ok(taken) => taken,
            Err(error) => {
                plan.answers.extend(jobs.into_iter().map(|job| (job.answer, Ok(None))));
                return Err(error);
            }
        };
        let mut position = self.position;
        let mut jobs = jobs.into_iter();
        while let Some(job) = jobs.next() {
            let refusal = self.refusal(&job, |key| plan.keys.contains(key) || taken.contains(key));
            let checked = refusal.and_then(|refusal| Ok((refusal, self.forgotten(&job)?)));
            let Job { commit, others, answer, .. } = job;
            match checked {
                Ok((None, forgotten)) => plan.forget(forgotten),
                Ok((Some(refusal), _)) => {
                    plan.answers.push((answer, Err(refusal)));
                    continue;
                }
                Err(error) => {
                    plan.answers.push((answer, Ok(None)));
                    plan.answers.extend(jobs.map(|job| (job.answer, Ok(None))));
                    return Err(error);
                }
            }
            let mut own = None;
            if let Some((stream, number, record)) = commit {
                position += 1;
                own = Some(position);
                self.known.insert(stream, number);
                plan.commits.push((stream, number));
                plan.keys.insert(record.place(position, &mut plan.batch));
            }
            for record in others {
                plan.keys.insert(record.place(position, &mut plan.batch));
            }
            plan.answers.push((answer, Ok(own)));
        }
        Ok(())
    }

    /// The keys of notes that are in the tree already. Looked for in their order: it is faster to find neighbours one after another.
    fn taken(&self, jobs: &[Job]) -> Result<HashSet<Vec<u8>>, ReadError> {
        let keys = jobs.iter().flat_map(|job| &job.others).map(|record| &record.key);
        let mut notes: Vec<_> = keys.filter(|key| layout::key_of_note(key).is_some()).collect();
        notes.sort_unstable();
        let mut taken = HashSet::new();
        for key in notes {
            if self.shared.engine.has(key)? {
                taken.insert(key.clone());
            }
        }
        Ok(taken)
    }

    /// Why a write cannot follow what is in the tree and what was planned before it, if it cannot.
    fn refusal(
        &mut self,
        job: &Job,
        is_taken: impl Fn(&Vec<u8>) -> bool,
    ) -> Result<Option<WriteError>, ReadError> {
        if let Some((stream, number, _)) = job.commit {
            let last = self.last_number(stream)?;
            if number != last + 1 {
                return Ok(Some(WriteError::Conflict { last }));
            }
        }
        let mut own = HashSet::new();
        for Record { key, .. } in &job.others {
            // A header needs no look: it comes with the first commit of its stream, and that has just been checked.
            let Some(note) = layout::key_of_note(key) else { continue };
            if !own.insert(key) || is_taken(key) {
                return Ok(Some(WriteError::NoteTaken { key: note.to_vec() }));
            }
        }
        Ok(None)
    }

    /// The keys that go with the notes that a write removes. What is not there is not removed.
    fn forgotten(&self, job: &Job) -> Result<Vec<Vec<u8>>, ReadError> {
        let found = job.forgotten.iter().map(|key| self.shared.engine.keys_of(key));
        Ok(found.collect::<Result<Vec<_>, _>>()?.concat())
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

    /// Completes the batch, and hides what it will write. Returns the position after it, if there is anything to write. Nothing is written
    /// yet.
    fn prepare(&self, plan: &mut Plan) -> Option<u64> {
        if plan.keys.is_empty() {
            return None;
        }
        let mut first = self.position + 1;
        for commits in plan.commits.chunks(layout::FEED_ENTRIES) {
            plan.batch.insert(layout::feed_key(first), layout::feed_value(first, commits));
            first += commits.len() as u64;
        }
        *self.shared.visible.under_way.write().unwrap_or_else(PoisonError::into_inner) =
            std::mem::take(&mut plan.keys);
        Some(first - 1)
    }

    /// Makes the batch durable, then visible. Where this fails, nobody knows what of it is on disk.
    fn commit(&mut self, batch: Batch, position: u64) -> Result<(), ReadError> {
        let Shared { engine, visible, .. } = &*self.shared;
        let lsn = engine.apply(batch)?;
        self.position = position;
        self.head.write(Acknowledged { position: self.position, lsn }).map_err(sled::Error::Io)?;
        // Under one lock: who sees the commit finds its header and notes, and the other way round.
        let mut under_way = visible.under_way.write().unwrap_or_else(PoisonError::into_inner);
        visible.position.store(self.position, Ordering::Release);
        under_way.clear();
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // However the thread ends, nobody waits for it in vain. Were it by a panic, what it was about to write is kept as unknown.
        self.shared.fail("it was closed");
    }
}

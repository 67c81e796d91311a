//! The one thread that writes: it takes all waiting writes, makes one batch of them, syncs once, and answers.

use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use crate::error::{ReadError, Trouble, WriteError};
use crate::figures::Figures;
use crate::local::engine::{Durable, Engine};
use crate::local::folder::Files;
use crate::local::head::{Acknowledged, Head};
use crate::local::layout::{self, Record};
use crate::queue::{self, Answer, Queue};
use crate::stream::{Note, StreamId};
use crate::write::{Commit, Ticket, Write};
use sled::Batch;

/// The writer remembers the last number of so many streams, to save a look into the tree.
const KNOWN_STREAMS: usize = 100_000;

type Job = queue::Job<Work>;

/// What the writer, the readers and the callers share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) engine: Engine,
    files: Files,
    /// The feed position when it was opened.
    opened_at: u64,
    pub(crate) visible: Visible,
    /// How often the writer has begun to refuse batches for a trouble, and how often it has taken them again: odd while it refuses.
    verdict: AtomicU64,
    pub(crate) queue: Queue<Work>,
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

/// A write that waits.
#[derive(Debug, Default)]
pub(crate) struct Work {
    commit: Option<(StreamId, u64, Record)>,
    /// The header, if there is one, and the notes.
    others: Vec<Record>,
    /// The keys of notes that go, each with the position of the one that is meant, if it is one alone.
    forgotten: Vec<(Vec<u8>, Option<u64>)>,
    /// All that was written before is to be on disk.
    settles: bool,
}

impl Work {
    fn new(write: Write) -> Work {
        let Write { commit, notes } = write;
        let mut others = Vec::new();
        let commit = commit.map(|Commit { stream, number, bytes, header }| {
            others
                .extend(header.map(|bytes| Record::new(layout::header_key(stream), &bytes).at(0)));
            (stream, number, Record::new(layout::commit_key(stream, number), &bytes))
        });
        others.extend(notes.iter().map(|(key, bytes)| Record::new(layout::note_key(key), bytes)));
        Work { commit, others, ..Work::default() }
    }

    fn job(self) -> (Job, Ticket) {
        let records = self.commit.iter().map(|(_, _, record)| record).chain(&self.others);
        let bytes = records.map(Record::size).sum();
        Job::new(self, bytes)
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
            verdict: AtomicU64::new(0),
            queue: Queue::new(),
        }
    }

    pub(crate) fn submit(&self, write: Write) -> Ticket {
        let problem = write.problem();
        let (job, ticket) = Work::new(write).job();
        match problem {
            Some(problem) => job.answer(Err(WriteError::Unavailable(problem))),
            None => self.enqueue(job),
        }
        ticket
    }

    pub(crate) fn submit_together(&self, writes: Vec<Write>) -> Vec<Ticket> {
        let problem = writes.iter().find_map(Write::problem);
        let jobs = writes.into_iter().map(|write| Work::new(write).job());
        let (jobs, tickets): (Vec<_>, Vec<_>) = jobs.unzip();
        self.queue.push_together(jobs.into_iter(), problem);
        tickets
    }

    /// Takes notes that have their positions already.
    pub(crate) fn restore_notes(&self, notes: &[Note]) -> Ticket {
        let record =
            |note: &Note| Record::new(layout::note_key(&note.key), &note.value).at(note.position);
        self.take_in(Work { others: notes.iter().map(record).collect(), ..Work::default() })
    }

    /// Makes durable what was written before.
    pub(crate) fn settle(&self) -> Ticket {
        self.take_in(Work { settles: true, ..Work::default() })
    }

    pub(crate) fn forget(&self, keys: &[Vec<u8>], note: Option<(Vec<u8>, Vec<u8>)>) -> Ticket {
        let forgotten = keys.iter().map(|key| (layout::note_key(key), None)).collect();
        let noted = note.map(|(key, value)| Record::new(layout::note_key(&key), &value));
        let others = noted.into_iter().collect();
        self.take_in(Work { forgotten, others, ..Work::default() })
    }

    pub(crate) fn forget_read(&self, notes: &[Note]) -> Ticket {
        let read = |note: &Note| (layout::note_key(&note.key), Some(note.position));
        self.take_in(Work { forgotten: notes.iter().map(read).collect(), ..Work::default() })
    }

    fn take_in(&self, work: Work) -> Ticket {
        let (job, ticket) = work.job();
        self.enqueue(job);
        ticket
    }

    fn enqueue(&self, job: Job) {
        if let Err((job, failure)) = self.queue.push(job) {
            self.refuse(job, &failure);
        }
    }

    /// Answers a write that comes after the disk failed. It was not stored; but an earlier one that looks the same may have been, and
    /// then its caller must not hear that nothing was.
    fn refuse(&self, job: Job, why: &str) {
        let Work { commit, others, forgotten, settles: _ } = &job.work;
        let records = commit.iter().map(|(_, _, record)| record).chain(others);
        let forgotten = forgotten.iter().map(|(key, _)| key);
        let mut keys = records.map(|record| &record.key).chain(forgotten);
        let is_unknown = keys.any(|key| self.is_under_way(key));
        let error = if is_unknown { WriteError::Unknown } else { WriteError::Unavailable };
        job.answer(Err(error(why.to_owned())));
    }

    /// Whether the disk failed while the record with this key was written.
    pub(crate) fn is_unknown(&self, key: &[u8]) -> bool {
        self.queue.failure().is_some() && self.is_under_way(key)
    }

    /// Whether the record with this key is in the batch that is not durable yet, or never became so.
    pub(crate) fn is_under_way(&self, key: &[u8]) -> bool {
        self.visible.under_way.read().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    /// Why no batch is taken now, if none is. It looks at the disk, but writes nothing, and waits for nobody who does.
    pub(crate) fn trouble(&self) -> Option<Trouble> {
        self.trouble_unless(Engine::had_space)
    }

    /// Why no batch of so many bytes is taken now, if it is not. It makes the space for it.
    pub(crate) fn trouble_with(&self, bytes: u64) -> Option<Trouble> {
        self.trouble_unless(|engine| engine.has_space(bytes))
    }

    fn trouble_unless(&self, has_space: impl FnOnce(&Engine) -> bool) -> Option<Trouble> {
        if let Some(known) = self.known_trouble() {
            return Some(known);
        }
        if let Some(path) = self.files.missing() {
            return Some(Trouble::Gone(path.to_owned()));
        }
        let refused = || self.engine.failure().map_or(Trouble::Full, Trouble::Failed);
        (!has_space(&self.engine)).then(refused)
    }

    /// What lasts until the store is opened again, and needs no look at the disk.
    pub(crate) fn known_trouble(&self) -> Option<Trouble> {
        if let Some(what) = self.engine.unreadable() {
            return Some(Trouble::Unreadable(what.to_owned()));
        }
        let failure = self.queue.failure().or_else(|| self.engine.failure());
        failure.map(Trouble::Failed)
    }

    /// Changes whenever the writer begins to refuse batches, or takes them again.
    pub(crate) fn verdict(&self) -> u64 {
        self.verdict.load(Ordering::Acquire)
    }

    /// Only the writer says whether it refuses.
    fn say(&self, refuses: bool) {
        let verdict = self.verdict.load(Ordering::Relaxed);
        if refuses != (verdict % 2 == 1) {
            self.verdict.store(verdict + 1, Ordering::Release);
        }
    }

    pub(crate) fn healthy(&self) -> bool {
        self.queue.failure().is_none() && self.engine.failure().is_none()
    }

    pub(crate) fn figures(&self) -> Figures {
        self.queue.figures(Figures {
            commits: self.visible.position.load(Ordering::Acquire) - self.opened_at,
            sync: self.engine.sync_times(),
            log_bytes: self.engine.log_bytes(),
            free_bytes: self.engine.free_bytes(),
            ..Figures::default()
        })
    }

    /// Refuses all that waits, and all that comes.
    fn fail(&self, why: &str) {
        self.queue.fail(why).into_iter().for_each(|job| self.refuse(job, why));
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
            let jobs = self.shared.queue.take();
            if jobs.is_empty() {
                break;
            }
            self.write(jobs);
        }
        // Should this fail, the file is as after a crash, which is enough.
        drop(self.head.sync());
    }

    fn write(&mut self, jobs: Vec<Job>) {
        // Looked at before anything is written: a write that fails in the middle leaves an outcome that nobody knows.
        let trouble = self.shared.trouble_with(jobs.iter().map(|job| job.bytes as u64).sum());
        self.shared.say(trouble.is_some());
        if let Some(trouble) = trouble {
            let refusal = WriteError::Unavailable(trouble.to_string());
            return jobs.into_iter().for_each(|job| job.answer(Err(refusal.clone())));
        }
        // Never in the middle of a batch: what is planned is known here alone.
        if self.known.len() >= KNOWN_STREAMS {
            self.known.clear();
        }
        let mut plan = Plan::default();
        let settles = jobs.iter().any(|job| job.work.settles);
        let planned = self.plan(jobs, &mut plan).map(|()| self.prepare(&mut plan));
        let refused = |error| format!("what a write needs could not be read ({error})");
        let failed = |error| format!("a write failed ({error}); restart once the disk works again");
        let written = match planned {
            Err(error) => Err((WriteError::Unavailable as fn(String) -> _, refused(error))),
            Ok(position) => self
                .commit(std::mem::take(&mut plan.batch), position, settles)
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
            let Job { work: Work { commit, others, .. }, answer, .. } = job;
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
        let keys = jobs.iter().flat_map(|job| &job.work.others).map(|record| &record.key);
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
        if let Some((stream, number, _)) = job.work.commit {
            let last = self.last_number(stream)?;
            if number != last + 1 {
                return Ok(Some(WriteError::Conflict { last }));
            }
        }
        let mut own = HashSet::new();
        for Record { key, .. } in &job.work.others {
            // A header needs no look: it comes with the first commit of its stream, and that has just been checked.
            let Some(note) = layout::key_of_note(key) else { continue };
            if !own.insert(key) || is_taken(key) {
                return Ok(Some(WriteError::NoteTaken { key: note.to_vec() }));
            }
        }
        Ok(None)
    }

    /// The keys that go with the notes that a write removes. What is not there is not removed, nor is another note than the one that is meant.
    fn forgotten(&self, job: &Job) -> Result<Vec<Vec<u8>>, ReadError> {
        let engine = &self.shared.engine;
        let mut found = Vec::new();
        for (key, position) in &job.work.forgotten {
            if position.is_none() || engine.claimed(key)? == *position {
                found.extend(engine.keys_of(key)?);
            }
        }
        Ok(found)
    }

    fn last_number(&mut self, stream: StreamId) -> Result<u64, ReadError> {
        if let Some(last) = self.known.get(&stream) {
            return Ok(*last);
        }
        let last = self.shared.engine.last_number(stream)?;
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

    /// Makes the batch durable if that is due, then visible. Where this fails, nobody knows what of it is on disk. There is no batch where
    /// nothing was to be written.
    fn commit(
        &mut self,
        batch: Batch,
        position: Option<u64>,
        settles: bool,
    ) -> Result<(), ReadError> {
        let Shared { engine, visible, .. } = &*self.shared;
        if let Some(position) = position {
            engine.apply(batch)?;
            self.position = position;
        }
        if settles || (position.is_some() && engine.durable != Durable::WhenSettled) {
            let acknowledged = Acknowledged { position: self.position, lsn: engine.settle()? };
            self.head.write(acknowledged).map_err(sled::Error::Io)?;
        }
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

//! Writes that wait for their engine's writer, which takes a batch of them at a time.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::oneshot;

use crate::error::WriteError;
use crate::figures::{Figures, Histogram};
use crate::write::Ticket;

/// So many writes, and so many bytes, may wait; what comes then is refused rather than kept in memory.
const WAITING_WRITES: usize = 20_000;
const WAITING_BYTES: usize = 64 << 20;
/// A batch takes no more than this, so that those at its front do not wait for all behind them.
const BATCH_WRITES: usize = 1_000;
const BATCH_BYTES: usize = 4 << 20;

pub(crate) type Answer = oneshot::Sender<Result<u64, WriteError>>;

/// A write that waits, in the form that its engine made of it.
#[derive(Debug)]
pub(crate) struct Job<W> {
    pub(crate) work: W,
    pub(crate) bytes: usize,
    /// It is in one batch with the one before.
    pub(crate) joined: bool,
    pub(crate) answer: Answer,
    pub(crate) since: Instant,
}

impl<W> Job<W> {
    pub(crate) fn new(work: W, bytes: usize) -> (Job<W>, Ticket) {
        let (answer, ticket) = oneshot::channel();
        (Job { work, bytes, joined: false, answer, since: Instant::now() }, Ticket(ticket))
    }

    pub(crate) fn answer(self, answer: Result<u64, WriteError>) {
        // The caller may have dropped the ticket; then nobody wants the answer.
        drop(self.answer.send(answer));
    }
}

/// All that wait.
#[derive(Debug)]
pub(crate) struct Queue<W> {
    inner: Mutex<Inner<W>>,
    arrived: Condvar,
    /// How long writes waited, in microseconds, and how many a batch had.
    waited: Histogram,
    batches: Histogram,
}

#[derive(Debug)]
struct Inner<W> {
    jobs: VecDeque<Job<W>>,
    bytes: usize,
    /// Since when the batch that was taken last is being written.
    writing: Option<Instant>,
    is_closing: bool,
    /// Why nothing is taken any more.
    failure: Option<String>,
    /// How many writes were refused because too many waited.
    refused: u64,
}

impl<W> Queue<W> {
    pub(crate) fn new() -> Queue<W> {
        let inner = Inner {
            jobs: VecDeque::new(),
            bytes: 0,
            writing: None,
            is_closing: false,
            failure: None,
            refused: 0,
        };
        Queue {
            inner: Mutex::new(inner),
            arrived: Condvar::new(),
            waited: Histogram::of_micros(),
            batches: Histogram::of_writes(),
        }
    }

    /// Takes a write; gives it back where nothing is taken any more, with the reason. Where too many wait, it is answered so.
    pub(crate) fn push(&self, job: Job<W>) -> Result<(), (Job<W>, String)> {
        let mut queue = self.lock();
        if let Some(failure) = queue.failure.clone() {
            return Err((job, failure));
        }
        if let Some(why) = queue.full() {
            queue.refused += 1;
            job.answer(Err(WriteError::Unavailable(why)));
            return Ok(());
        }
        queue.bytes += job.bytes;
        queue.jobs.push_back(job);
        self.arrived.notify_one();
        Ok(())
    }

    /// Takes writes that become durable together: they are one batch, however many they are. A `problem` of one refuses all; so do too many
    /// that wait.
    pub(crate) fn push_together(
        &self,
        jobs: impl Iterator<Item = Job<W>>,
        problem: Option<String>,
    ) {
        let mut queue = self.lock();
        let problem = problem.or_else(|| queue.failure.clone());
        let full = if problem.is_none() { queue.full() } else { None };
        for (number, job) in jobs.enumerate() {
            if let Some(why) = problem.as_ref().or(full.as_ref()) {
                queue.refused += u64::from(full.is_some());
                job.answer(Err(WriteError::Unavailable(why.clone())));
            } else {
                queue.bytes += job.bytes;
                queue.jobs.push_back(Job { joined: number > 0, ..job });
            }
        }
        self.arrived.notify_one();
    }

    /// The waiting writes, at most one batch; waits for one. Empty when the store closes. Who takes a batch has written the one before.
    pub(crate) fn take(&self) -> Vec<Job<W>> {
        let mut queue = self.lock();
        queue.writing = None;
        while queue.jobs.is_empty() && !queue.is_closing {
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
        let mut bytes = 0;
        let fits = |job: &&Job<W>| {
            bytes += job.bytes;
            bytes <= BATCH_BYTES
        };
        let count = queue.jobs.iter().take(BATCH_WRITES).take_while(fits).count();
        let count = count.max(1).min(queue.jobs.len());
        let joined = queue.jobs.iter().skip(count).take_while(|job| job.joined).count();
        let jobs: Vec<Job<W>> = queue.jobs.drain(..count + joined).collect();
        queue.bytes -= jobs.iter().map(|job| job.bytes).sum::<usize>();
        queue.writing = (!jobs.is_empty()).then(Instant::now);
        drop(queue);
        if !jobs.is_empty() {
            jobs.iter().for_each(|job| self.waited.observe(micros(job.since)));
            self.batches.observe(jobs.len() as u64);
        }
        jobs
    }

    /// Takes nothing any more; returns what waits.
    pub(crate) fn fail(&self, why: &str) -> VecDeque<Job<W>> {
        let mut queue = self.lock();
        queue.failure.get_or_insert_with(|| why.to_owned());
        queue.bytes = 0;
        queue.writing = None;
        std::mem::take(&mut queue.jobs)
    }

    /// Why nothing is taken any more.
    pub(crate) fn failure(&self) -> Option<String> {
        self.lock().failure.clone()
    }

    /// Whether a batch is being written right now.
    pub(crate) fn is_writing(&self) -> bool {
        self.lock().writing.is_some()
    }

    /// Lets the writer finish what waits, and then end.
    pub(crate) fn close(&self) {
        self.lock().is_closing = true;
        self.arrived.notify_all();
    }

    /// Adds what is known here.
    pub(crate) fn figures(&self, figures: Figures) -> Figures {
        let queue = self.lock();
        Figures {
            queue: self.waited.read(),
            batch: self.batches.read(),
            waiting_writes: queue.jobs.len() as u64,
            waiting_bytes: queue.bytes as u64,
            writing: queue.writing.map_or(0, micros),
            refused: queue.refused,
            ..figures
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<W> Inner<W> {
    /// Why nothing more is taken for now, if too many wait.
    fn full(&self) -> Option<String> {
        let (writes, bytes) = (self.jobs.len(), self.bytes);
        (writes >= WAITING_WRITES || bytes >= WAITING_BYTES)
            .then(|| format!("{writes} writes of {bytes} bytes are waiting already"))
    }
}

/// The time since then, in microseconds.
pub(crate) fn micros(since: Instant) -> u64 {
    u64::try_from(since.elapsed().as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a queue that nobody takes from says to so many writes of so many bytes, which come together.
    fn pushed_together(queue: &Queue<()>, count: usize, bytes: usize) -> Vec<Ticket> {
        let (jobs, tickets): (Vec<_>, Vec<_>) = (0..count).map(|_| Job::new((), bytes)).unzip();
        queue.push_together(jobs.into_iter(), None);
        tickets
    }

    #[test]
    fn writes_that_come_together_are_refused_where_one_alone_would_be() {
        for (count, bytes) in [(WAITING_WRITES / 4, 1), (3, WAITING_BYTES / 3 + 1)] {
            let queue = Queue::new();
            let mut waiting = Vec::new();
            while queue.figures(Figures::default()).refused == 0 {
                waiting.push(pushed_together(&queue, count, bytes));
                assert!(waiting.len() < 20, "they are kept in memory");
            }
            let refused = waiting.pop().into_iter().flatten();
            for ticket in refused {
                assert!(matches!(ticket.wait(), Err(WriteError::Unavailable(_))));
            }
            let figures = queue.figures(Figures::default());
            assert_eq!(figures.refused, count as u64, "all of the group, and no other");
            assert_eq!(figures.waiting_writes, (waiting.len() * count) as u64);
            let (job, ticket) = Job::new((), bytes);
            assert!(queue.push(job).is_ok());
            assert!(matches!(ticket.wait(), Err(WriteError::Unavailable(_))));
            // When the writer has taken some, there is room again.
            while queue.figures(Figures::default()).waiting_writes > 0 {
                assert!(!queue.take().is_empty() && queue.is_writing());
            }
            pushed_together(&queue, 1, 1);
            assert_eq!(queue.figures(Figures::default()).refused, count as u64 + 1);
        }
    }
}

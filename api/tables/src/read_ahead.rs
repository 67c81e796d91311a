//! Matches read and decided again by several threads, handed over in the order of the feed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use engine::{Archive, Damaged, Finish, FinishedMatch};

/// How many matches wait, for each thread.
const AHEAD: usize = 16;

type Read = Result<FinishedMatch, Damaged>;

/// Calls `take` with each match that ended in `span` and that is `wanted`, in order, until it fails.
pub(crate) fn each<E>(
    archive: &Archive,
    span: Range<u64>,
    threads: usize,
    wanted: &(dyn Fn(&Finish) -> Result<bool, Damaged> + Sync),
    take: &mut dyn FnMut(Read) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    thread::scope(|scope| {
        let (jobs, waiting) = mpsc::sync_channel(AHEAD * threads);
        let (done, results) = mpsc::sync_channel(AHEAD * threads);
        let waiting = std::sync::Arc::new(Mutex::new(waiting));
        scope.spawn(move || send_jobs(archive, span, wanted, &jobs));
        for _ in 0..threads {
            let (waiting, done) = (waiting.clone(), done.clone());
            scope.spawn(move || work(archive, &waiting, &done));
        }
        drop((waiting, done));
        in_order(&results, take)
    })
}

type Job = (u64, Result<Finish, Damaged>);

fn send_jobs(
    archive: &Archive,
    span: Range<u64>,
    wanted: &(dyn Fn(&Finish) -> Result<bool, Damaged> + Sync),
    jobs: &SyncSender<Job>,
) {
    let mut number = 0;
    for finish in archive.finishes(span) {
        let job = match finish.and_then(|finish| Ok((wanted(&finish)?, finish))) {
            Ok((false, _)) => continue,
            Ok((true, finish)) => Ok(finish),
            Err(damaged) => Err(damaged),
        };
        // Nobody takes it when the export has failed.
        if jobs.send((number, job)).is_err() {
            return;
        }
        number += 1;
    }
}

fn work(archive: &Archive, waiting: &Mutex<Receiver<Job>>, done: &SyncSender<(u64, Read)>) {
    loop {
        let job = waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .recv();
        let Ok((number, job)) = job else { return };
        let read = job.and_then(|finish| archive.read(&finish));
        if done.send((number, read)).is_err() {
            return;
        }
    }
}

fn in_order<E>(
    results: &Receiver<(u64, Read)>,
    take: &mut dyn FnMut(Read) -> Result<(), E>,
) -> Result<(), E> {
    let (mut early, mut next) = (BTreeMap::new(), 0);
    for (number, read) in results {
        early.insert(number, read);
        while let Some(read) = early.remove(&next) {
            next += 1;
            take(read)?;
        }
    }
    Ok(())
}

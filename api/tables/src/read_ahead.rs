//! Matches read, decided again and made into rows by several threads, handed over in the order of the feed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;

use archive::{Archive, Finish};
use journal::Damaged;

use crate::catalogue::{Batches, Catalogue};

/// How many matches wait, for each thread.
const AHEAD: usize = 8;
/// Batches that hold more are not used again: one long match must not keep its memory for ever.
pub(crate) const KEPT: usize = 2 << 20;

/// A match as rows.
pub(crate) struct Rows {
    pub(crate) finish: Finish,
    /// How many events it has.
    pub(crate) events: u64,
    pub(crate) batches: Batches,
}

type Read = Result<Rows, Damaged>;
type Job = (u64, Result<Finish, Damaged>);

/// Reads matches, and keeps empty batches to be filled again: a game has dozens of tables.
struct Reader<'a> {
    archive: &'a Archive,
    catalogue: &'a Catalogue,
    empty: Mutex<Vec<Batches>>,
}

/// Calls `take` with the rows of each match that ended in `span` and that is `wanted`, in order, until it fails.
pub(crate) fn each<E>(
    (archive, catalogue): (&Archive, &Catalogue),
    span: Range<u64>,
    threads: usize,
    wanted: &(dyn Fn(&Finish) -> Result<bool, Damaged> + Sync),
    mut take: impl FnMut(Result<&Rows, Damaged>) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let reader = Reader { archive, catalogue, empty: Mutex::default() };
    thread::scope(|scope| {
        let (jobs, waiting) = mpsc::sync_channel(AHEAD * threads);
        let (done, results) = mpsc::sync_channel(AHEAD * threads);
        // No more are under way than this, however long the first of them takes.
        let (begin, ended) = mpsc::sync_channel(2 * AHEAD * threads);
        let waiting = std::sync::Arc::new(Mutex::new(waiting));
        scope.spawn(move || send_jobs(archive, span, wanted, (&begin, &jobs)));
        for _ in 0..threads {
            let (reader, waiting, done) = (&reader, waiting.clone(), done.clone());
            scope.spawn(move || reader.work(&waiting, &done));
        }
        drop((waiting, done));
        in_order(&results, |read| {
            let _ = ended.recv();
            match read {
                Ok(rows) => {
                    take(Ok(&rows))?;
                    reader.give_back(rows.batches);
                    Ok(())
                }
                Err(damaged) => take(Err(damaged)),
            }
        })
    })
}

fn send_jobs(
    archive: &Archive,
    span: Range<u64>,
    wanted: &(dyn Fn(&Finish) -> Result<bool, Damaged> + Sync),
    (begin, jobs): (&SyncSender<()>, &SyncSender<Job>),
) {
    let mut number = 0;
    for finish in archive.finishes(span) {
        let job = match finish.and_then(|finish| Ok((wanted(&finish)?, finish))) {
            Ok((false, _)) => continue,
            Ok((true, finish)) => Ok(finish),
            Err(damaged) => Err(damaged),
        };
        // Nobody takes it when the export has failed.
        if begin.send(()).is_err() || jobs.send((number, job)).is_err() {
            return;
        }
        number += 1;
    }
}

impl Reader<'_> {
    fn work(&self, waiting: &Mutex<Receiver<Job>>, done: &SyncSender<(u64, Read)>) {
        loop {
            let job = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, job)) = job else { return };
            if done.send((number, job.and_then(|finish| self.read(finish)))).is_err() {
                return;
            }
        }
    }

    fn read(&self, finish: Finish) -> Read {
        let m = self.catalogue.read(self.archive, &finish)?;
        let mut batches = self.empty(m.game.info().id);
        let rows = self.catalogue.rows(&m, &mut batches);
        rows.map_err(|what| self.archive.misfit(&finish, what))?;
        Ok(Rows { finish, events: m.version, batches })
    }

    fn empty(&self, game: &'static str) -> Batches {
        let mut empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
        let known = empty.iter().rposition(|batches| batches.game == game);
        let known = known.map(|at| empty.swap_remove(at));
        drop(empty);
        known.unwrap_or_else(|| self.catalogue.batches(game))
    }

    fn give_back(&self, mut batches: Batches) {
        if batches.held() < KEPT {
            batches.clear();
            let mut empty = self.empty.lock().unwrap_or_else(PoisonError::into_inner);
            empty.push(batches);
        }
    }
}

fn in_order<E>(
    results: &Receiver<(u64, Read)>,
    mut take: impl FnMut(Read) -> Result<(), E>,
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

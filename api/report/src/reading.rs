//! Reading the matches that a report is of.

use std::sync::{Condvar, Mutex, OnceLock, PoisonError};
use std::thread;

use archive::{Archive, Finish, FinishedMatch};
use journal::Damaged;

use crate::matches::Report;

impl Report {
    /// Reads the matches of the game that ended at these places of the feed, with so many threads, and takes the newest first; `told` gets the
    /// position of each. Returns what is damaged and was passed, of this game or of one that is not known.
    ///
    /// # Errors
    /// If the database does not answer: then nothing more is read, and a page of the rest would look like one of all.
    pub fn read(
        &mut self,
        archive: &Archive,
        finishes: impl Iterator<Item = Result<Finish, Damaged>> + Send,
        threads: usize,
        told: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Damaged>, Damaged> {
        let game = self.game();
        let listed = finishes.map(|finish| match finish {
            Err(damage) if damage.is_away() => Err(damage),
            finish => Ok(finish),
        });
        // Of matches that are dealt alike the newest counts in the draws, as in a report of the newest matches.
        let finishes = listed.collect::<Result<Vec<_>, _>>()?.into_iter().rev().zip(0_u64..);
        let (finishes, damaged) = (Mutex::new(finishes), Mutex::new(Vec::new()));
        let away = OnceLock::new();
        let next = || {
            let mut finishes = finishes.lock().unwrap_or_else(PoisonError::into_inner);
            if away.get().is_some() { None } else { finishes.next() }
        };
        let (taken, moved) = (Mutex::new((self, 0)), Condvar::new());
        // The first of those that are dealt alike counts, so it must be the same each time.
        let take = |finished: Option<FinishedMatch>, number: u64| {
            let taken = taken.lock().unwrap_or_else(PoisonError::into_inner);
            let taken = moved.wait_while(taken, |(_, turn)| *turn != number);
            let mut taken = taken.unwrap_or_else(PoisonError::into_inner);
            if let Some(finished) = finished {
                taken.0.add(&finished);
            }
            taken.1 += 1;
            moved.notify_all();
        };
        let of_game = |finish: Finish| match archive.counted(&finish)? {
            Some(known) if known.info().id == game => archive.read(&finish).map(Some),
            Some(_) | None => Ok(None),
        };
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    while let Some((finish, number)) = next() {
                        if let Ok(finish) = &finish {
                            told(finish.position);
                        }
                        let read = finish.and_then(of_game).unwrap_or_else(|damage| {
                            if damage.is_away() {
                                // The first one is told.
                                let _ = away.set(damage);
                            } else if archive.may_be_of(&damage, game) {
                                damaged.lock().unwrap_or_else(PoisonError::into_inner).push(damage);
                            }
                            None
                        });
                        take(read, number);
                    }
                });
            }
        });
        let damaged = damaged.into_inner().unwrap_or_else(PoisonError::into_inner);
        match away.into_inner() {
            Some(away) => Err(away),
            None => Ok(archive.journal().each_once(damaged)),
        }
    }
}

//! Reading the matches that a report is of.

use std::sync::{Mutex, PoisonError};
use std::thread;

use archive::{Archive, Finish};
use journal::Damaged;

use crate::matches::Report;

impl Report {
    /// Reads the matches of the game that ended at these places of the feed, with so many threads, and takes them; `told` gets the position of each.
    /// Returns what is damaged and was passed.
    pub fn read(
        &mut self,
        archive: &Archive,
        finishes: impl Iterator<Item = Result<Finish, Damaged>> + Send,
        threads: usize,
        told: &(dyn Fn(u64) + Sync),
    ) -> Vec<Damaged> {
        let game = self.game();
        let (finishes, report, damaged) =
            (Mutex::new(finishes), Mutex::new(self), Mutex::new(Vec::new()));
        let next = || finishes.lock().unwrap_or_else(PoisonError::into_inner).next();
        let of_game = |finish: Finish| match archive.counted(&finish)? {
            Some(known) if known.info().id == game => archive.read(&finish).map(Some),
            Some(_) | None => Ok(None),
        };
        thread::scope(|scope| {
            for _ in 0..threads.max(1) {
                scope.spawn(|| {
                    while let Some(finish) = next() {
                        if let Ok(finish) = &finish {
                            told(finish.position);
                        }
                        match finish.and_then(of_game) {
                            Ok(None) => {}
                            Ok(Some(finished)) => {
                                let mut report =
                                    report.lock().unwrap_or_else(PoisonError::into_inner);
                                report.add(&finished);
                            }
                            Err(damage) => {
                                let mut damaged =
                                    damaged.lock().unwrap_or_else(PoisonError::into_inner);
                                damaged.push(damage);
                            }
                        }
                    }
                });
            }
        });
        damaged.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Reading the matches that a report is of.

use std::sync::{Mutex, PoisonError};
use std::thread;

use archive::{Archive, Finish};
use journal::{Damaged, Visibility};

use crate::matches::Report;

/// How many places of the feed are looked at on the way back,
const WINDOW: u64 = 16_384;
/// and how often, before it is enough.
const WINDOWS: u64 = 64;

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
        let of_game = |finish: Finish| match archive.outline(&finish)? {
            (known, Visibility::Public) if known.info().id == game => {
                archive.read(&finish).map(Some)
            }
            (_, Visibility::Public | Visibility::Private) => Ok(None),
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

    /// The newest public matches of the game that ended up to a feed position, at most so many, and only from the last million commits. Damaged places are
    /// passed.
    ///
    /// # Errors
    /// If the store does not answer.
    pub fn newest(
        &self,
        archive: &Archive,
        position: u64,
        most: usize,
    ) -> Result<Vec<Finish>, Damaged> {
        let game = self.game();
        let (mut newest, mut until) = (Vec::new(), position);
        for _ in 0..WINDOWS {
            if until == 0 || newest.len() >= most {
                break;
            }
            let from = until.saturating_sub(WINDOW);
            let mut window = Vec::new();
            for finish in archive.finishes(from..until) {
                match finish.and_then(|finish| Ok((archive.outline(&finish)?, finish))) {
                    Ok(((known, Visibility::Public), finish)) if known.info().id == game => {
                        window.push(finish);
                    }
                    Ok(_) => {}
                    Err(damaged) if damaged.is_away() => return Err(damaged),
                    Err(_) => {}
                }
            }
            newest.extend(window.into_iter().rev());
            until = from;
        }
        newest.truncate(most);
        Ok(newest)
    }
}

//! Folds go on as far as they are asked for.

use std::mem;

use journal::Folded;
use kernel::StreamError;

use crate::engine::Engine;
use crate::error::Error;
use crate::kept::{Booked, Kept};
use crate::live::{Slot, lock};

/// How many commits are read from the store at once.
const PAGE: usize = 64;

impl Engine {
    /// Reads the fold of a match, which is booked to the end of the commit with this version, which the match has.
    pub(crate) fn booked<T: Booked, R>(
        &self,
        kept: &Kept<T>,
        slot: &Slot,
        version: u64,
        read: impl FnOnce(&T) -> R,
    ) -> Result<R, Error> {
        let fold = kept.fold(slot.id);
        let mut booking = lock(&fold);
        let booked = self.book(&mut *booking, slot, version);
        let own = booking.folded().map_or(0, Folded::bytes);
        kept.settle(slot.id, &fold, own + booking.bytes(), booking.commit());
        booked?;
        Ok(read(&booking))
    }

    fn book<T: Booked>(&self, kept: &mut T, slot: &Slot, version: u64) -> Result<(), Error> {
        if kept.version() >= version {
            return Ok(());
        }
        // Taken away while it is booked: after an error the next request begins anew.
        let mut fold = mem::take(kept);
        loop {
            let records = self.records(slot.id, fold.commit(), PAGE)?;
            if records.is_empty() {
                return Err(StreamError(format!("version {version} is missing")).into());
            }
            for record in &records {
                fold.book(slot.game, &record.body()?)?;
                if fold.version() >= version {
                    *kept = fold;
                    return Ok(());
                }
            }
        }
    }
}

//! The ledger of a match: a page of its account, which is booked as far as it is asked for.

use std::mem;

use kernel::{Rule, StreamError, Viewer};

use crate::account::{Account, Ledger, LedgerQuery};
use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::{Slot, lock};

/// How many commits are read from the store at once.
const PAGE: usize = 64;

impl Engine {
    /// The ledger of a match. The points of all games are open, so it is the same for every viewer.
    ///
    /// # Errors
    /// If the version or the seat is unknown, or the match is not the caller's to see.
    pub fn ledger(
        &self,
        slot: &Slot,
        caller: Caller,
        asked: Option<Viewer>,
        query: LedgerQuery,
    ) -> Result<Ledger, Error> {
        slot.viewer(caller, asked)?;
        if let Some(seat) = query.seat
            && seat.index() >= slot.head().folded.table.seats.len()
        {
            return Err(Error::Malformed {
                detail: format!("there is no seat {seat}"),
                pointer: "seat".to_owned(),
            });
        }
        let version = slot.head().known_version(query.at)?;
        let account = self.accounts.account(slot.id);
        let mut account = lock(&account);
        let booked = self.book(&mut account, slot, version);
        self.accounts.settle(slot.id, account.bytes);
        booked?;
        let mut page = account.page(version, query);
        drop(account);
        for entry in &mut page.items {
            let text = |rule: Rule| self.accounts.rule_text(slot.game, rule.0);
            entry.rule_text = entry.rule.and_then(text);
        }
        Ok(page)
    }

    /// Goes on to the end of the commit with a version that the match has.
    fn book(&self, kept: &mut Account, slot: &Slot, version: u64) -> Result<(), Error> {
        if kept.version() >= version {
            return Ok(());
        }
        // Taken away while it is booked: after an error the next request begins anew.
        let mut account = mem::take(kept);
        loop {
            let records = self.records(slot.id, account.commit(), PAGE)?;
            if records.is_empty() {
                return Err(StreamError(format!("version {version} is missing")).into());
            }
            for record in &records {
                account.book(slot.game, &record.body()?)?;
                if account.version() >= version {
                    *kept = account;
                    return Ok(());
                }
            }
        }
    }
}

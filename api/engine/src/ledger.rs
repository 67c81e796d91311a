//! The ledger of a match: a page of its account, which is booked as far as it is asked for.

use kernel::{Rule, Viewer};

use crate::account::{Account, Ledger, LedgerQuery};
use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::Slot;

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
            return Err(Error::malformed(format!("there is no seat {seat}"), "seat"));
        }
        let version = slot.head().known_version(query.at)?;
        let accounts = &self.accounts.accounts;
        let page = |account: &Account| account.page(version, query);
        let mut page = self.booked(accounts, slot, version, page)?;
        for entry in &mut page.items {
            let text = |rule: Rule| self.accounts.rule_text(slot.game, rule.0);
            entry.rule_text = entry.rule.and_then(text);
        }
        Ok(page)
    }
}

//! The accounts of the matches whose ledger was asked for lately: the next request goes on from there.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use journal::{MatchId, rules};
use kernel::AnyGame;
use lru::LruCache;

use crate::account::Account;
use crate::live::lock;

/// How many matches are kept, at most.
const MATCHES: usize = 64;
/// How much memory their entries may take, in bytes. A match whose entries alone take more is not kept.
const BYTES: usize = 16 << 20;

/// The accounts that are kept, and the texts of all rules.
pub(crate) struct KeptAccounts {
    /// By game, then number: what the rules say.
    rules: BTreeMap<&'static str, BTreeMap<String, String>>,
    accounts: Mutex<Accounts>,
}

/// Whoever asks for a ledger locks the account of its match alone while it is booked.
struct Accounts {
    cache: LruCache<MatchId, Kept>,
    /// The sum over the cache.
    bytes: usize,
}

#[derive(Default)]
struct Kept {
    account: Arc<Mutex<Account>>,
    /// How much memory its entries took when it was last settled.
    bytes: usize,
}

impl KeptAccounts {
    pub(crate) fn new(games: &[&'static dyn AnyGame]) -> Self {
        let texts = |game: &&'static dyn AnyGame| {
            let rules = rules::of(*game).into_iter();
            let rules = rules.map(|rule| (rule.rule, rule.text)).collect();
            (game.info().id, rules)
        };
        KeptAccounts {
            rules: games.iter().map(texts).collect(),
            accounts: Mutex::new(Accounts { cache: LruCache::unbounded(), bytes: 0 }),
        }
    }

    pub(crate) fn rule_text(&self, game: &dyn AnyGame, rule: &str) -> Option<String> {
        self.rules.get(game.info().id)?.get(rule).cloned()
    }

    /// The account of a match as far as it is booked, empty if it is not kept.
    pub(crate) fn account(&self, id: MatchId) -> Arc<Mutex<Account>> {
        let mut accounts = lock(&self.accounts);
        let kept = accounts.cache.get_or_insert_mut(id, Kept::default);
        Arc::clone(&kept.account)
    }

    /// The entries of a match take so much memory now: where that is too much, those go that nobody asked for the longest.
    pub(crate) fn settle(&self, id: MatchId, bytes: usize) {
        let mut accounts = lock(&self.accounts);
        let Accounts { cache, bytes: sum } = &mut *accounts;
        if let Some(kept) = cache.peek_mut(&id) {
            *sum = *sum - kept.bytes + bytes;
            kept.bytes = bytes;
        }
        while cache.len() > MATCHES || *sum > BYTES {
            let Some((_, oldest)) = cache.pop_lru() else {
                break;
            };
            *sum -= oldest.bytes;
        }
    }
}

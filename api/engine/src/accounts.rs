//! The accounts of the matches whose ledger was asked for lately, and the texts of all rules.

use std::collections::BTreeMap;

use journal::rules;
use kernel::AnyGame;

use crate::account::Account;
use crate::kept::Kept;

/// The accounts that are kept, and the texts of all rules.
pub(crate) struct KeptAccounts {
    /// By game, then number: what the rules say.
    rules: BTreeMap<&'static str, BTreeMap<String, String>>,
    pub(crate) accounts: Kept<Account>,
}

impl KeptAccounts {
    pub(crate) fn new(games: &[&'static dyn AnyGame]) -> Self {
        let texts = |game: &&'static dyn AnyGame| {
            let rules = rules::of(*game).into_iter();
            let rules = rules.map(|rule| (rule.rule, rule.text)).collect();
            (game.info().id, rules)
        };
        KeptAccounts { rules: games.iter().map(texts).collect(), accounts: Kept::default() }
    }

    pub(crate) fn rule_text(&self, game: &dyn AnyGame, rule: &str) -> Option<String> {
        self.rules.get(game.info().id)?.get(rule).cloned()
    }
}

//! How often commands were refused, and by which rule.

use std::collections::BTreeMap;
use std::sync::Mutex;

use kernel::Rule;
use serde::Serialize;
use utoipa::ToSchema;

use crate::clock::now;
use crate::live::lock;

/// Commands that a rule refused in public matches, without sandboxes and dry runs, since this server started: how often each rule was
/// quoted. Refusals are not events, and are counted in memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefusalStats {
    /// When the counting began.
    #[schema(format = "date-time")]
    pub since: String,
    /// The rules that were broken, by number.
    pub rules: Vec<RuleCount>,
}

/// How often a rule was quoted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct RuleCount {
    /// The rule.
    pub rule: String,
    /// How often it was quoted.
    pub count: u64,
}

/// The refusals since the engine started.
pub(crate) struct Refusals {
    since: String,
    counts: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
}

impl Refusals {
    pub(crate) fn new() -> Self {
        Refusals { since: now(), counts: Mutex::default() }
    }

    pub(crate) fn count(&self, game: &'static str, rule: Rule) {
        *lock(&self.counts).entry((game, rule.0)).or_default() += 1;
    }

    /// Those in matches of a game.
    pub(crate) fn of(&self, game: &str) -> RefusalStats {
        let counts = lock(&self.counts);
        let rules = counts.iter().filter(|((known, _), _)| *known == game);
        let rules =
            rules.map(|((_, rule), count)| RuleCount { rule: (*rule).to_owned(), count: *count });
        RefusalStats { since: self.since.clone(), rules: rules.collect() }
    }
}

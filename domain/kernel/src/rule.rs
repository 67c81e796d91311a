//! Rules have numbers; a refusal quotes one.

use serde::Serialize;

/// The number of a rule in the game's `RULES.md`, such as `R-45`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Rule(pub &'static str);

impl std::fmt::Display for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

/// A rule's number with one short sentence, as the catalogue shows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuleText {
    /// `R-45`
    pub rule: String,
    /// What the rule says, for people.
    pub text: String,
}

/// What must hold, else an error, such as the breach of a rule. The error is made only if it does not hold.
///
/// # Errors
/// What `otherwise` makes.
#[inline]
pub fn require<E>(holds: bool, otherwise: impl FnOnce() -> E) -> Result<(), E> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// A command, option or position that a rule forbids. A refusal is normal and changes nothing.
///
/// Programs branch on `rule`; `reason` is for people and may change.
///
/// # Example
/// ```
/// use kernel::{Refusal, Rule};
/// let refusal = Refusal::new(Rule("R-45"), "the hand has 5 cards, no more can be drawn");
/// assert_eq!(refusal.to_string(), "R-45: the hand has 5 cards, no more can be drawn");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{rule}: {reason}")]
pub struct Refusal {
    /// The first rule broken, in the order that the game's specification gives.
    pub rule: Rule,
    /// One sentence with the facts of this position.
    pub reason: String,
    /// Where the mistake is, a JSON pointer, if the JSON that was sent does not have the required form.
    pub pointer: Option<String>,
}

impl Refusal {
    /// A refusal by `rule`, for `reason`.
    pub fn new(rule: Rule, reason: impl Into<String>) -> Self {
        Refusal { rule, reason: reason.into(), pointer: None }
    }

    /// The same refusal, of something that stands at `place` in the JSON that was sent.
    #[must_use]
    pub fn within(self, place: &str) -> Self {
        Refusal { pointer: self.pointer.map(|pointer| place.to_owned() + &pointer), ..self }
    }
}

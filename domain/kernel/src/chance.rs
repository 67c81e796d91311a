//! Chance is an argument: the caller of a game decides where outcomes come from.

use std::collections::VecDeque;

use serde::Serialize;
use serde_json::Value;

/// The JSON of the candidates of a draw, by index.
pub type Candidate<'a> = dyn Fn(usize) -> Value + 'a;

/// Where outcomes of chance come from: a generator in play, a script in tests and what-if analysis.
///
/// Games do not call [`draw`](Chance::draw) themselves; they use [`pick`](trait.Chance.html#method.pick) and
/// [`pick_index`](trait.Chance.html#method.pick_index), or the same on a [`Draft`](crate::Draft).
///
/// # Example
/// A source of chance that always draws the last candidate:
/// ```
/// use kernel::{Candidate, Chance};
///
/// struct Last;
///
/// impl Chance for Last {
///     fn draw(&mut self, _: &'static str, count: usize, _: &Candidate<'_>) -> usize {
///         count - 1
///     }
/// }
///
/// let chance: &mut dyn Chance = &mut Last;
/// assert_eq!(chance.pick("card", &["red", "blue"]), "blue");
/// assert_eq!(chance.pick_index("die", 6, |face| face + 1), 5);
/// ```
pub trait Chance {
    /// Draws one of `count` equally likely candidates and returns its index, less than `count`.
    ///
    /// `kind` is the specification's name of the draw; `candidate` gives the JSON of a candidate, for sources that know outcomes by value. A source
    /// that cannot answer (a script that ran out) remembers that, and returns 0: the caller must ask the source before it trusts the result.
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize;
}

impl dyn Chance + '_ {
    /// Draws one of `candidates`, each equally likely, in the order that the specification names.
    ///
    /// # Panics
    /// If there is no candidate.
    pub fn pick<T: Copy + Serialize>(&mut self, kind: &'static str, candidates: &[T]) -> T {
        candidates[self.pick_index(kind, candidates.len(), |i| candidates[i])]
    }

    /// Draws an index less than `count`, for candidates that are not in a slice; `candidate(i)` is the value of index `i`.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn pick_index<T: Serialize>(
        &mut self,
        kind: &'static str,
        count: usize,
        candidate: impl Fn(usize) -> T,
    ) -> usize {
        assert!(count > 0, "a draw of {kind} needs a candidate");
        let index = self.draw(kind, count, &|i| {
            serde_json::to_value(candidate(i))
                .expect("a candidate is plain data, which always has JSON")
        });
        assert!(index < count, "a source of chance returned {index} of {count} candidates");
        index
    }
}

/// Outcomes that are given beforehand: "what if the next tile had been Odin?"
///
/// Each draw takes the next outcome, which must be the JSON of one of the candidates; of equal candidates the first.
///
/// # Example
/// ```
/// use kernel::{Chance, Forced};
/// let mut forced = Forced::new(vec!["blue".into()]);
/// let chance: &mut dyn Chance = &mut forced;
/// assert_eq!(chance.pick("card", &["red", "blue"]), "blue");
/// assert_eq!(forced.left(), 0);
///
/// let chance: &mut dyn Chance = &mut forced;
/// chance.pick("card", &["red", "blue"]);
/// assert_eq!(forced.problem(), Some("there is no outcome left for a draw of card"));
/// ```
#[derive(Debug, Default)]
pub struct Forced {
    outcomes: VecDeque<Value>,
    problem: Option<String>,
}

impl Forced {
    /// Takes the outcomes in the order of the draws.
    #[must_use]
    pub fn new(outcomes: Vec<Value>) -> Self {
        Forced { outcomes: outcomes.into(), problem: None }
    }

    /// What went wrong so far: an outcome that was missing or was not a candidate. Anything decided since then is meaningless.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// How many outcomes were not drawn yet.
    #[must_use]
    pub fn left(&self) -> usize {
        self.outcomes.len()
    }
}

impl Chance for Forced {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        if self.problem.is_some() {
            return 0;
        }
        let Some(outcome) = self.outcomes.pop_front() else {
            self.problem = Some(format!("there is no outcome left for a draw of {kind}"));
            return 0;
        };
        (0..count).find(|i| candidate(*i) == outcome).unwrap_or_else(|| {
            self.problem = Some(format!("{outcome} is not a candidate for a draw of {kind}"));
            0
        })
    }
}

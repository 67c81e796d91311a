//! Dice that write down what they draw.

use kernel::{Candidate, Chance};
use serde_json::Value;

use crate::Dice;

/// A draw, as it was.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The specification's name of it.
    pub kind: &'static str,
    /// All its candidates, in their order.
    pub candidates: Vec<Value>,
    /// The outcome.
    pub drawn: Value,
}

/// Dice, and what they have drawn.
#[derive(Clone, Debug)]
pub struct Witness {
    /// What draws, and chooses.
    pub dice: Dice,
    /// The draws, in their order.
    pub draws: Vec<Draw>,
}

impl Witness {
    /// The witness of what these dice draw from now on.
    #[must_use]
    pub fn new(dice: Dice) -> Self {
        Witness { dice, draws: Vec::new() }
    }
}

impl Chance for Witness {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        let index = self.dice.draw(kind, count, candidate);
        let candidates = (0..count).map(candidate).collect();
        self.draws.push(Draw { kind, candidates, drawn: candidate(index) });
        index
    }
}

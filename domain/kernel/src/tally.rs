//! What everybody at the table can count, and what a command brought.

use crate::{Award, Seat};

/// How much is left, and how much each seat holds. Everybody may know it, even while the match is being played.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
    /// What is left to be drawn: cards, tiles or stones, whatever the game has.
    pub left: u64,
    /// The size of each hand, by seat.
    pub hands: Vec<u64>,
}

/// What a command brought that was decided again.
#[derive(Debug, Default)]
pub struct Replayed {
    /// The points that its events gave and took, each with the index of its event.
    pub awards: Vec<(usize, Award)>,
    /// The seats whose turns began with them, in order.
    pub turns: Vec<Seat>,
}

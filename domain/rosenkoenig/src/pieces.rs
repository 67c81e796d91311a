//! The pieces of the game: power cards, and piles of them.

mod card;

mod pile;

pub use card::{Card, Cards, DIRECTIONS, Direction, HAND_MAX};
pub use pile::Pile;

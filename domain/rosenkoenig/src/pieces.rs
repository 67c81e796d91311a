//! The pieces of the game: power cards, and piles of them.

mod card;
mod pile;

pub use card::{Card, Cards, Direction};
pub use pile::Pile;

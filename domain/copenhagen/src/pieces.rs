//! The pieces of the game: cards, tiles in all their orientations, abilities.

mod ability;
mod cards;
mod shape;
mod tile;

pub use ability::{Abilities, Ability, AbilitySet, AbilityState};
pub use cards::{Cards, Color};
pub(crate) use cards::{Drawn, however_many};
pub(crate) use shape::Shape;
pub use tile::{FacadeTile, Supply, Tile};

//! The pieces of the game: tiles, sets and multisets of them, and booster tokens.

mod tile;
mod tiles;
mod tokens;

pub use tile::Tile;
pub use tiles::{TileSet, Tiles};
pub use tokens::Tokens;

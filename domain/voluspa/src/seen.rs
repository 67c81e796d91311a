//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::{
    BoardCell, Cell, Direction, EventView, PartKind, Phase, PlayerView, ScoreReason, Tile, Tiles,
    Tokens, View,
};

//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::printed::{COAT_CELLS, COAT_ROWS, HEIGHT, TARGET_POINTS, WIDTH};
pub use crate::{
    Ability, AbilityState, Cards, Cell, Color, Column, EndCard, EventView, Fill, LineKind,
    Orientation, Phase, PlacedTile, PlayerView, Reason, Row, Slot, Tile, View,
};

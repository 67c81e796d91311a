//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::board::{Hex, HexKind, MapHex};
pub use crate::event::EventView;
pub use crate::pieces::{
    Color, Colors, Companion, CompanionKind, Equipment, Face, God, Letter, PlayerColor, Ship,
    TaskKind, ZeusTile,
};
pub use crate::position::{Decision, Fulfilled, Player, Site, SourceKind, Stage, Stock, Tasks};
pub use crate::view::{IslandView, View};

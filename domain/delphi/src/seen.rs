//! What a viewer sees, and the words for it: all that the picture of this game may name.

pub use crate::event::EventView;
pub use crate::pieces::{CompanionKind, God, Letter, PlayerColor, Ship, TaskKind, ZeusTile};
pub use crate::view::View;

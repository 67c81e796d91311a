//! What the active seat asks for (section 7).

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Cell, Direction};
use crate::pieces::Tile;

/// How a tile comes to its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// On an empty cell (V-302).
    Lay,
    /// On top of a tile (V-306).
    Cover,
    /// Skadi takes a tile's place (V-307).
    Exchange,
    /// Jotunn takes a tile's place and pushes it away (V-308).
    Bump,
}

/// Its word in JSON.
impl std::fmt::Display for Mode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// A command of the active seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Command {
    /// Place a tile of the hand.
    #[open(tile, at, mode, bump)]
    PlaceTile {
        /// The tile.
        tile: Tile,
        /// The cell.
        at: Cell,
        /// How the tile comes to its cell.
        mode: Mode,
        /// With mode `bump`: the direction in which the tile is pushed; otherwise null.
        #[serde(deserialize_with = "kernel::present")]
        #[schema(required = true)]
        bump: Option<Direction>,
    },
    /// Discard a Freya: the tile that comes next is worth 1 more (V-205).
    DiscardFreya {},
    /// Discard a tile: one that cannot be placed (V-204), or a surplus one (V-207).
    #[open(tile)]
    DiscardTile {
        /// The tile.
        tile: Tile,
    },
    /// Skip the extra tile of a Hermod (V-206).
    SkipExtra {},
    /// Fly on with the Raven.
    #[open(at, mode)]
    MoveRaven {
        /// The cell of the second place.
        at: Cell,
        /// `lay` or `cover`.
        mode: Mode,
    },
    /// Stay where the Raven is.
    KeepRaven {},
}

//! The kinds of tiles, with what is printed on them.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::printed::{COPIES, VALUES};

/// A kind of tile. The order is that of the specification: hands, piles and lists are sorted by it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema, Open,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Tile {
    /// No power.
    Odin,
    /// No power.
    Thor,
    /// Only Troll and Dwarf are laid beside it (V-304).
    Troll,
    /// May cover a tile (V-601).
    Dragon,
    /// Worth the sum of all Fenrir in the line (V-403).
    Fenrir,
    /// May take the place of a tile, which goes to the hand (V-602).
    Skadi,
    /// Two of them at both ends of a line dominate it (V-503).
    Valkyrie,
    /// Tiles beside it have face 0 (V-402).
    Loki,
    /// No value. Covers a tile and is a gap from then on (V-605).
    Hel,
    /// Grants an extra tile in its line (V-606).
    Hermod,
    /// May push a tile to the end of its line (V-604).
    Jotunn,
    /// Looks at the whole row and column (V-509).
    SeaSerpent,
    /// Scores half the values beside it (V-510).
    Dwarf,
    /// May be discarded to boost the next tile (V-607).
    Freya,
    /// Scores at two places (V-603).
    Raven,
    /// Adds 2 to every scored line that it lies in (V-505).
    Niohoggr,
    /// Covers a tile and scores the shorter line (V-508).
    LightningBolt,
}

impl Tile {
    /// All kinds, in order.
    pub const ALL: [Tile; 17] = [
        Tile::Odin,
        Tile::Thor,
        Tile::Troll,
        Tile::Dragon,
        Tile::Fenrir,
        Tile::Skadi,
        Tile::Valkyrie,
        Tile::Loki,
        Tile::Hel,
        Tile::Hermod,
        Tile::Jotunn,
        Tile::SeaSerpent,
        Tile::Dwarf,
        Tile::Freya,
        Tile::Raven,
        Tile::Niohoggr,
        Tile::LightningBolt,
    ];

    /// The printed value, at least 1. Hel has none: 0, and nothing asks for it.
    #[must_use]
    pub const fn printed(self) -> u8 {
        VALUES[self as usize]
    }

    /// How many tiles of this kind are in the box.
    #[must_use]
    pub const fn copies(self) -> u32 {
        COPIES[self as usize]
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Tile::Odin => "Odin",
            Tile::Thor => "Thor",
            Tile::Troll => "Troll",
            Tile::Dragon => "Dragon",
            Tile::Fenrir => "Fenrir",
            Tile::Skadi => "Skadi",
            Tile::Valkyrie => "Valkyrie",
            Tile::Loki => "Loki",
            Tile::Hel => "Hel",
            Tile::Hermod => "Hermod",
            Tile::Jotunn => "Jotunn",
            Tile::SeaSerpent => "Sea Serpent",
            Tile::Dwarf => "Dwarf",
            Tile::Freya => "Freya",
            Tile::Raven => "Raven",
            Tile::Niohoggr => "Niohoggr",
            Tile::LightningBolt => "Lightning Bolt",
        }
    }
}

impl std::fmt::Display for Tile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

//! What the active seat asks for.

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Column, Orientation, Row};
use crate::pieces::{Ability, Cards, Color, FacadeTile};
use crate::position::Slot;

/// A command (section 4 of the rules). No command names an ability that it uses: the use follows from it (C-708).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Command {
    /// Take a card from the harbor (C-401 to C-405).
    #[open(slot)]
    TakeCard {
        /// Slot 0 to 6.
        #[schema(value_type = u8, minimum = 0, maximum = 6)]
        slot: Slot,
    },
    /// Take no third card (C-405).
    EndTaking {},
    /// Discard a card from a hand of more than 7 (C-406, C-407).
    #[open(color)]
    DiscardCard {
        /// The colour of the card.
        color: Color,
    },
    /// Pay for a tile and put it on your board (C-501 to C-510).
    #[open(tile, orientation, x, y, payment)]
    PlaceTile {
        /// The kind.
        tile: FacadeTile,
        /// Quarter turns clockwise plus 4 if mirrored before; canonical (C-106).
        #[schema(value_type = u8, minimum = 0, maximum = 7)]
        orientation: Orientation,
        /// Column of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 4)]
        x: Column,
        /// Row of the upper left corner of the bounding box.
        #[schema(value_type = u8, minimum = 0, maximum = 8)]
        y: Row,
        /// The cards paid, sorted; may be empty (C-705).
        #[serde(deserialize_with = "crate::pieces::however_many")]
        #[schema(value_type = Vec<Color>)]
        payment: Cards,
    },
    /// Build nothing in phase `build` (C-707).
    EndTurn {},
    /// Use a coat of arms for a special tile (C-603).
    #[open(x, y)]
    PlaceSpecialTile {
        /// The column.
        #[schema(value_type = u8, minimum = 0, maximum = 4)]
        x: Column,
        /// The row.
        #[schema(value_type = u8, minimum = 0, maximum = 8)]
        y: Row,
    },
    /// Use a coat of arms for a new ability (C-604).
    #[open(ability)]
    TakeAbility {
        /// The ability.
        ability: Ability,
    },
    /// Use a coat of arms to make all used abilities active (C-605).
    ReactivateAbilities {},
}

impl Command {
    /// The name of the command, as in its JSON.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Command::TakeCard { .. } => "TakeCard",
            Command::EndTaking {} => "EndTaking",
            Command::DiscardCard { .. } => "DiscardCard",
            Command::PlaceTile { .. } => "PlaceTile",
            Command::EndTurn {} => "EndTurn",
            Command::PlaceSpecialTile { .. } => "PlaceSpecialTile",
            Command::TakeAbility { .. } => "TakeAbility",
            Command::ReactivateAbilities {} => "ReactivateAbilities",
        }
    }
}

//! What events are made of, beside the pieces of the game.

use kernel::{Open, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::pieces::{Color, Colors, Ship};
use crate::position::{GodRows, Tasks};

/// The play area of a seat as it is set up (D-142).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(seat, ship, dice, injury, favor, shield, gods, tasks, shrines)]
pub struct Area {
    /// The seat.
    pub seat: Seat,
    /// Its ship tile.
    pub ship: Ship,
    /// The first oracle dice.
    #[schema(value_type = Vec<Color>)]
    pub dice: Colors,
    /// The first injury card.
    pub injury: Color,
    /// The favor.
    pub favor: u16,
    /// The shield.
    pub shield: u8,
    /// The rows of the gods.
    pub gods: GodRows,
    /// Zeus tiles.
    pub tasks: Tasks,
    /// Shrine pieces.
    pub shrines: u8,
}

/// What follows from the check of the injuries (D-221).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum InjuryResult {
    /// Neither too many injuries nor none.
    None,
    /// There are no injuries, which brings a reward (D-223).
    Reward,
    /// There are too many injuries, which forces a recovery (D-222).
    Recover,
}

/// What a god in the topmost row is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum GodUse {
    /// Its special action.
    Power,
    /// An oracle card.
    Card,
}

/// A deck that can be reshuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Deck {
    /// Oracle cards.
    Oracle,
    /// Injury cards.
    Injury,
}

/// The action of a source: the type of its command.
#[expect(missing_docs, reason = "the commands of these names are documented")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
pub enum Action {
    DrawOracleCard,
    TakeFavor,
    LookAtIsland,
    MoveShip,
    FightMonster,
    ExploreIsland,
    BuildShrine,
    LoadOffering,
    DeliverOffering,
    LoadStatue,
    RaiseStatue,
    HealInjuries,
    AdvanceGod,
    UseAmulet,
}

/// What a task brings, in the words of the printed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
pub enum Reward {
    /// The reward for a shrine.
    #[serde(rename = "advance one god one row")]
    God,
    /// The reward for a statue.
    #[serde(rename = "one companion of the colour of the statue")]
    Companion,
    /// The reward for an offering.
    #[serde(rename = "3 favor")]
    Favor,
    /// The reward for a monster.
    #[serde(rename = "one equipment card of the display")]
    Equipment,
}

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
    /// Nothing.
    None,
    /// There are none: a reward (D-223).
    Reward,
    /// There are too many: recovery (D-222).
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
pub enum Action {
    /// One oracle card.
    DrawOracleCard,
    /// 2 favor.
    TakeFavor,
    /// A look at two islands.
    LookAtIsland,
    /// Sailing.
    MoveShip,
    /// A battle.
    FightMonster,
    /// An island turned.
    ExploreIsland,
    /// A shrine built.
    BuildShrine,
    /// An offering loaded.
    LoadOffering,
    /// An offering delivered.
    DeliverOffering,
    /// A statue loaded.
    LoadStatue,
    /// A statue raised.
    RaiseStatue,
    /// Injuries healed.
    HealInjuries,
    /// A god advanced.
    AdvanceGod,
    /// An amulet used.
    UseAmulet,
}

/// What a task brings, in the words of the printed data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
pub enum Reward {
    /// Of a shrine.
    #[serde(rename = "advance one god one row")]
    God,
    /// Of a statue.
    #[serde(rename = "one companion of the colour of the statue")]
    Companion,
    /// Of an offering.
    #[serde(rename = "3 favor")]
    Favor,
    /// Of a monster.
    #[serde(rename = "one equipment card of the display")]
    Equipment,
}

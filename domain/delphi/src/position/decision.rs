//! Decisions that wait for an answer (section 8).

use kernel::Open;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::{Hex, HexPair};
use crate::event::Reason;
use crate::pieces::{CargoKind, Color, God, Set};
use crate::position::number;
use crate::printed::FACTS;

/// What follows when the second island of a `look` has been seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Then {
    /// One of the two is explored.
    Reveal,
    /// Nothing.
    Return,
}

/// A choice that the active seat has to make. The first one of a position is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Decision {
    /// Advance one of the gods; with more steps the decision opens again. Answer: `AdvanceGod`.
    #[open(steps, gods, reason)]
    AdvanceGod {
        /// The number of rows in all.
        #[serde(deserialize_with = "number::<_, 1, 255>")]
        #[schema(minimum = 1)]
        steps: u8,
        /// The gods that may advance, those of them below row 6.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
        /// The reason for the advance.
        reason: Reason,
    },
    /// Return a Zeus tile without its reward (D-144). Answer: `ReturnTask`.
    #[open()]
    ReturnTask {},
    /// Take a card of the display (D-601). Answer: `TakeEquipment`.
    #[open(reward)]
    TakeEquipment {
        /// Whether it is the reward for a monster, so that `blessing` works.
        reward: bool,
    },
    /// Discard injury cards; the turn ends (D-222). Answer: `Recover`.
    #[open(count)]
    Recover {
        /// The number of cards.
        #[serde(deserialize_with = "number::<_, 1, { FACTS.recovery }>")]
        #[schema(minimum = 1, maximum = 3)]
        count: u8,
    },
    /// The reward for no injuries (D-223). Answers: `TakeFavor`, `AdvanceGod`.
    #[open()]
    InjuryReward {},
    /// A battle round was lost (D-433). Answers: `ContinueBattle`, `GiveUpBattle`.
    #[open(at, color, strength)]
    Battle {
        /// The hex of the monster.
        at: Hex,
        /// The colour of the monster.
        color: Color,
        /// The strength of the round that was lost.
        #[serde(deserialize_with = "number::<_, 0, { FACTS.strength }>")]
        #[schema(minimum = 0, maximum = 9)]
        strength: u8,
    },
    /// Discard all injury cards of one colour (D-443). Answer: `HealColor`.
    #[open()]
    HealColor {},
    /// Take a companion (D-621). Answer: `TakeCompanion`.
    #[open(color)]
    TakeCompanion {
        /// The colour of the companion.
        color: Color,
    },
    /// Load a statue or an offering from anywhere (D-604). Answers: `TakeStatue` or `TakeOffering`, `Decline`.
    #[open(cargo, colors)]
    LoadAny {
        /// Statue or offering.
        cargo: CargoKind,
        /// The colours to choose from.
        #[schema(value_type = Vec<Color>)]
        colors: Set<Color>,
    },
    /// Raise a god to row 6 (D-605). Answer: `RaiseGod`.
    #[open(gods)]
    GodToTop {
        /// The gods that may be raised, those of them below row 6.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
    },
    /// Look at a face-down island (D-421). Answer: `LookAtIsland`.
    #[open(left, seen, then)]
    Look {
        /// The number of islands to look at, including this one.
        #[serde(deserialize_with = "number::<_, 1, 2>")]
        #[schema(minimum = 1, maximum = 2)]
        left: u8,
        /// The islands looked at before, at most two hexes in map order.
        #[schema(value_type = Vec<Hex>, max_items = 2)]
        seen: HexPair,
        /// What follows.
        then: Then,
    },
    /// Explore one of the islands just looked at (D-607). Answer: `RevealIsland`.
    #[open(hexes)]
    RevealOne {
        /// The islands, at most two, in map order.
        #[schema(value_type = Vec<Hex>, max_items = 2)]
        hexes: HexPair,
    },
}

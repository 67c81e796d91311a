//! What a seat asks for (sections 7 to 9).

use kernel::{Open, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::board::Hex;
use crate::pieces::{Color, Colors, CompanionKind, Equipment, God, Ship, TaskKind, ZeusTile};

/// A command of the active seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Command {
    /// Choose a ship tile of the offer (D-141).
    #[open(ship)]
    ChooseShip {
        /// The ship tile.
        ship: Ship,
    },
    /// Use an oracle die for an action (D-301, D-311).
    #[open(color, r#as)]
    UseDie {
        /// The colour that it shows.
        color: Color,
        /// The colour that it is used as.
        r#as: Color,
    },
    /// Lay an oracle card aside for an action (D-302, D-303, D-311).
    #[open(color, r#as)]
    PlayOracleCard {
        /// The colour of the card.
        color: Color,
        /// The colour that it is used as.
        r#as: Color,
    },
    /// Pay 3 favor for an additional action (D-304 to D-306).
    #[open(r#as)]
    UseBonusAction {
        /// Any colour.
        r#as: Color,
    },
    /// End the turn; all dice are used (D-241).
    EndTurn {},
    /// Use the special action of a god in the topmost row (D-501).
    #[open(god, at, color)]
    InvokeGod {
        /// The god.
        god: God,
        /// Poseidon: the destination. Artemis, Ares: the island. Otherwise null.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        at: Option<Hex>,
        /// Ares: the monster. Hermes: the statue. Otherwise null.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<Color>,
    },
    /// Give a god in the topmost row for an oracle card (D-501).
    #[open(god)]
    TradeGod {
        /// The god.
        god: God,
    },
    /// Action: draw an oracle card (D-411).
    DrawOracleCard {},
    /// Action: take 2 favor. Also the reward for no injuries (D-223).
    TakeFavor {},
    /// Action: look at two face-down islands, one after the other, or at the only one (D-421). Also an answer.
    #[open(at)]
    LookAtIsland {
        /// The island.
        at: Hex,
    },
    /// Action: sail (D-404 to D-409).
    #[open(to)]
    MoveShip {
        /// The destination.
        to: Hex,
    },
    /// Action: fight a monster of the colour of the action (D-431, D-432).
    #[open(at)]
    FightMonster {
        /// The monster island.
        at: Hex,
    },
    /// Action: turn a face-down island (D-435 to D-437).
    #[open(at)]
    ExploreIsland {
        /// The island.
        at: Hex,
    },
    /// Action: build a shrine on a revealed island (D-438, D-439).
    #[open(at)]
    BuildShrine {
        /// The island.
        at: Hex,
    },
    /// Action: load an offering of the colour of the action (D-451).
    #[open(at)]
    LoadOffering {
        /// The offering island.
        at: Hex,
    },
    /// Action: deliver an offering of the colour of the action (D-452).
    #[open(at)]
    DeliverOffering {
        /// The temple.
        at: Hex,
    },
    /// Action: load a statue of the colour of the action (D-453).
    #[open(at)]
    LoadStatue {
        /// The city.
        at: Hex,
    },
    /// Action: raise a statue of the colour of the action (D-454).
    #[open(at)]
    RaiseStatue {
        /// The statue island.
        at: Hex,
    },
    /// Action: discard all injury cards of the colour of the action (D-441).
    HealInjuries {},
    /// Action: advance the god of the colour of the action (D-445). Also an answer (D-502, D-223).
    #[open(god)]
    AdvanceGod {
        /// The god.
        god: God,
    },
    /// Action: use the amulet of the colour of the action (D-612).
    UseAmulet {},
    /// Answer: return a Zeus tile (D-144).
    #[open(kind, color)]
    ReturnTask {
        /// The kind of task.
        kind: TaskKind,
        /// The colour of the tile, or white; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<ZeusTile>,
    },
    /// Answer: take a card of the display (D-601).
    #[open(card)]
    TakeEquipment {
        /// The card.
        card: Equipment,
    },
    /// Answer: discard injury cards (D-222).
    #[open(cards)]
    Recover {
        /// The colours of the cards, sorted.
        #[schema(value_type = Vec<Color>)]
        cards: Colors,
    },
    /// Answer: pay 1 favor and fight another round (D-433).
    ContinueBattle {},
    /// Answer: end the battle (D-433).
    GiveUpBattle {},
    /// Answer: discard all injury cards of a colour (D-443).
    #[open(color)]
    HealColor {
        /// The colour.
        color: Color,
    },
    /// Answer: take a companion of the colour of the statue (D-621).
    #[open(kind)]
    TakeCompanion {
        /// The kind of companion.
        kind: CompanionKind,
    },
    /// Answer: load a statue from its city (D-604).
    #[open(color)]
    TakeStatue {
        /// The colour of the statue.
        color: Color,
    },
    /// Answer: load an offering from any island (D-604).
    #[open(at, color)]
    TakeOffering {
        /// The island.
        at: Hex,
        /// The colour of the offering.
        color: Color,
    },
    /// Answer: load nothing (D-604).
    Decline {},
    /// Answer: raise a god to the topmost row (D-605).
    #[open(god)]
    RaiseGod {
        /// The god.
        god: God,
    },
    /// Answer: explore one of the two islands (D-607).
    #[open(at)]
    RevealIsland {
        /// The island.
        at: Hex,
    },
}

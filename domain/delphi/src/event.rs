//! What happened: immutable facts (section 11). Applying one is told in `apply.rs`.

mod parts;
mod reason;

use kernel::{Fact, Seat, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use parts::{Action, Area, Deck, GodUse, InjuryResult, Reward};
pub use reason::Reason;

use crate::board::Hex;
use crate::pieces::{
    Color, Colors, CompanionKind, Equipment, Face, God, Set, Ship, TaskKind, ZeusTile,
};
use crate::position::{Decision, Place, Position, PositionForm, SourceKind};
use crate::view::View;

/// A fact. `seat` says whom it concerns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Fact)]
#[secret(position = Position)]
#[serde(tag = "type", deny_unknown_fields)]
pub enum Event {
    /// The first event: the position of the setup.
    MatchStarted {
        /// The start position.
        #[schema(value_type = PositionForm)]
        #[hidden(as = Box<View>, doc = "The start position as the viewer may see it.")]
        #[news(all)]
        position: Box<Position>,
    },
    /// A seat chose its ship tile: only with the option `ships: choice`. By default ships are drawn in the setup, and no seat chooses.
    #[open(seat, ship, next_seat)]
    ShipChosen {
        /// The seat that chose.
        seat: Seat,
        /// The ship tile that it chose.
        ship: Ship,
        /// The seat to act next.
        next_seat: Seat,
    },
    /// The play areas are set up (D-142, D-143).
    #[open(seat, start_queue)]
    PlayAreasPrepared {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// The play area of each seat.
        #[news(all)]
        areas: Vec<Area>,
        /// The seats that make a choice of D-144, in order.
        start_queue: Vec<Seat>,
    },
    /// A seat makes its choice of D-144.
    #[open(seat)]
    StartChoiceDue {
        /// The seat that chooses.
        seat: Seat,
    },
    /// A Zeus tile was returned (D-144).
    #[open(seat, kind, color)]
    TaskReturned {
        /// The seat that returned it.
        seat: Seat,
        /// The kind of task.
        kind: TaskKind,
        /// The colour of the tile, or white; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<ZeusTile>,
    },
    /// A turn begins.
    #[open(seat, round)]
    TurnStarted {
        /// The seat whose turn begins.
        seat: Seat,
        /// The number of the round.
        round: u32,
    },
    /// Two or more gods of a seat may advance because another seat consulted the oracle (D-242).
    #[open(seat, gods, by)]
    GodChoiceQueued {
        /// The seat whose gods may advance.
        seat: Seat,
        /// The gods of the entry; those in row 6 when it comes up drop out.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
        /// The seat that consulted the oracle.
        by: Seat,
    },
    /// The oldest waiting advance of a seat comes up (D-211).
    #[open(seat, gods)]
    GodChoiceDue {
        /// The seat whose gods may advance.
        seat: Seat,
        /// The gods of the entry; those in row 6 by now drop out.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
    },
    /// The injury cards were checked (D-221).
    #[open(seat, result)]
    InjuriesChecked {
        /// The seat whose injury cards were checked.
        seat: Seat,
        /// The result of the check.
        result: InjuryResult,
    },
    /// The actions of a turn begin.
    #[open(seat)]
    ActionsStarted {
        /// The seat whose actions begin.
        seat: Seat,
    },
    /// A source was chosen and paid for (D-311).
    #[open(seat, kind, color, r#as, favor)]
    SourceChosen {
        /// The seat that chose the source.
        seat: Seat,
        /// The kind of source.
        kind: SourceKind,
        /// The colour that the source shows; null for the bonus action.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<Color>,
        /// The colour that it is used as.
        r#as: Color,
        /// The favor that was paid.
        favor: u16,
    },
    /// The action for the source.
    #[open(seat, action, color)]
    ActionTaken {
        /// The seat that acts.
        seat: Seat,
        /// The type of the command.
        action: Action,
        /// The colour that the source was used as.
        color: Color,
    },
    /// A seat gained favor.
    #[open(seat, amount, reason)]
    FavorGained {
        /// The seat that gained favor.
        seat: Seat,
        /// The amount of favor.
        amount: u16,
        /// The reason for the gain.
        reason: Reason,
    },
    /// Favor was paid.
    #[open(seat, amount, reason)]
    FavorSpent {
        /// The seat that paid.
        seat: Seat,
        /// The amount of favor.
        amount: u16,
        /// What the favor was paid for.
        reason: Reason,
    },
    /// An oracle card came from the deck into the hand.
    #[open(seat, reason)]
    OracleCardDrawn {
        /// The seat that drew the card.
        seat: Seat,
        /// The colour of the card.
        #[news(all)]
        color: Color,
        /// The reason for the draw.
        reason: Reason,
    },
    /// An injury card was drawn.
    #[open(seat, kept, reason)]
    InjuryDrawn {
        /// The seat that drew the card.
        seat: Seat,
        /// The colour of the card.
        #[news(all)]
        color: Color,
        /// Whether the card is kept; if not, a hero sends it to the discard at once (D-121).
        kept: bool,
        /// The reason for the injury.
        reason: Reason,
    },
    /// Injury cards went to the discard.
    #[open(seat, cards, reason)]
    InjuriesDiscarded {
        /// The seat that discarded them.
        seat: Seat,
        /// The colours of the cards.
        #[schema(value_type = Vec<Color>)]
        cards: Colors,
        /// The reason for the discard.
        reason: Reason,
    },
    /// A discard became the deck (D-121).
    #[open(deck)]
    DeckReshuffled {
        /// The deck that was reshuffled.
        deck: Deck,
    },
    /// The shield rose.
    #[open(seat, from, to, reason)]
    ShieldRaised {
        /// The seat whose shield rose.
        seat: Seat,
        /// The value before.
        from: u8,
        /// The value after.
        to: u8,
        /// The reason for the change.
        reason: Reason,
    },
    /// A god went up.
    #[open(seat, god, from, to, reason)]
    GodAdvanced {
        /// The seat whose god advanced.
        seat: Seat,
        /// The god that advanced.
        god: God,
        /// The row before.
        from: u8,
        /// The row after.
        to: u8,
        /// The reason for the advance.
        reason: Reason,
    },
    /// A god in the topmost row acts, or is given for a card (D-501).
    #[open(seat, god, r#use)]
    GodInvoked {
        /// The seat that invoked the god.
        seat: Seat,
        /// The god that was invoked.
        god: God,
        /// Whether the god was used for its power or for a card.
        r#use: GodUse,
    },
    /// Apollon has freed the colours for this turn.
    #[open(seat)]
    ColorsFreed {
        /// The seat whose colours are freed.
        seat: Seat,
    },
    /// The action of a god is completed (D-501).
    #[open(seat, god, from, to)]
    GodReset {
        /// The seat of the god.
        seat: Seat,
        /// The god that was reset.
        god: God,
        /// The row before.
        from: u8,
        /// The row after.
        to: u8,
    },
    /// A ship sailed.
    #[open(seat, from, to, steps, favor)]
    ShipMoved {
        /// The seat of the ship.
        seat: Seat,
        /// The hex that the ship left.
        from: Hex,
        /// The hex that it reached.
        to: Hex,
        /// The number of steps; null with Poseidon.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        steps: Option<u8>,
        /// The favor paid for steps beyond the range.
        favor: u16,
    },
    /// A ship returned to Zeus.
    #[open(seat)]
    ZeusReached {
        /// The seat of the ship.
        seat: Seat,
    },
    /// A battle begins (D-432).
    #[open(seat, at, color, strength)]
    BattleStarted {
        /// The seat that fights.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The colour of the monster.
        color: Color,
        /// The strength that a roll has to reach.
        strength: u8,
    },
    /// The battle die was rolled.
    #[open(seat, at, color, strength, won)]
    BattleRolled {
        /// The seat that fights.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The colour of the monster.
        color: Color,
        /// The roll, 0 to 9.
        #[news(all)]
        roll: u8,
        /// The strength that the roll had to reach.
        strength: u8,
        /// Whether the round was won.
        won: bool,
    },
    /// A battle was given up or could not continue.
    #[open(seat, at, color)]
    BattleEnded {
        /// The seat that fought.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The colour of the monster.
        color: Color,
    },
    /// A monster left its island for good.
    #[open(seat, at, color)]
    MonsterDefeated {
        /// The seat that defeated it.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The colour of the monster.
        color: Color,
    },
    /// A task was fulfilled: the score event.
    #[open(seat, kind, color, tile, reward)]
    TaskFulfilled {
        /// The seat that fulfilled it.
        seat: Seat,
        /// The kind of task.
        kind: TaskKind,
        /// The colour of the task; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<Color>,
        /// The Zeus tile that leaves; null for a shrine; white where a loaded position lacks the tile.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        tile: Option<ZeusTile>,
        /// The reward for the task.
        reward: Reward,
    },
    /// A card was taken from the display.
    #[open(seat, card)]
    EquipmentTaken {
        /// The seat that took the card.
        seat: Seat,
        /// The card that was taken.
        card: Equipment,
        /// The card that was drawn in its place; null if the deck is empty.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        #[news(all, if = Option::is_some)]
        refill: Option<Equipment>,
    },
    /// A companion joined a ship.
    #[open(seat, kind, color)]
    CompanionTaken {
        /// The seat that took it.
        seat: Seat,
        /// The kind of companion.
        kind: CompanionKind,
        /// The colour of the companion.
        color: Color,
    },
    /// An offering was loaded.
    #[open(seat, from, color)]
    OfferingLoaded {
        /// The seat that loaded it.
        seat: Seat,
        /// The offering island.
        from: Hex,
        /// The colour of the offering.
        color: Color,
    },
    /// A statue was loaded.
    #[open(seat, from, color)]
    StatueLoaded {
        /// The seat that loaded it.
        seat: Seat,
        /// The city.
        from: Hex,
        /// The colour of the statue.
        color: Color,
    },
    /// An offering was delivered.
    #[open(seat, at, color)]
    OfferingDelivered {
        /// The seat that delivered it.
        seat: Seat,
        /// The temple.
        at: Hex,
        /// The colour of the offering.
        color: Color,
    },
    /// A statue was raised.
    #[open(seat, at, color)]
    StatueRaised {
        /// The seat that raised it.
        seat: Seat,
        /// The statue island.
        at: Hex,
        /// The colour of the statue.
        color: Color,
    },
    /// A seat looked at a face-down island.
    #[open(seat, at)]
    IslandLookedAt {
        /// The seat that looked.
        seat: Seat,
        /// The island.
        at: Hex,
        /// The hidden side that it saw.
        #[hidden(owner = seat, doc = "What it saw; null to everybody else.")]
        #[news(all)]
        face: Face,
    },
    /// An island was turned face up.
    #[open(seat, at)]
    IslandRevealed {
        /// The seat that turned it.
        seat: Seat,
        /// The island.
        at: Hex,
        /// The side that all now see.
        #[news(all)]
        face: Face,
    },
    /// A shrine was built.
    #[open(seat, at)]
    ShrineBuilt {
        /// The seat that built it.
        seat: Seat,
        /// The island.
        at: Hex,
    },
    /// Decisions came in front of those that wait.
    #[open(seat, decisions)]
    DecisionsOpened {
        /// The seat that decides.
        seat: Seat,
        /// The decisions, in order.
        decisions: Vec<Decision>,
    },
    /// The decision that was due is answered, or has no answer.
    #[open(seat)]
    DecisionClosed {
        /// The seat whose decision it was.
        seat: Seat,
    },
    /// The dice for the next turn were rolled (D-241).
    #[open(seat)]
    OracleConsulted {
        /// The seat whose dice were rolled.
        seat: Seat,
        /// The colours that the dice show.
        #[schema(value_type = Vec<Color>)]
        #[news(all)]
        dice: Colors,
    },
    /// The titan attacks (D-251).
    #[open(seat)]
    TitanRolled {
        /// The seat that rolled for the titan.
        seat: Seat,
        /// The strength of the attack, 1 to 6.
        #[news(all)]
        strength: u8,
    },
    /// A turn ended.
    #[open(seat)]
    TurnEnded {
        /// The seat whose turn ended.
        seat: Seat,
    },
    /// A round ended.
    #[open(seat, round)]
    RoundEnded {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// The number of the round.
        round: u32,
    },
    /// The match is finished.
    #[open(seat, standing)]
    MatchFinished {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// The final ranking.
        standing: Vec<Place>,
    },
}

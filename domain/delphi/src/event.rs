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
    /// A seat chose its ship tile.
    #[open(seat, ship, next_seat)]
    ShipChosen {
        /// Whose.
        seat: Seat,
        /// Which one.
        ship: Ship,
        /// Who acts next.
        next_seat: Seat,
    },
    /// The play areas are set up (D-142, D-143).
    #[open(seat, start_queue)]
    PlayAreasPrepared {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// One for each seat.
        #[news(all)]
        areas: Vec<Area>,
        /// Who makes a choice of D-144, in order.
        start_queue: Vec<Seat>,
    },
    /// A seat makes its choice of D-144.
    #[open(seat)]
    StartChoiceDue {
        /// Whose.
        seat: Seat,
    },
    /// A Zeus tile was returned (D-144).
    #[open(seat, kind, color)]
    TaskReturned {
        /// Whose.
        seat: Seat,
        /// Of this kind.
        kind: TaskKind,
        /// Its colour or white; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<ZeusTile>,
    },
    /// A turn begins.
    #[open(seat, round)]
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// In this round.
        round: u32,
    },
    /// Two or more gods of a seat may advance by another's consultation (D-242).
    #[open(seat, gods, by)]
    GodChoiceQueued {
        /// Whose.
        seat: Seat,
        /// One of these.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
        /// Who consulted the oracle.
        by: Seat,
    },
    /// The oldest waiting advance of a seat comes up (D-211).
    #[open(seat, gods)]
    GodChoiceDue {
        /// Whose.
        seat: Seat,
        /// One of these.
        #[schema(value_type = Vec<God>)]
        gods: Set<God>,
    },
    /// The injury cards were checked (D-221).
    #[open(seat, result)]
    InjuriesChecked {
        /// Whose.
        seat: Seat,
        /// What follows.
        result: InjuryResult,
    },
    /// The actions of a turn begin.
    #[open(seat)]
    ActionsStarted {
        /// Whose.
        seat: Seat,
    },
    /// A source was chosen and paid for (D-311).
    #[open(seat, kind, color, r#as, favor)]
    SourceChosen {
        /// Whose.
        seat: Seat,
        /// What it is.
        kind: SourceKind,
        /// What it shows; null for the bonus action.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<Color>,
        /// The colour as which it is used.
        r#as: Color,
        /// Favor paid.
        favor: u16,
    },
    /// The action for the source.
    #[open(seat, action, color)]
    ActionTaken {
        /// Whose.
        seat: Seat,
        /// The type of the command.
        action: Action,
        /// The colour as which the source was used.
        color: Color,
    },
    /// Favor came in.
    #[open(seat, amount, reason)]
    FavorGained {
        /// Whose.
        seat: Seat,
        /// How much.
        amount: u16,
        /// Why.
        reason: Reason,
    },
    /// Favor was paid.
    #[open(seat, amount, reason)]
    FavorSpent {
        /// Whose.
        seat: Seat,
        /// How much.
        amount: u16,
        /// What for.
        reason: Reason,
    },
    /// An oracle card came from the deck into the hand.
    #[open(seat, reason)]
    OracleCardDrawn {
        /// Whose.
        seat: Seat,
        /// Which colour.
        #[news(all)]
        color: Color,
        /// Why.
        reason: Reason,
    },
    /// An injury card was drawn.
    #[open(seat, kept, reason)]
    InjuryDrawn {
        /// Whose.
        seat: Seat,
        /// Which colour.
        #[news(all)]
        color: Color,
        /// False: a hero sends it to the discard at once (D-121).
        kept: bool,
        /// Why.
        reason: Reason,
    },
    /// Injury cards went to the discard.
    #[open(seat, cards, reason)]
    InjuriesDiscarded {
        /// Whose.
        seat: Seat,
        /// Which ones.
        #[schema(value_type = Vec<Color>)]
        cards: Colors,
        /// Why.
        reason: Reason,
    },
    /// A discard became the deck (D-121).
    #[open(deck)]
    DeckReshuffled {
        /// Which deck.
        deck: Deck,
    },
    /// The shield rose.
    #[open(seat, from, to, reason)]
    ShieldRaised {
        /// Whose.
        seat: Seat,
        /// Before.
        from: u8,
        /// After.
        to: u8,
        /// Why.
        reason: Reason,
    },
    /// A god went up.
    #[open(seat, god, from, to, reason)]
    GodAdvanced {
        /// Whose.
        seat: Seat,
        /// Which one.
        god: God,
        /// Row before.
        from: u8,
        /// Row after.
        to: u8,
        /// Why.
        reason: Reason,
    },
    /// A god in the topmost row acts (D-501).
    #[open(seat, god, r#use)]
    GodInvoked {
        /// Whose.
        seat: Seat,
        /// Which one.
        god: God,
        /// For its power or for a card.
        r#use: GodUse,
    },
    /// Apollon has freed the colours for this turn.
    #[open(seat)]
    ColorsFreed {
        /// Whose.
        seat: Seat,
    },
    /// The action of a god is completed (D-501).
    #[open(seat, god, from, to)]
    GodReset {
        /// Whose.
        seat: Seat,
        /// Which one.
        god: God,
        /// Row before.
        from: u8,
        /// Row after.
        to: u8,
    },
    /// A ship sailed.
    #[open(seat, from, to, steps, favor)]
    ShipMoved {
        /// Whose.
        seat: Seat,
        /// Where from.
        from: Hex,
        /// Where to.
        to: Hex,
        /// Steps; null with Poseidon.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        steps: Option<u8>,
        /// Favor paid for steps beyond the range.
        favor: u16,
    },
    /// A ship returned to Zeus.
    #[open(seat)]
    ZeusReached {
        /// Whose.
        seat: Seat,
    },
    /// A battle begins (D-432).
    #[open(seat, at, color, strength)]
    BattleStarted {
        /// Whose.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The monster.
        color: Color,
        /// What a roll has to reach.
        strength: u8,
    },
    /// The battle die was rolled.
    #[open(seat, at, color, strength, won)]
    BattleRolled {
        /// Whose.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The monster.
        color: Color,
        /// 0 to 9.
        #[news(all)]
        roll: u8,
        /// What it had to reach.
        strength: u8,
        /// Did it?
        won: bool,
    },
    /// A battle was given up or could not go on.
    #[open(seat, at, color)]
    BattleEnded {
        /// Whose.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The monster.
        color: Color,
    },
    /// A monster left its island for good.
    #[open(seat, at, color)]
    MonsterDefeated {
        /// Whose.
        seat: Seat,
        /// The monster island.
        at: Hex,
        /// The monster.
        color: Color,
    },
    /// A task was fulfilled: the score event.
    #[open(seat, kind, color, tile, reward)]
    TaskFulfilled {
        /// Whose.
        seat: Seat,
        /// Which kind.
        kind: TaskKind,
        /// The colour; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        color: Option<Color>,
        /// The Zeus tile that leaves; null for a shrine.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        tile: Option<ZeusTile>,
        /// What it brings.
        reward: Reward,
    },
    /// A card was taken from the display.
    #[open(seat, card)]
    EquipmentTaken {
        /// Whose.
        seat: Seat,
        /// Which one.
        card: Equipment,
        /// What was drawn in its place; null if the deck is empty.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        #[news(all, if = Option::is_some)]
        refill: Option<Equipment>,
    },
    /// A companion joined a ship.
    #[open(seat, kind, color)]
    CompanionTaken {
        /// Whose.
        seat: Seat,
        /// Which kind.
        kind: CompanionKind,
        /// Which colour.
        color: Color,
    },
    /// An offering was loaded.
    #[open(seat, from, color)]
    OfferingLoaded {
        /// Whose.
        seat: Seat,
        /// The offering island.
        from: Hex,
        /// Which one.
        color: Color,
    },
    /// A statue was loaded.
    #[open(seat, from, color)]
    StatueLoaded {
        /// Whose.
        seat: Seat,
        /// The city.
        from: Hex,
        /// Which one.
        color: Color,
    },
    /// An offering was delivered.
    #[open(seat, at, color)]
    OfferingDelivered {
        /// Whose.
        seat: Seat,
        /// The temple.
        at: Hex,
        /// Which one.
        color: Color,
    },
    /// A statue was raised.
    #[open(seat, at, color)]
    StatueRaised {
        /// Whose.
        seat: Seat,
        /// The statue island.
        at: Hex,
        /// Which one.
        color: Color,
    },
    /// A seat looked at a face-down island.
    #[open(seat, at)]
    IslandLookedAt {
        /// Whose.
        seat: Seat,
        /// Which one.
        at: Hex,
        /// What it saw.
        #[hidden(owner = seat, doc = "What it saw; null to everybody else.")]
        #[news(all)]
        face: Face,
    },
    /// An island was turned face up.
    #[open(seat, at)]
    IslandRevealed {
        /// Whose.
        seat: Seat,
        /// Which one.
        at: Hex,
        /// What all see.
        #[news(all)]
        face: Face,
    },
    /// A shrine was built.
    #[open(seat, at)]
    ShrineBuilt {
        /// Whose.
        seat: Seat,
        /// On this island.
        at: Hex,
    },
    /// Decisions came in front of those that wait.
    #[open(seat, decisions)]
    DecisionsOpened {
        /// Whose.
        seat: Seat,
        /// In this order.
        decisions: Vec<Decision>,
    },
    /// The decision that was due is answered, or has no answer.
    #[open(seat)]
    DecisionClosed {
        /// Whose.
        seat: Seat,
    },
    /// The dice for the next turn were rolled (D-241).
    #[open(seat)]
    OracleConsulted {
        /// Whose.
        seat: Seat,
        /// What they show.
        #[schema(value_type = Vec<Color>)]
        #[news(all)]
        dice: Colors,
    },
    /// The titan attacks (D-251).
    #[open(seat)]
    TitanRolled {
        /// Whose.
        seat: Seat,
        /// 1 to 6.
        #[news(all)]
        strength: u8,
    },
    /// A turn ended.
    #[open(seat)]
    TurnEnded {
        /// Whose.
        seat: Seat,
    },
    /// A round ended.
    #[open(seat, round)]
    RoundEnded {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// Which one.
        round: u32,
    },
    /// The match is finished.
    #[open(seat, standing)]
    MatchFinished {
        /// Always null: no seat is concerned.
        #[serde(deserialize_with = "present")]
        #[schema(required = true)]
        seat: Option<Seat>,
        /// The ranking.
        standing: Vec<Place>,
    },
}

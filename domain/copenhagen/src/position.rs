//! The complete state of a match.

mod form;

use kernel::json::Below;
use kernel::{Edition, Open, Refusal, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use form::{GameName, PlayerForm, PositionForm};

use crate::board::Board;
use crate::pieces::{Abilities, Cards, Color, Supply};
use crate::printed::SLOTS;

/// A slot of the harbor, 0 to 6, in a row.
pub type Slot = Below<SLOTS>;
/// The row of seven cards; an empty slot has none.
pub type Harbor = [Option<Color>; SLOTS as usize];

/// What the active seat may do (C-303).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Begins the turn: takes a card or builds.
    Action,
    /// Must take a second card.
    SecondCard,
    /// May take a third card.
    ThirdCard,
    /// Has more than 7 cards.
    Discard,
    /// May build, with `both_actions`.
    Build,
    /// Must use a coat of arms.
    CoatOfArms,
    /// The match is finished.
    Finished,
}

/// Its word in JSON.
impl std::fmt::Display for Phase {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.serialize(f)
    }
}

/// Where the end card is (C-903).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EndCard {
    /// Beside the deck: three or four players, before the reshuffle.
    Aside,
    /// In the deck, among the lowest 9 facade cards.
    Deck,
    /// It came up and ended the match.
    Revealed,
}

/// Why a match ended (C-906).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    /// Somebody reached 12 points (C-901).
    TwelvePoints,
    /// The end card came up (C-902).
    EndCard,
}

/// A place in the standing (C-905).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(seat, rank, score, empty_spaces)]
pub struct Place {
    /// The seat.
    pub seat: Seat,
    /// 1 plus the number of players who are ahead.
    #[schema(minimum = 1, maximum = 4)]
    pub rank: u8,
    /// The points.
    pub score: u8,
    /// Empty spaces on the player's board; they break ties only after the end card.
    #[schema(maximum = 45)]
    pub empty_spaces: u8,
}

/// How a match ended (C-906).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct MatchResult {
    /// Why the match ended.
    pub reason: Reason,
    /// The seats with rank 1, ascending.
    #[schema(max_items = 4)]
    pub winners: Vec<Seat>,
    /// All seats, by rank, then seat.
    #[schema(max_items = 4)]
    pub standing: Vec<Place>,
}

/// What one player has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Player {
    /// Points: always the value of the complete lines of the board (C-804).
    pub score: u8,
    /// Cards in hand, hidden from the others.
    pub hand: Cards,
    /// Ability tiles.
    pub abilities: Abilities,
    /// The facade.
    pub board: Board,
}

/// The complete state of a match, hidden parts included. Its JSON is that of [`PositionForm`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "PositionForm", try_from = "PositionForm")]
pub struct Position {
    /// The edition of the rules by which the match is played.
    pub(crate) edition: Edition,
    pub(crate) turn: u32,
    pub(crate) phase: Phase,
    pub(crate) active_seat: Option<Seat>,
    pub(crate) coats: u8,
    pub(crate) players: Vec<Player>,
    pub(crate) harbor: Harbor,
    pub(crate) deck: Cards,
    pub(crate) discard: Cards,
    pub(crate) end_card: EndCard,
    pub(crate) supply: Supply,
    pub(crate) result: Option<Box<MatchResult>>,
}

impl TryFrom<PositionForm> for Position {
    type Error = Refusal;

    fn try_from(form: PositionForm) -> Result<Self, Refusal> {
        crate::load::admit(form)
    }
}

impl Position {
    /// The seat to act, or `None` when the match is finished.
    #[must_use]
    pub fn active_seat(&self) -> Option<Seat> {
        self.active_seat
    }

    /// The phase of the turn.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The players, in seat order.
    #[must_use]
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    pub(crate) fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    pub(crate) fn player_mut(&mut self, seat: Seat) -> &mut Player {
        &mut self.players[seat.index()]
    }

    /// The seat whose turn comes after that of `seat`.
    pub(crate) fn next(&self, seat: Seat) -> Seat {
        let seats = u8::try_from(self.players.len()).expect("at most four players");
        Seat((seat.0 + 1) % seats)
    }

    /// The empty slots of the harbor, ascending.
    pub(crate) fn empty_slots(&self) -> impl Iterator<Item = Slot> {
        Slot::all().filter(|slot| self.harbor[slot.index()].is_none())
    }

    /// How many cards the deck has: facade cards, and the end card if it is among them.
    pub(crate) fn deck_size(&self) -> usize {
        self.deck.len() + usize::from(self.end_card == EndCard::Deck)
    }
}

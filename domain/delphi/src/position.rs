//! The complete state of a match (section 4).
//!
//! [`Position`] is the form for play: sets and counts instead of lists, and everything that never changes behind an [`Arc`], so
//! that a copy is cheap. Its JSON is [`PositionForm`], in `position/form.rs`.

pub(crate) mod decision;
mod form;
mod player;

use std::sync::Arc;

use kernel::{Edition, Open, Seat, present};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

pub use decision::{Decision, Then};
pub use form::{City, GameName, IslandForm, IslandView, PositionForm, Site, Stock, View};
pub(crate) use form::{form, islands, players};
pub use player::{Cargo, Fulfilled, GodRows, Player, TOP_ROW, Tasks};

use crate::board::{Chart, Hex, HexKind};
use crate::options::Terms;
use crate::pieces::{Color, Colors, Companion, Equipment, Face, God, Set, Ship};
use crate::printed::FACTS;
use crate::printed::map::{SITES, spaces};

/// The most seats.
pub const MOST_SEATS: usize = FACTS.seats[1] as usize;

/// The stage of the match (section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Seats choose their ships.
    Ships,
    /// Choices that two ships bring at the start.
    Start,
    /// A turn begins: waiting advances, injuries.
    Upkeep,
    /// The actions of a turn.
    Main,
    /// The match is finished.
    Over,
}

/// What pays for an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// An oracle die.
    Die,
    /// An oracle card.
    Card,
    /// The equipment card `extra_action`.
    Bonus,
}

/// A source between its choice and its action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(kind, color, r#as)]
pub struct Source {
    /// The kind of source.
    pub kind: SourceKind,
    /// The colour that it shows; null for the bonus action.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub color: Option<Color>,
    /// The colour that it is used as.
    pub r#as: Color,
}

/// What has happened in this turn so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(checked, recovering, source, card_played, bonus_used, wild, acting_god)]
pub struct Turn {
    /// Whether the injuries have been checked (D-221).
    pub checked: bool,
    /// Whether the turn is a recovery (D-222).
    pub recovering: bool,
    /// The source that is chosen while its action is not; otherwise null.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub source: Option<Source>,
    /// The colour of the oracle card laid aside.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub card_played: Option<Color>,
    /// Whether the bonus action has been used.
    pub bonus_used: bool,
    /// Whether Apollon has freed the colours.
    pub wild: bool,
    /// The god whose special action is not yet completed.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub acting_god: Option<God>,
}

/// What changes about an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Island {
    /// The hidden side.
    pub face: Face,
    /// Whether it lies face up.
    pub revealed: bool,
    /// The seats that have looked at it.
    pub seen_by: SeatSet,
    /// The seat whose shrine stands there, if any.
    pub shrine: Option<Seat>,
}

/// Seats, ascending.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatSet(u8);

impl SeatSet {
    /// Is the seat in it?
    #[must_use]
    pub fn contains(self, seat: Seat) -> bool {
        seat.index() < MOST_SEATS && self.0 >> seat.0 & 1 == 1
    }

    /// The set with the seat in it.
    #[must_use]
    pub fn with(self, seat: Seat) -> Self {
        if seat.index() < MOST_SEATS { SeatSet(self.0 | 1 << seat.0) } else { self }
    }

    /// The seats, ascending.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..).map(Seat).take(MOST_SEATS).filter(move |seat| self.contains(*seat))
    }
}

/// A place in the final ranking (D-802, D-803).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(seat, rank, home, fulfilled, cards, favor)]
pub struct Place {
    /// The seat.
    pub seat: Seat,
    /// The rank, from 1. Equal seats share a rank, and the next rank counts all of them (1, 1, 3).
    #[schema(minimum = 1, maximum = 4)]
    pub rank: u8,
    /// Whether the ship returned to Zeus.
    pub home: bool,
    /// Fulfilled tasks.
    pub fulfilled: u16,
    /// Oracle cards in hand.
    pub cards: u16,
    /// The favor.
    pub favor: u16,
}

/// The complete state of a match, hidden parts included. Lists by place (`offerings`, `islands` ...) have the order of the lists of
/// the [`Chart`]; what is beyond those is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "PositionForm", try_from = "PositionForm")]
pub struct Position {
    /// The edition of the rules by which the match is played.
    pub edition: Edition,
    /// The map and what never changes on it.
    pub chart: Arc<Chart>,
    /// The options.
    pub terms: Arc<Terms>,
    /// The number of seats, 2 to 4.
    pub seats: u8,
    /// The stage of the match.
    pub stage: Stage,
    /// The round, counted from 1.
    pub round: u32,
    /// The seat that begins every round.
    pub start_seat: Seat,
    /// The seat to act; `None` exactly in stage `over`.
    pub active_seat: Option<Seat>,
    /// The offerings on each offering island.
    pub offerings: [Colors; spaces(HexKind::Offering)],
    /// The monsters on each monster island.
    pub monsters: [Colors; spaces(HexKind::Monster)],
    /// Statues left in each city, 0 to 3.
    pub statues: [u8; spaces(HexKind::City)],
    /// The seat that raised a statue on each site, if any.
    pub sites: [Option<Seat>; SITES],
    /// The islands.
    pub islands: [Island; spaces(HexKind::Island)],
    /// Oracle cards to draw.
    pub oracle_deck: Colors,
    /// Oracle cards discarded.
    pub oracle_discard: Colors,
    /// Injury cards to draw.
    pub injury_deck: Colors,
    /// Injury cards discarded.
    pub injury_discard: Colors,
    /// Equipment to draw.
    pub equipment_deck: Set<Equipment>,
    /// Equipment to take.
    pub equipment_display: Set<Equipment>,
    /// Companions to take.
    pub companions: Set<Companion>,
    /// Ships to choose from.
    pub ship_offer: Set<Ship>,
    /// The seats that still make a choice of D-144, in order.
    pub start_queue: Vec<Seat>,
    /// The players, by seat; those beyond the number of seats have nothing.
    pub players: [Player; MOST_SEATS],
    /// The turn so far.
    pub turn: Turn,
    /// The open decisions; the first one is due.
    pub pending: Vec<Decision>,
    /// The ranking, after the end.
    pub standing: Option<Vec<Place>>,
}

impl Position {
    /// The seat to act; the start seat when nobody is.
    #[must_use]
    pub fn active(&self) -> Seat {
        self.active_seat.unwrap_or(self.start_seat)
    }

    /// The player in a seat.
    #[must_use]
    pub fn player(&self, seat: Seat) -> &Player {
        &self.players[seat.index()]
    }

    /// All seats in turn order from `first`.
    pub fn in_turn_order(&self, first: Seat) -> impl Iterator<Item = Seat> + use<> {
        let seats = self.seats;
        (0..seats).map(move |step| Seat((first.0 + step) % seats))
    }

    /// The seat after `seat` in turn order.
    #[must_use]
    pub fn next_seat(&self, seat: Seat) -> Seat {
        Seat((seat.0 + 1) % self.seats)
    }

    /// The last seat of a round: the one before the start seat.
    #[must_use]
    pub fn last_seat(&self) -> Seat {
        Seat((self.start_seat.0 + self.seats - 1) % self.seats)
    }

    /// The row that shows the number of players: a god that leaves row 0 goes there.
    #[must_use]
    pub fn first_row(&self) -> u8 {
        FACTS.first_rows[usize::from(self.seats).clamp(2, MOST_SEATS) - 2]
    }

    /// The index of the island at a hex in the lists of islands.
    #[must_use]
    pub fn island_at(&self, at: Hex) -> Option<usize> {
        self.chart.islands.iter().position(|island| island.at == at)
    }

    /// The index of the island at a hex if it lies face down (D-421, D-435).
    #[must_use]
    pub fn face_down(&self, at: Hex) -> Option<usize> {
        self.island_at(at).filter(|place| !self.islands[*place].revealed)
    }

    /// How many islands lie face down.
    #[must_use]
    pub fn count_face_down(&self) -> usize {
        self.islands[..self.chart.islands.len()].iter().filter(|island| !island.revealed).count()
    }

    /// The first city of this colour that has a statue left.
    #[must_use]
    pub fn city_with_statue(&self, color: Color) -> Option<Hex> {
        let mut cities = self.chart.cities.iter().zip(&self.statues);
        cities.find(|(city, statues)| city.color == color && **statues > 0).map(|(city, _)| city.at)
    }
}

/// For `deserialize_with`: a number in a range, both ends included.
pub(crate) fn number<'de, D: Deserializer<'de>, const LEAST: u8, const MOST: u8>(
    d: D,
) -> Result<u8, D::Error> {
    let number = u8::deserialize(d)?;
    if (LEAST..=MOST).contains(&number) {
        return Ok(number);
    }
    Err(D::Error::custom(format!("{number} is not from {LEAST} to {MOST}")))
}

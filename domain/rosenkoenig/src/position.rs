//! The complete state of a match.

mod form;
pub(crate) mod seat;

use kernel::{Edition, Open, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use form::{GameName, PhaseName, PositionForm};
pub(crate) use form::{phase_fields, rows};

use crate::{Cards, Color, Field, Fields, MatchOptions, Pile};

/// A position in memory: small, without allocations. Its JSON is [`PositionForm`].
///
/// Positions come from a start, from loading ([`admit`](kernel::Game::admit)), and from applying events; so every card is in exactly
/// one place, and `stones_left` fits the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "PositionForm")]
pub struct Position {
    /// The edition of the rules by which the match is played.
    pub(crate) edition: Edition,
    pub(crate) options: MatchOptions,
    pub(crate) phase: Phase,
    pub(crate) start_seat: Seat,
    /// Red stones, then white ones.
    pub(crate) stones: [Fields; 2],
    pub(crate) crown: Field,
    /// By seat.
    pub(crate) hands: [Cards; 2],
    /// By seat.
    pub(crate) heroes: [u8; 2],
    pub(crate) stones_left: u8,
    pub(crate) draw_pile: Pile,
    pub(crate) discard_pile: Pile,
}

/// Whether the match is still being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// This seat is to act.
    Turn(Seat),
    /// It has ended.
    Finished(EndReason),
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// The last of the 52 stones was laid.
    LastStone,
    /// Both hands are full and no card is playable.
    Blocked,
}

impl Position {
    /// The seat to act, or `None` when the match is finished.
    #[must_use]
    pub fn active_seat(&self) -> Option<Seat> {
        match self.phase {
            Phase::Turn(seat) => Some(seat),
            Phase::Finished(_) => None,
        }
    }

    /// Why the match ended, or `None` while it goes on.
    #[must_use]
    pub fn end_reason(&self) -> Option<EndReason> {
        match self.phase {
            Phase::Turn(_) => None,
            Phase::Finished(reason) => Some(reason),
        }
    }

    /// The options of the match.
    #[must_use]
    pub fn options(&self) -> MatchOptions {
        self.options
    }

    /// The fields with stones of a colour.
    #[must_use]
    pub fn stones(&self, color: Color) -> Fields {
        self.stones[color.index()]
    }

    /// The field of the crown.
    #[must_use]
    pub fn crown(&self) -> Field {
        self.crown
    }

    /// The hand of a seat.
    ///
    /// # Panics
    /// If there is no such seat.
    #[must_use]
    pub fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    /// How many heroes a seat has left.
    ///
    /// # Panics
    /// If there is no such seat.
    #[must_use]
    pub fn heroes(&self, seat: Seat) -> u8 {
        self.heroes[seat.index()]
    }

    /// Stones in the supply.
    #[must_use]
    pub fn stones_left(&self) -> u8 {
        self.stones_left
    }

    /// The draw pile: its order is hidden.
    #[must_use]
    pub fn draw_pile(&self) -> &Pile {
        &self.draw_pile
    }

    /// The discard pile: open.
    #[must_use]
    pub fn discard_pile(&self) -> &Pile {
        &self.discard_pile
    }
}

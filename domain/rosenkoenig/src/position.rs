//! The complete state of a match.

pub(crate) mod seat;

use kernel::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Card, Cards, Color, Field, FieldForm, Fields, HEIGHT, MatchOptions, Pile};

/// A position in memory: small, without allocations. Its JSON is [`PositionForm`].
///
/// Positions come from a start, from loading ([`admit`](kernel::Game::admit)), and from applying events; so every card is in exactly
/// one place, and `stones_left` fits the board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "PositionForm")]
pub struct Position {
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

/// Is the match going on?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// This seat is to act.
    Turn(Seat),
    /// It has ended.
    Finished(EndReason),
}

/// Why a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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

/// The game's name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// The only value.
    Rosenkoenig,
}

/// Is the match going on?
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// A seat is to act.
    Turn,
    /// The match has ended.
    Finished,
}

/// A position as JSON (section 3 of the rules). Reading checks shape and types; come after.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionForm {
    /// Always `rosenkoenig`.
    pub game: GameName,
    /// All four options.
    #[serde(deserialize_with = "kernel::object")]
    pub options: MatchOptions,
    /// `turn` until the match ends.
    pub phase: PhaseName,
    /// The seat to act; null exactly when the match is finished.
    #[serde(deserialize_with = "crate::position::seat::one_or_null")]
    pub active_seat: Option<Seat>,
    /// The seat that began.
    #[serde(deserialize_with = "crate::position::seat::one")]
    pub start_seat: Seat,
    /// Nine rows of nine characters, north first: `.` empty, `r` red stone, `w` white stone.
    #[schema(min_items = 9, max_items = 9)]
    pub board: Vec<String>,
    /// The field of the crown.
    #[serde(deserialize_with = "kernel::object")]
    pub crown: FieldForm,
    /// By seat, each in card order, at most five cards; open.
    #[schema(min_items = 2, max_items = 2)]
    pub hands: [Vec<Card>; 2],
    /// By seat: heroes left, 0 to 4.
    #[schema(min_items = 2, max_items = 2)]
    pub heroes: [i64; 2],
    /// 52 minus the stones on the board.
    #[schema(minimum = 0, maximum = 52)]
    pub stones_left: i64,
    /// The first card is drawn next; its order is hidden from everybody.
    #[schema(max_items = 24)]
    pub draw_pile: Vec<Card>,
    /// The card played last comes first.
    #[schema(max_items = 24)]
    pub discard_pile: Vec<Card>,
    /// Why the match ended; null until then.
    #[serde(deserialize_with = "kernel::present")]
    pub end_reason: Option<EndReason>,
}

impl From<Position> for PositionForm {
    fn from(position: Position) -> Self {
        let Position {
            options,
            phase,
            start_seat,
            stones,
            crown,
            hands,
            heroes,
            stones_left,
            draw_pile,
            discard_pile,
        } = position;
        let (phase, active_seat, end_reason) = phase_fields(phase);
        PositionForm {
            game: GameName::Rosenkoenig,
            options,
            phase,
            active_seat,
            start_seat,
            board: rows(stones),
            crown: crown.into(),
            hands: hands.map(|hand| hand.iter().collect()),
            heroes: heroes.map(i64::from),
            stones_left: stones_left.into(),
            draw_pile: draw_pile.iter().collect(),
            discard_pile: discard_pile.iter().collect(),
            end_reason,
        }
    }
}

/// The JSON fields `phase`, `active_seat` and `end_reason`.
pub(crate) fn phase_fields(phase: Phase) -> (PhaseName, Option<Seat>, Option<EndReason>) {
    match phase {
        Phase::Turn(seat) => (PhaseName::Turn, Some(seat), None),
        Phase::Finished(reason) => (PhaseName::Finished, None, Some(reason)),
    }
}

/// The rows of the board, north first.
pub(crate) fn rows([red, white]: [Fields; 2]) -> Vec<String> {
    let mut rows = vec![String::with_capacity(crate::WIDTH); HEIGHT];
    for field in Field::all() {
        rows[usize::from(field.y())].push(if red.contains(field) {
            'r'
        } else if white.contains(field) {
            'w'
        } else {
            '.'
        });
    }
    rows
}

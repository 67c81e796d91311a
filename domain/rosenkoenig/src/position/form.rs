//! The JSON of a position.

use kernel::{Edition, Open, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::position::{EndReason, Phase};
use crate::printed::{EMPTY, RED, WHITE};
use crate::{Card, Field, FieldForm, Fields, HEIGHT, MatchOptions, Position};

/// The game's name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// The only value.
    Rosenkoenig,
}

/// Whether the match is still being played.
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
    /// The edition of the rules. Default: the newest.
    #[serde(default, deserialize_with = "kernel::edition::<crate::Rosenkoenig, _>")]
    #[schema(value_type = Edition, required = false)]
    pub edition: Option<Edition>,
    /// All four options.
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
            edition,
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
            edition: Some(edition),
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
            RED
        } else if white.contains(field) {
            WHITE
        } else {
            EMPTY
        });
    }
    rows
}

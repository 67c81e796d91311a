//! Why a seat has the points that it has.

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{Rule, Seat};

/// A part of points that an event gives a seat, or takes from it, with its explanation.
///
/// # Example
/// ```
/// use kernel::{Award, Rule, Seat};
/// use serde::Serialize;
///
/// #[derive(Serialize)]
/// struct Area {
///     stones: i64,
/// }
///
/// let area = Area { stones: 3 };
/// let arithmetic = "3 × 3 = 9".to_owned();
/// let award = Award::new(Seat(0), 9, ("area", Rule("R-61")), &area, arithmetic);
/// assert_eq!(award.pieces.get(), r#"{"stones":3}"#);
/// ```
#[derive(Clone, Debug)]
pub struct Award {
    /// Whose points.
    pub seat: Seat,
    /// How many; negative if they are taken. Never 0.
    pub points: i64,
    /// What they are for, one word of the game's own: `lines`, `stone_flipped`.
    pub reason: &'static str,
    /// The rule that gives them.
    pub rule: Rule,
    /// What was counted, a JSON object of the game's own form: tiles, fields, lines.
    pub pieces: Box<RawValue>,
    /// How the points follow from the pieces, for people: `4 tiles × 1 = 4`.
    pub arithmetic: String,
}

impl Award {
    /// Points for `seat` by `rule`; `pieces` must have the JSON of an object.
    #[must_use]
    pub fn new<T: Serialize>(
        seat: Seat,
        points: i64,
        (reason, rule): (&'static str, Rule),
        pieces: &T,
        arithmetic: String,
    ) -> Self {
        let pieces = to_raw_value(pieces).expect("a game's types are plain data");
        Award { seat, points, reason, rule, pieces, arithmetic }
    }
}

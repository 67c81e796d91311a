//! The situations that a match may be in.

use crate::position::{Phase, Position, Reason};

/// All of them.
pub(crate) const ALL: &[&str] = &[
    "action",
    "second_card",
    "third_card",
    "discard",
    "build",
    "coat_of_arms",
    "finished_twelve_points",
    "finished_end_card",
];

pub(crate) fn of(position: &Position) -> &'static str {
    match position.phase {
        Phase::Action => "action",
        Phase::SecondCard => "second_card",
        Phase::ThirdCard => "third_card",
        Phase::Discard => "discard",
        Phase::Build => "build",
        Phase::CoatOfArms => "coat_of_arms",
        Phase::Finished => match position.result.as_ref().map(|result| result.reason) {
            Some(Reason::TwelvePoints) => "finished_twelve_points",
            Some(Reason::EndCard) | None => "finished_end_card",
        },
    }
}

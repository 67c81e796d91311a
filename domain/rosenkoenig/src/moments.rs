//! The situations that a match may be in.

use crate::position::{EndReason, Phase, Position};

/// All of them.
pub(crate) const ALL: &[&str] = &["turn", "finished_last_stone", "finished_blocked"];

pub(crate) fn of(position: &Position) -> &'static str {
    match position.phase {
        Phase::Turn(_) => "turn",
        Phase::Finished(EndReason::LastStone) => "finished_last_stone",
        Phase::Finished(EndReason::Blocked) => "finished_blocked",
    }
}

//! The situations that a match may be in.

use crate::position::{Phase, Position};

/// All of them. While a match is set up nobody looks at it.
pub(crate) const ALL: &[&str] = &["play", "hermod", "raven", "surplus", "finished"];

pub(crate) fn of(position: &Position) -> &'static str {
    match position.phase {
        Phase::Setup | Phase::Play => "play",
        Phase::Hermod => "hermod",
        Phase::Raven => "raven",
        Phase::Surplus => "surplus",
        Phase::Finished => "finished",
    }
}

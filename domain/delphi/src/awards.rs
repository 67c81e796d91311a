//! What counts as a point: a fulfilled task (D-710, D-802).

use kernel::{Award, Rule};
use serde::Serialize;

use crate::event::Event;
use crate::pieces::{Color, TaskKind, ZeusTile};
use crate::position::Position;

/// A fulfilled task.
#[derive(Serialize)]
struct Task {
    kind: TaskKind,
    color: Option<Color>,
    tile: Option<ZeusTile>,
}

/// One award for a fulfilled task. No other event changes how many there are.
pub(crate) fn awards(_before: &Position, event: &Event) -> Vec<Award> {
    let Event::TaskFulfilled { seat, kind, color, tile, reward: _ } = *event else {
        return Vec::new();
    };
    let reason = match kind {
        TaskKind::Shrine => "shrine",
        TaskKind::Statue => "statue",
        TaskKind::Offering => "offering",
        TaskKind::Monster => "monster",
    };
    let arithmetic = match color {
        Some(color) => format!("1 task fulfilled: {reason}, {color} = 1"),
        None => format!("1 task fulfilled: {reason} = 1"),
    };
    let task = Task { kind, color, tile };
    vec![Award::new(seat, 1, (reason, Rule("D-710")), &task, arithmetic)]
}

//! Why a player has the points (C-801 to C-804): line by line.

use kernel::{Award, Rule, Seat};

use crate::event::Event;
use crate::position::Position;
use crate::scoring::{Line, LineKind};

/// One award for each line that the event completes.
pub(crate) fn awards(_before: &Position, event: &Event) -> Vec<Award> {
    let Event::ScoreAwarded { seat, lines, .. } = event else { return Vec::new() };
    lines.list().iter().map(|line| award(*seat, line)).collect()
}

fn award(seat: Seat, line: &Line) -> Award {
    let Line { kind, index, all_windows, points } = *line;
    let (name, place, rule) = match kind {
        LineKind::Row => ("row", 'y', "C-801"),
        LineKind::Column => ("column", 'x', "C-802"),
    };
    let arithmetic = if all_windows {
        let worth = points / 2;
        format!("{name} {place} = {index}: {worth} × 2 for windows only = {points}")
    } else {
        format!("{name} {place} = {index}: {points}")
    };
    let reason = match (kind, all_windows) {
        (LineKind::Row, false) => "row",
        (LineKind::Row, true) => "row_of_windows",
        (LineKind::Column, false) => "column",
        (LineKind::Column, true) => "column_of_windows",
    };
    Award::new(seat, i64::from(points), (reason, Rule(rule)), line, arithmetic)
}

//! Why a seat has the points that its stones are worth: what each stone changes.

use kernel::{Award, Rule, Seat};
use serde::Serialize;

use crate::{Area, Color, Event, Field, Fields, Position};

/// A stone joins areas of its colour to one.
#[derive(Serialize)]
struct Joined {
    at: Field,
    area: Area,
    joined: Vec<Area>,
}

/// An area loses a stone; what is left of it may be several areas.
#[derive(Serialize)]
struct Parted {
    at: Field,
    area: Area,
    left: Vec<Area>,
}

/// The awards of a stone that is laid or turned. The final `ScoreAwarded` repeats what the board is worth, and gives nothing.
pub(crate) fn awards(before: &Position, event: &Event) -> Vec<Award> {
    match *event {
        Event::StonePlaced { seat, color, at, stones_left: _ } => {
            vec![gained(before, "stone_laid", seat, color, at)]
        }
        Event::StoneFlipped { seat, color, at } => vec![
            gained(before, "stone_turned", seat, color, at),
            lost(before, crate::position::seat::other(seat), color.other(), at),
        ],
        Event::MatchStarted(_)
        | Event::CardPlayed { .. }
        | Event::HeroSpent { .. }
        | Event::CrownMoved { .. }
        | Event::DrawPileReshuffled { .. }
        | Event::CardDrawn { .. }
        | Event::TurnPassed { .. }
        | Event::TurnStarted { .. }
        | Event::ScoreAwarded(_)
        | Event::MatchFinished(_) => Vec::new(),
    }
}

fn gained(before: &Position, reason: &'static str, seat: Seat, color: Color, at: Field) -> Award {
    let area = around(before.stones(color).with(at), at);
    let joined = largest_first(area.without(at));
    let area = Area::new(area);
    let taken: String = joined.iter().map(|area| format!(" − {}²", area.size())).collect();
    let points = worth(area) - joined.iter().copied().map(worth).sum::<i64>();
    let arithmetic = format!("{}²{taken} = {points}", area.size());
    let pieces = Joined { at, area, joined };
    Award::new(seat, points, (reason, Rule("R-61")), &pieces, arithmetic)
}

fn lost(before: &Position, seat: Seat, color: Color, at: Field) -> Award {
    let area = around(before.stones(color), at);
    let left = largest_first(area.without(at));
    let area = Area::new(area);
    let kept = left.iter().map(|area| format!("{}²", area.size()));
    let kept = match kept.collect::<Vec<_>>().join(" + ") {
        none if none.is_empty() => "0".to_owned(),
        kept => kept,
    };
    let points = left.iter().copied().map(worth).sum::<i64>() - worth(area);
    let minus = points.unsigned_abs();
    let arithmetic = format!("{kept} − {}² = −{minus}", area.size());
    let pieces = Parted { at, area, left };
    let why = ("stone_lost", Rule("R-61"));
    Award::new(seat, points, why, &pieces, arithmetic)
}

/// The area that a field with a stone belongs to.
fn around(stones: Fields, at: Field) -> Fields {
    stones.areas().find(|area| area.contains(at)).unwrap_or_default()
}

fn largest_first(fields: Fields) -> Vec<Area> {
    let mut areas: Vec<Area> = fields.areas().map(Area::new).collect();
    areas.sort_by_key(|area| std::cmp::Reverse(area.size()));
    areas
}

fn worth(area: Area) -> i64 {
    i64::from(area.points())
}

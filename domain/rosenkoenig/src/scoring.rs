//! Points and ranking (sections 9 and 10 of the rules). All of it follows from the board.

use std::cmp::{Ordering, Reverse};

use kernel::Seat;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Area, Colors, Place, PointsReason, Position, ScoreAwarded};

/// What the stones of a seat are worth. Ordered as the ranking compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Score {
    /// The sum of the squares of all areas' sizes.
    #[schema(maximum = 2704)]
    pub points: u16,
    /// The size of the largest area, 0 without stones.
    #[schema(maximum = 52)]
    pub largest_area: u16,
    /// Stones of the seat's colour on the board.
    #[schema(maximum = 52)]
    pub stones: u16,
}

const SEATS: [Seat; 2] = [Seat(0), Seat(1)];

/// The score by seat for the board as it is. Nothing else counts.
pub(crate) fn scores(position: &Position) -> [Score; 2] {
    SEATS.map(|seat| Score::of(areas(position, seat)))
}

/// The final points by seat, explained: areas largest first, those of one size in reading order.
pub(crate) fn awards(position: &Position) -> [ScoreAwarded; 2] {
    SEATS.map(|seat| {
        let mut breakdown = Vec::with_capacity(AREAS_EXPECTED);
        breakdown.extend(areas(position, seat));
        breakdown.sort_by_key(|area| Reverse(area.size()));
        let points = breakdown.iter().map(|area| area.points()).sum();
        let reason = PointsReason::Areas;
        ScoreAwarded { seat, reason, points, breakdown }
    })
}

/// Room for the areas of one colour; there are seldom more at the end of a match.
const AREAS_EXPECTED: usize = 16;

/// The ranking by points, largest area and stones; the seats share rank 1 if all three are equal.
pub(crate) fn ranking(colors: Colors, scores: [Score; 2]) -> [Place; 2] {
    let place = |rank, seat: Seat| {
        let Score { points, largest_area, stones } = scores[seat.index()];
        let color = colors.of(seat);
        Place { rank, seat, color, points, largest_area, stones }
    };
    match scores[0].cmp(&scores[1]) {
        Ordering::Greater => [place(1, Seat(0)), place(2, Seat(1))],
        Ordering::Equal => [place(1, Seat(0)), place(1, Seat(1))],
        Ordering::Less => [place(1, Seat(1)), place(2, Seat(0))],
    }
}

fn areas(position: &Position, seat: Seat) -> impl Iterator<Item = Area> {
    let color = position.options.colors.of(seat);
    position.stones(color).areas().map(Area::new)
}

impl Score {
    /// The score of a seat with these areas.
    pub(crate) fn of(areas: impl Iterator<Item = Area>) -> Score {
        let none = Score { points: 0, largest_area: 0, stones: 0 };
        areas.fold(none, |score, area| Score {
            points: score.points + area.points(),
            largest_area: score.largest_area.max(area.size()),
            stones: score.stones + area.size(),
        })
    }
}

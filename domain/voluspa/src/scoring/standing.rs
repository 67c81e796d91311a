//! Who is ahead: the ranking and the display of ties (V-702, V-703).

use kernel::{Open, Seat};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::position::{Phase, Position};

/// An entry of the final ranking.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(rank, seat, score, display)]
pub struct Place {
    /// The rank, from 1 to the number of seats; no two seats share one.
    #[schema(minimum = 1, maximum = 5)]
    pub rank: u8,
    /// The seat.
    pub seat: Seat,
    /// The points.
    pub score: u64,
    /// The score as it is shown: `61.2` (V-703).
    pub display: String,
}

/// The ranking of a finished match: higher score first, of equal scores the earlier one (V-702). `None` until it is finished.
pub(crate) fn ranking(position: &Position) -> Option<Vec<Place>> {
    (position.phase == Phase::Finished).then(|| places(position))
}

/// The seats by rank, with the scores as they are now.
pub(crate) fn places(position: &Position) -> Vec<Place> {
    let mut seats: Vec<_> = position.players().collect();
    seats.sort_by_key(|(_, player)| (std::cmp::Reverse(player.score), player.reached));
    let place = |(rank, (seat, player)): (u8, (Seat, &crate::position::Player))| Place {
        rank,
        seat,
        score: player.score,
        display: display(position, seat),
    };
    (1..).zip(seats).map(place).collect()
}

/// The score of a seat as text. If others share it: a dot and how many of them reached it no earlier, itself included (V-703).
pub(crate) fn display(position: &Position, seat: Seat) -> String {
    let own = position.player(seat);
    let sharing = || position.players().filter(|(_, other)| other.score == own.score);
    if sharing().count() < 2 {
        return own.score.to_string();
    }
    let later = sharing().filter(|(_, other)| other.reached >= own.reached).count();
    format!("{}.{later}", own.score)
}

/// The scores by seat.
pub(crate) fn points(position: &Position) -> Vec<i64> {
    let score = |player: &crate::position::Player| {
        i64::try_from(player.score).expect("scores stay far below the highest number")
    };
    position.players().map(|(_, player)| score(player)).collect()
}

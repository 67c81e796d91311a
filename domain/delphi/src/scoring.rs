//! The ranking at the end (D-802, D-803).

use crate::position::{Place, Position, Stage};

/// Equal for seats that share a rank; smaller is better.
type Key = (bool, std::cmp::Reverse<(u16, u16, u16)>);

fn key(place: &Place) -> Key {
    let fulfilled = if place.home { 0 } else { place.fulfilled };
    (!place.home, std::cmp::Reverse((fulfilled, place.cards, place.favor)))
}

/// All seats by rank, then seat.
pub(crate) fn ranking(position: &Position) -> Vec<Place> {
    let place = |seat| {
        let player = position.player(seat);
        let cards = u16::try_from(player.cards.len()).unwrap_or(u16::MAX);
        Place {
            seat,
            rank: 1,
            home: player.home,
            fulfilled: player.fulfilled.count(),
            cards,
            favor: player.favor,
        }
    };
    let mut places: Vec<Place> = position.in_turn_order(kernel::Seat(0)).map(place).collect();
    let keys: Vec<Key> = places.iter().map(key).collect();
    for place in &mut places {
        let better = keys.iter().filter(|other| **other < key(place)).count();
        place.rank += u8::try_from(better).unwrap_or(u8::MAX);
    }
    places.sort_by_key(|place| (place.rank, place.seat));
    places
}

/// The ranking of a finished match; of any other none. It follows from the players alone: a list that was loaded may say anything (D-131).
pub(crate) fn standing(position: &Position) -> Option<Vec<Place>> {
    (position.stage == Stage::Over).then(|| ranking(position))
}

//! Turns and rounds, counted alike in every game.

use kernel::Seat;

/// How many turns and rounds a match has had.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Turns {
    /// The number of the turn, from 1.
    pub(crate) turn: u64,
    /// The number of the round, from 1.
    pub(crate) round: u64,
    /// Whose turn it is.
    pub(crate) seat: Option<Seat>,
    /// The seat that began.
    first: usize,
    seats: usize,
}

impl Turns {
    /// The first turn, of this seat.
    pub(crate) fn of(seat: Option<Seat>, seats: usize) -> Self {
        Turns { turn: 1, round: 1, seat, first: seat.map_or(0, Seat::index), seats: seats.max(1) }
    }

    /// A turn of this seat begins. It is of the next round if the turn comes to the seat that began, or past it.
    pub(crate) fn begin(&mut self, seat: Seat) {
        let place = |seat: Seat| (seat.index() + self.seats - self.first) % self.seats;
        self.turn += 1;
        self.round += u64::from(self.seat.is_some_and(|before| place(seat) <= place(before)));
        self.seat = Some(seat);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_ends_when_the_turn_comes_past_the_seat_that_began() {
        let mut turns = Turns::of(Some(Seat(1)), 3);
        let mut seen = Vec::new();
        // Seat 2 is passed over in the second round, and seat 1 in the third.
        for seat in [2, 0, 1, 0, 2, 2] {
            turns.begin(Seat(seat));
            seen.push((turns.turn, turns.round));
        }
        assert_eq!(seen, [(2, 1), (3, 1), (4, 2), (5, 2), (6, 3), (7, 4)]);
    }
}

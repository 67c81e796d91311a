//! Seats 0 and 1 of a match for two.

use kernel::Seat;
use serde::de::{Error, Unexpected};
use serde::{Deserialize, Deserializer};

/// The other seat.
pub(crate) fn other(seat: Seat) -> Seat {
    Seat(seat.0 ^ 1)
}

/// Reads a seat, 0 or 1.
pub(crate) fn one<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Seat, D::Error> {
    Seat::deserialize(deserializer).and_then(of_two)
}

/// Reads a seat, 0 or 1, or `null`; the field must be there.
pub(crate) fn one_or_null<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Seat>, D::Error> {
    Option::<Seat>::deserialize(deserializer)?.map(of_two).transpose()
}

fn of_two<E: Error>(seat: Seat) -> Result<Seat, E> {
    if seat.0 < 2 {
        return Ok(seat);
    }
    Err(E::invalid_value(Unexpected::Unsigned(seat.0.into()), &"seat 0 or 1"))
}

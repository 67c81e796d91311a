//! What every game's standing says, whatever else is in it.

use kernel::Seat;
use serde::Deserialize;
use serde_json::value::RawValue;

/// The rank of each seat in a standing.
#[must_use]
pub fn ranks_of(standing: &RawValue, seats: usize) -> Vec<u64> {
    #[derive(Deserialize)]
    struct Place {
        rank: u64,
        seat: Seat,
    }
    let mut ranks = vec![0; seats];
    let places: Vec<Place> = serde_json::from_str(standing.get()).unwrap_or_default();
    for Place { rank, seat } in places {
        ranks[seat.index()] = rank;
    }
    ranks
}

//! What every game's position and standing say, whatever else is in them.

use kernel::{AnyMatch, Seat};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::canonical::raw;

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

/// The options that a position carries: by convention of every game its field `options`.
#[must_use]
pub fn options_of(state: &dyn AnyMatch) -> Box<RawValue> {
    #[derive(Deserialize)]
    struct Options {
        options: Option<Box<RawValue>>,
    }
    let position = state.position();
    let options = serde_json::from_str(position.get()).ok().and_then(|Options { options }| options);
    options.unwrap_or_else(|| raw(&serde_json::Map::new()))
}

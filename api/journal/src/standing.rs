//! What every game says in its standing, whatever else is in it.

use kernel::Seat;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::platform::kind;
use crate::record::Record;

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

/// The final ranking as the last commit of a match told it, by convention of every game in its event `MatchFinished`. `None` if the commit
/// does not finish a match, or the match began from a position that was finished.
#[must_use]
pub fn standing_told(last: &Record) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Finished {
        /// Völuspá calls it a ranking.
        #[serde(alias = "ranking")]
        standing: Option<Box<RawValue>>,
    }
    if !last.finishes() {
        return None;
    }
    let body = last.body().ok()?;
    let finished = body.events.iter().rev().find(|event| kind(event) == Some("MatchFinished"))?;
    serde_json::from_str(finished.get()).ok().and_then(|Finished { standing }| standing)
}

//! What a standing must be, in every game.

/// Is this the standing of so many seats, given as the rank and the seat of each place? It is by rank, then seat, and has each seat once. A rank is
/// one more than the number of better seats: equal seats share one, and the next rank counts them all.
pub(super) fn is_standing(places: &[(u64, u64)], seats: usize) -> bool {
    let mut named: Vec<u64> = places.iter().map(|(_, seat)| *seat).collect();
    named.sort_unstable();
    let better = |rank: u64| places.iter().filter(|(other, _)| *other < rank).count();
    places.is_sorted()
        && named.into_iter().eq(0..seats as u64)
        && places.iter().all(|(rank, _)| *rank == 1 + better(*rank) as u64)
}

#[cfg(test)]
mod tests {
    use super::is_standing;

    #[test]
    fn a_standing_has_each_seat_once_and_ranks_that_count_the_better_ones() {
        for places in [[(1, 1), (2, 0), (3, 2)], [(1, 0), (1, 2), (3, 1)], [(1, 2), (2, 0), (2, 1)]]
        {
            assert!(is_standing(&places, 3), "{places:?}");
        }
        for (places, why) in [
            ([(1, 0), (1, 0), (3, 2)], "a seat twice"),
            ([(1, 0), (2, 1), (3, 3)], "no such seat"),
            ([(1, 0), (5, 1), (9, 2)], "gaps"),
            ([(1, 0), (1, 1), (2, 2)], "a shared rank that does not count"),
            ([(2, 0), (2, 1), (2, 2)], "nobody is first"),
            ([(1, 1), (1, 0), (3, 2)], "not by seat"),
        ] {
            assert!(!is_standing(&places, 3), "{why}");
        }
        assert!(!is_standing(&[(1, 0), (2, 1)], 3), "a seat is missing");
    }
}

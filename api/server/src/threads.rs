//! How many threads each worker has for what computes or waits, and how much of that runs at the same time.
//!
//! A worker has threads of its own, and all that takes long may come to one of them. So each has enough for all of it, and others for what is short:
//! that never waits for what takes long. A thread is made when it is needed, and keeps a few MiB for itself once it has worked.

use std::thread::available_parallelism;

/// So many requests of a worker read at once what is in no memory: a match, or anything where the store is a database.
pub(crate) const READERS: usize = 2;

/// So many queries in SQL are answered at once by the whole server.
pub(crate) const QUERIES: usize = 1;

/// The cores of this machine.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// How much work at length runs at once on so many cores, in the whole server.
pub(crate) fn turns(cores: usize) -> usize {
    (cores / 2).max(1)
}

/// How much short work of one address runs at once on so many cores.
pub(crate) fn short(cores: usize) -> usize {
    turns(cores).max(2)
}

/// How many threads a worker has on so many cores; the framework would start hundreds. One more than short work of one address takes is left to others.
/// Where the store is a database, which may not answer, the engine reads with some of them, too.
pub(crate) fn of_worker(cores: usize, is_shared: bool) -> usize {
    let of_engine = if is_shared { engine::READERS } else { 0 };
    turns(cores) + QUERIES + READERS + of_engine + short(cores) + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_takes_long_never_has_all_threads_of_a_worker() {
        for cores in 1..=512 {
            let long = turns(cores) + QUERIES + READERS;
            let left = [
                of_worker(cores, false).checked_sub(long),
                of_worker(cores, true).checked_sub(long + engine::READERS),
            ];
            assert!(
                left.iter().all(|left| *left > Some(short(cores))),
                "{left:?} on {cores} cores"
            );
        }
        assert_eq!((turns(1), of_worker(1, false)), (1, 7), "a small machine has few");
        assert_eq!((turns(8), of_worker(8, false)), (4, 12));
    }
}

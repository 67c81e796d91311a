//! What a store counts of itself since it was opened.

use std::sync::atomic::{AtomicU64, Ordering};

/// Bounds of the buckets of times, in microseconds.
const MICROS: &[u64] = &[
    100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000,
    1_000_000, 5_000_000,
];
/// Bounds of the buckets of numbers of writes.
const WRITES: &[u64] = &[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000];
/// As many as the longest list of bounds, and one for what lies above.
const BUCKETS: usize = MICROS.len() + 1;

/// Numbers that were observed, counted by size.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [u64],
    counts: [AtomicU64; BUCKETS],
    sum: AtomicU64,
}

impl Histogram {
    pub(crate) fn of_micros() -> Histogram {
        Histogram { bounds: MICROS, counts: Default::default(), sum: AtomicU64::new(0) }
    }

    pub(crate) fn of_writes() -> Histogram {
        Histogram { bounds: WRITES, ..Histogram::of_micros() }
    }

    pub(crate) fn observe(&self, number: u64) {
        let bucket = self.bounds.partition_point(|bound| *bound < number);
        self.counts[bucket].fetch_add(1, Ordering::Release);
        self.sum.fetch_add(number, Ordering::Relaxed);
    }

    pub(crate) fn read(&self) -> Distribution {
        let counts = self.counts.iter().take(self.bounds.len() + 1);
        Distribution {
            bounds: self.bounds,
            counts: counts.map(|count| count.load(Ordering::Acquire)).collect(),
            sum: self.sum.load(Ordering::Relaxed),
        }
    }
}

/// How often numbers of each size were observed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Distribution {
    /// The greatest number of each bucket but the last, which has none.
    pub bounds: &'static [u64],
    /// How many are in each bucket: one more than there are bounds.
    pub counts: Vec<u64>,
    /// The sum of all numbers.
    pub sum: u64,
}

/// What a store tells of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// How many commits became durable.
    pub commits: u64,
    /// How long the syncs to disk took, in microseconds. An acknowledged write is in one of them.
    pub sync: Distribution,
    /// How long writes waited until their batch began, in microseconds.
    pub queue: Distribution,
    /// How many writes the batches had.
    pub batch: Distribution,
    /// How many writes wait now.
    pub waiting_writes: u64,
    /// How many bytes they have.
    pub waiting_bytes: u64,
    /// How long the batch that is being written has taken so far, in microseconds; 0 if there is none.
    pub writing: u64,
    /// How many writes were refused because too many waited.
    pub refused: u64,
    /// The size of the log, in bytes.
    pub log_bytes: u64,
    /// The free space on its disk, in bytes, if the system tells.
    pub free_bytes: Option<u64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_in_the_bucket_that_it_does_not_exceed() {
        let histogram = Histogram::of_writes();
        for number in [1, 2, 3, 1_000, 1_001] {
            histogram.observe(number);
        }
        let read = histogram.read();
        assert_eq!(read.counts, [1, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!((read.sum, read.bounds.len() + 1), (2_007, read.counts.len()));
    }
}

//! Which groups have most matches, found in little memory: there may be as many groups as matches have seats, and most are not told.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};

use super::chosen::{Chosen, Keys};
use super::record::Record;

/// The groups with most matches; of those with as many the first in the order of their values.
pub(crate) struct Largest<'a> {
    pub(crate) keys: BTreeSet<Keys<'a>>,
    /// How many others there are.
    pub(crate) left_out: u64,
}

impl<'a> Largest<'a> {
    /// Those of these matches, as many as are asked for.
    ///
    /// First each group of each match is a number of 8 bytes, a hash of its values, and these are counted; only the values of the largest groups are
    /// kept. Two groups of one hash, which nobody can bring about, would be taken for one while they are counted.
    pub(crate) fn of(
        chosen: &'a Chosen<'_>,
        records: impl Iterator<Item = &'a Record> + Clone,
    ) -> Self {
        let limit = chosen.asked.limit;
        let state = RandomState::new();
        let mut groups = Vec::new();
        let most = records.clone().map(|record| record.seats.len().max(1)).sum();
        let mut hashes: Vec<u64> = Vec::with_capacity(most);
        for record in records.clone() {
            chosen.groups(record, &mut groups);
            hashes.extend(groups.iter().map(|(keys, _)| state.hash_one(keys)));
        }
        hashes.sort_unstable();
        let counted = || hashes.chunk_by(|one, other| one == other).map(<[u64]>::len);
        let number = counted().count();
        let mut counts: Vec<u32> =
            counted().map(|count| u32::try_from(count).unwrap_or(u32::MAX)).collect();
        counts.sort_unstable_by_key(|count| std::cmp::Reverse(*count));
        // Groups of more matches are told, and as many of those that have just so many as there is room for.
        let least = counts.get(limit.saturating_sub(1)).copied().unwrap_or(0);
        let larger = counts.partition_point(|count| *count > least);
        drop(counts);
        let (mut told, mut as_large) = (BTreeSet::new(), BTreeSet::new());
        for record in records {
            chosen.groups(record, &mut groups);
            for (keys, _) in &groups {
                if told.contains(keys) {
                    continue;
                }
                let hash = state.hash_one(keys);
                let start = hashes.partition_point(|other| *other < hash);
                let count = hashes[start..].partition_point(|other| *other == hash);
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                if count > least {
                    told.insert(*keys);
                } else if count == least {
                    as_large.insert(*keys);
                    if as_large.len() > limit - larger {
                        as_large.pop_last();
                    }
                }
            }
        }
        told.append(&mut as_large);
        Largest { left_out: (number - told.len().min(number)) as u64, keys: told }
    }
}

//! Folds of matches that somebody asked for lately: the next request goes on from there.

use std::sync::{Arc, Mutex};

use journal::{Body, Folded, MatchId};
use kernel::{AnyGame, StreamError};
use lru::LruCache;

use crate::live::lock;

/// How much memory they may take, in bytes. A match that alone takes more is not kept.
const BYTES: usize = 16 << 20;

/// A match folded commit by commit, with what is noted on the way; nothing before its first commit.
pub(crate) trait Booked: Default {
    /// The match after the last commit that was booked.
    fn folded(&self) -> Option<&Folded>;
    /// About how much memory what was noted takes, beside the match.
    fn bytes(&self) -> usize;
    /// Books the next commit of the match.
    fn book(&mut self, game: &dyn AnyGame, body: &Body<'_>) -> Result<(), StreamError>;

    /// The number of the last commit that was booked.
    fn commit(&self) -> u64 {
        self.folded().map_or(0, |folded| folded.commit)
    }

    /// The version after the last commit that was booked.
    fn version(&self) -> u64 {
        self.folded().map_or(0, |folded| folded.version)
    }
}

/// Folds that are kept.
pub(crate) struct Kept<T>(Mutex<Cache<T>>);

/// Whoever asks for a fold locks that one alone while it is booked.
struct Cache<T> {
    folds: LruCache<MatchId, Entry<T>>,
    /// The sum over the cache.
    bytes: usize,
}

#[derive(Default)]
struct Entry<T> {
    fold: Arc<Mutex<T>>,
    /// How much memory it took when it was last settled,
    bytes: usize,
    /// and up to which commit it was booked then: known also while somebody is at work on it.
    commit: u64,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept(Mutex::new(Cache { folds: LruCache::unbounded(), bytes: 0 }))
    }
}

impl<T: Booked> Kept<T> {
    /// The fold of a match as far as it is booked, empty if it is not kept.
    pub(crate) fn fold(&self, id: MatchId) -> Arc<Mutex<T>> {
        let mut cache = lock(&self.0);
        Arc::clone(&cache.folds.get_or_insert_mut(id, Entry::default).fold)
    }

    /// Is the fold of a match booked up to this commit? Whoever is at work on it goes on from there, and not from the beginning.
    pub(crate) fn has(&self, id: MatchId, commit: u64) -> bool {
        lock(&self.0).folds.peek(&id).is_some_and(|entry| entry.commit >= commit)
    }

    /// The fold of a match takes so much memory now, and is booked up to this commit. Where that is too much memory, those go that nobody asked
    /// for the longest, and one that alone is too large goes instead of all others.
    pub(crate) fn settle(&self, id: MatchId, fold: &Arc<Mutex<T>>, bytes: usize, commit: u64) {
        let mut cache = lock(&self.0);
        let Cache { folds, bytes: sum } = &mut *cache;
        // It may have made room meanwhile, also for another one of this match.
        let Some(entry) = folds.peek_mut(&id).filter(|entry| Arc::ptr_eq(&entry.fold, fold)) else {
            return;
        };
        *sum = *sum - entry.bytes + bytes;
        entry.bytes = bytes;
        entry.commit = commit;
        if bytes > BYTES {
            folds.pop(&id);
            *sum -= bytes;
        }
        while *sum > BYTES {
            let Some((_, oldest)) = folds.pop_lru() else {
                break;
            };
            *sum -= oldest.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::account::Account;

    fn kept(cache: &Kept<Account>, ids: &[MatchId]) -> Vec<bool> {
        ids.iter().map(|id| cache.has(*id, 0)).collect()
    }

    #[test]
    fn what_alone_is_too_large_goes_alone() {
        let cache = Kept::<Account>::default();
        let ids = [1, 2, 3].map(MatchId::from_u128);
        for id in ids {
            cache.settle(id, &cache.fold(id), BYTES / 3, 1);
        }
        cache.settle(ids[2], &cache.fold(ids[2]), BYTES + 1, 1);
        assert_eq!(kept(&cache, &ids), [true, true, false]);
        // It has left nothing behind that counts, and the one that nobody asked for the longest goes first.
        cache.fold(ids[0]);
        cache.settle(ids[2], &cache.fold(ids[2]), BYTES / 2, 1);
        assert_eq!(kept(&cache, &ids), [true, false, true]);
    }

    #[test]
    fn what_is_booked_is_known_while_somebody_is_at_work_on_it() {
        let cache = Kept::<Account>::default();
        let id = MatchId::from_u128(1);
        let fold = cache.fold(id);
        let at_work = lock(&fold);
        assert!(!cache.has(id, 1), "it begins with nothing");
        cache.settle(id, &fold, 1, 20);
        assert!(cache.has(id, 20) && !cache.has(id, 21));
        drop(at_work);
        // What failed begins anew.
        cache.settle(id, &fold, 1, 0);
        assert!(!cache.has(id, 1));
    }
}

//! The statistics as a server shows them, while a thread counts on.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use crate::stats::Projection;

/// The statistics that were shown last. Whoever asks for them says how often the server has forgotten names: what was counted before the last time
/// is not shown.
pub struct Shown(RwLock<Counts>);

/// Statistics, and when they were begun.
struct Counts {
    /// The end of the feed when the server started, or when it forgot a name.
    begin: u64,
    /// How often names had been forgotten then.
    forgettings: u64,
    projection: Arc<Projection>,
}

impl Shown {
    /// Nothing is counted yet, of a store whose feed ends at `begin`.
    #[must_use]
    pub fn new(begin: u64) -> Self {
        Shown(RwLock::new(Counts { begin, forgettings: 0, projection: Arc::default() }))
    }

    fn counts(&self) -> RwLockReadGuard<'_, Counts> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self) -> RwLockWriteGuard<'_, Counts> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The statistics; empty ones if they were begun before names were forgotten for the last time.
    #[must_use]
    pub fn get(&self, forgettings: u64) -> Arc<Projection> {
        let counts = self.counts();
        if counts.forgettings == forgettings {
            Arc::clone(&counts.projection)
        } else {
            Arc::default()
        }
    }

    /// Shows newer ones.
    pub fn set(&self, projection: Projection) {
        self.change().projection = Arc::new(projection);
    }

    /// Shows only what is counted from now on: names were forgotten, so often until now, in a store whose feed ends at `begin`.
    pub fn begin_again(&self, begin: u64, forgettings: u64) {
        *self.change() = Counts { begin, forgettings, projection: Arc::default() };
    }

    /// Do these count everything that was there when they were begun? Else nobody can say that something is not there.
    #[must_use]
    pub fn has_the_past(&self, projection: &Projection, forgettings: u64) -> bool {
        let counts = self.counts();
        counts.forgettings == forgettings && projection.position() >= counts.begin
    }
}

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn who_has_forgotten_does_not_know_the_past_until_it_is_counted_again() {
        let shown = Shown::new(0);
        let knows = |forgettings| shown.has_the_past(&shown.get(forgettings), forgettings);
        assert!(knows(0) && !knows(1));
        shown.begin_again(7, 1);
        assert!(!knows(0) && !knows(1));
        shown.begin_again(0, 2);
        assert!(knows(2) && !knows(1));
    }
}

//! The statistics as a server shows them, while a thread counts on.

use std::sync::{Arc, PoisonError, RwLock};

use crate::stats::Projection;

/// The statistics that were shown last.
pub struct Shown {
    /// The end of the feed when the server started.
    begin: u64,
    projection: RwLock<Arc<Projection>>,
}

impl Shown {
    /// Nothing is counted yet, of a store whose feed ends at `begin`.
    #[must_use]
    pub fn new(begin: u64) -> Self {
        Shown { begin, projection: RwLock::default() }
    }

    /// The statistics.
    #[must_use]
    pub fn get(&self) -> Arc<Projection> {
        Arc::clone(&self.projection.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Shows newer ones.
    pub fn set(&self, projection: Projection) {
        *self.projection.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(projection);
    }

    /// Do these count everything that was there when the server started? Else nobody can say that something is not there.
    #[must_use]
    pub fn has_the_past(&self, projection: &Projection) -> bool {
        projection.position() >= self.begin
    }
}

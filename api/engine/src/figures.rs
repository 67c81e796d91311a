//! What an engine counts of itself, and how it stands on its disk.

use journal::Status;

use crate::engine::Engine;

impl Engine {
    /// How many matches have each status; nothing as long as the file of the list cannot be read. While a disk or a database hangs, as many as
    /// there were when they were counted last.
    #[must_use]
    pub fn count_by_status(&self) -> Option<[(&'static str, u64); Status::ALL.len()]> {
        let counts = self.index.lately_by_status()?;
        Some(counts.map(|(status, count)| (status.name(), count)))
    }

    /// How often a match was in memory when somebody looked at it, and how often it was folded from the store.
    #[must_use]
    pub fn cache_hits(&self) -> (u64, u64) {
        self.slots.hits()
    }

    /// How many matches are in memory, and how many bytes they take.
    #[must_use]
    pub fn in_memory(&self) -> (usize, usize) {
        self.slots.len()
    }

    /// The free space on the disk of what is derived from the store, in bytes, if the system tells.
    #[must_use]
    pub fn derived_free_bytes(&self) -> Option<u64> {
        self.beside.free_bytes()
    }
}

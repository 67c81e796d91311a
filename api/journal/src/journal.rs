//! A store as matches: the games that are played in it, and what of it is known to be damaged.

use std::path::Path;
use std::sync::Arc;

use kernel::AnyGame;
use store::{OpenError, Store};

use crate::aside::Aside;

/// A store of matches. Cheap to clone; the clones share it.
#[derive(Clone)]
pub struct Journal {
    store: Arc<Store>,
    games: &'static [&'static dyn AnyGame],
    aside: Arc<Aside>,
}

impl Journal {
    /// Opens the store in `folder`, which no other program may have open. Damage inside is found as it is read.
    ///
    /// # Errors
    /// If the store does not open.
    pub fn open(
        folder: &Path,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, OpenError> {
        let store = Store::open(folder, store::Config { cache_bytes })?;
        Ok(Journal { store: Arc::new(store), games, aside: Arc::default() })
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// What is damaged and has been set aside.
    #[must_use]
    pub fn aside(&self) -> &Aside {
        &self.aside
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.store.position()
    }
}

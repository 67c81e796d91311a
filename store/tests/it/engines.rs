//! A test over every engine: a folder, and with the feature `postgres` a database in a cluster of this process alone.

use std::path::Path;

use store::{Config, Store};
use tempfile::TempDir;

/// Where a store is, until the test ends.
pub(crate) enum Home {
    Folder(TempDir),
    #[cfg(feature = "postgres")]
    Database(String),
}

impl Home {
    pub(crate) fn folder() -> Home {
        Home::Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn open(&self) -> Store {
        open(self.place())
    }

    /// What [`open`] takes: a folder, or an address.
    pub(crate) fn place(&self) -> &Path {
        match self {
            Home::Folder(folder) => folder.path(),
            #[cfg(feature = "postgres")]
            Home::Database(address) => Path::new(address),
        }
    }

    /// Waits until nothing is done any more for processes that were killed.
    pub(crate) fn settle(&self) {
        match self {
            Home::Folder(_) => {}
            #[cfg(feature = "postgres")]
            Home::Database(address) => cluster::settle(address),
        }
    }

    /// An empty one of the same kind.
    pub(crate) fn another(&self) -> Home {
        match self {
            Home::Folder(_) => Home::folder(),
            #[cfg(feature = "postgres")]
            Home::Database(_) => Home::Database(cluster::database().expect("it runs already")),
        }
    }
}

/// Opens the store at a place.
pub(crate) fn open(place: &Path) -> Store {
    #[cfg(feature = "postgres")]
    if let Some(address) = place.to_str().filter(|address| address.starts_with("postgres://")) {
        return Store::connect(address).expect("the store opens");
    }
    Store::open(place, Config::default()).expect("the store opens")
}

/// Runs a test in each engine that there is.
pub(crate) fn each(test: impl Fn(&Home)) {
    test(&Home::folder());
    #[cfg(feature = "postgres")]
    if let Some(address) = cluster::database() {
        test(&Home::Database(address));
    }
}

#[cfg(feature = "postgres")]
#[path = "cluster.rs"]
pub(crate) mod cluster;

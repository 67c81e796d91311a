//! Where a store can be: in a folder, in one database, in three.

use std::path::Path;
use std::thread;
use std::time::Duration;

use acceptance::process::Process;
use store::{Config, Store};
use tempfile::TempDir;

use crate::postgres::Cluster;

/// As on a machine of its own; other settings are as they come.
const DURABLE: [&str; 3] = ["fsync=on", "shared_buffers=128MB", "max_wal_size=2GB"];

/// PostgreSQL; the standbys are there as long as it is.
pub(crate) struct Databases {
    first: Cluster,
    _standbys: Vec<Cluster>,
}

impl Databases {
    pub(crate) fn one() -> Databases {
        let settings = DURABLE.map(str::to_owned).to_vec();
        let first = Cluster::start_with(5432, |_| settings).expect("it is installed");
        Databases { first, _standbys: Vec::new() }
    }

    /// Three: a commit waits for one of two standbys to have it on disk.
    pub(crate) fn three() -> Databases {
        let Databases { first, _standbys: _ } = Databases::one();
        let standbys = [0, 1].map(|_| first.standby(&DURABLE));
        let address = first.address("postgres");
        first.psql(&address, "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
        first.psql(&address, "SELECT pg_reload_conf()");
        let confirming = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'quorum'";
        while first.psql(&address, confirming) != "2" {
            thread::sleep(Duration::from_millis(20));
        }
        Databases { first, _standbys: standbys.into() }
    }

    /// The address of a new, empty store.
    pub(crate) fn store(&self) -> String {
        let address = self.first.empty();
        Store::migrate(&address).expect("it can be migrated");
        address
    }
}

/// A new, empty store, and what it stands on.
pub(crate) enum Place {
    Folder(TempDir),
    Database(String),
}

impl Place {
    pub(crate) fn folder() -> Place {
        Place::Folder(tempfile::tempdir().expect("a folder"))
    }

    pub(crate) fn open(&self) -> Store {
        match self {
            Place::Folder(folder) => Store::open(folder.path(), Config::default()),
            Place::Database(address) => Store::connect(address),
        }
        .expect("a new store")
    }
}

pub(crate) fn is_installed() -> bool {
    Path::new("/usr/lib/postgresql").is_dir()
}

/// The program on a store, and what it derives.
pub(crate) struct Server {
    pub(crate) process: Process,
    _derived: Option<TempDir>,
}

impl Server {
    pub(crate) fn on(place: &Place) -> Server {
        let database = |address: &String| {
            let derived = tempfile::tempdir().expect("a folder");
            (Process::serve(derived.path(), &["--store", address]), Some(derived))
        };
        let (process, _derived) = match place {
            Place::Folder(folder) => (Process::serve(folder.path(), &[]), None),
            Place::Database(address) => database(address),
        };
        Server { process, _derived }
    }

    /// Two on one database.
    pub(crate) fn two(databases: &Databases) -> [Server; 2] {
        let place = Place::Database(databases.store());
        [Server::on(&place), Server::on(&place)]
    }
}

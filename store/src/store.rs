//! The door: open, write, read. What is behind it is one of the engines.

use std::fmt;
use std::path::Path;
use std::slice;
use std::time::Duration;

use crate::error::{Damage, OpenError, ReadError, Trouble};
use crate::figures::Figures;
use crate::lease::{Alone, Leases};
use crate::local::salvage::salvage;
use crate::local::{Local, Way};
#[cfg(feature = "postgres")]
use crate::postgres::Postgres;
use crate::stream::{Bytes, Place, Stored, StreamId};
use crate::write::{Ticket, Write};

/// How a store in a folder is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// How much memory, in bytes, the pages in memory may take, about.
    pub cache_bytes: u64,
}

impl Default for Config {
    /// 64 MiB.
    fn default() -> Config {
        Config { cache_bytes: 64 << 20 }
    }
}

/// An append-only log of commits in streams.
///
/// Share it in an `Arc`. Dropping it finishes the waiting writes, syncs, and closes everything that it has open.
pub struct Store {
    engine: Engine,
}

/// What keeps the records. Both hold what the door says, word for word.
enum Engine {
    /// sled, in one folder.
    Local(Local),
    /// PostgreSQL.
    #[cfg(feature = "postgres")]
    Postgres(Postgres),
}

/// Commits while they are read, each or why it cannot be.
pub type AtPlaces<'a> = Box<dyn Iterator<Item = Result<Stored, ReadError>> + 'a>;

/// Asks whichever engine it is.
macro_rules! ask {
    ($store:expr, $engine:ident => $call:expr) => {
        match &$store.engine {
            Engine::Local($engine) => $call,
            #[cfg(feature = "postgres")]
            Engine::Postgres($engine) => $call,
        }
    };
}

// Below the macro, which it uses.
mod notes;

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Store").field("position", &self.position()).finish_non_exhaustive()
    }
}

impl Store {
    /// Opens the store in `folder`, or makes one if the folder is empty or missing.
    ///
    /// Reads what was written since the last start, and checks the latest commits; the rest is checked as it is read, or
    /// by [`check`](Store::check).
    ///
    /// # Errors
    /// As [`OpenError`] says. Then nothing was changed, with one exception: where the damage shows only after the engine
    /// has opened its file, it may have cleared what lay behind a torn end.
    pub fn open(folder: &Path, config: Config) -> Result<Store, OpenError> {
        Local::open(folder, config).map(Store::local)
    }

    /// Makes a store in `folder`, which is empty or missing, to write much data at once. A ticket says that something is in the store, not that it is
    /// on disk: that is certain when [`settle`](Store::settle) is done. If the process ends before that, or the disk is full, the folder does not
    /// contain a valid store, and must be removed. (A store that is there already is opened.)
    ///
    /// # Errors
    /// As [`open`](Store::open).
    pub fn make(folder: &Path, config: Config) -> Result<Store, OpenError> {
        Local::make(folder, config).map(Store::local)
    }

    /// Opens a copy of the store in `folder`, made in the folder `scratch`, to look at it. The store itself is only read, while it is copied, and
    /// stays as it is to the last byte; it may lie where nothing can be written. No other process may have it open for writing, because then the copy
    /// might be torn.
    ///
    /// Damaged or lost data do not stop it, as long as anything can be read: [`check`](Store::check) lists them.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn inspect(folder: &Path, scratch: &Path) -> Result<Store, OpenError> {
        Local::inspect(folder, scratch, Way::Snapshot).map(Store::local)
    }

    /// The same, in the way that loses least if something is damaged: several ways are tried, one after the other, each of which takes a copy of its
    /// own and reads all of it.
    ///
    /// # Errors
    /// As [`inspect`](Store::inspect).
    pub fn salvage(folder: &Path, scratch: &Path) -> Result<Store, OpenError> {
        salvage(folder, scratch).map(Store::local)
    }

    /// Opens a copy of the store in `folder`, made in the folder `scratch` and removed with this, to read all of it: like
    /// [`inspect`](Store::inspect), but a store that [`open`](Store::open) does not open is not opened here either.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn open_copy(folder: &Path, scratch: &Path, config: Config) -> Result<Store, OpenError> {
        Local::open_copy(folder, scratch, config).map(Store::local)
    }

    /// Opens the store in a database, `postgres://user:password@host:port/name` or another form that libpq takes. Several servers may have it open.
    /// If the address has no password, it is taken from `PGPASSWORD` or from the password file (`PGPASSFILE`, `~/.pgpass`).
    ///
    /// # Errors
    /// As [`OpenError`] says; no text has the password.
    #[cfg(feature = "postgres")]
    pub fn connect(address: &str) -> Result<Store, OpenError> {
        Postgres::connect(address).map(|engine| Store { engine: Engine::Postgres(engine) })
    }

    /// Migrates the database there to the schema of this program; creates the store if there is none. Returns the numbers of the migrations that were applied.
    ///
    /// # Errors
    /// As [`OpenError`] says. Each migration was applied whole or not at all.
    #[cfg(feature = "postgres")]
    pub fn migrate(address: &str) -> Result<Vec<i32>, OpenError> {
        Postgres::migrate(address)
    }

    /// Lets `make` fill the empty store in a database.
    #[cfg(feature = "postgres")]
    pub(crate) fn fill<T, E: From<OpenError>>(
        address: &str,
        make: impl FnOnce(Store) -> Result<T, E>,
    ) -> Result<T, E> {
        Postgres::fill(address, |engine| make(Store { engine: Engine::Postgres(engine) }))
    }

    /// What was repaired when the store was opened, for the log.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        ask!(self, engine => engine.notices())
    }

    /// Queues a write; the ticket resolves when it is on disk, or failed.
    ///
    /// Returns at once. The write goes to disk together with all others that wait; nothing waits for a timer. When thousands
    /// of writes wait (20,000, or 64 MiB), it is refused as unavailable.
    pub fn submit(&self, write: Write) -> Ticket {
        ask!(self, engine => engine.submit(write))
    }

    /// Queues writes that go to disk together: after a crash all of them are there, or none. A write that is refused does not hold back the others,
    /// so the caller must make sure that none is. If so many writes are waiting that a single one would be refused, all of them are refused.
    pub fn submit_together(&self, writes: Vec<Write>) -> Vec<Ticket> {
        ask!(self, engine => engine.submit_together(writes))
    }

    /// The ticket resolves when everything is on disk whose tickets have resolved. Only a store that is [made](Store::make) needs it.
    pub fn settle(&self) -> Ticket {
        ask!(self, engine => engine.settle())
    }

    /// The header of a stream, which came with its first commit.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn header(&self, stream: StreamId) -> Result<Option<Vec<u8>>, ReadError> {
        ask!(self, engine => engine.header(stream))
    }

    /// Streams that have a header, with it, from the highest id down: for UUIDv7 that is the newest first. Those below
    /// `before`, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, or one is damaged.
    pub fn headers(
        &self,
        before: Option<StreamId>,
        limit: usize,
    ) -> Result<Vec<(StreamId, Vec<u8>)>, ReadError> {
        ask!(self, engine => engine.headers(before, limit))
    }

    /// The commits of a stream with numbers above `after`, in order, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, one is damaged, or one is missing.
    pub fn commits(
        &self,
        stream: StreamId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        self.commits_within(stream, after, limit, usize::MAX)
    }

    /// The same, but none follow on those that have `bytes` bytes together.
    ///
    /// # Errors
    /// As [`commits`](Store::commits).
    pub fn commits_within(
        &self,
        stream: StreamId,
        after: u64,
        limit: usize,
        bytes: usize,
    ) -> Result<Vec<Stored>, ReadError> {
        ask!(self, engine => engine.commits_within(stream, after, limit, bytes))
    }

    /// The last commit of a stream.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn last(&self, stream: StreamId) -> Result<Option<Stored>, ReadError> {
        ask!(self, engine => engine.last(stream))
    }

    /// The commits of all streams with positions above `after`, in order of position, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, one is damaged, or one is missing.
    pub fn feed(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        ask!(self, engine => engine.feed(after, limit))
    }

    /// Which commits have the positions above `after`, in order, at most `limit`; nothing of the commits themselves is read.
    ///
    /// # Errors
    /// If the feed cannot be read, is damaged, or a position is missing.
    pub fn feed_places(&self, after: u64, limit: usize) -> Result<Vec<Place>, ReadError> {
        ask!(self, engine => engine.feed_places(after, limit))
    }

    /// The commit at a place of the feed.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, missing, or in another place.
    pub fn at_place(&self, place: Place) -> Result<Stored, ReadError> {
        let read = self.at_places(slice::from_ref(&place)).next();
        read.unwrap_or_else(|| Err(ReadError::missing_place(place)))
    }

    /// The commits at these places of the feed, in their order, each as [`at_place`](Store::at_place) has it: read while they are taken, and of a
    /// database several with one question.
    pub fn at_places<'a>(&'a self, places: &'a [Place]) -> AtPlaces<'a> {
        ask!(self, engine => engine.at_places(places))
    }

    /// The feed position of the last durable commit; 0 if there is none. If others write too, the last one that is known here.
    #[must_use]
    pub fn position(&self) -> u64 {
        ask!(self, engine => engine.position())
    }

    /// Whether other servers may write while it is open here.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        match &self.engine {
            Engine::Local(_) => false,
            #[cfg(feature = "postgres")]
            Engine::Postgres(_) => true,
        }
    }

    /// A feed position at or beyond every commit that was acknowledged before this call, by any server. In a folder it is known; a database is asked,
    /// once for all callers that wait.
    ///
    /// # Errors
    /// If it does not answer.
    pub async fn latest(&self) -> Result<u64, ReadError> {
        match &self.engine {
            Engine::Local(local) => Ok(local.position()),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.latest().await,
        }
    }

    /// Blocks until a commit beyond `position` is known here, or until the time is over; returns the last position that is known. A database
    /// announces a commit when it becomes visible. In a folder nobody else writes, so this does not wait.
    #[must_use]
    pub fn wait_beyond(&self, position: u64, most: Duration) -> u64 {
        match &self.engine {
            Engine::Local(local) => {
                let _ = (position, most);
                local.position()
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.wait_beyond(position, most),
        }
    }

    /// Whether a server keeps [leases](Self::leases) on it. A folder is open in one process alone.
    ///
    /// # Errors
    /// If a database does not answer.
    pub fn is_served(&self) -> Result<bool, ReadError> {
        match &self.engine {
            Engine::Local(_) => Ok(false),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.is_served(),
        }
    }

    /// Takes the store for this process to play in alone, unless servers keep leases on it or another process has taken it: then `None`. Servers that
    /// begin meanwhile read and write, and get no lease before this is given back.
    ///
    /// # Errors
    /// If a database does not answer, or has another store now.
    pub fn alone(&self) -> Result<Option<Alone>, ReadError> {
        match &self.engine {
            Engine::Local(_) => Ok(Some(Alone::always())),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.alone(),
        }
    }

    /// Leases on shares of the streams, for work that only one of the servers is to do. In a folder there is one server, which holds all shares. If
    /// leases are requested twice, each has its own part.
    #[must_use]
    pub fn leases(&self) -> Leases {
        match &self.engine {
            Engine::Local(_) => Leases::all(),
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.leases(),
        }
    }

    /// A newer program has written `what` to it, which this one does not know: from now on nothing is written from here, its leases go to others, and
    /// reads continue. In a folder there is no other program, and nothing happens.
    pub fn outdate(&self, what: &str) {
        match &self.engine {
            Engine::Local(_) => {
                let _ = what;
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.outdate(what),
        }
    }

    /// Why this program no longer writes to it, if it has something that only a newer program knows: a schema, or something that was [found](Store::outdate).
    #[must_use]
    pub fn outdated(&self) -> Option<String> {
        match &self.engine {
            Engine::Local(_) => None,
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.outdated(),
        }
    }

    /// What tells the store in a database from every other that may be in its place later. `None` in a folder, whose files are watched.
    #[must_use]
    pub fn identity(&self) -> Option<&str> {
        match &self.engine {
            Engine::Local(_) => None,
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => Some(postgres.identity()),
        }
    }

    /// Why the store that is in the database now is not the one that was opened, if that is so: it was restored, or made anew. It stays so: nothing
    /// is written from here any more, and what is read is of the other one.
    #[must_use]
    pub fn replaced(&self) -> Option<String> {
        match &self.engine {
            Engine::Local(_) => None,
            #[cfg(feature = "postgres")]
            Engine::Postgres(postgres) => postgres.replaced(),
        }
    }

    /// Whether no write has failed at the disk. Once one has, they are refused until a restart.
    ///
    /// Reads continue; but a page that the engine was about to split when the disk failed gives an error until then. (A disk that is merely full is
    /// noticed before it does harm, and writes continue when there is space.)
    #[must_use]
    pub fn healthy(&self) -> bool {
        ask!(self, engine => engine.healthy())
    }

    /// Why writes are refused now, if they are; also checked before each batch. It may look at the disk, but waits for no write.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        ask!(self, engine => engine.trouble())
    }

    /// The same as far as it is known without a look at the disk.
    #[must_use]
    pub fn known_trouble(&self) -> Option<Trouble> {
        ask!(self, engine => engine.known_trouble())
    }

    /// Changes whenever writes begin to be refused for what [`Store::trouble`] finds at the disk, or are taken again. Whoever keeps what it has
    /// found asks again then.
    #[must_use]
    pub fn verdict(&self) -> u64 {
        ask!(self, engine => engine.verdict())
    }

    /// Whether the disk failed while this note was written. Whether a restart will find it is unknown then.
    #[must_use]
    pub fn is_unknown(&self, note: &[u8]) -> bool {
        ask!(self, engine => engine.is_unknown(note))
    }

    /// How many batches were synced to disk since the store was opened. An acknowledged write is in one of them.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        ask!(self, engine => engine.syncs())
    }

    /// What it has counted of itself since it was opened, and how it stands on its disk.
    #[must_use]
    pub fn figures(&self) -> Figures {
        ask!(self, engine => engine.figures())
    }

    /// Reads everything and lists what is damaged: bytes, missing numbers and positions, feed and streams that disagree. What cannot be
    /// read is skipped, and listed too.
    ///
    /// `progress` is called from time to time with the number of commits that were read. Commits written meanwhile are not checked.
    pub fn check(&self, progress: &mut dyn FnMut(u64)) -> Checked {
        ask!(self, engine => engine.check(progress))
    }

    fn local(local: Local) -> Store {
        Store { engine: Engine::Local(local) }
    }
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Every stream that any record mentions, from the highest id down.
    pub streams: Vec<StreamId>,
    /// Everything that is damaged, or cannot be read here.
    pub damage: Vec<Damage>,
    /// One record of these that is whole and of a newer program, if there is one.
    pub newer: Option<String>,
}

#[expect(dead_code, reason = "checked by the compiler: the store is shared between threads")]
fn shareable() -> impl Send + Sync + 'static {
    fn of<T: Send + Sync + 'static>() {}
    of::<Store>();
    of::<Bytes>();
}

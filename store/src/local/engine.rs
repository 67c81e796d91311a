//! sled behind a door: records in and out, its panics turned into errors, its traps avoided.

use std::any::Any;
use std::fs::{self, File};
use std::mem::ManuallyDrop;
use std::ops::RangeBounds;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use sled::{Batch, IVec};

use crate::error::ReadError;
use crate::figures::{Distribution, Histogram};
use crate::local::layout::{self, Feed};
use crate::local::lost::{self, End, Tidier};
use crate::local::padding::Padding;
use crate::queue::micros;
use crate::stream::{Bytes, StreamId};

/// How long sled may take to let go of its file after an earlier store on the folder was closed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// How often sled tidies up its file: it moves pages out of segments that are mostly garbage, so that those are used again. By itself it does
/// so every 500 ms, and under load it falls so far behind that the file gets twice as large. It also syncs the file each time.
const TIDY_MILLIS: u64 = 25;
/// The same while a store is made.
const TIDY_MAKING_MILLIS: u64 = 200;

/// So much space on the disk is left alone, in bytes: several times what one batch and sled's own housekeeping can need.
const KEPT_FREE: u64 = 32 << 20;

/// When a batch is on disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Durable {
    /// Before it is answered.
    AtOnce,
    /// When all that was written is settled: until then nothing of the store counts, and a failure costs the store, so nothing is padded either.
    WhenSettled,
    /// Nothing is: it is a copy that is only read.
    Never,
}

/// The open log: sled, and our own handle to its file.
#[derive(Debug)]
pub(crate) struct Engine {
    /// Always there, until drop takes it out.
    db: Option<sled::Db>,
    file: File,
    pub(crate) durable: Durable,
    padding: Padding,
    /// Why it is not known what of the padding is on disk.
    unpadded: OnceLock<String>,
    folder: PathBuf,
    sync: Histogram,
    tidier: Tidier,
    /// The first thing that could not be read, though no write had failed.
    unreadable: OnceLock<String>,
}

impl Engine {
    /// Opens or creates the log in `folder`. The caller has the store's lock.
    pub(crate) fn open(
        folder: &Path,
        cache_bytes: u64,
        durable: Durable,
    ) -> Result<Engine, ReadError> {
        let tidy = match durable {
            Durable::AtOnce => Some(TIDY_MILLIS),
            Durable::WhenSettled => Some(TIDY_MAKING_MILLIS),
            // There is nothing to tidy up; and where pages are damaged, who does so panics, and whoever closes the engine waits for it for ever.
            Durable::Never => None,
        };
        let config =
            sled::Config::new().path(folder).cache_capacity(cache_bytes).flush_every_ms(tidy);
        let (db, tidier) = match tidy {
            Some(_) => lost::meet(|| opened(&config))?,
            None => (opened(&config)?, Tidier::default()),
        };
        let file = File::options()
            .read(true)
            .write(true)
            .open(folder.join("db"))
            .map_err(sled::Error::Io)?;
        Ok(Engine {
            db: Some(db),
            file,
            durable,
            padding: Padding::new(&folder.join("db")).map_err(sled::Error::Io)?,
            unpadded: OnceLock::new(),
            folder: folder.to_owned(),
            sync: Histogram::of_micros(),
            tidier,
            unreadable: OnceLock::new(),
        })
    }

    pub(crate) fn file(&self) -> &File {
        &self.file
    }

    fn db(&self) -> &sled::Db {
        self.db.as_ref().expect("only drop takes it out")
    }

    /// Whether the disk has space for a batch of so many bytes. Asked before, for a write that fails in the middle leaves sled unusable
    /// until it is opened again, and some of its pages unreadable. It makes the space in the log's file, which may take a sync.
    pub(crate) fn has_space(&self, bytes: u64) -> bool {
        if self.is_full() {
            return false;
        }
        if self.durable == Durable::WhenSettled {
            return true;
        }
        self.padding.has(bytes).unwrap_or_else(|error| {
            self.unpadded.get_or_init(|| error.to_string());
            false
        })
    }

    /// The same for the smallest batch, as it was when space was last made: for who only asks, and neither makes any nor waits for who does.
    pub(crate) fn had_space(&self) -> bool {
        !self.is_full() && !self.is_short()
    }

    /// Whether space for the smallest batch could not be made the last time.
    pub(crate) fn is_short(&self) -> bool {
        self.padding.is_short()
    }

    fn is_full(&self) -> bool {
        // Who cannot be asked says no; then the write itself will tell.
        self.free_bytes().is_some_and(|free| free < KEPT_FREE)
    }

    /// Writes a batch, all or nothing. It is not on disk yet.
    pub(crate) fn apply(&self, batch: Batch) -> Result<(), ReadError> {
        calm(|| {
            self.db().apply_batch(batch)?;
            self.db().flush()?;
            Ok(())
        })
    }

    /// Syncs what was written. Returns the log sequence number up to which all is on disk.
    ///
    /// `flush` alone is not enough: on Linux sled ends its writes with `sync_file_range`, which saves neither a grown file's
    /// length nor what is in the disk's own cache. Other files do not matter to what is stored: sled's snapshots only
    /// shorten the next start, and blob files are never written (see `layout`).
    pub(crate) fn settle(&self) -> Result<i64, ReadError> {
        calm(|| {
            let written = self.db().context.pagecache.log.stable_offset();
            let start = Instant::now();
            self.file.sync_data().map_err(sled::Error::Io)?;
            self.sync.observe(micros(start));
            Ok(written)
        })
    }

    /// How long the syncs took, counted after the disk has confirmed them.
    pub(crate) fn sync_times(&self) -> Distribution {
        self.sync.read()
    }

    /// The size of all files of the log, in bytes.
    pub(crate) fn log_bytes(&self) -> u64 {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        files.filter_map(|file| file.metadata().ok()).map(|file| file.len()).sum()
    }

    /// The free space on its disk, in bytes, if the system tells.
    pub(crate) fn free_bytes(&self) -> Option<u64> {
        fs2::available_space(&self.folder).ok()
    }

    /// Why sled takes no more writes: a write in its background failed.
    pub(crate) fn failure(&self) -> Option<String> {
        let failed = self.db().context.global_error().err().map(|error| error.to_string());
        failed.or_else(|| self.unpadded.get().cloned())
    }

    /// What could not be read, if anything could not.
    pub(crate) fn unreadable(&self) -> Option<&str> {
        // Whoever tidies up ends where a write has failed, too.
        if let Some(end) = self.tidier.end()
            && self.failure().is_none()
        {
            let why = match end {
                End::GaveUp(why) => in_short(why),
                End::Silent => "its thread panicked",
            };
            self.unreadable.get_or_init(|| format!("it is tidied up no more ({why})"));
        }
        self.unreadable.get().map(String::as_str)
    }

    /// Calls into sled for a read. What it cannot read is remembered: writes into a tree with holes may be lost in them.
    fn read<T>(&self, call: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
        let read = calm(|| lost::search(call));
        if let Err(error) = &read {
            if let ReadError::GaveUp(why) = error {
                lost::gave_up(why);
            }
            if self.failure().is_none() {
                self.unreadable.get_or_init(|| error.to_string());
            }
        }
        read
    }

    /// Wakes a writer that waits in sled for a disk write that failed.
    ///
    /// When sled's background write fails at a certain point, it notes the error but does not wake who waits for that
    /// write. Any later call that sees the error does.
    pub(crate) fn wake_if_failed(&self) {
        if self.db().context.global_error().is_err() {
            drop(calm(|| Ok(self.db().flush()?)));
        }
    }

    /// Reads a record's position and bytes.
    pub(crate) fn record(&self, key: &[u8]) -> Result<Option<(u64, Bytes)>, ReadError> {
        self.value(key)?.map(|value| self.decode(key, &value)).transpose()
    }

    /// The position that a record claims, without a look at its checksum.
    pub(crate) fn claimed(&self, key: &[u8]) -> Result<Option<u64>, ReadError> {
        Ok(self.value(key)?.and_then(|value| layout::claimed(&value)))
    }

    /// Whether there is a record with this key, durable or not.
    pub(crate) fn has(&self, key: &[u8]) -> Result<bool, ReadError> {
        self.read(|| Ok(self.db().contains_key(key)?))
    }

    pub(crate) fn decode(&self, key: &[u8], value: &[u8]) -> Result<(u64, Bytes), ReadError> {
        layout::decode(key, value, |piece| self.value(&piece))
    }

    /// All keys that a record takes, its own and those of its pieces; none if there is no record.
    pub(crate) fn keys_of(&self, key: &[u8]) -> Result<Vec<Vec<u8>>, ReadError> {
        Ok(self.value(key)?.map_or_else(Vec::new, |value| layout::keys_of(key, &value)))
    }

    fn value(&self, key: &[u8]) -> Result<Option<IVec>, ReadError> {
        self.read(|| Ok(self.db().get(key)?))
    }

    /// Keys and values in order of key.
    pub(crate) fn range<K: AsRef<[u8]>>(
        &self,
        keys: impl RangeBounds<K>,
    ) -> impl DoubleEndedIterator<Item = Result<(IVec, IVec), ReadError>> {
        Calm { engine: self, iter: self.db().range(keys) }
    }

    /// The number of a stream's last commit in the log, durable or not; 0 if it has none.
    pub(crate) fn last_number(&self, stream: StreamId) -> Result<u64, ReadError> {
        let keys = layout::commit_key(stream, 0)..=layout::commit_key(stream, u64::MAX);
        let Some(entry) = self.range(keys).next_back() else {
            return Ok(0);
        };
        let (_, number) = layout::commit_of_key(&entry?.0)
            .ok_or_else(|| ReadError::Damaged(format!("stream {stream} has a malformed key")))?;
        Ok(number)
    }

    /// The feed record that holds `position`, or the first one after it.
    pub(crate) fn feed_from(
        &self,
        position: u64,
    ) -> Result<impl Iterator<Item = Result<Feed, ReadError>>, ReadError> {
        let before =
            self.range(layout::feed_key(0)..=layout::feed_key(position)).next_back().transpose()?;
        let start = before.map_or_else(|| layout::feed_key(0), |(key, _)| key.to_vec());
        Ok(self.range(start..=layout::feed_key(u64::MAX)).map(|entry| feed(entry?)))
    }

    /// The feed records from the last one backwards.
    pub(crate) fn feed_back(&self) -> impl Iterator<Item = Result<Feed, ReadError>> {
        self.range(layout::feed_key(0)..=layout::feed_key(u64::MAX)).rev().map(|entry| feed(entry?))
    }
}

/// A record of the feed, if it is what was written under its key.
pub(crate) fn feed((key, value): (IVec, IVec)) -> Result<Feed, ReadError> {
    layout::feed_of_value(&value).filter(|feed| *key == *layout::feed_key(feed.first)).ok_or_else(
        || ReadError::Damaged(format!("the feed record {} is damaged", key.escape_ascii())),
    )
}

impl Drop for Engine {
    fn drop(&mut self) {
        let db = self.db.take();
        // sled panics when its last sync fails; then the store has failed before, or what was acknowledged is on disk anyway.
        drop(calm(|| {
            if let Some(End::Silent) = self.tidier.end() {
                // sled would wait for ever for its thread that panicked. So what is left here goes with the process. If that thread
                // panics only while the store is closed, sled still waits for ever.
                let db = ManuallyDrop::new(db);
                if let Some(db) = db.as_ref() {
                    db.flush()?;
                }
                return Ok(());
            }
            drop(db);
            Ok(())
        }));
    }
}

/// Opens sled's log.
fn opened(config: &sled::Config) -> Result<sled::Db, ReadError> {
    let start = Instant::now();
    loop {
        match calm(|| Ok(config.open()?)) {
            // We have the store's lock, so this is sled's own lock, not yet released by its threads of before.
            Err(ReadError::Engine(sled::Error::Io(error)))
                if error.to_string().contains("could not acquire lock")
                    && start.elapsed() < PATIENCE =>
            {
                thread::sleep(Duration::from_millis(5));
            }
            opened => return opened,
        }
    }
}

/// An iterator of sled whose panics are errors, and which ends after one.
struct Calm<'a> {
    engine: &'a Engine,
    iter: sled::Iter,
}

impl Calm<'_> {
    fn step(
        &mut self,
        step: impl FnOnce(&mut sled::Iter) -> Option<sled::Result<(IVec, IVec)>>,
    ) -> Option<Result<(IVec, IVec), ReadError>> {
        let Calm { engine, iter } = self;
        engine.read(|| Ok(step(iter).transpose()?)).transpose()
    }
}

impl Iterator for Calm<'_> {
    type Item = Result<(IVec, IVec), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step(Iterator::next)
    }
}

impl DoubleEndedIterator for Calm<'_> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.step(DoubleEndedIterator::next_back)
    }
}

/// Calls into sled; a panic there, as on files that it cannot make sense of, becomes an error.
fn calm<T>(call: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(call))
        .unwrap_or_else(|panic| Err(ReadError::GaveUp(message(panic.as_ref()).to_owned())))
}

/// What sled ends with where it takes damage for a mistake of its own.
const ASKING: &str = "PLEASE REPORT THIS BUG!";

/// The first line alone: where the tree leads nowhere, sled shows all that is stored in those behind it, and seeds are secrets.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    in_short(text.unwrap_or("no reason given"))
}

fn in_short(text: &str) -> &str {
    text.lines().next().unwrap_or_default().trim_end_matches(ASKING).trim_end()
}

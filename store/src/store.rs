//! The store: open, write, read.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crate::check;
use crate::copy::Copy;
use crate::engine::Engine;
use crate::error::{Damage, OpenError, ReadError, Trouble};
use crate::figures::Figures;
use crate::folder::{Folder, io_error};
use crate::layout;
use crate::opening::{self, Examined};
use crate::padding;
use crate::stream::{Bytes, Note, Place, Stored, StreamId};
use crate::walk::Walk;
use crate::write::{Ticket, Write};
use crate::writer::{Shared, Writer};

/// How often somebody looks whether a batch hangs in a failed engine.
const WATCH: Duration = Duration::from_millis(200);

/// How a store is opened.
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

/// An append-only log of commits in streams, in one folder.
///
/// Share it by `Arc`. Dropping it finishes the writes that wait, syncs and closes the folder.
pub struct Store {
    shared: Arc<Shared>,
    writer: Option<JoinHandle<()>>,
    /// Ends when its sender is dropped.
    watch: Option<(Sender<()>, JoinHandle<()>)>,
    notices: Vec<String>,
    /// What was found damaged when a copy was opened.
    damage: Vec<Damage>,
    /// Dropped last: it holds the lock.
    _folder: Folder,
}

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
        let ours = Folder::take(folder)?;
        let examined = opening::examine(&ours)?;
        padding::trim(&ours.log()).map_err(io_error("trim", &ours.log()))?;
        let engine = open_engine(&ours, config)?;
        let position =
            check::recent(&engine).map_err(|error| OpenError::Damaged(error.to_string()))?;
        let acknowledged = examined.acknowledged.position;
        if position < acknowledged {
            return Err(OpenError::Lost { acknowledged, found: position });
        }
        Store::start(ours, examined, engine, position)
    }

    /// Opens a copy of the store in `folder`, made in the folder `scratch`, to look at it. The store itself is only read, as long as the
    /// copying takes, and stays as it is to the last byte; it may lie where nothing can be written. No other process may have it open for
    /// writing, for then the copy might be torn.
    ///
    /// What is damaged or lost does not stop it, as far as anything can be read: [`check`](Store::check) lists it.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn inspect(folder: &Path, scratch: &Path) -> Result<Store, OpenError> {
        let copy = Copy::of(folder, scratch)?;
        let ours = Folder::take(&copy.path)?;
        let examined = opening::examine_copy(&ours)?;
        let engine =
            open_engine(&ours, Config::default()).map_err(|error| examined.reason(error))?;
        let acknowledged = examined.acknowledged.position;
        // What is wrong with the latest commits, the check will find again.
        let position = check::recent(&engine).map_or(acknowledged, |found| found.max(acknowledged));
        // All files are open: the copy can be removed now, so that it is gone however this process ends.
        Store::start(ours, examined, engine, position)
    }

    /// Opens a copy of the store in `folder`, made in the folder `scratch` and removed with this, to read all of it: as
    /// [`inspect`](Store::inspect), but what does not open by [`open`](Store::open) does not open so either.
    ///
    /// # Errors
    /// As [`OpenError`] says.
    pub fn open_copy(folder: &Path, scratch: &Path, config: Config) -> Result<Store, OpenError> {
        let copy = Copy::of(folder, scratch)?;
        // All files are open then: the copy can be removed, so that it is gone however this process ends.
        Store::open(&copy.path, config)
    }

    fn start(
        ours: Folder,
        examined: Examined,
        engine: Engine,
        position: u64,
    ) -> Result<Store, OpenError> {
        let Examined { head, notices, damage, .. } = examined;
        let files = ours.files(head.file(), engine.file())?;
        let shared = Arc::new(Shared::new(engine, files, position));
        let writer = Writer::new(Arc::clone(&shared), head, position);
        let writer = spawn("store-writer", ours.path(), move || writer.run())?;
        let (stop, stopped) = mpsc::channel();
        let watched = Arc::clone(&shared);
        let watch = spawn("store-watch", ours.path(), move || {
            while stopped.recv_timeout(WATCH) == Err(RecvTimeoutError::Timeout) {
                if watched.is_writing.load(Ordering::Acquire) {
                    watched.engine.wake_if_failed();
                }
            }
        })?;
        let watch = Some((stop, watch));
        Ok(Store { shared, writer: Some(writer), watch, notices, damage, _folder: ours })
    }

    /// What was repaired when the store was opened, for the log.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// Queues a write; the ticket resolves when it is on disk, or failed.
    ///
    /// Returns at once. The write goes to disk together with all others that wait; nothing waits for a timer. When thousands
    /// of writes wait (20,000, or 64 MiB), it is refused as unavailable.
    pub fn submit(&self, write: Write) -> Ticket {
        self.shared.submit(write)
    }

    /// Queues writes that go to disk together: after a crash all of them are there, or none. A write that is refused does not keep back the
    /// others, so whoever calls this sees to it that none is.
    pub fn submit_together(&self, writes: Vec<Write>) -> Vec<Ticket> {
        self.shared.submit_together(writes)
    }

    /// Queues notes of another store, which keep the positions that they have there: what a backup gives back. Their keys must be new, as
    /// in any write.
    pub fn restore_notes(&self, notes: &[Note]) -> Ticket {
        self.shared.submit_notes(notes)
    }

    /// Removes notes for good, all or none; those that are not there stay so. The ticket resolves when that is on disk. Nobody reads them any
    /// more; their bytes are in the log's file until the engine uses their place again.
    pub fn forget(&self, keys: &[Vec<u8>]) -> Ticket {
        self.shared.forget(keys)
    }

    /// The header of a stream, which came with its first commit.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn header(&self, stream: StreamId) -> Result<Option<Vec<u8>>, ReadError> {
        self.value(&layout::header_key(stream))
    }

    /// The value of a note.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn note(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        self.value(&layout::note_key(key))
    }

    fn value(&self, key: &[u8]) -> Result<Option<Vec<u8>>, ReadError> {
        let value = self.shared.engine.record(key)?;
        // First read, then look: whoever has read a value that is not durable yet finds its key here.
        Ok(value.filter(|_| !self.shared.is_under_way(key)).map(|(_, bytes)| bytes.to_vec()))
    }

    /// The notes with keys above `after`, in order of key, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, or one is damaged.
    pub fn notes(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<Note>, ReadError> {
        let mut start = layout::note_key(after.unwrap_or_default());
        if after.is_some() {
            start.push(0);
        }
        let mut found = Vec::new();
        for entry in self.shared.engine.range(start..vec![layout::NOTES[0] + 1]) {
            if found.len() >= limit {
                break;
            }
            let (full, value) = entry?;
            let key = layout::key_of_note(&full).unwrap_or_default().to_vec();
            let (position, value) = self.shared.engine.decode(&full, &value)?;
            if !self.shared.is_under_way(&full) {
                found.push(Note { key, value: value.to_vec(), position });
            }
        }
        Ok(found)
    }

    /// All notes that can be read, in order of key: those that cannot are passed over, and listed by [`check`](Store::check).
    pub fn readable_notes(&self, take: &mut dyn FnMut(Note)) {
        for (full, value) in Walk::new(&self.shared.engine, layout::NOTES).flatten() {
            let decoded = self.shared.engine.decode(&full, &value);
            if let (Some(key), Ok((position, value))) = (layout::key_of_note(&full), decoded) {
                take(Note { key: key.to_vec(), value: value.to_vec(), position });
            }
        }
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
        let end = before.map_or_else(|| vec![layout::HEADERS[0] + 1], layout::header_key);
        let mut found = Vec::new();
        for entry in self.shared.engine.range(layout::HEADERS.to_vec()..end).rev() {
            if found.len() >= limit {
                break;
            }
            let (key, value) = entry?;
            let stream = layout::stream_of_header_key(&key).ok_or_else(|| {
                ReadError::Damaged(format!("a header has the key {}", key.escape_ascii()))
            })?;
            let (_, header) = self.shared.engine.decode(&key, &value)?;
            if !self.shared.is_under_way(&key) {
                found.push((stream, header.to_vec()));
            }
        }
        Ok(found)
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
        let Some(first) = after.checked_add(1) else {
            return Ok(Vec::new());
        };
        let keys = layout::commit_key(stream, first)..=layout::commit_key(stream, u64::MAX);
        let mut commits: Vec<Stored> = Vec::new();
        let mut left = bytes;
        for entry in self.shared.engine.range(keys).take(limit) {
            let (key, value) = entry?;
            let commit = self.stored(&key, &value)?;
            if commit.position > self.position() {
                break;
            }
            let expected = commits.last().map_or(first, |last| last.number + 1);
            if commit.number != expected {
                return Err(ReadError::Damaged(format!(
                    "commit {expected} of stream {stream} is missing"
                )));
            }
            left = left.saturating_sub(commit.bytes.len());
            commits.push(commit);
            if left == 0 {
                break;
            }
        }
        Ok(commits)
    }

    /// The last commit of a stream.
    ///
    /// # Errors
    /// If it cannot be read, or is damaged.
    pub fn last(&self, stream: StreamId) -> Result<Option<Stored>, ReadError> {
        let keys = layout::commit_key(stream, 0)..=layout::commit_key(stream, u64::MAX);
        for entry in self.shared.engine.range(keys).rev() {
            let (key, value) = entry?;
            let commit = self.stored(&key, &value)?;
            if commit.position <= self.position() {
                return Ok(Some(commit));
            }
        }
        Ok(None)
    }

    fn stored(&self, key: &[u8], value: &[u8]) -> Result<Stored, ReadError> {
        let (stream, number) = layout::commit_of_key(key).ok_or_else(|| {
            ReadError::Damaged(format!("a commit has the key {}", key.escape_ascii()))
        })?;
        let (position, bytes) = self.shared.engine.decode(key, value)?;
        Ok(Stored { stream, number, position, bytes })
    }

    /// The commits of all streams with positions above `after`, in order of position, at most `limit`.
    ///
    /// # Errors
    /// If they cannot be read, one is damaged, or one is missing.
    pub fn feed(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let places = self.feed_places(after, limit)?.into_iter();
        places.map(|place| self.at_place(place)).collect()
    }

    /// Which commits have the positions above `after`, in order, at most `limit`; nothing of the commits themselves is read.
    ///
    /// # Errors
    /// If the feed cannot be read, is damaged, or a position is missing.
    pub fn feed_places(&self, after: u64, limit: usize) -> Result<Vec<Place>, ReadError> {
        let end = self.position().min(after.saturating_add(limit as u64));
        let mut places = Vec::new();
        if after >= end {
            return Ok(places);
        }
        let mut next = after + 1;
        for record in self.shared.engine.feed_from(next)? {
            let record = record?;
            let skip = next.checked_sub(record.first).ok_or_else(|| missing_position(next))?;
            for (stream, number) in
                record.commits.into_iter().skip(usize::try_from(skip).unwrap_or(usize::MAX))
            {
                if next > end {
                    return Ok(places);
                }
                places.push(Place { stream, number, position: next });
                next += 1;
            }
        }
        if next <= end { Err(missing_position(next)) } else { Ok(places) }
    }

    /// The commit at a place of the feed.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, missing, or in another place.
    pub fn at_place(&self, place: Place) -> Result<Stored, ReadError> {
        let Place { stream, number, position: expected } = place;
        match self.shared.engine.record(&layout::commit_key(stream, number))? {
            Some((position, bytes)) if position == expected => {
                Ok(Stored { stream, number, position, bytes })
            }
            Some(_) | None => Err(ReadError::Damaged(format!(
                "position {expected} is commit {number} of stream {stream}, which is missing or has another"
            ))),
        }
    }

    /// The feed position of the last durable commit; 0 if there is none.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.shared.visible.position.load(Ordering::Acquire)
    }

    /// Whether no write has failed at the disk. Once one has, they are refused until a restart.
    ///
    /// Reads go on; but a page that the engine was about to split when the disk failed gives an error until then. (A disk
    /// that is merely full is noticed before, harms nothing, and writes go on when there is space.)
    #[must_use]
    pub fn healthy(&self) -> bool {
        self.shared.is_healthy()
    }

    /// Why writes are refused now, if they are. Checked before each batch.
    #[must_use]
    pub fn trouble(&self) -> Option<Trouble> {
        self.shared.trouble(0)
    }

    /// Whether the disk failed while this note was written. Whether a restart will find it is unknown then.
    #[must_use]
    pub fn is_unknown(&self, note: &[u8]) -> bool {
        self.shared.is_unknown(&layout::note_key(note))
    }

    /// How many batches were synced to disk since the store was opened. An acknowledged write is in one of them.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        self.shared.engine.sync_times().counts.iter().sum()
    }

    /// What it has counted of itself since it was opened, and how it stands on its disk.
    #[must_use]
    pub fn figures(&self) -> Figures {
        self.shared.figures()
    }

    /// Reads everything and lists what is damaged: bytes, missing numbers and positions, feed and streams that disagree. What cannot be
    /// read is skipped, and listed too.
    ///
    /// `progress` is called now and then with the number of commits that were read. What is written meanwhile is not checked.
    pub fn check(&self, progress: &mut dyn FnMut(u64)) -> Checked {
        let Checked { streams, damage } =
            check::all(&self.shared.engine, self.position(), progress);
        Checked { streams, damage: self.damage.iter().cloned().chain(damage).collect() }
    }
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Every stream that any record mentions, from the highest id down.
    pub streams: Vec<StreamId>,
    /// Everything that is damaged.
    pub damage: Vec<Damage>,
}

impl Drop for Store {
    fn drop(&mut self) {
        self.shared.close();
        if let Some(writer) = self.writer.take() {
            // It returns nothing; had it panicked, its drop would have refused what waits.
            drop(writer.join());
        }
        if let Some((stop, watch)) = self.watch.take() {
            drop(stop);
            drop(watch.join());
        }
    }
}

fn missing_position(position: u64) -> ReadError {
    ReadError::Damaged(format!("the feed does not have position {position}"))
}

fn open_engine(folder: &Folder, config: Config) -> Result<Engine, OpenError> {
    let log = folder.log();
    let engine = Engine::open(&log, config.cache_bytes).map_err(|error| match error {
        ReadError::Engine(sled::Error::Io(source)) => io_error("open", &log)(source),
        ReadError::Engine(error) => OpenError::Damaged(error.to_string()),
        ReadError::GaveUp(what) | ReadError::Damaged(what) => OpenError::Damaged(what),
    })?;
    folder.sync_log()?;
    Ok(engine)
}

fn spawn(
    name: &str,
    folder: &Path,
    work: impl FnOnce() + Send + 'static,
) -> Result<JoinHandle<()>, OpenError> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(work)
        .map_err(io_error("start the threads for", folder))
}

#[expect(dead_code, reason = "checked by the compiler: the store is shared between threads")]
fn shareable() -> impl Send + Sync + 'static {
    fn of<T: Send + Sync + 'static>() {}
    of::<Store>();
    of::<Bytes>();
}

//! The engine in one folder, on sled.
//!
//! ```text
//! folder/FORMAT   "muninn 1\n": what this is, in which version. Locked while the store is open
//! folder/HEAD     how far commits were acknowledged: two checked slots, written in turn
//! folder/log/     sled 0.34; one tree, see the module `layout`; zeros behind its end, see the module `padding`
//! ```
//! A damaged snapshot of sled's is removed at the start, where the log holds everything without it ([`Store::notices`](crate::Store::notices)).
//! Development versions wrote `FORMAT` otherwise; their stores are refused ([`OpenError::Development`]).
//! [`Store::inspect`](crate::Store::inspect) opens a copy, and leaves the folder as it is to the last byte; [`Store::check`](crate::Store::check) lists all damage.
//! sled cuts off what it takes for a torn end, without a word. `HEAD` tells a torn end from a lost one: the log is looked
//! at before sled opens it, and when something acknowledged is missing, the store does not open.

mod engine;
mod lost;
mod layout;
mod writer;
mod walk;
mod check;
mod head;
pub(crate) mod folder;
mod opening;
mod settings;
mod probe;
mod snapshot;
mod bandage;
mod padding;
pub(crate) mod copy;
pub(crate) mod salvage;

use std::ops::Deref;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use self::copy::Scratch;
use self::engine::{Durable, Engine};
use self::folder::{Folder, io_error};
use self::opening::Examined;
pub(crate) use self::opening::Way;
use self::walk::Walk;
use self::writer::{Shared, Writer};
use crate::error::{Damage, OpenError, ReadError, in_words};
use crate::store::{AtPlaces, Checked, Config};
use crate::stream::{Note, Place, Stored, StreamId};

/// How often somebody looks whether a batch hangs in a failed engine.
const WATCH: Duration = Duration::from_millis(200);
/// How often somebody tries to make space, where there was none.
const AGAIN: Duration = Duration::from_secs(1);

/// A store in a folder. What its functions do is said at the door, [`Store`](crate::Store).
pub(crate) struct Local {
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

impl Local {
    pub(crate) fn open(folder: &Path, config: Config) -> Result<Local, OpenError> {
        Local::open_as(folder, config, Durable::AtOnce)
    }

    pub(crate) fn make(folder: &Path, config: Config) -> Result<Local, OpenError> {
        // A store that is there already counts as it is.
        let is_there = folder.join("FORMAT").exists();
        let durable = if is_there { Durable::AtOnce } else { Durable::WhenSettled };
        Local::open_as(folder, config, durable)
    }

    fn open_as(folder: &Path, config: Config, durable: Durable) -> Result<Local, OpenError> {
        let ours = Folder::take(folder)?;
        let opened = Local::open_in(&ours, config, durable);
        let (examined, engine, position) = opened.inspect_err(|_| ours.undo())?;
        Local::start(ours, examined, engine, position)
    }

    fn open_in(
        ours: &Folder,
        config: Config,
        durable: Durable,
    ) -> Result<(Examined, Engine, u64), OpenError> {
        let examined = opening::examine(ours)?;
        padding::trim(&ours.log()).map_err(io_error("trim", &ours.log()))?;
        let engine = open_engine(ours, config, durable)?;
        let position =
            check::recent(&engine).map_err(|error| OpenError::Damaged(error.to_string()))?;
        let acknowledged = examined.acknowledged.position;
        if position < acknowledged {
            return Err(OpenError::Lost { acknowledged, found: position });
        }
        Ok((examined, engine, position))
    }

    pub(crate) fn inspect(folder: &Path, scratch: &Path, way: Way) -> Result<Local, OpenError> {
        let (copy, mut damage) = Scratch::of_damaged(folder, scratch)?;
        let ours = Folder::take(&copy.path)?;
        let mut examined = opening::examine_copy(&ours, way)?;
        damage.append(&mut examined.damage);
        examined.damage = damage;
        let engine = open_engine(&ours, Config::default(), Durable::Never)
            .map_err(|error| examined.reason(error))?;
        let acknowledged = examined.acknowledged.position;
        // What is wrong with the latest commits, the check will find again. After a power cut HEAD may be behind them.
        let found = check::recent(&engine).unwrap_or_else(|_| check::reach(&engine));
        let position = found.max(acknowledged);
        // All files are open: the copy can be removed now, so that it is gone however this process ends.
        Local::start(ours, examined, engine, position)
    }

    pub(crate) fn open_copy(
        folder: &Path,
        scratch: &Path,
        config: Config,
    ) -> Result<Local, OpenError> {
        let copy = Scratch::of(folder, scratch)?;
        // All files are open then: the copy can be removed, so that it is gone however this process ends.
        Local::open_as(&copy.path, config, Durable::Never)
    }

    fn start(
        ours: Folder,
        examined: Examined,
        engine: Engine,
        position: u64,
    ) -> Result<Local, OpenError> {
        let Examined { head, notices, damage, .. } = examined;
        let files = ours.files(head.file(), engine.file())?;
        let shared = Arc::new(Shared::new(engine, files, position));
        let writer = Writer::new(Arc::clone(&shared), head, position);
        let writer = spawn("store-writer", ours.path(), move || writer.run())?;
        let (stop, stopped) = mpsc::channel();
        let watched = Arc::clone(&shared);
        let watch = spawn("store-watch", ours.path(), move || {
            let mut tried = Instant::now();
            while stopped.recv_timeout(WATCH) == Err(RecvTimeoutError::Timeout) {
                if watched.queue.is_writing() {
                    watched.engine.wake_if_failed();
                } else if watched.engine.is_short() && tried.elapsed() >= AGAIN {
                    // Nobody may write as long as nobody knows that there is space again.
                    drop(watched.trouble_with(0));
                    tried = Instant::now();
                }
            }
        })?;
        let watch = Some((stop, watch));
        Ok(Local { shared, writer: Some(writer), watch, notices, damage, _folder: ours })
    }

    pub(crate) fn notices(&self) -> &[String] {
        &self.notices
    }

    pub(crate) fn header(&self, stream: StreamId) -> Result<Option<Vec<u8>>, ReadError> {
        Ok(self.value(&layout::header_key(stream))?.map(|(_, bytes)| bytes))
    }

    pub(crate) fn note(&self, key: &[u8]) -> Result<Option<Note>, ReadError> {
        let value = self.value(&layout::note_key(key))?;
        Ok(value.map(|(position, value)| Note { key: key.to_vec(), value, position }))
    }

    /// The position of a record, and its bytes.
    fn value(&self, key: &[u8]) -> Result<Option<(u64, Vec<u8>)>, ReadError> {
        let value = self.shared.engine.record(key)?;
        // First read, then look: whoever has read a value that is not durable yet finds its key here.
        let value = value.filter(|_| !self.shared.is_under_way(key));
        Ok(value.map(|(position, bytes)| (position, bytes.to_vec())))
    }

    pub(crate) fn notes(&self, after: Option<&[u8]>, limit: usize) -> Result<Vec<Note>, ReadError> {
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

    pub(crate) fn readable_notes(&self, take: &mut dyn FnMut(Note)) -> Result<(), ReadError> {
        for (full, value) in Walk::new(&self.shared.engine, layout::NOTES).flatten() {
            let decoded = self.shared.engine.decode(&full, &value);
            if let (Some(key), Ok((position, value))) = (layout::key_of_note(&full), decoded) {
                take(Note { key: key.to_vec(), value: value.to_vec(), position });
            }
        }
        Ok(())
    }

    pub(crate) fn headers(
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

    pub(crate) fn commits_within(
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

    pub(crate) fn last(&self, stream: StreamId) -> Result<Option<Stored>, ReadError> {
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

    pub(crate) fn feed(&self, after: u64, limit: usize) -> Result<Vec<Stored>, ReadError> {
        let places = self.feed_places(after, limit)?.into_iter();
        places.map(|place| self.at_place(place)).collect()
    }

    pub(crate) fn feed_places(&self, after: u64, limit: usize) -> Result<Vec<Place>, ReadError> {
        let end = self.position().min(after.saturating_add(limit as u64));
        let mut places = Vec::new();
        if after >= end {
            return Ok(places);
        }
        let mut next = after + 1;
        for record in self.shared.engine.feed_from(next)? {
            let record = record?;
            let skip =
                next.checked_sub(record.first).ok_or_else(|| ReadError::missing_position(next))?;
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
        if next <= end { Err(ReadError::missing_position(next)) } else { Ok(places) }
    }

    fn at_place(&self, place: Place) -> Result<Stored, ReadError> {
        let Place { stream, number, position: expected } = place;
        match self.shared.engine.record(&layout::commit_key(stream, number))? {
            Some((position, bytes)) if position == expected => {
                Ok(Stored { stream, number, position, bytes })
            }
            Some(_) | None => Err(ReadError::missing_place(place)),
        }
    }

    pub(crate) fn at_places<'a>(&'a self, places: &'a [Place]) -> AtPlaces<'a> {
        Box::new(places.iter().map(|place| self.at_place(*place)))
    }

    pub(crate) fn position(&self) -> u64 {
        self.shared.visible.position.load(Ordering::Acquire)
    }

    pub(crate) fn is_unknown(&self, note: &[u8]) -> bool {
        self.shared.is_unknown(&layout::note_key(note))
    }

    pub(crate) fn syncs(&self) -> u64 {
        self.shared.engine.sync_times().counts.iter().sum()
    }

    pub(crate) fn check(&self, progress: &mut dyn FnMut(u64)) -> Checked {
        let Checked { mut streams, damage, newer } =
            check::all(&self.shared.engine, self.position(), progress);
        // Of these the log has the header, and nobody else knows of them: they are not on disk yet.
        streams.retain(|stream| !self.shared.is_under_way(&layout::header_key(*stream)));
        Checked { streams, damage: self.damage.iter().cloned().chain(damage).collect(), newer }
    }
}

/// What it shares with its writer takes all writes.
impl Deref for Local {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.shared
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        self.shared.queue.close();
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

const THREADS_FAILED: &str = "start the threads for";
/// As many threads as a store needs, sled's among them.
const THREADS: usize = 8;

/// Asks for so many threads at once: sled waits for ever for one of its own that cannot begin.
fn need_threads(folder: &Path) -> Result<(), OpenError> {
    let gate = Mutex::new(());
    let begun = thread::scope(|scope| {
        let _closed = gate.lock();
        (0..THREADS).try_for_each(|_| {
            thread::Builder::new().spawn_scoped(scope, || drop(gate.lock())).map(drop)
        })
    });
    begun.map_err(io_error(THREADS_FAILED, folder))
}

fn open_engine(folder: &Folder, config: Config, durable: Durable) -> Result<Engine, OpenError> {
    need_threads(folder.path())?;
    let log = folder.log();
    let engine = Engine::open(&log, config.cache_bytes, durable).map_err(|error| match error {
        ReadError::Engine(sled::Error::Io(source)) => io_error("open", &log)(source),
        ReadError::Engine(error) => OpenError::Damaged(in_words(&error)),
        ReadError::GaveUp(what)
        | ReadError::Database(what)
        | ReadError::Damaged(what)
        | ReadError::Newer(what) => OpenError::Damaged(what),
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
        .map_err(io_error(THREADS_FAILED, folder))
}

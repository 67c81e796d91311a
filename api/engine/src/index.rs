//! The index of all matches: what the list shows, by match.
//!
//! It is a projection of the feed: a file beside the store holds it as it was at one feed position, and in memory is what has changed since,
//! put there by whoever wrote a commit once it is durable. Between the two a commit is on disk and not in the index; so the index knows
//! which feed positions it has, and catches up with the store before it answers.

use std::num::NonZeroUsize;
use std::ops::Bound;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use derived::FileError;
use flood::Flood;
use journal::{Damaged, Journal, MatchId, Opening, Outline, Record, Status, match_id};
use lru::LruCache;
use store::StreamId;
use tokio::sync::watch;

use crate::entries::Entries;
use crate::error::Error;
use crate::list_file::{Change, Found, ListFile, Unread};
use crate::listed::{Filter, MatchSummary, Shown, seats};
use crate::live::{Slot, lock};
use crate::waiting::Waiting;

/// How many feed positions are looked at at once.
const PLACES: usize = 1_000;
/// How many matches' way of being shown is kept.
const SHOWN: NonZeroUsize = NonZeroUsize::new(16_384).expect("it is not 0");

/// So long who wants no more than figures waits for changes that go into the file: on a disk that is well they take milliseconds.
const MOMENT: Duration = Duration::from_millis(250);
/// Between two looks whether they are there.
const PAUSE: Duration = Duration::from_millis(5);

/// How many matches have each status; nothing as long as the file is not read.
type ByStatus = Option<[(Status, u64); Status::ALL.len()]>;

/// A full disk fails each try to keep the list.
static UNKEPT: Flood = Flood::new();

/// All matches, and how far in the feed that goes.
pub(crate) struct Index {
    pub(crate) journal: Journal,
    /// A match that is found may wait for a bot.
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) file: ListFile,
    entries: RwLock<Entries>,
    shown: Mutex<LruCache<MatchId, Shown>>,
    /// Held while changes go from memory into the file, and by whoever needs both as they are.
    pub(crate) moving: Mutex<()>,
    /// What was counted last.
    counted: Mutex<ByStatus>,
    /// How often names were forgotten: what was read before is not put.
    pub(crate) forgettings: AtomicU64,
    /// The feed position up to which every commit was taken in, where other servers write as well.
    pub(crate) through: watch::Sender<u64>,
}

impl Index {
    /// The index of the journal in this folder. It has nothing until it has [begun](Index::begin).
    pub(crate) fn new(folder: &Path, journal: Journal, waiting: Arc<Waiting>) -> Self {
        let position = journal.position();
        let entries = Entries { until: position, through: position, ..Entries::default() };
        Index {
            file: ListFile::beside(folder, journal.clone()),
            journal,
            waiting,
            entries: RwLock::new(entries),
            shown: Mutex::new(LruCache::new(SHOWN)),
            moving: Mutex::default(),
            counted: Mutex::default(),
            forgettings: AtomicU64::new(0),
            through: watch::Sender::new(position),
        }
    }

    pub(crate) fn read<T>(&self, look: impl FnOnce(&Entries) -> T) -> T {
        look(&self.entries.read().unwrap_or_else(PoisonError::into_inner))
    }

    pub(crate) fn write<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> T {
        change(&mut self.entries.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens the file, or begins one. Where it cannot be used, the index is in memory. `wait` returns false when it is over.
    pub(crate) fn begin(&self, wait: &dyn Fn(Duration) -> bool) {
        match self.file.begin(wait) {
            Ok(Found { position, bots, unfit }) => {
                if let Some(why) = unfit {
                    self.file.told(&why);
                }
                for (id, people) in bots {
                    self.waiting.go_on(id, people);
                }
                self.forget_missed();
                self.write(|entries| {
                    (entries.caught, entries.begun) = (position, true);
                    entries.fresh = position == 0;
                });
            }
            Err(error) => {
                tracing::warn!(%error, "the list of matches is kept in memory");
                // What it says is not known: nothing of it is read, and when it is written next it is made anew.
                self.file.distrust(&error.to_string());
                self.write(|entries| {
                    (entries.begun, entries.fresh, entries.in_memory) = (true, true, true);
                });
            }
        }
    }

    /// The feed position up to which it has every commit.
    pub(crate) fn position(&self) -> u64 {
        self.read(Entries::position)
    }

    /// Has it every match? After a start it may be on its way.
    pub(crate) fn is_complete(&self) -> bool {
        self.read(Entries::is_complete)
    }

    /// How many matches are to be written into the file.
    pub(crate) fn changes(&self) -> usize {
        self.read(|entries| entries.changed.len())
    }

    /// How many matches have each status.
    pub(crate) fn by_status(&self) -> ByStatus {
        let _gate = lock(&self.moving);
        self.count()
    }

    /// The same for who does not wait for a disk or a database that hangs: then it is what was counted last.
    pub(crate) fn lately_by_status(&self) -> ByStatus {
        let begun = Instant::now();
        let _gate = loop {
            match self.moving.try_lock() {
                Ok(gate) => break gate,
                Err(TryLockError::Poisoned(poisoned)) => break poisoned.into_inner(),
                Err(TryLockError::WouldBlock) if begun.elapsed() < MOMENT => thread::sleep(PAUSE),
                Err(TryLockError::WouldBlock) => return *lock(&self.counted),
            }
        };
        self.count()
    }

    /// Counts them. The caller holds `moving`.
    fn count(&self) -> ByStatus {
        let counts = self.counts();
        *lock(&self.counted) = counts;
        counts
    }

    fn counts(&self) -> ByStatus {
        let (begun, in_memory, changed) = self.read(|entries| {
            let changed = entries.changed.iter().map(|(id, now)| (*id, now.clone()));
            (entries.begun, entries.in_memory, changed.collect::<Vec<Change>>())
        });
        if !begun {
            return None;
        }
        let ids: Vec<MatchId> = changed.iter().map(|(id, _)| *id).collect();
        let mut counts = match self.file.counts_without(&ids) {
            Ok(counts) => counts,
            Err(Unread) if in_memory => [0; Status::ALL.len()],
            Err(Unread) => return None,
        };
        for now in changed.into_iter().filter_map(|(_, now)| now) {
            counts[now.status as usize] += 1;
        }
        Some(Status::ALL.map(|status| (status, counts[status as usize])))
    }

    /// The newest matches that fit, those before `before`, at most `limit`.
    ///
    /// # Errors
    /// [`Error::NotListed`] while it is not complete.
    pub(crate) fn list(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        limit: usize,
    ) -> Result<Vec<Arc<MatchSummary>>, Error> {
        let behind = || {
            let position = self.position();
            Error::NotListed { behind: self.journal.position().saturating_sub(position) }
        };
        let file = self.file.known();
        if !self.is_complete() {
            return Err(behind());
        }
        self.catch_up();
        let is_damaged = |id| self.journal.aside().of(id).is_some();
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        // First what has changed, then the file: what goes from one to the other meanwhile is seen, once, as it is now.
        let (changed, fitting) = self.read(|entries| {
            let range = || entries.changed.range((Bound::Unbounded, end));
            let fits = |now: &&Arc<MatchSummary>| filter.fits(now) && !is_damaged(now.r#match);
            let fitting = range().rev().filter_map(|(_, now)| now.as_ref()).filter(fits);
            let changed: Vec<MatchId> = range().map(|(id, _)| *id).collect();
            (changed, fitting.take(limit).cloned().collect::<Vec<_>>())
        });
        let mut fitting = fitting.into_iter().peekable();
        let mut listed: Vec<Arc<MatchSummary>> = Vec::new();
        let read = self.file.newest(filter, before, &mut |stored| {
            let id = stored.r#match;
            while let Some(now) = fitting.next_if(|now| now.r#match > id) {
                listed.push(now);
            }
            let is_new = changed.binary_search(&id).is_err();
            if is_new && !is_damaged(id) && filter.fits(&stored) {
                listed.push(Arc::new(stored));
            }
            listed.len() < limit
        });
        match read {
            Ok(()) if self.file.known() == file => {}
            // It was begun anew, and does not have all yet.
            Ok(()) => return Err(behind()),
            Err(Unread) if self.read(|entries| entries.in_memory) => {}
            Err(Unread) => return Err(behind()),
        }
        listed.extend(fitting);
        listed.truncate(limit);
        Ok(listed)
    }

    /// What the feed needs to know of a match with a durable commit: from the index where it is there, else from the store.
    pub(crate) fn shown(&self, id: MatchId) -> Result<Shown, Damaged> {
        if let Some(shown) = lock(&self.shown).get(&id) {
            return Ok(*shown);
        }
        let known = self.known(id);
        let shown = match known {
            Some(known) => Shown::of(&known),
            None => {
                // A later commit that is damaged hides only itself.
                let Opening { game, table, created_at: _ } = self.journal.opening(id)?;
                let last = self.journal.last(id);
                Shown {
                    game: game.info().id,
                    visibility: table.opened.visibility,
                    finished: last.is_ok_and(|(record, _)| record.finishes()),
                }
            }
        };
        // What is being played puts itself there.
        if shown.finished {
            lock(&self.shown).put(id, shown);
        }
        Ok(shown)
    }

    /// A match as the index has it.
    pub(crate) fn known(&self, id: MatchId) -> Option<Arc<MatchSummary>> {
        let changed = self.read(|entries| entries.changed.get(&id).cloned());
        changed.unwrap_or_else(|| self.file.get(id).ok().flatten().map(Arc::new))
    }

    /// Brings the index up to date with a match; `position` is the feed position of its new commit.
    pub(crate) fn put(&self, slot: &Slot, position: u64) {
        self.put_with(slot, |entries| entries.reached(position));
        self.tell_reached();
    }

    /// Brings the index up to date with a match.
    pub(crate) fn put_known(&self, slot: &Slot) {
        self.put_with(slot, |_| ());
    }

    fn put_with(&self, slot: &Slot, change: impl FnOnce(&mut Entries)) {
        self.write(|entries| {
            // Looked at here: of two who do this at the same time, the later one sees the newer state.
            let summary = MatchSummary::of(slot);
            lock(&self.shown).put(slot.id, Shown::of(&summary));
            entries.put(summary);
            change(entries);
        });
    }

    /// Puts what is durable and not in the index yet; what cannot be read is set aside. Where other servers write as well, whoever reads has
    /// waited for the thread that follows them.
    fn catch_up(&self) {
        if self.journal.store().is_shared() {
            return;
        }
        let end = self.journal.position();
        loop {
            let through = self.read(|entries| entries.through);
            if through >= end {
                return;
            }
            let Ok(places) = self.journal.places(through, PLACES) else {
                // Whoever reads the feed tells it.
                self.write(|entries| entries.reached(through + 1));
                continue;
            };
            for place in places {
                if !self.read(|entries| entries.has(place.position)) {
                    self.find(place.stream);
                    self.write(|entries| entries.reached(place.position));
                }
            }
        }
    }

    /// Goes a step on with what is older than the start and not in the file; `false` if that is all, also for the moment.
    pub(crate) fn go_on(&self) -> bool {
        let (caught, until, fresh) = self.read(|e| (e.caught, e.until, e.fresh));
        let Some(left) = until.checked_sub(caught).filter(|left| *left > 0) else { return false };
        let most = usize::try_from(left).unwrap_or(PLACES).min(PLACES);
        let reached = match self.journal.places(caught, most) {
            Ok(places) => {
                for place in &places {
                    let met = fresh && place.number > 1;
                    let known = || self.known(match_id(place.stream));
                    let is_new = !met && known().is_none_or(|known| known.commit < place.number);
                    if is_new && !self.find(place.stream) {
                        return false;
                    }
                }
                places.last().map_or(until, |last| last.position)
            }
            Err(damaged) if damaged.is_away() => return false,
            // Whoever reads the feed tells it. The header tells of the match.
            Err(_) => {
                let is_done = self.write(|entries| std::mem::replace(&mut entries.by_header, true));
                if !is_done && !self.find_by_header() {
                    self.write(|entries| entries.by_header = false);
                    return false;
                }
                caught + 1
            }
        };
        // It may have begun again meanwhile.
        self.write(|entries| {
            if entries.caught == caught {
                entries.caught = reached.max(caught + 1);
            }
        });
        true
    }

    /// The next matches after `after` in the order of their ids, of which those that are open or running, and after which to go on; nothing
    /// at the end, or where the file cannot be read. Some may have changed since.
    pub(crate) fn page(&self, after: Option<MatchId>) -> (Vec<Arc<MatchSummary>>, Option<MatchId>) {
        let changed = || self.read(|entries| entries.changed.values().flatten().cloned().collect());
        let mut page: Vec<Arc<MatchSummary>> = if after.is_none() { changed() } else { Vec::new() };
        let Ok((found, next)) = self.file.page(after, PLACES) else { return (page, None) };
        page.extend(found.into_iter().map(Arc::new));
        (page, next)
    }

    /// A match was found: it is listed, or set aside. Returns false where the database is away, which tells neither.
    pub(crate) fn find(&self, stream: StreamId) -> bool {
        let found = self.look_for(stream);
        found.as_ref().err().iter().for_each(|damaged| self.set_aside(damaged, match_id(stream)));
        !found.is_err_and(|damaged| damaged.is_away())
    }

    /// The same where it is not set aside.
    pub(crate) fn look_for(&self, stream: StreamId) -> Result<(), Damaged> {
        loop {
            let forgettings = self.forgettings.load(Ordering::Acquire);
            if self.put_found(self.stored_summary(stream)?, forgettings) {
                return Ok(());
            }
        }
    }

    /// Puts what was found, unless names were forgotten meanwhile.
    pub(crate) fn put_found(&self, found: MatchSummary, forgettings: u64) -> bool {
        if let Some(people) = found.bots() {
            self.waiting.go_on(found.r#match, people);
        } else if matches!(found.status, Status::Finished | Status::Abandoned) {
            self.waiting.end(found.r#match);
        }
        self.write(|entries| {
            let same = self.forgettings.load(Ordering::Acquire) == forgettings;
            if same {
                lock(&self.shown).pop(&found.r#match);
                entries.put(found);
            }
            same
        })
    }

    pub(crate) fn set_aside(&self, damaged: &Damaged, id: MatchId) {
        if damaged.is_away() {
            return;
        }
        let _ = self.journal.set_aside(damaged);
        self.write(|entries| {
            entries.changed.insert(id, None);
            if !damaged.lasts() {
                entries.unread.insert(id);
            }
        });
    }

    /// A match as the store has it.
    pub(crate) fn stored_summary(&self, stream: StreamId) -> Result<MatchSummary, Damaged> {
        let id = match_id(stream);
        // In this order: seats that are taken meanwhile are newer than the version, and whoever takes them puts both.
        let (record, outline) = self.journal.last(id)?;
        let opening = self.journal.table(id)?;
        self.summary(id, opening, &record, outline)
    }

    /// A match that was opened like this, after a commit.
    pub(crate) fn summary(
        &self,
        id: MatchId,
        opening: Opening,
        record: &Record,
        outline: Outline,
    ) -> Result<MatchSummary, Damaged> {
        let Opening { game, table, created_at } = opening;
        let names = self.journal.names(id, &table);
        let names = names.map_err(|unread| self.journal.damage(id, unread))?;
        let origin = self.journal.origin(id);
        Ok(MatchSummary {
            r#match: id,
            game: game.info().id,
            status: table.status(record.end()),
            seats: seats(&table, &names),
            version: outline.last_version,
            active_seat: None,
            is_told: record.end().is_some(),
            created_at,
            updated_at: outline.recorded_at,
            origin: origin.map_err(|unread| self.journal.damage(id, unread))?,
            loaded: table.loaded,
            sandbox: table.is_sandbox(),
            visibility: table.opened.visibility,
            commit: outline.commit,
        })
    }

    /// The last time, before the program ends: nothing of the file is left open.
    pub(crate) fn finish(&self) {
        self.file.close_readers();
        self.keep();
    }

    /// Writes what has changed into the file, and compares the file with its checksums where that is due. Returns false where what has changed is
    /// not in the file.
    pub(crate) fn keep(&self) -> bool {
        let _gate = lock(&self.moving);
        // Before the changes: what was forgotten by then is among them.
        let forgotten = self.forgotten();
        let (position, changes) = self.read(|entries| {
            let changes = entries.changed.iter().map(|(id, now)| (*id, now.clone()));
            (entries.position(), changes.collect::<Vec<Change>>())
        });
        if changes.is_empty() && !self.file.is_suspect() {
            return true;
        }
        let written = self.file.write(&changes, position, forgotten);
        let is_kept = matches!(written, Ok(()) | Err(None));
        match written {
            Ok(()) => self.write(|entries| {
                entries.in_memory = false;
                for (id, written) in &changes {
                    let same = entries.changed.get(id).is_some_and(|now| match (now, written) {
                        (Some(now), Some(written)) => Arc::ptr_eq(now, written),
                        (now, written) => now.is_none() && written.is_none(),
                    });
                    if same {
                        entries.changed.remove(id);
                    }
                }
            }),
            Err(None) => {
                self.write(Entries::begin_again);
                self.file.take_over();
            }
            Err(Some(FileError::Damaged { what: _, path: _, differs: _ })) => {}
            Err(Some(error)) => {
                UNKEPT.line(|more| {
                    tracing::warn!(%error, more, "the list of matches cannot be kept up to date");
                });
            }
        }
        is_kept
    }
}

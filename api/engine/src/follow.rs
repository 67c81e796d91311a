//! Following the feed of a store that other servers write to as well: what they commit reaches the matches in memory, the list, the bots
//! and the counts of this server.
//!
//! Each feed position is taken in once: by the request here that wrote it, or by the thread that follows, whichever
//! [claims](Index::claim) it. A position is *reached* when that is done, and whoever reads waits for the positions that were acknowledged
//! before.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use journal::{DamageKind, Damaged, Folded, Journal, MatchId, Record, Unread, match_id};
use kernel::StreamError;
use store::{ReadError, Stored};

use crate::index::Index;
use crate::live::{Head, Slot, Slots};
use crate::quotas::Counted;
use crate::waiting::Waiting;

/// How long to wait for a commit before it is looked whether the program ends.
const LOOK: Duration = Duration::from_millis(250);
/// How long those who write here are given to take in their own commits, so that these need not be read.
const OWN: Duration = Duration::from_millis(1);
/// From one try to read to the next, and how many there are for a commit that seems to be damaged.
const PAUSE: Duration = Duration::from_millis(100);
const TRIES: u32 = 20;
/// How many commits are read at once.
const PAGE: usize = 256;

/// What a commit changes on this server.
pub(crate) struct Following {
    pub(crate) journal: Journal,
    pub(crate) slots: Arc<Slots>,
    pub(crate) index: Arc<Index>,
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) counted: Arc<Counted>,
    /// How many writes are under way here.
    pub(crate) writing: Arc<AtomicU64>,
}

/// The thread that follows; it ends with this. There is none where nobody else writes.
pub(crate) struct Follower {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    pub(crate) fn start(following: Following) -> Self {
        if !following.journal.store().is_shared() {
            return Follower { stop: None, thread: None };
        }
        let (stop, stopped) = mpsc::channel::<()>();
        let run = move || {
            let wait = |most| stopped.recv_timeout(most) == Err(RecvTimeoutError::Timeout);
            following.run(&wait);
        };
        let thread = thread::Builder::new().name("follower".to_owned()).spawn(run);
        let thread =
            thread.inspect_err(|error| tracing::error!(%error, "no thread follows the feed"));
        Follower { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        drop(self.stop.take());
        // It returns nothing; had it panicked, nothing of it is left.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Following {
    /// `wait` returns false when it is over.
    fn run(&self, wait: &dyn Fn(Duration) -> bool) {
        let mut at = self.index.reached();
        let mut failed = 0;
        while wait(Duration::ZERO) {
            let end = self.journal.store().wait_beyond(at, LOOK);
            if self.writing.load(Ordering::Acquire) > 0 {
                thread::sleep(OWN);
            }
            let Some((first, count)) = self.index.unclaimed(at, end, PAGE) else {
                at = at.max(end);
                continue;
            };
            match self.journal.store().feed(first - 1, count) {
                Ok(page) if !page.is_empty() => {
                    failed = 0;
                    for stored in page {
                        at = stored.position;
                        self.take(&stored, wait);
                    }
                    continue;
                }
                // It is there: it was seen. Perhaps another server was asked.
                Ok(_) => {}
                Err(error) if error.is_of_store() => {
                    tracing::debug!(%error, "the feed cannot be read");
                }
                Err(_) if failed < TRIES => failed += 1,
                Err(error) if self.take_one(first, &error, wait) => at = first,
                Err(_) => {}
            }
            if !wait(PAUSE) {
                return;
            }
        }
    }

    /// Takes in a commit, unless whoever wrote it does. What cannot be read for the moment is tried until it can.
    fn take(&self, stored: &Stored, wait: &dyn Fn(Duration) -> bool) {
        if !self.index.claim(stored.position) {
            return;
        }
        while let Err(damaged) = self.apply(match_id(stored.stream), stored) {
            if damaged.lasts() {
                self.journal.aside().put(&damaged);
                self.index.find(stored.stream);
                break;
            }
            if !wait(PAUSE) {
                return;
            }
        }
        self.index.reach(stored.position);
    }

    /// The commits from `position` on cannot be read together: takes in the first of them, or passes it. Returns false where
    /// the store does not answer, which says nothing about the commit.
    fn take_one(&self, position: u64, error: &ReadError, wait: &dyn Fn(Duration) -> bool) -> bool {
        let store = self.journal.store();
        let place = match store.feed_places(position - 1, 1) {
            Ok(places) => places.first().copied(),
            Err(error) if error.is_of_store() => return false,
            Err(_) => None,
        };
        let Some(place) = place else {
            // Whoever reads the feed tells it.
            tracing::warn!(position, %error, "a place of the feed cannot be read");
            self.index.reach(position);
            return true;
        };
        match store.at_place(place) {
            Ok(stored) => self.take(&stored, wait),
            Err(error) if error.is_of_store() => return false,
            Err(error) => {
                let id = match_id(place.stream);
                let damaged =
                    Damaged::of_match(id, DamageKind::of(store, &error), error.to_string());
                let damaged = damaged.commit(place.number).position(position);
                if self.index.claim(position) {
                    self.journal.aside().put(&damaged);
                    self.index.find(place.stream);
                    self.index.reach(position);
                }
            }
        }
        true
    }

    fn apply(&self, id: MatchId, stored: &Stored) -> Result<(), Damaged> {
        let damaged = |error: StreamError| {
            let damaged = Damaged::of_match(id, DamageKind::UnknownForm, error.0);
            damaged.commit(stored.number).position(stored.position)
        };
        let record = Record::read(&stored.bytes).map_err(damaged)?;
        let by = record.body().map_err(damaged)?.seat;
        let ends = record.end().is_some();
        if let Some(slot) = self.slots.peek(id) {
            let followed = follow(&self.journal, &slot, stored.number, record);
            followed.map_err(|unread| self.journal.damage(id, unread))?;
            self.slots.settle(&slot);
            self.index.put_known(&slot);
            self.waiting.call(&slot, by);
        } else {
            self.index.follow(stored.stream, &record)?;
        }
        if stored.number == 1 {
            self.counted.found();
        }
        if ends {
            self.counted.free(id);
        }
        Ok(())
    }
}

/// Shows a commit of somebody else in a match in memory, unless it does already.
fn follow(journal: &Journal, slot: &Slot, number: u64, record: Record) -> Result<(), Unread> {
    let commit = slot.commit();
    if number <= commit {
        return Ok(());
    }
    if number == commit + 1 {
        return advance(journal, slot, record);
    }
    catch_up(journal, slot)
}

/// Shows all commits of a match that the store has.
pub(crate) fn catch_up(journal: &Journal, slot: &Slot) -> Result<(), Unread> {
    loop {
        let next = journal.commits(slot.id, slot.commit(), PAGE)?;
        if next.is_empty() {
            return Ok(());
        }
        for (_, record) in next {
            advance(journal, slot, record)?;
        }
    }
}

/// Shows the next commit of a match, if it still is the next.
fn advance(journal: &Journal, slot: &Slot, record: Record) -> Result<(), Unread> {
    let head = slot.head();
    let differs = |error: StreamError| {
        let damaged = Damaged::of_match(slot.id, DamageKind::Differs, error.to_string());
        Unread::Damaged(damaged.commit(head.folded.commit + 1))
    };
    let body = record.body().map_err(differs)?;
    if body.commit != head.folded.commit + 1 {
        return Ok(());
    }
    let folded = Folded::advance(Some(head.folded.clone()), &[slot.game], &body, usize::MAX)
        .map_err(differs)?;
    let people = if Arc::ptr_eq(&folded.table, &head.folded.table) {
        Arc::clone(&head.people)
    } else {
        Arc::new(journal.people(slot.id, slot.header(), &folded.table)?)
    };
    let (updated_at, tag) = (body.recorded_at.clone(), record.tag());
    slot.advance(Arc::new(Head { folded, record: Arc::new(record), updated_at, people }), tag);
    Ok(())
}

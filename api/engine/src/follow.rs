//! Following the feed of a store that other servers write to as well: what they commit reaches the matches in memory, the list, the bots
//! and the counts of this server.
//!
//! Each feed position is taken in once: by the request here that wrote it, or by the thread that follows, whichever
//! [claims](Index::claim) it. A position is *reached* when that is done, and whoever reads waits for the positions that were acknowledged
//! before.

use std::io;
use std::mem;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use flood::Flood;
use journal::{
    Body, DamageKind, Damaged, Folded, Journal, MatchId, PlatformEvent, Record, Unread, match_id,
};
use kernel::{AnyGame, StreamError};
use store::{ReadError, Stored};

use crate::forgettings::Forgettings;
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

/// How often it is looked for names that were forgotten at other servers.
const FORGET: Duration = Duration::from_secs(1);
/// Until then all that is derived from the store has noticed that a name was forgotten.
const NOTICED: Duration = Duration::from_secs(30);

/// A damaged part of the feed is passed position by position.
static UNREAD: Flood = Flood::new();

/// When it was looked for forgotten names, and when there was one.
#[derive(Default)]
struct Looked {
    at: Option<Instant>,
    found: Option<Instant>,
    /// There are more, which are taken in as fast as commits leave time for it.
    more: bool,
    /// Of what was taken in, not all that is derived knows.
    is_new: bool,
}

/// What a commit changes on this server.
pub(crate) struct Following {
    pub(crate) journal: Journal,
    pub(crate) slots: Arc<Slots>,
    pub(crate) index: Arc<Index>,
    pub(crate) waiting: Arc<Waiting>,
    pub(crate) counted: Arc<Counted>,
    /// Held by the engine, and by each write that is under way here.
    pub(crate) writing: Weak<()>,
    pub(crate) forgettings: Arc<Forgettings>,
}

/// The thread that follows; it ends with this. There is none where nobody else writes.
pub(crate) struct Follower {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Follower {
    /// # Errors
    /// If there is no thread for it.
    pub(crate) fn start(following: Following) -> io::Result<Self> {
        if !following.journal.store().is_shared() {
            return Ok(Follower { stop: None, thread: None });
        }
        let (stop, stopped) = mpsc::channel::<()>();
        let run = move || {
            let wait = |most| stopped.recv_timeout(most) == Err(RecvTimeoutError::Timeout);
            following.run(&wait);
        };
        let thread = thread::Builder::new().name("follower".to_owned()).spawn(run)?;
        Ok(Follower { stop: Some(stop), thread: Some(thread) })
    }

    /// Is there none any more where there should be one?
    pub(crate) fn has_ended(&self) -> bool {
        self.stop.is_some() && self.thread.as_ref().is_none_or(JoinHandle::is_finished)
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
        let (mut failed, mut is_outdated) = (0, false);
        let mut forgotten = Looked::default();
        while wait(Duration::ZERO) {
            is_outdated = self.tell_outdated(is_outdated);
            self.forget(&mut forgotten);
            let most = if forgotten.more { Duration::ZERO } else { LOOK };
            let end = self.journal.store().wait_beyond(at, most);
            if self.writing.strong_count() > 1 {
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
                Err(ref error) if failed < TRIES && !matches!(error, ReadError::Newer(_)) => {
                    failed += 1;
                }
                Err(error) if self.take_one(first, &error, wait) => {
                    at = first;
                    continue;
                }
                Err(_) => {}
            }
            if !wait(PAUSE) {
                return;
            }
        }
    }

    /// Says once that this program is outdated, and once that it is so no more. `told`: what was said last.
    fn tell_outdated(&self, told: bool) -> bool {
        let why = self.journal.store().outdated();
        match (&why, told) {
            (Some(why), false) => tracing::error!(
                why,
                "a newer program writes to this store: this server writes no more, and must be replaced by that program"
            ),
            (None, true) => {
                tracing::warn!("no newer program writes to this store: this server writes again")
            }
            (Some(_), true) | (None, false) => {}
        }
        why.is_some()
    }

    /// Looks about once a second for names that were forgotten at other servers.
    fn forget(&self, looked: &mut Looked) {
        let is_soon = looked.at.is_some_and(|at| at.elapsed() < FORGET);
        if is_soon && !looked.more || !self.index.read(|all| all.begun) {
            return;
        }
        let store = self.journal.store();
        if looked.at.replace(Instant::now()).is_none() {
            self.forgettings.go_on(store, self.index.forgotten());
        }
        self.show_due();
        let next = self.forgettings.next(store);
        looked.more = !next.is_empty();
        for (number, id) in next {
            looked.found = Some(Instant::now());
            if !id.is_none_or(|id| self.show_anew(id)) {
                looked.more = false;
                break;
            }
            looked.is_new |= id.is_some();
            self.forgettings.reached(number);
        }
        if !looked.more && mem::take(&mut looked.is_new) {
            self.index.keep();
            self.forgettings.add();
        }
        // What else is derived has noticed by now, and need not hear of it again after a restart.
        let is_noticed = looked.found.is_none_or(|found| found.elapsed() > NOTICED);
        if is_noticed && !self.forgettings.is_any_due() {
            self.index.set_forgotten(self.forgettings.known());
        }
    }

    /// Reads again the names that could not be read when one of them was forgotten here.
    fn show_due(&self) {
        while let Some(id) = self.forgettings.next_due() {
            if !self.show_anew(id) {
                self.forgettings.put_due(id);
                return;
            }
        }
    }

    /// A name was forgotten in a match: reads its names again. Returns false where that is not possible now.
    fn show_anew(&self, id: MatchId) -> bool {
        self.index.forget();
        let Some(slot) = self.slots.peek(id) else {
            return self.index.find_without(id);
        };
        // Whoever takes a seat there puts the names that it has read.
        let Ok(_gate) = slot.gate.try_lock() else { return false };
        match self.journal.names(id, &slot.head().folded.table) {
            Ok(names) => slot.rename(|people| people.names = names),
            Err(Unread::Disk(_)) => return false,
            Err(Unread::Damaged(damaged)) => self.journal.aside().put(&damaged),
        }
        self.index.put_known(&slot);
        true
    }

    /// Sets aside what is damaged. What another server has just written in a form that is unknown here says that its program is newer.
    fn put_aside(&self, damaged: &Damaged) {
        if damaged.what() == DamageKind::UnknownForm {
            self.journal.store().outdate(&damaged.to_string());
        }
        self.journal.aside().put(damaged);
    }

    /// Takes in a commit, unless whoever wrote it does. What cannot be read for the moment is tried until it can.
    fn take(&self, stored: &Stored, wait: &dyn Fn(Duration) -> bool) {
        if !self.index.claim(stored.position) {
            return;
        }
        while let Err(damaged) = self.apply(match_id(stored.stream), stored) {
            // Of a store with which a newer program works nothing that is read lasts, and waiting does not mend it.
            let outdated = self.journal.store().outdated().is_some();
            if damaged.lasts() || outdated && !damaged.is_away() {
                self.put_aside(&damaged);
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
            UNREAD.line(|more| {
                tracing::warn!(position, %error, more, "a place of the feed cannot be read");
            });
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
                    self.put_aside(&damaged);
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
        let body = record.body().map_err(damaged)?;
        let (by, ends) = (body.seat, record.end().is_some());
        if let Some(slot) = self.slots.peek(id) {
            let followed = follow(&self.journal, &slot, stored.number, record);
            followed.map_err(|unread| self.journal.damage(id, unread))?;
            self.slots.grown(&slot);
            self.index.put_known(&slot);
            self.waiting.call(&slot, by);
        } else {
            if by.is_some() {
                self.waiting.acted_elsewhere(id);
            }
            self.index.follow(stored, &record)?;
            let game = self.index.known(id).map(|known| known.game);
            let game = self.journal.games().iter().find(|known| Some(known.info().id) == game);
            if let Some(unknown) = game.and_then(|game| unknown(*game, &body)) {
                return Err(damaged(unknown));
            }
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

/// The first event of a commit that neither the platform nor its game knows.
fn unknown(game: &dyn AnyGame, body: &Body<'_>) -> Option<StreamError> {
    let events = body.events.iter().filter(|event| PlatformEvent::read(event).is_none());
    events.map(|event| game.discloses(event)).find_map(Result::err)
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
    catch_up(journal, slot)?;
    if slot.commit() < number {
        // What was read is older than what is followed.
        let behind = format!("commit {number} is known, and cannot be read yet");
        return Err(Unread::Disk(ReadError::Database(behind)));
    }
    Ok(())
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
    let folded = Folded::advance(Some(head.folded.clone()), &[slot.game], &body, usize::MAX);
    let folded = folded.map_err(|error| match unknown(slot.game, &body) {
        Some(unknown) => {
            let damaged = Damaged::of_match(slot.id, DamageKind::UnknownForm, unknown.0);
            Unread::Damaged(damaged.commit(body.commit))
        }
        None => differs(error),
    })?;
    let people = if Arc::ptr_eq(&folded.table, &head.folded.table) {
        Arc::clone(&head.people)
    } else {
        Arc::new(journal.people(slot.id, slot.header(), &folded.table)?)
    };
    let (updated_at, tag) = (body.recorded_at.clone(), record.tag());
    slot.advance(Head::new(folded, record, updated_at, people), tag);
    Ok(())
}

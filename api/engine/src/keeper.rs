//! The thread that keeps the file of the list: it opens it, finds what is not in it, and writes what changes.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use journal::{MatchId, stream_id};

use crate::index::Index;
use crate::live::lock;
use crate::walk::Walk;

/// How often it looks whether the file has to be compared with its checksums.
const LOOK: Duration = Duration::from_secs(1);
/// How often a store that does not answer at the start is asked again.
const TRIES: usize = 60;
/// How long a change waits until it is written: so much is read again after a crash.
const SAVE: Duration = Duration::from_secs(5);
/// How many changes do not wait.
const MANY: usize = 4_096;
/// A store with so many commits is read whole before the start is over;
const SMALL: u64 = 20_000;
/// of others the list is waited for this long, and so is the look at every match of a small store in a database, which may answer slowly.
const PATIENCE: Duration = Duration::from_secs(1);

/// The thread. Dropping it writes what has changed, and ends it.
pub(crate) struct Keeper {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How far the start is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    #[default]
    Begun,
    /// The list is complete.
    Listed,
    /// Every match was looked at.
    Looked,
}

#[derive(Default)]
struct Start {
    stage: Mutex<Stage>,
    changed: Condvar,
}

impl Start {
    fn reached(&self, stage: Stage) {
        *lock(&self.stage) = stage;
        self.changed.notify_all();
    }

    fn wait(&self, stage: Stage, most: Duration) {
        let wait = self.changed.wait_timeout_while(lock(&self.stage), most, |now| *now < stage);
        drop(wait.unwrap_or_else(PoisonError::into_inner));
    }
}

/// The start is over, however its thread ends: nobody waits for one that panicked.
struct Over<'a>(&'a Start);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.reached(Stage::Looked);
    }
}

impl Keeper {
    /// Starts it. Returns when the list is complete, if that takes no longer than one waits for; of a small store, when every match was looked at,
    /// for which a database is not waited for longer.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub(crate) fn start(index: &Arc<Index>) -> io::Result<Self> {
        let (stop, stopped) = mpsc::channel::<()>();
        let start = Arc::<Start>::default();
        let (kept, told) = (Arc::clone(index), Arc::clone(&start));
        let run = move || {
            let _over = Over(&told);
            let wait = |most| stopped.recv_timeout(most) == Err(RecvTimeoutError::Timeout);
            run(&kept, &told, &wait);
        };
        let thread = thread::Builder::new().name("list".to_owned()).spawn(run)?;
        if index.journal.position() <= SMALL {
            start.wait(Stage::Listed, Duration::MAX);
            start.wait(Stage::Looked, if is_near(index) { Duration::MAX } else { PATIENCE });
        } else {
            start.wait(Stage::Listed, PATIENCE);
        }
        Ok(Keeper { stop: Some(stop), thread: Some(thread) })
    }

    /// Is there none any more?
    pub(crate) fn has_ended(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        drop(self.stop.take());
        // It returns nothing; had it panicked, the file is caught up with at the next start.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Is the store on this machine, so that it answers at once?
fn is_near(index: &Index) -> bool {
    !index.journal.store().is_shared()
}

/// `wait` returns false when it is over.
fn run(index: &Index, start: &Start, wait: &dyn Fn(Duration) -> bool) {
    index.begin(wait);
    let read = fill(index, wait);
    // The store may be away for a moment: what it has not told yet comes before what is only looked at again.
    for _ in 0..TRIES {
        if index.is_complete() || !wait(LOOK) {
            break;
        }
        fill(index, wait);
    }
    start.reached(Stage::Listed);
    // What was just read need not be looked at again.
    if !read.is_all {
        let small = index.journal.position() <= SMALL && is_near(index);
        look_at_all(index, small, wait);
    }
    start.reached(Stage::Looked);
    let mut saved = Instant::now();
    while wait(LOOK) {
        tend(index, &mut saved, wait);
    }
    index.keep();
}

/// Looks at every match once; of a small store without a rest, since the start waits for it. While the database is away, it waits.
fn look_at_all(index: &Index, small: bool, wait: &dyn Fn(Duration) -> bool) {
    let (mut since, mut saved) = (Instant::now(), Instant::now());
    let (mut looked, mut walk) = (0, Walk::default());
    loop {
        let is_done = index.look_through(&mut walk, &mut || {
            looked += 1;
            if small || looked % 64 > 0 {
                return true;
            }
            // Half of a core is left to others.
            let rest = since.elapsed();
            tend(index, &mut saved, wait);
            let more = wait(rest);
            since = Instant::now();
            more
        });
        if is_done || !wait(LOOK) {
            return;
        }
        tend(index, &mut saved, wait);
        since = Instant::now();
    }
}

/// Writes what has changed where that is due, and finds what is not in the file, or could not be read before.
fn tend(index: &Index, saved: &mut Instant, wait: &dyn Fn(Duration) -> bool) {
    list_again(index);
    if saved.elapsed() >= SAVE || index.changes() >= MANY || index.file.is_suspect() {
        index.keep();
        *saved = Instant::now();
    }
    fill(index, wait);
}

/// Lists the matches again that the disk did not give out, and that somebody could read since.
fn list_again(index: &Index) {
    let aside = index.journal.aside();
    let unread: Vec<MatchId> = index.read(|entries| entries.unread.iter().copied().collect());
    for id in unread.into_iter().filter(|id| aside.of(*id).is_none()) {
        index.find(stream_id(id));
    }
}

/// What was read.
struct Read {
    /// Every match of the store?
    is_all: bool,
}

/// Finds what is not in the file, and writes it now and then.
fn fill(index: &Index, wait: &dyn Fn(Duration) -> bool) -> Read {
    let (start, from) = (Instant::now(), index.position());
    while index.go_on() {
        if index.changes() >= MANY {
            index.keep();
            if !wait(Duration::ZERO) {
                return Read { is_all: false };
            }
        }
    }
    let (position, seconds) = (index.position(), start.elapsed().as_secs());
    if seconds > 0 {
        tracing::info!(from, position, seconds, "the list of matches is complete");
        index.keep();
    }
    Read { is_all: from == 0 }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use journal::{DamageKind, Damaged};

    use super::*;
    use crate::engine::{Config, Engine};
    use crate::listed::Filter;
    use crate::people::tests::{GAMES, done};
    use crate::waiting::Waiting;

    #[test]
    fn a_list_that_is_lost_is_made_anew_while_every_match_is_looked_at() {
        const MATCHES: usize = 64;
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        for _ in 0..MATCHES {
            let request = serde_json::from_str(r#"{"game": "nim", "seats": [{}, {}]}"#);
            done(engine.open(request.expect("a request"), None, None)).expect("it is opened");
        }
        let beside = tempfile::tempdir().expect("a folder");
        let waiting = Arc::new(Waiting::new(Duration::ZERO));
        let index = Index::new(beside.path(), engine.journal(), waiting);
        let wait = |_: Duration| true;
        index.begin(&wait);
        fill(&index, &wait);
        index.keep();
        fs::remove_file(index.file.path()).expect("it is there");
        look_at_all(&index, false, &wait);
        let listed = index.list(&Filter::default(), None, 100);
        assert_eq!(listed.map(|listed| listed.len()).ok(), Some(MATCHES));
    }

    /// Whoever reads finished matches in bulk takes it from what is set aside, and knows of no list.
    #[test]
    fn a_match_that_somebody_could_read_again_is_listed_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let request = serde_json::from_str(r#"{"game": "nim", "seats": [{}, {}]}"#);
        let opened = done(engine.open(request.expect("a request"), None, None));
        let id = opened.expect("it is opened").r#match;
        let listed = || {
            let listed = engine.index.list(&Filter::default(), None, 100);
            listed.map(|listed| listed.len()).ok()
        };
        let damaged = Damaged::of_match(id, DamageKind::Unreadable, "the disk");
        engine.index.set_aside(&damaged, id);
        assert_eq!(listed(), Some(0));
        engine.journal().aside().remove(damaged.place());
        let start = Instant::now();
        while listed() != Some(1) {
            assert!(start.elapsed() < Duration::from_secs(60), "it is not listed");
            thread::yield_now();
        }
    }
}

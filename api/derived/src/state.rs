//! What this process knows of the file: when it was last compared with its checksums, and how it looked then.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::sums::{Differs, beside};

/// A file that is compared in less than this is compared for every answer.
const CHEAP: Duration = Duration::from_millis(50);
/// How often another one is compared, at most.
const OFTEN: Duration = Duration::from_secs(60);
/// The share of time that comparing may take: a twentieth.
const SHARE: u32 = 20;
/// Longer than a tick of the clock of a file system.
const TICK: Duration = Duration::from_millis(20);

/// What this process knows of the file, for one at a time; and whether anything is answered from it, for all at any time.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    state: Mutex<State>,
    /// As it was when `state` was last let go.
    is_refused: AtomicBool,
}

impl Kept {
    pub(crate) fn lock(&self) -> Locked<'_> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        Locked { state, is_refused: &self.is_refused }
    }

    /// Whether nothing is answered from the file. Whoever asks waits for nobody.
    pub(crate) fn is_refused(&self) -> bool {
        self.is_refused.load(Ordering::Acquire)
    }
}

/// What this process knows of the file, as long as nobody else looks at it or changes it.
#[derive(Debug)]
pub struct Locked<'a> {
    state: MutexGuard<'a, State>,
    is_refused: &'a AtomicBool,
}

impl Deref for Locked<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        let is_refused = self.state.damaged.is_some() || self.state.is_empty;
        self.is_refused.store(is_refused, Ordering::Release);
    }
}

/// What this process knows of the file.
#[derive(Debug, Default)]
pub struct State {
    /// How it looked when it was last found whole, if it was.
    pub known: Option<Known>,
    /// What was found; until the file is made anew nothing is answered from it.
    pub damaged: Option<Differs>,
    /// How often it was made anew: what is found in an older one says nothing of this one.
    pub anew: u64,
    /// How often a transaction without checksums was taken out of its log: whoever read meanwhile may have read half of it.
    pub cuts: u64,
    /// It was thrown away, and nothing is in the new one yet.
    pub is_empty: bool,
}

impl State {
    /// Called before we write, so that what another program has written is not taken for ours.
    pub(crate) fn look_again(&mut self, path: &Path) {
        let now = Stamp::of(path);
        self.known = self.known.take().filter(|known| known.stamp.is_but_for_the_log(&now));
    }

    /// The files look like this because we have written them; `None`, if others may have written them too.
    pub(crate) fn settle(&mut self, stamp: Option<Stamp>) {
        self.known = self.known.take().zip(stamp).map(|(known, stamp)| Known { stamp, ..known });
    }

    /// Takes the word of another process, where this one knows nothing of the file.
    pub fn recall(&mut self, path: &Path) {
        if self.known.is_none() {
            self.known = Known::left(path);
        }
    }

    /// Damage was found in the file that was made as number `anew`.
    pub fn found_damaged(&mut self, differs: &Differs, anew: u64) {
        if self.anew == anew {
            self.damaged.get_or_insert_with(|| differs.clone());
        }
    }
}

/// A file that was whole.
#[derive(Clone, Debug)]
pub struct Known {
    /// How it looked.
    pub stamp: Stamp,
    /// When it was compared.
    pub at: Instant,
    /// How long that took.
    pub took: Duration,
}

impl Known {
    /// When is it to be compared again, also if nothing seems to have changed?
    fn interval(&self) -> Duration {
        OFTEN.max(self.took * SHARE)
    }

    /// Leaves word of it beside the file, for the process that opens the file next. A file that is compared for every answer needs none.
    pub fn leave(&self, path: &Path) {
        let found = SystemTime::now().checked_sub(self.at.elapsed());
        let found = found.and_then(|found| found.duration_since(UNIX_EPOCH).ok());
        let Some(found) = found.filter(|_| self.took > CHEAP) else { return };
        let text = format!("{:?}\n{} {}\n", self.stamp, found.as_millis(), self.took.as_millis());
        // Without it the next process compares.
        drop(fs::write(left(path), text));
    }

    /// What another process left word of, if the file looks as it did then and need not be compared yet.
    fn left(path: &Path) -> Option<Self> {
        let text = fs::read_to_string(left(path)).ok()?;
        let stamp = Stamp::of(path);
        let numbers = text.strip_prefix(&format!("{stamp:?}\n"))?.strip_suffix('\n')?;
        let (found, took) = numbers.split_once(' ')?;
        let found = UNIX_EPOCH.checked_add(Duration::from_millis(found.parse().ok()?))?;
        // A clock that was set back tells nothing.
        let at = Instant::now().checked_sub(found.elapsed().ok()?)?;
        let known = Known { stamp, at, took: Duration::from_millis(took.parse().ok()?) };
        (known.took > CHEAP && !known.is_due()).then_some(known)
    }

    pub(crate) fn is_due(&self) -> bool {
        self.at.elapsed() > self.interval()
    }

    /// Need a query not compare it? The thread that fills does so in time; if it is late, the query does.
    #[must_use]
    pub fn is_trusted(&self) -> bool {
        self.took > CHEAP && self.at.elapsed() < 2 * self.interval()
    }
}

/// Where word is left of when the file was found whole.
pub(crate) fn left(path: &Path) -> PathBuf {
    beside(path, ".seen")
}

/// How the files look from outside: nobody but us may change that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp([Option<Look>; 3]);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Look {
    bytes: u64,
    changed: Option<SystemTime>,
    /// The file itself, and its second and nanosecond of the last change of anything: nobody can set those back.
    inode: (u64, i64, i64),
}

impl Stamp {
    /// As they look now.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        Stamp(["", "-wal", ".sums"].map(|ending| {
            look(&match ending {
                "" => path.to_owned(),
                ending => beside(path, ending),
            })
        }))
    }

    /// As they look now, when whatever changes after this will look different: clocks of file systems tick, and two changes within a tick may
    /// look alike.
    #[must_use]
    pub fn ticked(path: &Path) -> Self {
        let stamp = Stamp::of(path);
        if stamp.is_fresh() {
            thread::sleep(TICK);
            return Stamp::of(path);
        }
        stamp
    }

    /// Was something changed so lately that another change may look alike?
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        // A clock that was set back tells nothing.
        let is_fresh = |at: SystemTime| at.elapsed().is_ok_and(|age| age < TICK);
        self.0.iter().flatten().any(|look| look.changed.is_none_or(is_fresh))
    }

    pub(crate) fn is_but_for_the_log(&self, other: &Stamp) -> bool {
        self.0[0] == other.0[0] && self.0[2] == other.0[2]
    }

    pub(crate) fn has_log(&self) -> bool {
        self.0[1].is_some()
    }
}

/// A log without bytes is none: who reads makes one.
fn look(path: &Path) -> Option<Look> {
    let found = fs::metadata(path).ok().filter(|found| found.len() > 0)?;
    #[cfg(unix)]
    let inode = {
        use std::os::unix::fs::MetadataExt;
        (found.ino(), found.ctime(), found.ctime_nsec())
    };
    #[cfg(not(unix))]
    let inode = (0, 0, 0);
    Some(Look { bytes: found.len(), changed: found.modified().ok(), inode })
}

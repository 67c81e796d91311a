//! What sled tells its log alone: searches that lead nowhere, and the end of its thread that tidies up. A program that sets a logger of its own
//! before it opens a store keeps that one, and hears neither; later it cannot set one.
//!
//! Where a page is missing, or pages do not fit together, sled takes that for a change that is just being made, and begins anew, a million times,
//! before it gives up with a panic: seconds for each key. But it tells its log of each page that it looks at. So once that has happened we count
//! what it says there, and end a search that goes on for too long.
//!
//! The thread that moves pages out of segments that are mostly garbage ends for good where it cannot read one: it says so there, or panics. Nothing
//! is wrong for sled then, only that the file grows from now on. Before it does anything that thread says a word; there we meet it.

use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, Once, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use log::{Level, LevelFilter, Log, Metadata, Record};

/// So much may sled say in one search. It says a few dozen lines if nothing is wrong.
const MOST: u32 = 10_000;
/// What it says before it looks at a page: there it holds nothing.
const BETWEEN_PAGES: &str = "getting page iterator ";
/// After so much another thread may go first: it may be the one that makes the change.
const POLITE: u32 = 1_000;

/// What sled calls its thread that tidies up.
const TIDIER: &str = "log flusher";
/// It says this of a sync, and goes on.
const GOES_ON: &str = "failed to fsync ";
/// How long its first word may take. Whoever is not met by then is not known to end.
const PATIENCE: Duration = Duration::from_secs(10);

thread_local! {
    /// What sled has said in the search that goes on.
    static SAID: Cell<Option<u32>> = const { Cell::new(None) };
    /// What is known of this thread, if it tidies up.
    static TIDYING: RefCell<Option<Tidying>> = const { RefCell::new(None) };
}

/// How many there are for whom sled says all that it can.
static LISTENING: Mutex<u32> = Mutex::new(0);
/// One log is opened after the other, so that the thread that begins meanwhile is its own.
static OPENING: Mutex<()> = Mutex::new(());
/// The thread of the log that is being opened, until it is met.
static EXPECTED: Mutex<Option<Tidier>> = Mutex::new(None);

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How the thread that tidies up a log has ended.
#[derive(Debug)]
pub(crate) enum End {
    /// It gave up, and said why.
    GaveUp(String),
    /// Without a word: it panicked, or was told to.
    Silent,
}

/// The thread of sled that tidies up a log, if it was met.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tidier(Arc<OnceLock<End>>);

impl Tidier {
    /// How it has ended, if it has.
    pub(crate) fn end(&self) -> Option<&End> {
        self.0.get()
    }
}

/// As long as that thread lives.
struct Tidying {
    tidier: Tidier,
    /// Why it is about to end.
    why: Option<String>,
}

impl Drop for Tidying {
    fn drop(&mut self) {
        self.tidier.0.get_or_init(|| self.why.take().map_or(End::Silent, End::GaveUp));
    }
}

/// Opens a log, and meets the thread that tidies it up.
pub(crate) fn meet<T, E>(open: impl FnOnce() -> Result<T, E>) -> Result<(T, Tidier), E> {
    let tidier = Tidier::default();
    if !is_ours() {
        return Ok((open()?, tidier));
    }
    let _turn = lock(&OPENING);
    *lock(&EXPECTED) = Some(tidier.clone());
    listen(|listening| listening + 1);
    let opened = open();
    let start = Instant::now();
    while opened.is_ok() && lock(&EXPECTED).is_some() && start.elapsed() < PATIENCE {
        thread::sleep(Duration::from_micros(200));
    }
    listen(|listening| listening - 1);
    *lock(&EXPECTED) = None;
    Ok((opened?, tidier))
}

/// Whether we hear what sled says.
fn is_ours() -> bool {
    static IS_OURS: OnceLock<bool> = OnceLock::new();
    *IS_OURS.get_or_init(|| log::set_logger(&Listener).is_ok())
}

/// Changes for how many sled says all that it can; else it speaks of errors alone.
fn listen(change: impl FnOnce(u32) -> u32) {
    let mut listening = lock(&LISTENING);
    *listening = change(*listening);
    log::set_max_level(if *listening > 0 { LevelFilter::Trace } else { LevelFilter::Error });
}

/// Searches something in sled, for no longer than need be if one search led nowhere before. It may end in a panic.
pub(crate) fn search<T>(call: impl FnOnce() -> T) -> T {
    struct Done;
    impl Drop for Done {
        fn drop(&mut self) {
            SAID.set(None);
        }
    }
    let _done = Done;
    SAID.set(Some(0));
    call()
}

/// Counts from now on, if this is what sled says when it gives up a search.
pub(crate) fn gave_up(why: &str) {
    static FOR_EVER: Once = Once::new();
    let is_search = why.starts_with("cannot find pid ") || why.contains("tree traversal ");
    if is_search && is_ours() {
        FOR_EVER.call_once(|| listen(|listening| listening + 1));
    }
}

/// Hears the thread that tidies up: its first word, and why it ends.
fn hear(tidying: &mut Option<Tidying>, record: &Record<'_>) {
    if tidying.is_none() {
        *tidying = lock(&EXPECTED).take().map(|tidier| Tidying { tidier, why: None });
    }
    if let Some(Tidying { why, tidier: _ }) = tidying
        && record.level() == Level::Error
    {
        let said = record.args().to_string();
        if !said.starts_with(GOES_ON) {
            *why = Some(said);
        }
    }
}

struct Listener;

impl Log for Listener {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("sled::")
    }

    fn log(&self, record: &Record<'_>) {
        if !self.enabled(record.metadata()) {
            return;
        }
        if thread::current().name() == Some(TIDIER) {
            // There is nothing left to hear once it is ending.
            TIDYING.try_with(|tidying| hear(&mut tidying.borrow_mut(), record)).unwrap_or_default();
        }
        if let Some(said) = SAID.get()
            && record.level() == Level::Trace
        {
            if said >= MOST && record.args().to_string().starts_with(BETWEEN_PAGES) {
                // As sled's own, but nobody need be told on the way.
                resume_unwind(Box::new("a page that is looked for is missing".to_owned()));
            }
            if said % POLITE == POLITE - 1 {
                thread::yield_now();
            }
            SAID.set(Some(said.saturating_add(1)));
        }
    }

    fn flush(&self) {}
}

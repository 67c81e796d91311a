//! Space that the log's file has in advance: zeros behind its end, written and synced before a batch needs them.
//!
//! A write that fails inside sled leaves an outcome that nobody knows, and pages that cannot be read. The file system may promise space
//! that the device below does not have: one that is thinly provisioned, or a quota. So we ask for the space itself: the file has zeros
//! for more than a batch can take, or the batch is not tried. sled takes zeros for segments that were never used.
//!
//! The zeros are appended, so that the system itself places them behind all that sled has written by then: they never cover anything.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use fs2::FileExt as _;

use crate::local::engine::PATIENCE;
use crate::local::probe::{SEGMENT, SEGMENT_HEADER};

/// So much is there in advance of the smallest batch: its segment, and those that sled fills meanwhile with pages that it moves.
const LEAST: u64 = 4 * SEGMENT;
/// So much more is written at once, since each time needs a sync.
const STEP: u64 = 2 * SEGMENT;
/// That is enough for a batch of so many bytes.
const SMALL: u64 = 128 << 10;
/// A larger one may write several times what it has: each record by itself, and again with all others of its page, some of which are split.
const PER_BYTE: u64 = 4;

/// The file, and how far sled has used it.
#[derive(Debug)]
pub(crate) struct Padding {
    file: File,
    used: Mutex<u64>,
    /// When space was last made, there was too little even for the smallest batch.
    is_short: AtomicBool,
}

impl Padding {
    /// Of the log's open file at `path`: all of it counts as used.
    pub(crate) fn new(path: &Path) -> io::Result<Padding> {
        let file = File::options().read(true).append(true).open(path)?;
        let used = file.metadata()?.len().div_ceil(SEGMENT) * SEGMENT;
        Ok(Padding { file, used: Mutex::new(used), is_short: AtomicBool::new(false) })
    }

    /// Whether there is space for a batch of so many bytes: makes it, if there is not. An error means that nobody knows which of the
    /// zeros are on disk.
    pub(crate) fn has(&self, bytes: u64) -> io::Result<bool> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let has = self.make(&mut used, bytes)?;
        let is_short = !has && self.file.metadata()?.len() < *used + LEAST;
        self.is_short.store(is_short, Ordering::Release);
        Ok(has)
    }

    /// Whether there was too little for the smallest batch when space was last made. It is told at once, also while some is being made.
    pub(crate) fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Acquire)
    }

    /// Makes what is missing of the space. Says whether it is there then.
    fn make(&self, used: &mut u64, bytes: u64) -> io::Result<bool> {
        // sled cuts off what is free at the end, perhaps just now; the zeros are part of that. Then it has free segments, too.
        for _ in 0..3 {
            let length = self.file.metadata()?.len();
            *used = (*used).min(length.div_ceil(SEGMENT) * SEGMENT);
            while *used + SEGMENT <= length && self.is_used(*used)? {
                *used += SEGMENT;
            }
            let wanted = *used + LEAST + PER_BYTE * bytes.saturating_sub(SMALL);
            if length >= wanted {
                return Ok(true);
            }
            let appended = self.append(wanted + STEP - length);
            self.file.sync_all()?;
            if appended.is_err() {
                // The disk may have taken what is needed now, though not all.
                return Ok(self.file.metadata()?.len() >= wanted);
            }
        }
        Ok(true)
    }

    fn append(&self, bytes: u64) -> io::Result<()> {
        let zeros = vec![0; 1 << 16];
        let mut missing = usize::try_from(bytes).unwrap_or(usize::MAX);
        while missing > 0 {
            let part = zeros.get(..missing).unwrap_or(&zeros);
            (&self.file).write_all(part)?;
            missing -= part.len();
        }
        Ok(())
    }

    /// Whether sled has begun the segment there: then it has a header.
    fn is_used(&self, at: u64) -> io::Result<bool> {
        let mut header = [0; SEGMENT_HEADER];
        (&self.file).seek(SeekFrom::Start(at))?;
        (&self.file).read_exact(&mut header)?;
        Ok(header != [0; SEGMENT_HEADER])
    }
}

/// Cuts off the zeros of before: sled would do so too, but piece by piece and at the same time as it writes there. The caller has the
/// store's lock.
pub(crate) fn trim(log: &Path) -> io::Result<()> {
    let file = match File::options().read(true).write(true).open(log.join("db")) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    // A store of this process that was just closed may not have let go of it.
    let start = Instant::now();
    while file.try_lock_exclusive().is_err() {
        if start.elapsed() > PATIENCE {
            return Ok(());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let length = file.metadata()?.len();
    let mut end = length;
    while end > 0 {
        let start = (end - 1) / SEGMENT * SEGMENT;
        let mut segment = vec![0; usize::try_from(end - start).unwrap_or(0)];
        (&file).seek(SeekFrom::Start(start))?;
        (&file).read_exact(&mut segment)?;
        if segment.iter().any(|byte| *byte != 0) {
            break;
        }
        end = start;
    }
    if end < length {
        file.set_len(end)?;
        file.sync_all()?;
    }
    fs2::FileExt::unlock(&file)
}

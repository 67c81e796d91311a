//! A checksum of every page of the file, beside it with the ending `.sums`.
//!
//! SQLite notices few of the bits that flip in its file. The checksums are of the pages that a reader sees after a transaction: those in the
//! write-ahead log up to a frame, else those in the file. So they stay right while a checkpoint copies pages from one to the other.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::held::Held;
use crate::wal::{Frames, PAGE, Salts, Wal};

/// Begins the file. What follows, numbers with the lowest byte first: generation (8 bytes), salts of the log (8), frames in it (4), the
/// number of pages (4), CRC-32 of each page (4 each), SHA-256 of all before (32).
const MAGIC: &[u8; 16] = b"muninn sums 1\n\0\0";
const HEAD: usize = 40;
const HASH: usize = 32;
/// So many pages are read at once.
const AT_ONCE: usize = 64;
/// The page with the byte 2^30, on which SQLite locks: it writes nothing there and reads nothing, so its checksum means nothing.
const LOCK_PAGE: u32 = (1 << 30) / PAGE + 1;

/// The checksums of the pages after one transaction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Counts the transactions; the file has it too. It begins with a time, so that no two files count alike.
    pub generation: u64,
    /// Which log the frames are in.
    salts: Salts,
    /// How many frames of the log belong to it. If the log has other salts, all of them are in the file.
    frames: u32,
    pages: Vec<u32>,
}

/// What does not fit, in words.
pub type Differs = String;

/// Why a file is no use.
#[derive(Debug)]
pub enum Trouble {
    /// It is damaged, or was edited.
    Damaged(Differs),
    /// It cannot be read now for an external reason: too many files are open, or another program has locked it.
    Unread(String),
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        // The number of Unix for an error of the disk, which has no kind.
        const DISK: i32 = 5;
        let lost = matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound);
        if lost || error.raw_os_error() == Some(DISK) {
            return Trouble::Damaged(format!("it cannot be read: {error}"));
        }
        Trouble::Unread(error.to_string())
    }
}

impl From<rusqlite::Error> for Trouble {
    fn from(error: rusqlite::Error) -> Self {
        Self::from_sqlite(&error)
    }
}

impl Trouble {
    /// What an error of SQLite says of the file.
    #[must_use]
    pub fn from_sqlite(error: &rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, PermissionDenied,
            SystemIoFailure,
        };
        use rusqlite::ffi::{
            SQLITE_IOERR, SQLITE_IOERR_CORRUPTFS, SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ,
        };
        let code = error.sqlite_error_code();
        let outside =
            [CannotOpen, DatabaseBusy, DatabaseLocked, DiskFull, OutOfMemory, PermissionDenied];
        // Of what the system did not do, only a read that it did not carry out says anything of the file: who reads also makes an index of the log,
        // for which a disk may have no space.
        let is_unread =
            [SQLITE_IOERR, SQLITE_IOERR_READ, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_CORRUPTFS];
        let is_of_file =
            error.sqlite_error().is_some_and(|error| is_unread.contains(&error.extended_code));
        let is_beside = code == Some(SystemIoFailure) && !is_of_file;
        if is_beside || code.is_some_and(|code| outside.contains(&code)) {
            return Trouble::Unread(error.to_string());
        }
        Trouble::Damaged(format!("it cannot be read: {error}"))
    }
}

fn damaged(what: impl Into<String>) -> Trouble {
    Trouble::Damaged(what.into())
}

/// The file with this ending in place of `.sqlite`, or behind it.
pub(crate) fn beside(path: &Path, ending: &str) -> PathBuf {
    if let Some(extension) = ending.strip_prefix('.') {
        return path.with_extension(extension);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

impl Sums {
    /// Those of a file without pages, before the transaction of this generation.
    pub(crate) fn before(generation: u64) -> Self {
        let generation = generation.saturating_sub(1);
        Sums { generation, salts: Salts::default(), frames: 0, pages: Vec::new() }
    }

    /// Those beside the file.
    ///
    /// # Errors
    /// If there are none, or they are damaged or cannot be read.
    pub fn read(path: &Path) -> Result<Self, Trouble> {
        let bytes = match fs::read(beside(path, ".sums")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(damaged("it has no checksums"));
            }
            bytes => bytes?,
        };
        Self::parse(&bytes).ok_or_else(|| damaged("its checksums are damaged"))
    }

    fn parse(bytes: &[u8]) -> Option<Self> {
        let (content, hash) = bytes.split_at_checked(bytes.len().checked_sub(HASH)?)?;
        (Sha256::digest(content)[..] == *hash).then_some(())?;
        let (head, sums) = content.split_at_checked(HEAD)?;
        let number = |at: usize| Some(u32::from_le_bytes(head[at..at + 4].try_into().ok()?));
        let pages: Vec<u32> = sums
            .chunks_exact(4)
            .map(|sum| u32::from_le_bytes([sum[0], sum[1], sum[2], sum[3]]))
            .collect();
        let whole = head.starts_with(MAGIC) && u32::try_from(pages.len()).ok() == number(36);
        whole.then_some(Sums {
            generation: u64::from_le_bytes(head[16..24].try_into().ok()?),
            salts: head[24..32].try_into().ok()?,
            frames: number(32)?,
            pages,
        })
    }

    /// Replaces the checksums beside the file in one step, on disk.
    pub(crate) fn write(&self, path: &Path) -> io::Result<()> {
        let Sums { generation, salts, frames, pages } = self;
        let count = u32::try_from(pages.len()).map_err(io::Error::other)?;
        let mut bytes = Vec::with_capacity(HEAD + 4 * pages.len() + HASH);
        bytes.extend(MAGIC);
        bytes.extend(generation.to_le_bytes());
        bytes.extend(salts);
        bytes.extend(frames.to_le_bytes());
        bytes.extend(count.to_le_bytes());
        pages.iter().for_each(|sum| bytes.extend(sum.to_le_bytes()));
        let hash = Sha256::digest(&bytes);
        bytes.extend(hash);
        let (to, draft) = (beside(path, ".sums"), beside(path, ".sums.new"));
        let mut file = File::create(&draft)?;
        file.write_all(&bytes)?;
        file.sync_all()?;
        fs::rename(&draft, &to)?;
        to.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }

    /// Compares every page with its checksum. The caller holds a transaction of this generation, or nothing writes.
    ///
    /// # Errors
    /// If one differs, or the file cannot be read.
    pub(crate) fn check(&self, path: &Path, file: &Held) -> Result<(), Trouble> {
        loop {
            let before = self.log(path)?.map(|log| log.salts);
            let compared = self.compare(path, file);
            // A log that began anew meanwhile was read half and half: all that it had is in the file now.
            if compared.is_ok() || before == self.log(path)?.map(|log| log.salts) {
                return compared;
            }
        }
    }

    fn log(&self, path: &Path) -> io::Result<Option<Wal>> {
        Wal::open(&beside(path, "-wal"))
    }

    /// Looks whether these checksums are of all that is in the log. What it has beyond was written by another program, or by ours a moment ago:
    /// then its checksums are on their way.
    ///
    /// # Errors
    /// If it has more, or cannot be read.
    pub fn cover_log(&self, path: &Path) -> Result<(), Trouble> {
        let Some(mut wal) = self.log(path)? else { return Ok(()) };
        let known = if wal.salts == self.salts { self.frames } else { 0 };
        if wal.frames(known, u32::MAX)?.count == known {
            return Ok(());
        }
        Err(damaged("another program has written to its log"))
    }

    /// Looks whether the log is as the last transaction of ours has left it: whoever writes since adds to it or begins it anew.
    pub(crate) fn are_of_log(&self, path: &Path) -> io::Result<bool> {
        let Some(mut wal) = self.log(path)? else { return Ok(false) };
        Ok(wal.salts == self.salts && wal.frames(0, u32::MAX)?.count == self.frames)
    }

    /// Looks whether nothing is in the log.
    pub(crate) fn is_log_empty(&self, path: &Path) -> io::Result<bool> {
        let Some(mut wal) = self.log(path)? else { return Ok(true) };
        Ok(wal.frames(0, u32::MAX)?.count == 0)
    }

    /// The frames of the log that belong to these checksums.
    fn known(&self, wal: Option<&mut Wal>) -> io::Result<Frames> {
        match wal {
            Some(wal) if wal.salts == self.salts => wal.frames(0, self.frames),
            Some(_) | None => Ok(Frames::default()),
        }
    }

    fn compare(&self, path: &Path, file: &Held) -> Result<(), Trouble> {
        let mut wal = self.log(path)?;
        let known = self.known(wal.as_mut())?;
        if wal.as_ref().is_some_and(|wal| wal.salts == self.salts) && known.count != self.frames {
            return Err(damaged("its log was cut off"));
        }
        let length = file.length()?;
        let due = self.pages.len() as u64 * u64::from(PAGE);
        if known.pages.is_empty() && length != due {
            return Err(damaged(format!("it has {length} bytes, not {due}")));
        }
        let mut number = 0;
        let mut wrong = Vec::new();
        each(file, self.pages.len(), |page| {
            number += 1;
            let right =
                number == LOCK_PAGE || self.pages[number as usize - 1] == crc32fast::hash(page);
            if !right && !known.pages.contains_key(&number) {
                wrong.push(number);
            }
        })?;
        let mut page = vec![0; PAGE as usize];
        for (number, frame) in &known.pages {
            let Some(wal) = &mut wal else { continue };
            wal.page(*frame, &mut page)?;
            if self.sum(*number) != Some(crc32fast::hash(&page)) {
                wrong.push(*number);
            }
        }
        match wrong.first() {
            None => Ok(()),
            Some(first) => {
                let count = wrong.len();
                Err(damaged(format!("pages are damaged: {count}, the first one is {first}")))
            }
        }
    }

    fn sum(&self, page: u32) -> Option<u32> {
        self.pages.get(usize::try_from(page).ok()?.checked_sub(1)?).copied()
    }

    /// Goes on to the state after the transaction that was just written to the log. What it replaced is compared first: a page that was
    /// damaged must not get a new checksum.
    pub(crate) fn advance(&mut self, path: &Path, file: &Held) -> Result<(), Trouble> {
        let mut wal = self.log(path)?.ok_or_else(|| damaged("its log is damaged"))?;
        let known = self.known(Some(&mut wal))?;
        // The first transaction is ours; another program may have added one since.
        let fresh = wal.transaction(known.count)?;
        let mut page = vec![0; PAGE as usize];
        let mut sums = Vec::with_capacity(fresh.pages.len());
        for (number, frame) in &fresh.pages {
            if let Some(sum) = self.sum(*number) {
                let old = match known.pages.get(number) {
                    Some(frame) => wal.page(*frame, &mut page),
                    None => page_of(file, *number, &mut page),
                };
                if old.is_err() || sum != crc32fast::hash(&page) {
                    return Err(damaged(format!("its page {number} is damaged")));
                }
            }
            wal.page(*frame, &mut page)?;
            sums.push((*number as usize, crc32fast::hash(&page)));
        }
        // The page of the lock comes with others.
        let (size, most) = (fresh.size as usize, self.pages.len() + sums.len() + 1);
        if fresh.count == known.count || size > most {
            return Err(damaged("its log is damaged"));
        }
        self.pages.resize(size, 0);
        for (number, sum) in sums {
            if let Some(known) = number.checked_sub(1).and_then(|at| self.pages.get_mut(at)) {
                *known = sum;
            }
        }
        (self.salts, self.frames) = (wal.salts, fresh.count);
        self.generation += 1;
        Ok(())
    }

    /// Takes away what the log has beyond these checksums: a transaction that was cut off before they were written.
    pub(crate) fn cut(&self, path: &Path) -> io::Result<()> {
        let log = beside(path, "-wal");
        let known = match self.log(path)? {
            Some(wal) if wal.salts == self.salts => crate::wal::place(self.frames),
            Some(_) | None => 0,
        };
        match fs::metadata(&log) {
            Ok(found) if found.len() > known => {}
            Ok(_) | Err(_) => return Ok(()),
        }
        if known == 0 {
            fs::remove_file(&log)?;
        } else {
            File::options().write(true).open(&log)?.set_len(known)?;
        }
        // The index of the log: made anew. Who has it open keeps its own.
        match fs::remove_file(beside(path, "-shm")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Calls `take` with each of the pages of the file, in order; what is missing at its end is zero.
fn each(file: &Held, pages: usize, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; AT_ONCE * PAGE as usize];
    let (mut left, mut at) = (pages, 0);
    while left > 0 {
        let pages = &mut buffer[..left.min(AT_ONCE) * PAGE as usize];
        let filled = fill(file, pages, at)?;
        at += filled as u64;
        pages[filled..].fill(0);
        pages.chunks_exact(PAGE as usize).for_each(&mut take);
        left -= left.min(AT_ONCE);
    }
    Ok(())
}

fn page_of(file: &Held, number: u32, page: &mut [u8]) -> io::Result<()> {
    let filled = fill(file, page, u64::from(number - 1) * u64::from(PAGE))?;
    if filled == page.len() { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
}

/// Reads what is at this place, as much as there is; returns how much that is.
fn fill(file: &Held, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match file.read_at(&mut bytes[filled..], at + filled as u64) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

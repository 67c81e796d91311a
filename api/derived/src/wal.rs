//! The write-ahead log of SQLite: which pages its frames hold. The format is SQLite's and will not change.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

/// Bytes of a page.
pub const PAGE: u32 = 16_384;

/// Bytes before the first frame, and before the page of each.
const HEADER: u64 = 32;
const FRAME: u64 = 24;
/// The two magic numbers differ in the order of bytes that its own checksums are taken in.
const MAGIC: [u32; 2] = [0x377f_0682, 0x377f_0683];

/// Tells one run of the log from the one that will overwrite it.
pub(crate) type Salts = [u8; 8];

pub(crate) struct Wal {
    file: File,
    pub(crate) salts: Salts,
}

/// What a transaction and those before it have left in the log.
#[derive(Default)]
pub(crate) struct Frames {
    /// How many frames there are up to the end of the last transaction.
    pub(crate) count: u32,
    /// The pages, each with its last frame.
    pub(crate) pages: BTreeMap<u32, u32>,
    /// How many pages the database has after the last transaction.
    pub(crate) size: u32,
}

impl Wal {
    /// The log in this file; `None` if it has none that SQLite would read.
    pub(crate) fn open(path: &Path) -> io::Result<Option<Self>> {
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut header = [0; HEADER as usize];
        if file.metadata()?.len() < HEADER {
            return Ok(None);
        }
        file.read_exact(&mut header)?;
        let fits = MAGIC.contains(&number(&header[..4])) && number(&header[8..12]) == PAGE;
        let mut salts = Salts::default();
        salts.copy_from_slice(&header[16..24]);
        Ok(fits.then_some(Wal { file, salts }))
    }

    /// The frames from number `start`, counted from 0, to the end of the last whole transaction; at most up to `end`.
    pub(crate) fn frames(&mut self, start: u32, end: u32) -> io::Result<Frames> {
        self.read(start, end, u32::MAX)
    }

    /// The frames of the transaction that begins with number `start`; none if it is not whole.
    pub(crate) fn transaction(&mut self, start: u32) -> io::Result<Frames> {
        self.read(start, u32::MAX, 1)
    }

    fn read(&mut self, start: u32, end: u32, mut transactions: u32) -> io::Result<Frames> {
        let mut frames = Frames { count: start, ..Frames::default() };
        let length = self.file.metadata()?.len();
        let mut open = BTreeMap::new();
        for frame in start..end {
            if transactions == 0 || place(frame + 1) > length {
                break;
            }
            let mut header = [0; FRAME as usize];
            self.file.seek(SeekFrom::Start(place(frame)))?;
            self.file.read_exact(&mut header)?;
            if header[8..16] != self.salts {
                break;
            }
            open.insert(number(&header[..4]), frame);
            let size = number(&header[4..8]);
            if size > 0 {
                frames.pages.append(&mut open);
                (frames.count, frames.size) = (frame + 1, size);
                transactions -= 1;
            }
        }
        Ok(frames)
    }

    /// Reads the page of a frame.
    pub(crate) fn page(&mut self, frame: u32, page: &mut [u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(place(frame) + FRAME))?;
        self.file.read_exact(page)
    }
}

/// How long a log of so many frames is.
pub(crate) fn place(frames: u32) -> u64 {
    HEADER + u64::from(frames) * (FRAME + u64::from(PAGE))
}

fn number(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte))
}

//! The files of a group until they are sent: all in one file without a name, so that they are neither in memory nor left behind.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::part::Shelf;

/// So many bytes of each file are held until they are written.
const BUFFER: usize = 16 << 10;

/// So many bytes of the disk are left to what is stored, and nothing waits there.
const KEPT_FREE: u64 = 256 << 20;

/// How often the disk is asked what is free: each time so many bytes were written.
const ASKED: u64 = 1 << 20;

/// A file without a name.
pub(super) struct Disk {
    state: Mutex<State>,
}

struct State {
    folder: PathBuf,
    file: File,
    end: u64,
    /// When it is so long, the disk is asked whether it has space for more.
    asked: u64,
    /// How long the longest of the files in it is.
    largest: u64,
}

impl Disk {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads what was written there.
    pub(super) fn read(&self, place: &Range<u64>) -> io::Result<Vec<u8>> {
        let mut state = self.lock();
        state.file.seek(SeekFrom::Start(place.start))?;
        let mut bytes = Vec::new();
        (&mut state.file).take(place.end - place.start).read_to_end(&mut bytes)?;
        if bytes.len() as u64 == place.end - place.start {
            Ok(bytes)
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }
}

/// A file that grows in it, in pieces.
pub(super) struct Growing {
    disk: Arc<Disk>,
    places: Vec<Range<u64>>,
    bytes: u64,
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.lock();
        let start = state.end;
        if start >= state.asked {
            spare(&state.folder)?;
            state.asked = start + ASKED;
        }
        state.file.seek(SeekFrom::Start(start))?;
        state.file.write_all(bytes)?;
        state.end += bytes.len() as u64;
        self.bytes += bytes.len() as u64;
        state.largest = state.largest.max(self.bytes);
        match self.places.last_mut() {
            Some(last) if last.end == start => last.end = state.end,
            Some(_) | None => self.places.push(start..state.end),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A file that is whole.
pub(super) struct Whole {
    pub(super) path: String,
    pub(super) bytes: u64,
    pub(super) places: Vec<Range<u64>>,
}

/// Has the disk space for what can wait, too?
///
/// # Errors
/// If it has not.
fn spare(folder: &Path) -> io::Result<()> {
    // Who cannot be asked says yes; then the write itself will tell.
    match fs2::available_space(folder) {
        Ok(free) if free < KEPT_FREE => Err(io::ErrorKind::StorageFull.into()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The files of a group.
pub(super) struct Spool {
    disk: Arc<Disk>,
    whole: Vec<Whole>,
    /// The tables that have a file in the archive, by game.
    filled: BTreeSet<String>,
}

impl Spool {
    /// An empty one, on the disk where this folder is.
    ///
    /// # Errors
    /// If the disk takes no file.
    pub(super) fn new(folder: &Path, filled: BTreeSet<String>) -> io::Result<Self> {
        spare(folder)?;
        let file = tempfile::tempfile_in(folder)?;
        let state = State { folder: folder.to_owned(), file, end: 0, asked: ASKED, largest: 0 };
        Ok(Spool { disk: Arc::new(Disk { state: Mutex::new(state) }), whole: Vec::new(), filled })
    }

    /// How long the longest file is, and all together, as far as they are written.
    pub(super) fn size(&self) -> (u64, u64) {
        let state = self.disk.lock();
        (state.largest, state.end)
    }

    /// What is whole, where it is, and what the next one has to know.
    pub(super) fn take(self) -> (Arc<Disk>, Vec<Whole>, BTreeSet<String>) {
        (self.disk, self.whole, self.filled)
    }
}

impl Shelf for Spool {
    type Out = BufWriter<Growing>;
    type Error = io::Error;

    fn create(&mut self, path: &str) -> io::Result<Self::Out> {
        let mut names = path.split('/');
        let named = names.next().zip(names.next());
        self.filled.extend(named.map(|(table, game)| format!("{table}/{game}")));
        let growing = Growing { disk: Arc::clone(&self.disk), places: Vec::new(), bytes: 0 };
        Ok(BufWriter::with_capacity(BUFFER, growing))
    }

    fn finished(&mut self, path: String, out: Self::Out, _: u64) -> io::Result<()> {
        let Growing { disk: _, places, bytes } =
            out.into_inner().map_err(io::IntoInnerError::into_error)?;
        self.whole.push(Whole { path, bytes, places });
        Ok(())
    }

    fn has(&self, table: &str, game: &str) -> bool {
        self.filled.contains(&format!("{table}/game={game}"))
    }

    fn failed(&self, _: &str, error: io::Error) -> io::Error {
        error
    }
}

//! Statistics in a file: JSON after the SHA-256 of exactly its text. It is written and read piece by piece, so that it is never in memory as a whole.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, IntoInnerError, Read, Seek, SeekFrom, Write};
use std::path::Path;

use journal::Bytes32;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use sha2::{Digest, Sha256};

/// What is around the checksum and the statistics.
const FIRST: &str = r#"{"checksum":""#;
const NEXT: &str = r#"","statistics":"#;
const LAST: &[u8] = b"}";
/// Where the statistics begin.
const BEGIN: usize = FIRST.len() + 64 + NEXT.len();
/// How much is hashed at once.
const PIECE: usize = 64 << 10;

/// A file whose text is hashed on its way.
struct Hashing<T> {
    hasher: Sha256,
    file: T,
}

impl<T> Hashing<T> {
    fn new(file: T) -> Self {
        Hashing { hasher: Sha256::new(), file }
    }

    fn checksum(self) -> Bytes32 {
        Bytes32(self.hasher.finalize().into())
    }
}

impl<T: Write> Write for Hashing<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl<T: Read> Read for Hashing<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read(bytes)?;
        self.hasher.update(&bytes[..read]);
        Ok(read)
    }
}

/// Replaces the file in one step.
pub(super) fn write(file: &Path, statistics: &impl Serialize) -> io::Result<()> {
    let beside = file.with_extension("new");
    let mut new = File::create(&beside)?;
    // The place of the checksum, which is known at the end.
    write!(new, "{FIRST}{}{NEXT}", Bytes32::default().hex())?;
    let mut text = BufWriter::with_capacity(PIECE, Hashing::new(&mut new));
    serde_json::to_writer(&mut text, statistics)?;
    let checksum = text.into_inner().map_err(IntoInnerError::into_error)?.checksum();
    new.write_all(LAST)?;
    new.seek(SeekFrom::Start(FIRST.len() as u64))?;
    new.write_all(checksum.hex().as_bytes())?;
    new.sync_all()?;
    fs::rename(beside, file)?;
    // Else a crash brings back the one before, perhaps with a name that was forgotten.
    file.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
}

/// Says this error of a [`read`] something of the file? It is damaged, the disk does not give it out, or this user may not read it.
pub(super) fn is_unfit(error: &io::Error) -> bool {
    // The number of Unix for an error of the disk, which has no kind.
    const DISK: i32 = 5;
    let is_ours = error.raw_os_error().is_none_or(|number| number == DISK);
    is_ours || error.kind() == io::ErrorKind::PermissionDenied
}

/// The statistics in a file, if its checksum is right.
pub(super) fn read<T: DeserializeOwned>(path: &Path) -> io::Result<T> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut head = Vec::with_capacity(BEGIN);
    Read::by_ref(&mut file).take(BEGIN as u64).read_to_end(&mut head)?;
    let least = (BEGIN + LAST.len()) as u64;
    let (Some(checksum), Some(length)) = (checksum_in(&head), length.checked_sub(least)) else {
        return Err(io::Error::other("it has no checksum, or is damaged"));
    };
    let hashing = Hashing::new(Read::by_ref(&mut file).take(length));
    let mut text = BufReader::with_capacity(PIECE, hashing);
    let known = serde_json::from_reader(&mut text);
    // What was not understood is compared too.
    io::copy(&mut text, &mut io::sink())?;
    let found = text.into_inner().checksum();
    let mut last = Vec::new();
    file.read_to_end(&mut last)?;
    if found != checksum || last != LAST {
        return Err(io::Error::other("its checksum differs: it is damaged, or was edited"));
    }
    known.map_err(|error| match error.classify() {
        Category::Io => error.into(),
        Category::Syntax | Category::Data | Category::Eof => {
            io::Error::other("it is of another format")
        }
    })
}

fn checksum_in(head: &[u8]) -> Option<Bytes32> {
    let checksum = head.strip_prefix(FIRST.as_bytes())?.strip_suffix(NEXT.as_bytes())?;
    Bytes32::from_hex(str::from_utf8(checksum).ok()?)
}

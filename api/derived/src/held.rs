//! The file itself, open beside SQLite.
//!
//! Locks of POSIX belong to the process: when it closes the file anywhere, all that SQLite holds on it are gone, and another program may take
//! itself for the only one, and remove the log. So the file is opened once, and stays open.

use std::fs::{self, File};
use std::io;
use std::path::Path;

/// The open file.
#[derive(Debug)]
pub struct Held {
    file: File,
    /// May this process write it?
    pub(crate) is_writable: bool,
}

impl Held {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        match File::options().read(true).write(true).open(path) {
            Ok(file) => Ok(Held { file, is_writable: true }),
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                Ok(Held { file: File::open(path)?, is_writable: false })
            }
            Err(error) => Err(error),
        }
    }

    /// Is it still what is at this path?
    #[must_use]
    pub fn is_at(&self, path: &Path) -> bool {
        let same = || {
            Ok::<_, io::Error>(identity(&self.file.metadata()?) == identity(&fs::metadata(path)?))
        };
        same().unwrap_or(false)
    }

    pub(crate) fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }

    /// Reads what is at this place; how much that is, 0 at the end.
    pub(crate) fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<usize> {
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&self.file, bytes, at);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&self.file, bytes, at);
    }
}

#[cfg(unix)]
fn identity(found: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (found.dev(), found.ino())
}

#[cfg(windows)]
fn identity(found: &fs::Metadata) -> Option<std::time::SystemTime> {
    found.created().ok()
}

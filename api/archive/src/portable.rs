//! The portable archive: a whole store as JSON lines in zstd, from which the same store can be made again.
//!
//! | line | what it has |
//! |---|---|
//! | first | `format`, the feed positions `after` which it begins and up to which it goes, what it `continues`, and the program that wrote it |
//! | commits | in order of position, each with its match, number, hashes and text as they are stored; number 1 with the header of the match |
//! | notes | in order of key: names, hashes of tokens, idempotency keys, tickets; each with the position at which it was written |
//! | last | the [`Manifest`]: counts, the last commit, a digest of the heads of all chains in it, and SHA-256 over all lines before |
//!
//! An archive that continues another one has the commits and notes since; it names the other by the SHA-256 in that one's manifest. Notes that
//! were written without a commit have the position of the commit before, so a few of them may be in both.
//!
//! It is written and read line after line; of each match no more than the head of its chain is kept in memory.
//! [docs/adr/0019-portable-archive.md](../../../../docs/adr/0019-portable-archive.md) says why it is so.

mod backup;
mod chains;
mod line;
mod reader;
mod restore;

use std::path::{Path, PathBuf};

use store::{OpenError, ReadError, WriteError};

pub use backup::{back_up, back_up_file};
pub use line::{Head, Manifest};
pub use reader::{manifest, verify};
pub use restore::{Restored, Until, restore};

/// Why an archive was not written, not taken, or not restored.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The archive is not as it was written, is none, or does not fit.
    #[error("{}: line {line}: {what}", file.display())]
    Archive {
        /// Its file.
        file: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        what: String,
    },
    /// What was asked does not fit the store, or the archives.
    #[error("{0}")]
    Unfit(String),
    /// A store did not open.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The store could not be read.
    #[error("the store cannot be read behind feed position {position}")]
    Read {
        /// What was read last.
        position: u64,
        /// Why.
        source: ReadError,
    },
    /// The new store could not be written.
    #[error("the new store cannot be written behind feed position {position}")]
    Write {
        /// What was given to it last.
        position: u64,
        /// Why.
        source: WriteError,
    },
    /// A file could not be read or written.
    #[error("{}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// Where something is made that shall get the name `path` when it is whole.
fn beside(path: &Path) -> Result<PathBuf, Failed> {
    let Some(name) = path.file_name() else {
        return Err(Failed::Unfit(format!("{} has no name; write it out", path.display())));
    };
    let mut name = name.to_owned();
    name.push(".partial");
    Ok(path.with_file_name(name))
}

fn of_file(path: &Path) -> impl Fn(std::io::Error) -> Failed {
    move |source| Failed::File { path: path.to_owned(), source }
}

//! What can go wrong with an archive, and where things are made.

use std::path::{Path, PathBuf};

use store::{OpenError, ReadError, WriteError};

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
    #[error("the store cannot be read after feed position {position}")]
    Read {
        /// What was read last.
        position: u64,
        /// Why.
        source: ReadError,
    },
    /// The new store could not be written.
    #[error("the new store cannot be written after feed position {position}")]
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
pub(super) fn beside(path: &Path) -> Result<PathBuf, Failed> {
    let Some(name) = path.file_name() else {
        return Err(Failed::Unfit(format!("{} has no name; write it out", path.display())));
    };
    let mut name = name.to_owned();
    name.push(".partial");
    Ok(path.with_file_name(name))
}

pub(super) fn of_file(path: &Path) -> impl Fn(std::io::Error) -> Failed {
    move |source| Failed::File { path: path.to_owned(), source }
}

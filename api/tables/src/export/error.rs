//! Why an export failed.

use std::io;
use std::path::{Path, PathBuf};

/// Why an export failed. Files that were exported before are as they were.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The folder belongs to somebody else.
    #[error(
        "{folder} is not an export: it contains {found}; choose a folder that is empty or does not exist"
    )]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// What is in it.
        found: String,
    },
    /// Another export writes into the folder.
    #[error("another export writes into {folder}; wait until it has ended")]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds another export.
    #[error("{folder} contains an export with another {what}; export into another folder")]
    Other {
        /// The folder.
        folder: PathBuf,
        /// What differs.
        what: &'static str,
    },
    /// It cannot be told whether the folder holds an export of this store.
    #[error(
        "{folder} contains an export up to feed position {exported}, and no commit that can be read tells whether it is of this store; export into another folder"
    )]
    Doubtful {
        /// The folder.
        folder: PathBuf,
        /// How far the export goes.
        exported: u64,
    },
    /// The folder lacks a file of its export.
    #[error(
        "{folder} contains an export in which {file} is missing, or is not the one that was exported; export into another folder"
    )]
    Lacks {
        /// The folder.
        folder: PathBuf,
        /// The file.
        file: String,
    },
    /// The export would begin behind the end of the store.
    #[error("--since {since}: the store ends at feed position {end}")]
    Beyond {
        /// Where it would begin.
        since: u64,
        /// Where the store ends.
        end: u64,
    },
    /// The export is ahead of the store.
    #[error(
        "{folder} contains an export up to feed position {exported}, but the store ends at {store}: the export is of another store"
    )]
    Ahead {
        /// The folder.
        folder: PathBuf,
        /// How far the export goes.
        exported: u64,
        /// How far the store goes.
        store: u64,
    },
    /// The database does not answer.
    #[error("{0}")]
    Away(String),
    /// The disk does not do it.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// The error of a file, where `doing` is what was tried.
pub(super) fn io_error(doing: &'static str, path: &Path) -> impl Fn(io::Error) -> ExportError {
    move |source| ExportError::Io { doing, path: path.to_owned(), source }
}

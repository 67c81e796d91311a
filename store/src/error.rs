//! What can go wrong, one type for each door: opening, writing, reading.

use std::io;
use std::path::PathBuf;

use crate::stream::StreamId;

/// Why a store could not be opened. Nothing of ours was changed on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process, or another [`Store`](crate::Store) in this one, has the folder open.
    #[error("{} is in use by another process (or another store of this one)", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds something else; nothing was written into it.
    #[error("{} is neither empty nor a store of Muninn (it holds {found}); choose another folder", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// Something that was found there.
        found: String,
    },
    /// The store was written by another version of the program, in a format that this one does not know.
    #[error("the store has format {found}, this program reads format {}", crate::FORMAT_VERSION)]
    Version {
        /// The format's version, as it stands in the file.
        found: String,
    },
    /// The files are damaged.
    #[error("the store is damaged: {0}; restore a backup, the files were left for inspection")]
    Damaged(String),
    /// Commits that were acknowledged are not there: the log was cut off, or replaced by an older copy.
    #[error(
        "commits are lost: the store acknowledged {acknowledged}, the log has {found}; restore a newer copy"
    )]
    Lost {
        /// The last feed position that was acknowledged.
        acknowledged: u64,
        /// The last feed position that is there.
        found: u64,
    },
    /// The file system refused.
    #[error("cannot {doing} {}: {source}", path.display())]
    Io {
        /// What was tried, as a verb.
        doing: &'static str,
        /// On which file or folder.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

/// Why a write did not become durable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The commit's number is not the stream's last + 1. Nothing of the write was stored.
    #[error("the stream's last commit is {last}")]
    Conflict {
        /// The number of the stream's last commit, 0 if it has none.
        last: u64,
    },
    /// The write was not stored: too many wait, a value is too long, or the disk is full. Or the disk failed; then nobody
    /// knows whether the write survives a restart, and the store takes no more ([`Store::healthy`](crate::Store::healthy)).
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
}

impl WriteError {
    pub(crate) fn closed() -> WriteError {
        WriteError::Unavailable("it was closed".to_owned())
    }
}

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The disk or the engine failed.
    #[error("cannot read the log: {0}")]
    Engine(#[from] sled::Error),
    /// What was read is not what was written.
    #[error("the log is damaged: {0}")]
    Damaged(String),
}

/// Something that [`Store::check`](crate::Store::check) found wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Damage {
    /// A commit is missing or its bytes are not what was written.
    #[error("commit {number} of stream {stream}: {what}")]
    Commit {
        /// The stream.
        stream: StreamId,
        /// The commit's number.
        number: u64,
        /// What is wrong.
        what: String,
    },
    /// The feed does not say which commit has a position.
    #[error("feed position {position}: {what}")]
    Feed {
        /// The position.
        position: u64,
        /// What is wrong.
        what: String,
    },
    /// A header or a note cannot be read.
    #[error("{record}: {what}")]
    Record {
        /// Which record.
        record: String,
        /// What is wrong.
        what: String,
    },
}

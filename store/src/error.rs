//! What can go wrong, one type for each door: opening, writing, reading.

use std::io;
use std::path::PathBuf;

use crate::stream::{Place, StreamId};

/// Why a store could not be opened. Nothing of ours was changed on disk.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Another process, or another [`Store`](crate::Store) in this one, has the folder open.
    #[error("{} is in use by another process, or opened twice by this one", folder.display())]
    Locked {
        /// The folder.
        folder: PathBuf,
    },
    /// The folder holds something else; nothing was written into it.
    #[error("{} is neither empty nor a store of Muninn (it contains {found}); choose another folder", folder.display())]
    Foreign {
        /// The folder.
        folder: PathBuf,
        /// Something that was found there.
        found: String,
    },
    /// The folder for the data that is derived from a database has a store of its own.
    #[error(
        "{} has a store of its own, so it cannot be the folder for what is derived from a database; choose another one",
        folder.display()
    )]
    Occupied {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no store in the folder that was to be looked at.
    #[error("{} does not contain a store of Muninn", folder.display())]
    Missing {
        /// The folder.
        folder: PathBuf,
    },
    /// There is no space for a copy of the store.
    #[error("{} has {free} bytes free: a copy of the store takes {size}, and {beside} more must stay free; choose another folder for the copy", folder.display())]
    NoSpace {
        /// Where the copy was to be made.
        folder: PathBuf,
        /// How many bytes it takes.
        size: u64,
        /// How many are to be left.
        beside: u64,
        /// How many there are.
        free: u64,
    },
    /// The store was written before the format was settled.
    #[error(
        "{} was written by a development version of Muninn, which this one cannot read; to keep it, open it with the version that wrote it; \
         to go on, choose an empty folder",
        folder.display()
    )]
    Development {
        /// The folder.
        folder: PathBuf,
    },
    /// The store was written by another version of the program, in a format that this one does not know.
    #[error(
        "the store has format {found}, but this program reads format {}; open it with the version that wrote it, or choose another folder (nothing was changed)",
        crate::local::folder::FORMAT_VERSION
    )]
    Version {
        /// The version of the format in the file.
        found: String,
    },
    /// The files are damaged.
    #[error(
        "the store is damaged: {0}; restore a backup, or try `muninn repair` (the files were left for inspection)"
    )]
    Damaged(String),
    /// Commits that were acknowledged are not there: the log was cut off, or replaced by an older copy.
    #[error(
        "commits are lost: the store acknowledged {acknowledged}, but the log has {found}; restore a newer copy, or try `muninn repair`"
    )]
    Lost {
        /// The last feed position that was acknowledged.
        acknowledged: u64,
        /// The last feed position that is there.
        found: u64,
    },
    /// A database was named, and this program cannot speak to one.
    #[error(
        "this program was built without PostgreSQL (cargo feature `postgres`), so it opens only a store in a folder"
    )]
    NoPostgres,
    /// The database cannot be used. The text names it without its password.
    #[error("cannot use {database}: {what}")]
    Database {
        /// Which database.
        database: String,
        /// The reason.
        what: String,
    },
    /// The database has no store, or one of an older schema.
    #[error("{database} has no store of Muninn with schema {wanted}; run `muninn migrate`")]
    Unmigrated {
        /// Which database.
        database: String,
        /// The schema that this program needs.
        wanted: i32,
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

impl OpenError {
    /// What is damaged, without what to do about it.
    #[must_use]
    pub fn in_short(self) -> String {
        match self {
            OpenError::Damaged(what) => what,
            OpenError::Lost { acknowledged, found } => format!(
                "commits are lost: the store acknowledged {acknowledged}, but the log has {found}"
            ),
            error @ (OpenError::Locked { .. }
            | OpenError::Foreign { .. }
            | OpenError::Missing { .. }
            | OpenError::NoSpace { .. }
            | OpenError::Development { .. }
            | OpenError::Version { .. }
            | OpenError::Occupied { .. }
            | OpenError::NoPostgres
            | OpenError::Database { .. }
            | OpenError::Unmigrated { .. }
            | OpenError::Io { .. }) => error.to_string(),
        }
    }
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
    /// A note with this key is there already, or another write of the same batch has just stored one, or this write has two. Nothing of
    /// the write was stored. A conflict of the commit is answered first.
    #[error("a note with the key {} is there already", key.escape_ascii())]
    NoteTaken {
        /// The first key that was taken.
        key: Vec<u8>,
    },
    /// Nothing of the write was stored, for certain: too many wait, a value is too long, a header came with another commit than the
    /// first, the disk is full, or the store takes no more ([`Store::trouble`](crate::Store::trouble)).
    #[error("the store is unavailable: {0}")]
    Unavailable(String),
    /// It is certain that nothing of the write was stored, and nothing more will be written from here: the store has something that only a newer
    /// program knows ([`Store::outdated`](crate::Store::outdated)).
    #[error("this program writes no more: {0}")]
    Outdated(String),
    /// The disk failed during this write, or during an earlier one of the same commit or note. Whether that one will be there after
    /// a restart is unknown. The store accepts no more writes.
    #[error("the outcome is unknown: {0}")]
    Unknown(String),
}

impl WriteError {
    /// The writer ended without a word about a write that it had taken.
    pub(crate) fn unanswered() -> WriteError {
        WriteError::Unknown("the writer ended before it answered".to_owned())
    }
}

/// Why a store takes no writes now.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Trouble {
    /// The disk failed. What was durable is there after a restart; until then some of it may not be readable.
    #[error("the disk failed: {0}")]
    Failed(String),
    /// A part of what is stored cannot be read. It was damaged behind the store's back.
    #[error("a part of the store cannot be read: {0}")]
    Unreadable(String),
    /// The files were removed or replaced while the store is open: what is written now would be lost with them.
    #[error("{} was removed or replaced", .0.display())]
    Gone(PathBuf),
    /// The disk is full; writes are taken again when it has space.
    #[error("the disk is full")]
    Full,
    /// The database did not answer the last request. It is asked again for each batch.
    #[error("the database cannot be used: {0}")]
    Unreachable(String),
    /// The database refused the last write. Each write is still tried.
    #[error("the database refuses writes: {0}")]
    Refusing(String),
    /// The store has something that only a newer program knows.
    #[error("a newer program writes to this store: {0}")]
    Outdated(String),
    /// The database has another store than the one that was opened. That does not change before it is opened again.
    #[error("the database has another store now: {0}")]
    Replaced(String),
}

/// Why something could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The disk or the engine failed.
    // Not as its source: whoever tells all causes would tell its own words for it, too.
    #[error("cannot read the log: {}", in_words(.0))]
    Engine(sled::Error),
    /// The engine could not make sense of its own files.
    #[error("cannot read the log: the storage engine panicked: {0}")]
    GaveUp(String),
    /// The database did not answer.
    #[error("cannot read the database: {0}")]
    Database(String),
    /// What was read is not what was written.
    #[error("the log is damaged: {0}")]
    Damaged(String),
    /// A newer program has written it.
    #[error("the log is of a newer program: {0}")]
    Newer(String),
}

impl From<sled::Error> for ReadError {
    fn from(error: sled::Error) -> Self {
        ReadError::Engine(error)
    }
}

/// What the engine says of its files, for whoever runs a server: it takes damage for a mistake of its own, and asks to be told of it.
pub(crate) fn in_words(error: &sled::Error) -> String {
    match error {
        sled::Error::Corruption { at: Some(at), .. } => {
            format!("unreadable at byte {} of log/db", at.lid())
        }
        sled::Error::Corruption { at: None, .. } => "a part of it is unreadable".to_owned(),
        sled::Error::ReportableBug(what) => format!("it is damaged: {what}"),
        error @ (sled::Error::CollectionNotFound(_)
        | sled::Error::Unsupported(_)
        | sled::Error::Io(_)) => error.to_string(),
    }
}

impl ReadError {
    pub(crate) fn missing_position(position: u64) -> ReadError {
        ReadError::Damaged(format!("the feed does not have position {position}"))
    }

    pub(crate) fn missing_place(Place { stream, number, position }: Place) -> ReadError {
        ReadError::Damaged(format!(
            "position {position} is commit {number} of stream {stream}, which is missing or has another"
        ))
    }

    /// What is wrong with a record, without a word of the log that it is in.
    pub(crate) fn in_short(self) -> String {
        match self {
            ReadError::Damaged(what) | ReadError::Newer(what) => what,
            error @ (ReadError::Engine(_) | ReadError::GaveUp(_) | ReadError::Database(_)) => {
                error.to_string()
            }
        }
    }

    /// Whether it is the store that cannot be read, and not only one record in it.
    #[must_use]
    pub fn is_of_store(&self) -> bool {
        match self {
            ReadError::Engine(_) | ReadError::GaveUp(_) | ReadError::Database(_) => true,
            ReadError::Damaged(_) | ReadError::Newer(_) => false,
        }
    }
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
    /// Nothing in a range of records can be read. What is known to lie there is listed besides.
    #[error("the {kind} between {from} and {until}: {what}")]
    Range {
        /// Which kind of records.
        kind: &'static str,
        /// After which key it begins.
        from: String,
        /// Before which key it ends.
        until: String,
        /// What is wrong.
        what: String,
    },
    /// The files themselves are damaged.
    #[error("{0}")]
    Files(String),
}

#[cfg(test)]
mod tests {
    use std::error::Error;

    use super::*;

    #[test]
    fn damage_is_told_plainly() {
        let at = sled::Error::Corruption { at: None, bt: () };
        let bug = sled::Error::ReportableBug("non-link found".to_owned());
        for (error, told) in [
            (at, "cannot read the log: a part of it is unreadable"),
            (bug, "cannot read the log: it is damaged: non-link found"),
        ] {
            let error = ReadError::from(error);
            assert_eq!((error.to_string().as_str(), error.source().is_none()), (told, true));
        }
    }
}

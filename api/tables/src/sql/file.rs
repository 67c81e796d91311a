//! The file, and why it may not be usable.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use rusqlite::{Connection, OptionalExtension};

use super::layout::Layout;
use super::state::State;
use crate::catalogue::Catalogue;

/// The tables in a SQLite file.
#[derive(Debug)]
pub struct Sql {
    pub(super) path: PathBuf,
    pub(super) layout: Layout,
    pub(super) catalogue: Catalogue,
    pub(super) state: Mutex<State>,
}

/// Why the tables could not be made.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    /// The file could not be read or written.
    #[error("the tables in {path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The checksums could not be read or written.
    #[error("the checksums in {path}: {source}")]
    Sums {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The file does not match its checksums. It is made anew when it is next prepared.
    #[error("the tables in {path} are damaged: {what}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
    },
    /// The file cannot be read now, though nothing says that it is damaged.
    #[error("the tables in {path} cannot be read: {what}")]
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// A file that cannot be replaced.
    #[error("cannot remove {path}: {source}")]
    Remove {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl Sql {
    /// The tables of the store in `data`; nothing is opened yet.
    #[must_use]
    pub fn beside(data: &Path, catalogue: Catalogue) -> Self {
        let layout = Layout::new(&catalogue);
        Sql { path: data.join("tables.sqlite"), layout, catalogue, state: Mutex::default() }
    }

    /// Where the file is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A fact that the file holds about itself.
pub(super) fn meta<T: rusqlite::types::FromSql>(
    db: &Connection,
    key: &str,
) -> rusqlite::Result<Option<T>> {
    let select = "SELECT value FROM meta WHERE key = ?";
    db.query_row(select, [key], |row| row.get(0)).optional()
}

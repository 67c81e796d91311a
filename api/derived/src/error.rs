//! What goes wrong with a derived file.

use std::path::PathBuf;

use crate::sums::Differs;

/// Why the file could not be made.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file could not be read or written.
    #[error("the {what} in {path}: {source}")]
    File {
        /// What is in it.
        what: &'static str,
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
    /// The file does not match its checksums. It is made anew when it is next opened.
    #[error("the {what} in {path} are damaged: {differs}")]
    Damaged {
        /// What is in it.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What differs.
        differs: Differs,
    },
    /// The file cannot be read now, though nothing says that it is damaged.
    #[error("the {what} in {path} cannot be read: {why}")]
    Unread {
        /// What is in it.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
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

//! What a query may take, and why it is refused.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The longest query, in bytes.
pub(super) const LONGEST: usize = 20_000;

pub(super) const ONE: &str = "expected one SELECT statement";

/// What a query may take.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How many rows it may answer with; what is more is left out, and the answer says so.
    pub rows: usize,
    /// How many bytes its rows may take, in memory and as JSON; the same.
    pub bytes: usize,
    /// How many bytes of memory the engine may take for it.
    pub memory: usize,
    /// May what does not fit into memory be sorted in files? Their size is bounded by time alone.
    pub files: bool,
    /// Does it give way to whatever else wants a core?
    pub gives_way: bool,
}

/// Why a query was not answered.
#[derive(Debug, Deserialize, Serialize, thiserror::Error)]
pub enum QueryError {
    /// It is no SQL that these tables understand.
    #[error("{what}")]
    Wrong {
        /// What is wrong.
        what: String,
        /// At which byte.
        at: Option<usize>,
    },
    /// It would do more than read tables.
    #[error("{0}")]
    Forbidden(String),
    /// It takes too much.
    #[error("{0}")]
    TooMuch(String),
    /// The tables are not there yet.
    #[error("the tables are not filled yet")]
    NotReady,
    /// The file does not match its checksums. It is made anew when it is next prepared.
    #[error("the tables are damaged: {0}")]
    Damaged(String),
    /// The file cannot be read now, though nothing says that it is damaged.
    #[error("the tables cannot be read now: {0}")]
    Unread(String),
    /// The file could not be read.
    #[error("the tables could not be read: {0}")]
    Failed(String),
    /// Whoever asked does not wait for the answer.
    #[error("nobody waits for the answer")]
    HungUp,
}

impl QueryError {
    pub(super) fn too_long(limits: &Limits) -> Self {
        let seconds = limits.time.as_secs_f64();
        QueryError::TooMuch(format!("the query took longer than {seconds} s"))
    }
}

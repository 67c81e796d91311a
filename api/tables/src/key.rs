//! What is the same in all rows of a match, and the numbers and times of columns.

use archive::FinishedMatch;
use chrono::DateTime;

use crate::batch::Misfit;

/// What is the same in all rows of a match.
pub(crate) struct Key {
    pub(crate) number: i64,
    pub(crate) id: String,
}

impl Key {
    pub(crate) fn of(m: &FinishedMatch) -> Self {
        Key { number: int(m.finish.position), id: m.finish.r#match.to_string() }
    }
}

/// A time as a column has it.
pub(crate) fn millis(time: &str) -> Result<i64, Misfit> {
    DateTime::parse_from_rfc3339(time)
        .map(|time| time.timestamp_millis())
        .map_err(|error| format!("the time {time}: {error}"))
}

/// What counts something is far below 2^63.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

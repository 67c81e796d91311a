//! The times that are recorded.

use chrono::{SecondsFormat, Utc};

/// Now, in UTC with milliseconds.
pub(crate) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Now, but never before `earlier`: the times of a match do not fall although the clock was set back.
pub(crate) fn now_after(earlier: &str) -> String {
    // Times of this form are in the order of their text.
    now().max(earlier.to_owned())
}

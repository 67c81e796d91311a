//! The times that are recorded.

use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};

/// Now, in UTC with milliseconds.
pub(crate) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

/// Now, but never before `earlier`: the times of a match do not fall although the clock was set back.
pub(crate) fn now_after(earlier: &str) -> String {
    // Times of this form are in the order of their text.
    now().max(earlier.to_owned())
}

/// Now, in seconds.
pub(crate) fn seconds_now() -> u64 {
    u64::try_from(Utc::now().timestamp()).unwrap_or(0)
}

/// A time that was recorded, in seconds; 0 for what is no time.
pub(crate) fn seconds_of(time: &str) -> u64 {
    let then = DateTime::parse_from_rfc3339(time).ok();
    then.and_then(|then| u64::try_from(then.timestamp()).ok()).unwrap_or(0)
}

/// Whether that was less than so long ago; not for what is no time, or lies ahead.
pub(crate) fn is_within(time: &str, most: Duration) -> bool {
    let then = DateTime::parse_from_rfc3339(time).ok();
    let passed = then.map(|then| Utc::now().signed_duration_since(then));
    passed.and_then(|passed| passed.to_std().ok()).is_some_and(|passed| passed < most)
}

/// Whether that lies ahead: the clock was set back since, or it was that of another server.
pub(crate) fn is_ahead(time: &str) -> bool {
    DateTime::parse_from_rfc3339(time).is_ok_and(|then| then > Utc::now())
}

/// How many seconds ago that was; 0 for what is no time, or lies ahead.
pub(crate) fn seconds_since(time: &str) -> u64 {
    let then = DateTime::parse_from_rfc3339(time).ok();
    let passed = then.map(|then| Utc::now().signed_duration_since(then).num_seconds());
    passed.and_then(|seconds| u64::try_from(seconds).ok()).unwrap_or(0)
}

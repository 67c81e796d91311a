//! The times that are recorded, and whether the clock is one to go by: what nobody can undo is not done by one that was set far ahead.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chrono::{DateTime, SecondsFormat, Utc};
#[cfg(target_os = "linux")]
use rustix::time::{ClockId, clock_gettime};

/// A clock that is set ahead by more than this may be wrong; by less it is corrected now and then. In seconds.
const FAR: u64 = 60 * 60;

/// The clock of this machine: all of the program goes by one.
static BELIEVED: LazyLock<Believed> =
    LazyLock::new(|| Believed(AtomicU64::new(started(seconds_now()))));

/// When the machine was started by the clock as it was believed: in seconds.
struct Believed(AtomicU64);

impl Believed {
    /// How far ahead a clock is by which the machine was started then, in seconds: 0 if that is not far. Then it is believed from now on.
    fn ahead(&self, started: u64) -> u64 {
        let ahead = started.saturating_sub(self.0.load(Ordering::Relaxed));
        if ahead > FAR {
            return ahead;
        }
        // Whoever sets it back and ahead again sets it right.
        self.0.fetch_max(started, Ordering::Relaxed);
        0
    }
}

/// When the machine was started, by the clock that says `now`, in seconds: that changes only where the clock is set.
#[cfg(target_os = "linux")]
fn started(now: u64) -> u64 {
    // Time in which the machine sleeps counts here, unlike in an `Instant`.
    let runs = clock_gettime(ClockId::Boottime).tv_sec;
    now.saturating_sub(u64::try_from(runs).unwrap_or(0))
}

/// Other systems do not say how long they run, sleep included: each clock is believed.
#[cfg(not(target_os = "linux"))]
fn started(_now: u64) -> u64 {
    0
}

/// The clock as it is now is believed, unless one was before.
pub(crate) fn believe() {
    LazyLock::force(&BELIEVED);
}

/// How many seconds the clock was set ahead since it was believed, if that is more than an hour; 0 otherwise.
#[must_use]
pub fn seconds_ahead() -> u64 {
    BELIEVED.ahead(started(seconds_now()))
}

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

/// Now, in seconds, by the clock as it was believed, also while it is set far ahead.
pub(crate) fn believed_now() -> u64 {
    // Read once: it may be set any time.
    let now = seconds_now();
    now.saturating_sub(BELIEVED.ahead(started(now)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_far_ahead_until_it_is_where_it_was() {
        let at = |minutes: u64| minutes * 60;
        let clock = Believed(AtomicU64::new(at(1000)));
        for (minutes, ahead) in [
            (1000, 0),
            (1061, 61),
            (9000, 8000),
            (1001, 0),
            // Little by little it is corrected.
            (1060, 0),
            (1110, 0),
            // Somebody sets it back, and right again.
            (100, 0),
            (1112, 0),
            (1173, 61),
        ] {
            assert_eq!(clock.ahead(at(minutes)), at(ahead), "{minutes}");
        }
    }
}

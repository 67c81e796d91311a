//! A clock that is set far ahead while the server runs: what nobody can undo is not done by it.

use std::time::Duration;
#[cfg(target_os = "linux")]
use std::time::SystemTime;

#[cfg(target_os = "linux")]
use rustix::time::{ClockId, clock_gettime};

/// A clock that is set ahead by more than this may be wrong; by less it is corrected now and then.
const FAR: Duration = Duration::from_secs(60 * 60);

/// The clock of the machine, compared with how long the machine has run.
pub(crate) struct Clock {
    /// What waits while it is far ahead.
    work: &'static str,
    /// When the machine was started, by the clock as it was believed.
    started: Duration,
    is_far_ahead: bool,
}

impl Clock {
    /// The clock as it is now is believed.
    pub(crate) fn new(work: &'static str) -> Self {
        Clock { work, started: started(), is_far_ahead: false }
    }

    /// Whether it was set far ahead since it was believed. The log says when that begins, and when it is over.
    pub(crate) fn is_far_ahead(&mut self) -> bool {
        self.compare(started())
    }

    fn compare(&mut self, started: Duration) -> bool {
        let (before, ahead) = (self.is_far_ahead, started.saturating_sub(self.started));
        self.is_far_ahead = ahead > FAR;
        match (before, self.is_far_ahead) {
            (false, true) => tracing::warn!(
                seconds = ahead.as_secs(),
                "the clock was set ahead: {} waits until it is set back, or the server is restarted",
                self.work
            ),
            (true, false) => tracing::info!("the clock was set back: {} goes on", self.work),
            (true, true) | (false, false) => {}
        }
        if !self.is_far_ahead {
            // Whoever sets it back and ahead again sets it right.
            self.started = self.started.max(started);
        }
        self.is_far_ahead
    }
}

/// When the machine was started, by the clock as it is now: that changes only where the clock is set.
#[cfg(target_os = "linux")]
fn started() -> Duration {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    // Time in which the machine sleeps counts here, unlike in an `Instant`.
    let runs = Duration::try_from(clock_gettime(ClockId::Boottime)).unwrap_or_default();
    now.saturating_sub(runs)
}

/// Other systems do not say how long they run, sleep included: each clock is believed.
#[cfg(not(target_os = "linux"))]
fn started() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_far_ahead_until_it_is_where_it_was() {
        let at = |minutes: u64| Duration::from_secs(minutes * 60);
        let mut clock = Clock { work: "nothing", started: at(1000), is_far_ahead: false };
        for (minutes, is_far_ahead) in [
            (1000, false),
            (1061, true),
            (9000, true),
            (1001, false),
            // Little by little it is corrected.
            (1060, false),
            (1110, false),
            // Somebody sets it back, and right again.
            (100, false),
            (1112, false),
            (1173, true),
        ] {
            assert_eq!(clock.compare(at(minutes)), is_far_ahead, "{minutes}");
        }
    }
}

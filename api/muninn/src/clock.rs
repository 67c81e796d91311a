//! A clock that is set far ahead while the server runs: what nobody can undo waits, and the log says so.

use engine::seconds_ahead;

/// The clock of the machine, for something that waits while it is far ahead.
pub(crate) struct Clock {
    /// What waits.
    work: &'static str,
    is_far_ahead: bool,
}

impl Clock {
    /// Nothing has waited yet.
    pub(crate) fn new(work: &'static str) -> Self {
        Clock { work, is_far_ahead: false }
    }

    /// Whether it was set far ahead since it was believed. The log says when that begins, and when it is over.
    pub(crate) fn is_far_ahead(&mut self) -> bool {
        let (before, seconds) = (self.is_far_ahead, seconds_ahead());
        self.is_far_ahead = seconds > 0;
        match (before, self.is_far_ahead) {
            (false, true) => tracing::warn!(
                seconds,
                "the clock was set ahead: {} waits until it is set back, or the server is restarted",
                self.work
            ),
            (true, false) => tracing::info!("the clock was set back: {} goes on", self.work),
            (true, true) | (false, false) => {}
        }
        self.is_far_ahead
    }
}

//! How far a projection of the feed goes.

/// How far a projection of the feed goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reach {
    /// The feed position that it has reached.
    pub position: u64,
    /// The end of the feed at the time of the request.
    pub feed_end: u64,
    /// Has it counted everything up to there?
    pub complete: bool,
}

impl Reach {
    /// A projection that has reached `position`, when the feed had ended at `feed_end` before; the feed may have grown since.
    #[must_use]
    pub fn new(position: u64, feed_end: u64) -> Self {
        Reach { position, feed_end: feed_end.max(position), complete: position >= feed_end }
    }
}

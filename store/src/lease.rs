//! Leases: what only one server is to do, of those that share a store.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(feature = "postgres")]
use std::time::Duration;
use std::time::Instant;

use tokio::sync::oneshot;

use crate::stream::StreamId;

/// The number of shares into which the streams are divided.
pub const SHARES: usize = 16;

/// The share to which a stream belongs, from 0. Ids whose last byte is random, as in UUIDv7, are spread evenly.
#[must_use]
pub fn share_of(stream: StreamId) -> usize {
    usize::from(stream.0[15]) % SHARES
}

/// The shares of the streams that this server holds. Servers that share a store hold different shares, about the same number each, and together they
/// hold all of them, except for the seconds in which one starts, ends or dies. Dropping this gives the shares back.
///
/// A lease says which server is to do a duty, and spares the others the work. It is not a lock: a server that is stopped between asking for it and
/// acting may act late. If something must happen only once, the number of a commit decides.
pub struct Leases {
    /// Nothing where nobody else can be there.
    held: Option<Arc<Held>>,
    _end: Option<oneshot::Sender<()>>,
}

impl fmt::Debug for Leases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Leases").field("shares", &self.shares()).finish_non_exhaustive()
    }
}

impl Leases {
    /// Of a store that one server alone can open.
    pub(crate) fn all() -> Leases {
        Leases { held: None, _end: None }
    }

    /// Of a store that several servers share; the receiver tells when they are given back.
    #[cfg(feature = "postgres")]
    pub(crate) fn shared() -> (Leases, Arc<Held>, oneshot::Receiver<()>) {
        let (end, ended) = oneshot::channel();
        let held = Arc::<Held>::default();
        (Leases { held: Some(Arc::clone(&held)), _end: Some(end) }, held, ended)
    }

    /// Which shares are held now: bit 0 is for share 0.
    #[must_use]
    pub fn shares(&self) -> u16 {
        self.held.as_ref().map_or(u16::MAX, |held| held.now())
    }

    /// Whether a share is held now.
    #[must_use]
    pub fn holds(&self, share: usize) -> bool {
        self.shares() >> share & 1 == 1
    }

    /// Whether others may take shares.
    #[must_use]
    pub fn can_change(&self) -> bool {
        self.held.is_some()
    }
}

/// A store in which nobody else plays: while this lives, no server begins to, and a server holds no share of it.
pub struct Alone {
    /// Whether that is over; nothing where nobody else can be there.
    is_over: Option<Box<dyn Fn() -> bool + Send>>,
}

impl fmt::Debug for Alone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Alone").field("is_held", &self.is_held()).finish_non_exhaustive()
    }
}

impl Alone {
    /// In a store that one process alone can open.
    pub(crate) fn always() -> Alone {
        Alone { is_over: None }
    }

    /// In a store that others may open.
    #[cfg(feature = "postgres")]
    pub(crate) fn until(is_over: impl Fn() -> bool + Send + 'static) -> Alone {
        Alone { is_over: Some(Box::new(is_over)) }
    }

    /// Whether it is so still: a database may end the session that says so, and then servers play again.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.is_over.as_ref().is_none_or(|is_over| !is_over())
    }
}

/// What a lease says, and until when.
#[derive(Default)]
pub(crate) struct Held(Mutex<(u16, Option<Instant>)>);

impl Held {
    fn now(&self) -> u16 {
        let (shares, until) = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if until.is_some_and(|until| Instant::now() < until) { shares } else { 0 }
    }

    /// From now on these are held, for so long after a time.
    #[cfg(feature = "postgres")]
    pub(crate) fn hold(&self, shares: u16, asked: Instant, valid: Duration) {
        let until = asked.checked_add(valid);
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = (shares, until);
    }
}

//! Events as they were stored, by whichever release wrote the stream.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{Fact, Game, Secret, Viewer, form};

/// A stored stream does not fit the game: it is damaged, or was not written by this game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the stream is damaged: {0}")]
pub struct StreamError(pub String);

/// An event in full, and as a spectator sees it.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The whole event.
    pub full: Box<RawValue>,
    /// What a spectator sees, where that is not the same.
    pub public: Option<Box<RawValue>>,
}

impl Seen {
    /// The event as a spectator sees it.
    #[must_use]
    pub fn shown(&self) -> &RawValue {
        self.public.as_deref().unwrap_or(&self.full)
    }
}

/// Reads what the store kept, in whichever form.
pub(crate) fn stored<G: Game>(event: &RawValue) -> Result<G::Event, StreamError> {
    form::read_form(event.get()).map_err(no_event::<G>)
}

pub(crate) fn no_event<G: Game>(error: serde_json::Error) -> StreamError {
    StreamError(format!("no event of {}: {error}", G::INFO.id))
}

/// Does something with a stored event. One that no decision ever led to at this position breaks what the game relies on, such as that a tile
/// that is taken is there: the game panics, and the stream is damaged or forged. The position means nothing then.
pub(crate) fn fitting<T>(work: impl FnOnce() -> T) -> Result<T, StreamError> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| StreamError("an event does not fit the position before it".to_owned()))
}

/// The events, and as a spectator of the match sees them.
pub(crate) fn seen<G: Game>(position: &G::Position, events: &[G::Event]) -> Vec<Seen> {
    let see = |event: &G::Event| {
        let full = raw(event);
        let seen = || raw(&event.seen(position, Viewer::Spectator));
        let public = (!event.is_open()).then(seen).filter(|public| public.get() != full.get());
        Seen { full, public }
    };
    events.iter().map(see).collect()
}

pub(crate) fn raw<T: Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("a game's types are plain data, which always have JSON")
}

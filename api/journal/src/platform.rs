//! The events of the platform, which any game's stream may hold.

use kernel::{AnyGame, Seat, StreamError, Viewer};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::canonical::raw;

/// An event that belongs to no game.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type")]
pub enum PlatformEvent {
    /// The match begins from a given position: the only event of commit 1.
    PositionLoaded {
        /// The complete position, JSON.
        position: Box<RawValue>,
    },
    /// The position is again the one at `to_version`; the skipped events stay.
    CommandTakenBack {
        /// Whose command it was.
        seat: Seat,
        /// The version before that command.
        to_version: u64,
    },
}

impl PlatformEvent {
    /// Reads an event, if it is one of the platform.
    pub fn read(event: &RawValue) -> Option<Self> {
        #[derive(Deserialize)]
        struct Loaded {
            position: Box<RawValue>,
        }
        #[derive(Deserialize)]
        struct TakenBack {
            seat: Seat,
            to_version: u64,
        }
        match kind(event) {
            Some("PositionLoaded") => {
                let Loaded { position } = serde_json::from_str(event.get()).ok()?;
                Some(PlatformEvent::PositionLoaded { position })
            }
            Some("CommandTakenBack") => {
                let TakenBack { seat, to_version } = serde_json::from_str(event.get()).ok()?;
                Some(PlatformEvent::CommandTakenBack { seat, to_version })
            }
            Some(_) | None => None,
        }
    }

    /// The event as `viewer` sees it.
    ///
    /// # Errors
    /// If the position is none of the game.
    pub fn seen(&self, game: &dyn AnyGame, viewer: Viewer) -> Result<Box<RawValue>, StreamError> {
        match self {
            PlatformEvent::PositionLoaded { position } => {
                let state = game.restore(position, None)?;
                Ok(raw(&PlatformEvent::PositionLoaded { position: state.view(viewer) }))
            }
            PlatformEvent::CommandTakenBack { seat: _, to_version: _ } => Ok(raw(self)),
        }
    }
}

/// The type of an event.
pub fn kind(event: &RawValue) -> Option<&str> {
    #[derive(Deserialize)]
    struct Tag<'a> {
        r#type: &'a str,
    }
    serde_json::from_str::<Tag<'_>>(event.get()).ok().map(|tag| tag.r#type)
}

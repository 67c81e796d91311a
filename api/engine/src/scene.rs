//! What a picture of a match is made of: a view, what has just happened, and the names.

use journal::Status;
use kernel::{AnyGame, Tracked, Viewer};
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::edition;
use crate::engine::Engine;
use crate::error::Error;
use crate::history::events_of;
use crate::live::Slot;

/// The most seats that any game has.
const SEATS_MOST: usize = 8;

/// The longest name, in characters.
const NAME_MOST: usize = 64;

/// A request for a picture of a position as a viewer sees it, or of a view. Exactly one of the two is given.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PictureRequest {
    /// A complete position.
    #[schema(value_type = Option<crate::by_game::Position>)]
    pub position: Option<Box<RawValue>>,
    /// A view, as returned by the server. Fields that are not drawn are ignored.
    #[schema(value_type = Option<Object>)]
    pub view: Option<Box<RawValue>>,
    /// The viewer. Default: the one that the view names, otherwise a spectator.
    pub viewer: Option<Viewer>,
    /// The players' names by seat; null for a seat without a name.
    #[serde(default)]
    #[schema(max_items = 8)]
    pub names: Vec<Option<String>>,
}

/// A table as one viewer sees it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The game's id.
    pub game: &'static str,
    /// The game's name for people.
    pub title: &'static str,
    /// The viewer.
    pub viewer: Viewer,
    /// After which event; `None` if it belongs to no match.
    pub version: Option<u64>,
    /// Where the match was in its life then; `None` if it belongs to no match.
    pub status: Option<Status>,
    /// The view, JSON.
    pub view: Box<RawValue>,
    /// The events of the commit that ends at this version, as the viewer sees them; in the middle of a commit the latest event alone.
    pub events: Vec<Box<RawValue>>,
    /// The pieces with their ids, where they are wanted.
    pub pieces: Vec<Tracked>,
    /// The players' names by seat.
    pub names: Vec<Option<String>>,
    /// It will never be different: the match is finished, and the version was named.
    pub fixed: bool,
}

impl Engine {
    /// The scene at a version (the latest for `None`), as `caller` sees it, or as the viewer `asked` for.
    ///
    /// # Errors
    /// Those of [`view`](Engine::view).
    pub fn scene(
        &self,
        slot: &Slot,
        caller: Caller,
        at: Option<u64>,
        asked: Option<Viewer>,
    ) -> Result<Scene, Error> {
        let viewer = slot.viewer(caller, asked)?;
        let finished = slot.head().finished();
        let (folded, whole) = self.at(slot, at)?;
        let version = folded.version;
        let mut events = Vec::new();
        for record in self.records(slot.id, folded.commit.saturating_sub(1), 1)? {
            let entries = events_of(slot, &record, Some(viewer))?;
            let shown = entries.into_iter().filter(|entry| whole || entry.version == version);
            events.extend(shown.map(|entry| entry.event));
        }
        let (info, head) = (slot.game.info(), slot.head());
        let names = head.people.names.iter().map(|name| Some(name.as_ref()?.name.clone()));
        Ok(Scene {
            game: info.id,
            title: info.title,
            viewer,
            version: Some(version),
            status: Some(folded.status()),
            view: folded.state.view(viewer),
            events,
            pieces: Vec::new(),
            names: names.collect(),
            fixed: finished && at.is_some(),
        })
    }

    /// The scene that a client describes. Nothing has just happened in it.
    ///
    /// # Errors
    /// If there is no such game, the position may not be played, or the request has both a position and a view, or neither.
    pub fn scene_of(&self, game: &str, request: PictureRequest) -> Result<Scene, Error> {
        let PictureRequest { position, view, viewer, names } = request;
        let game: &dyn AnyGame = self.game(game)?;
        let viewer = viewer.or_else(|| view.as_deref().and_then(viewer_of));
        let viewer = viewer.unwrap_or(Viewer::Spectator);
        if names.len() > SEATS_MOST {
            let detail = format!("at most {SEATS_MOST} names are allowed, not {}", names.len());
            return Err(Error::malformed(detail, "/names"));
        }
        if let Some(long) =
            names.iter().position(|name| name.iter().any(|n| n.chars().nth(NAME_MOST).is_some()))
        {
            let detail = format!("a name has at most {NAME_MOST} characters");
            return Err(Error::malformed(detail, format!("/names/{long}")));
        }
        let view = match (position, view) {
            (Some(position), None) => {
                let state = edition::load(game, &position, None)?;
                if let Viewer::Seat(seat) = viewer
                    && seat.index() >= state.seats()
                {
                    return Err(Error::malformed(format!("there is no seat {seat}"), "/viewer"));
                }
                state.view(viewer)
            }
            (None, Some(view)) => view,
            (Some(_), Some(_)) | (None, None) => {
                return Err(Error::malformed("send either a position or a view", ""));
            }
        };
        let info = game.info();
        Ok(Scene {
            game: info.id,
            title: info.title,
            viewer,
            version: None,
            status: None,
            view,
            events: Vec::new(),
            pieces: Vec::new(),
            names,
            fixed: false,
        })
    }
}

/// Whose view it is, if it says so.
fn viewer_of(view: &RawValue) -> Option<Viewer> {
    #[derive(Deserialize)]
    struct Own {
        viewer: Viewer,
    }
    serde_json::from_str(view.get()).ok().map(|Own { viewer }| viewer)
}

//! Looking at a match: what it is, its view, its position, its legal commands.

use journal::{BranchedFrom, Bytes32, Folded, MatchId, Status, Visibility};
use kernel::{Seat, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::index::{SeatInfo, seats};
use crate::live::Slot;

/// Names of schemas that the OpenAPI document fills with those of all games.
macro_rules! any_game {
    ($($(#[$doc:meta])* $name:ident),*) => {
        $($(#[$doc])* #[derive(Debug, ToSchema)] pub struct $name {})*
    };
}

any_game!(
    /// The requested options, by game.
    Options,
    /// The options of a match, defaults filled in, by game.
    MatchOptions,
    /// A complete position, by game.
    Position,
    /// A position as a viewer may see it, by game.
    View,
    /// A command, by game.
    Command,
    /// An event in full, by game, or one of the platform.
    Event,
    /// An event as a viewer may see it, by game, or one of the platform.
    EventView,
    /// A place in the standing, by game.
    Place
);

/// One match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchInfo {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played.
    pub game: &'static str,
    /// All options, with defaults filled in.
    #[schema(value_type = MatchOptions)]
    pub options: Box<RawValue>,
    /// The seats, in order.
    pub seats: Vec<SeatInfo>,
    /// The status of the match.
    pub status: Status,
    /// The number of events so far.
    pub version: u64,
    /// The number of commits so far.
    pub commit: u64,
    /// The seat to act; null when the match is finished.
    pub active_seat: Option<Seat>,
    /// The viewer that the caller is: the seat of its token, or `spectator`.
    pub viewer: Viewer,
    /// Who may see the match.
    pub visibility: Visibility,
    /// Whether commands may be taken back.
    pub take_back: bool,
    /// The match and version that this one started from, if it is a branch.
    pub branched_from: Option<BranchedFrom>,
    /// When it was opened.
    #[schema(format = "date-time")]
    pub created_at: String,
    /// When its latest commit was recorded.
    #[schema(format = "date-time")]
    pub updated_at: String,
    /// The SHA-256 of the seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed_commitment: Bytes32,
    /// The seed, when the match is finished.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<Bytes32>,
    /// The final ranking, when the match is finished.
    #[schema(value_type = Option<Vec<Place>>)]
    pub standing: Option<Box<RawValue>>,
    /// The hash of the latest commit.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub head_hash: Bytes32,
}

impl MatchInfo {
    /// The same, told to this caller.
    #[must_use]
    pub fn told(self, caller: Caller) -> Self {
        MatchInfo { viewer: caller.viewer(), ..self }
    }
}

/// Something of a match at one version.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The version that it belongs to.
    pub version: u64,
    /// What it is, JSON.
    pub json: Box<RawValue>,
    /// It will never be different: the match is finished.
    pub fixed: bool,
}

impl Engine {
    /// What everybody who may read the match may know of it.
    ///
    /// # Errors
    /// None currently; it may have to read the store one day.
    pub fn info(&self, slot: &Slot) -> Result<MatchInfo, Error> {
        let (header, head) = (slot.header(), slot.head());
        let finished = head.finished();
        let state = &head.folded.state;
        Ok(MatchInfo {
            r#match: slot.id,
            game: slot.game.info().id,
            options: header.options.clone(),
            seats: seats(&header),
            status: header.status(finished),
            version: head.folded.version,
            commit: head.folded.commit,
            active_seat: state.active_seat(),
            viewer: Viewer::Spectator,
            visibility: header.visibility,
            take_back: head.folded.take_back(),
            branched_from: header.branched_from.clone(),
            created_at: header.created_at.clone(),
            updated_at: head.updated_at.clone(),
            seed_commitment: Bytes32::hash(&[&header.seed.0]),
            seed: finished.then_some(header.seed),
            standing: state.standing(),
            head_hash: head.hash(),
        })
    }

    /// The viewer that the caller is: the one `asked` for, otherwise the caller itself.
    ///
    /// # Errors
    /// If that viewer's part is hidden from the caller.
    pub fn check_viewer(
        &self,
        slot: &Slot,
        caller: Caller,
        asked: Option<Viewer>,
    ) -> Result<Viewer, Error> {
        Ok(viewer(slot, caller, asked)?.unwrap_or(caller.viewer()))
    }

    /// The view at a version (the latest for `None`), as `caller` sees it, or as the viewer `asked` for.
    ///
    /// # Errors
    /// If the version is unknown, or the view is not the caller's to see.
    pub fn view(
        &self,
        slot: &Slot,
        caller: Caller,
        at: Option<u64>,
        asked: Option<Viewer>,
    ) -> Result<Seen, Error> {
        let viewer = self.check_viewer(slot, caller, asked)?;
        let head = slot.head();
        let (folded, _) = self.at(slot, at)?;
        Ok(Seen {
            version: folded.version,
            json: folded.state.view(viewer),
            fixed: head.finished() && at.is_some(),
        })
    }

    /// The complete position at a version (the latest for `None`); only when the match is finished.
    ///
    /// # Errors
    /// If the match is not finished, or the version is unknown.
    pub fn position_at(&self, slot: &Slot, at: Option<u64>) -> Result<Seen, Error> {
        if !slot.head().finished() {
            return Err(Error::Hidden(
                "the complete position is shown only when the match is finished",
            ));
        }
        let (folded, _) = self.at(slot, at)?;
        Ok(Seen { version: folded.version, json: folded.state.position(), fixed: at.is_some() })
    }

    /// The legal commands, a JSON array. Live: for the active seat; in a finished match for everybody.
    ///
    /// # Errors
    /// If another asks, or the version is unknown or not the end of a commit.
    pub fn legal_commands(
        &self,
        slot: &Slot,
        caller: Caller,
        at: Option<u64>,
    ) -> Result<Seen, Error> {
        let finished = slot.head().finished();
        if !finished && caller == Caller::Stranger {
            return Err(Error::TokenRequired(
                "the legal commands are shown only to the seat that is to act, with its token",
            ));
        }
        let (folded, whole) = self.at(slot, at)?;
        if !finished && folded.state.active_seat().map(Caller::Seat) != Some(caller) {
            return Err(Error::Hidden(
                "the legal commands are shown only to the seat that is to act",
            ));
        }
        if !whole {
            let detail =
                format!("version {} is in the middle of commit {}", folded.version, folded.commit);
            return Err(Error::VersionUnknown { detail, current: slot.version() });
        }
        let json = folded.state.legal_commands();
        Ok(Seen { version: folded.version, json, fixed: finished && at.is_some() })
    }
}

/// As whom does the caller look at logs? `None`: in full, which a finished match is for everybody who asks for no viewer.
pub(crate) fn viewer(
    slot: &Slot,
    caller: Caller,
    asked: Option<Viewer>,
) -> Result<Option<Viewer>, Error> {
    slot.may_read(caller)?;
    if let Some(Viewer::Seat(seat)) = asked
        && seat.index() >= slot.header().seats.len()
    {
        let detail = format!("there is no seat {seat}");
        return Err(Error::Malformed { detail, pointer: "viewer".to_owned() });
    }
    match (slot.head().finished(), asked) {
        (true, asked) => Ok(asked),
        (false, None) => Ok(Some(caller.viewer())),
        (false, Some(asked)) if asked == caller.viewer() || asked == Viewer::Spectator => {
            Ok(Some(asked))
        }
        (false, Some(_)) if caller == Caller::Stranger => Err(Error::TokenRequired(
            "until the match is finished, another seat's view needs the token of that seat",
        )),
        (false, Some(_)) => {
            Err(Error::Hidden("another seat's view is hidden until the match is finished"))
        }
    }
}

/// The version that `at` means, if the match has it.
pub(crate) fn known_version(current: &Folded, at: Option<u64>) -> Result<u64, Error> {
    let at = at.unwrap_or(current.version);
    if (1..=current.version).contains(&at) {
        return Ok(at);
    }
    let current = current.version;
    Err(Error::VersionUnknown {
        detail: format!("there is no version {at}: versions are 1 to {current}"),
        current,
    })
}

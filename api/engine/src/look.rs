//! Looking at a match: what it is, its view, its position, its legal commands.

use std::collections::BTreeMap;

use journal::{
    BranchedFrom, Bytes32, Folded, Header, MatchId, Origin, Sandbox, Status, Visibility,
    standing_told,
};
use kernel::{Choice, Edition, Seat, Viewer, Words};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::{Error, broken};
use crate::listed::{SeatInfo, seats};
use crate::live::Slot;

/// One match.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchInfo {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played.
    pub game: &'static str,
    /// All options, with defaults filled in.
    #[schema(value_type = crate::by_game::MatchOptions)]
    pub options: Box<RawValue>,
    /// The edition of the game's rules that the match is played by.
    pub edition: Edition,
    /// The seats, in order.
    pub seats: Vec<SeatInfo>,
    /// The status of the match.
    pub status: Status,
    /// The number of events so far.
    pub version: u64,
    /// The number of commits so far.
    pub commit: u64,
    /// The seat to act; null when the match is finished or closed.
    pub active_seat: Option<Seat>,
    /// The caller as a viewer: the seat of its token, or `spectator`.
    pub viewer: Viewer,
    /// Who may see the match.
    pub visibility: Visibility,
    /// Whether commands may be taken back.
    pub take_back: bool,
    /// Whether it began from a given position, as a branch does too, and not with the game's own setup: whoever opened it may know what
    /// is hidden.
    pub loaded: bool,
    /// The match and version that this one started from, if it is a branch.
    pub branched_from: Option<BranchedFrom>,
    /// When it was opened.
    #[schema(format = "date-time")]
    pub created_at: String,
    /// When its latest commit was recorded.
    #[schema(format = "date-time")]
    pub updated_at: String,
    /// Only in a sandbox.
    pub sandbox: Option<Sandbox>,
    /// The SHA-256 of the seed.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub seed_commitment: Bytes32,
    /// The seed, when the match is finished.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub seed: Option<Bytes32>,
    /// When the match is finished: the canonical JSON whose SHA-256 is the `header_commitment` of commit 1.
    pub header: Option<Header>,
    /// When the match is finished: the SHA-256 of the token of each seat; null for the seat of a bot, and for one that nobody took. If
    /// the seat was taken later, the SHA-256 of this hash is its `token_commitment`.
    #[schema(value_type = Option<Vec<Option<String>>>)]
    pub token_hashes: Option<Vec<Option<Bytes32>>>,
    /// The final ranking, when the match is finished.
    #[schema(value_type = Option<Vec<crate::by_game::Place>>)]
    pub standing: Option<Box<RawValue>>,
    /// The hash of the latest commit.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub head_hash: Bytes32,
    /// Where the match comes from; null for one that was played on this server.
    pub origin: Option<Origin>,
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

/// Which part of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is the same in every view of the match.
    Fixed,
    /// Everything else.
    Changing,
}

/// The legal commands at one version.
#[derive(Clone, Debug)]
pub struct Legal {
    /// The commands, a JSON array.
    pub seen: Seen,
    /// The seat to act; `None` when the match is finished or closed.
    pub active_seat: Option<Seat>,
    /// In their order, as a person chooses them, if that was asked for.
    pub choices: Vec<Choice>,
    /// In their order, the points that each is sure to bring at once, if that was asked for.
    pub points: Vec<i64>,
}

impl Engine {
    /// What everybody who may read the match may know of it.
    ///
    /// # Errors
    /// None currently; it may have to read the store one day.
    pub fn info(&self, slot: &Slot) -> Result<MatchInfo, Error> {
        let head = slot.head();
        let finished = head.finished();
        let Folded { state, table, version, commit, .. } = &head.folded;
        Ok(MatchInfo {
            r#match: slot.id,
            game: slot.game.info().id,
            options: slot.options().to_owned(),
            edition: table.opened.edition,
            seats: seats(table, &head.people.names),
            status: head.folded.status(),
            version: *version,
            commit: *commit,
            active_seat: state.active_seat().filter(|_| head.folded.end().is_none()),
            viewer: Viewer::Spectator,
            visibility: table.opened.visibility,
            take_back: head.folded.take_back(),
            loaded: table.loaded,
            branched_from: table.opened.branched_from.clone(),
            created_at: slot.created_at.clone(),
            updated_at: head.updated_at.clone(),
            seed_commitment: table.opened.seed_commitment,
            sandbox: table.opened.sandbox.as_deref().cloned(),
            seed: finished.then_some(slot.seed()),
            header: finished.then(|| slot.header().clone()),
            token_hashes: finished.then(|| head.people.tokens.clone()),
            // What was told then, whatever would be told today.
            standing: standing_told(&head.record).or_else(|| state.standing()),
            head_hash: head.record.hash(),
            origin: slot.origin.clone(),
        })
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
        let viewer = slot.viewer(caller, asked)?;
        let head = slot.head();
        let (folded, _) = self.at(slot, at)?;
        Ok(Seen {
            version: folded.version,
            json: folded.view(viewer),
            fixed: head.finished() && at.is_some(),
        })
    }

    /// A part of the view at a version, as [`view`](Engine::view).
    ///
    /// # Errors
    /// As [`view`](Engine::view).
    pub fn part_of_view(
        &self,
        slot: &Slot,
        caller: Caller,
        at: Option<u64>,
        asked: Option<Viewer>,
        part: Part,
    ) -> Result<Seen, Error> {
        let seen = self.view(slot, caller, at, asked)?;
        let mut fields: BTreeMap<&str, &RawValue> =
            serde_json::from_str(seen.json.get()).map_err(broken)?;
        let fixed = slot.game.info().fixed;
        fields.retain(|name, _| fixed.contains(name) == (part == Part::Fixed));
        Ok(Seen { json: journal::raw(&fields), ..seen })
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

    /// The legal commands, with `words` also as a person chooses them, and with `points` what each is sure to bring. Live: of the seat that asks, which are none while another is to act;
    /// in a finished match for everybody.
    ///
    /// # Errors
    /// If nobody asks who has a seat, or the version is unknown or not the end of a commit.
    pub fn legal_commands(
        &self,
        slot: &Slot,
        caller: Caller,
        at: Option<u64>,
        words: Option<&Words>,
        points: bool,
    ) -> Result<Legal, Error> {
        let finished = slot.head().finished();
        match caller {
            Caller::Stranger if !finished => {
                return Err(Error::TokenRequired(
                    "the legal commands are shown only to the seats, each its own, with its token",
                ));
            }
            Caller::Owner if !finished => {
                return Err(Error::Hidden("the legal commands are shown only to the seats"));
            }
            Caller::Stranger | Caller::Owner | Caller::Seat(_) => {}
        }
        let (folded, whole) = self.at(slot, at)?;
        if !whole {
            let detail =
                format!("version {} is in the middle of commit {}", folded.version, folded.commit);
            return Err(Error::VersionUnknown { detail, current: slot.version() });
        }
        let asks = if let Caller::Seat(seat) = caller { Some(seat) } else { None };
        // Before all seats are taken, and after the match was closed, none would be accepted; at an older version of one that began, one was.
        let is_latest = folded.version == slot.version();
        let has_begun = finished || slot.head().folded.table.free() == 0;
        let is_on = match is_latest {
            true => matches!(slot.status(), Status::Running | Status::Finished),
            false => has_begun,
        };
        let (json, choices) = match is_on {
            true => legal_of(&folded, asks.filter(|_| !finished), words),
            false => none(),
        };
        let seen = Seen { version: folded.version, json, fixed: finished && at.is_some() };
        let is_over = is_latest && slot.status() == Status::Abandoned;
        let active_seat = folded.state.active_seat().filter(|_| !is_over);
        let shown = finished || is_on && asks == active_seat;
        let points = if points && shown { folded.state.gains() } else { Vec::new() };
        Ok(Legal { seen, active_seat, choices, points })
    }
}

fn none() -> (Box<RawValue>, Vec<Choice>) {
    (RawValue::from_string("[]".to_owned()).expect("a list"), Vec::new())
}

/// The legal commands as one JSON array, and with `words` as a person chooses them: none if `seat` is given and not to act.
pub(crate) fn legal_of(
    folded: &Folded,
    seat: Option<Seat>,
    words: Option<&Words>,
) -> (Box<RawValue>, Vec<Choice>) {
    if seat.is_some() && folded.state.active_seat() != seat {
        return none();
    }
    match words {
        Some(words) => folded.state.choices(words),
        None => (folded.state.legal_commands(), Vec::new()),
    }
}

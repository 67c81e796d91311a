//! Submitting a command, and taking one back: load, check, decide, append.

use std::sync::Arc;

use journal::{
    Bytes32, End, Folded, Next, PlatformEvent, Record, Status, Tag, Visibility, raw, rules,
};
use kernel::{Decided, Refusal, Seat, Seen, Viewer, Words};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::clock::now_after;
use crate::engine::Engine;
use crate::error::Error;
use crate::history::events_of;
use crate::live::{Head, Slot};
use crate::look::legal_of;

/// A command on its way.
#[derive(Clone, Copy, Debug)]
pub struct Submission<'a> {
    /// The command, as the client sent it.
    pub command: &'a RawValue,
    /// The version that the client has seen.
    pub expected: Option<u64>,
    /// An idempotency key with a hash of the request's body.
    pub key: Option<(&'a str, Bytes32)>,
}

/// A commit of a seat that is on disk, and the match after it.
pub struct Done {
    pub(crate) seat: Seat,
    pub(crate) folded: Folded,
    pub(crate) record: Arc<Record>,
}

/// What is told of a commit beside the view after it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Telling {
    /// Its events.
    pub events: bool,
    /// The legal commands after it.
    pub legal_commands: bool,
    /// For each of these the places in the picture that it names.
    pub spots: bool,
    /// Each of these in words.
    pub labels: bool,
    /// What became of the pieces.
    pub moves: bool,
}

/// A commit was stored.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Accepted {
    /// The version after the commit.
    pub version: u64,
    /// The number of the commit.
    pub commit: u64,
    /// The seat to act after the commit; null when the match is finished.
    pub active_seat: Option<Seat>,
    /// The view of the seat after the commit.
    #[schema(value_type = crate::by_game::View)]
    pub view: Box<RawValue>,
    /// With `include=events`: the events of the commit, as the seat sees them.
    #[schema(value_type = Option<Vec<crate::by_game::EventView>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<Vec<Box<RawValue>>>,
    /// With `include=legal_commands`: the legal commands of the seat after the commit; empty if the seat is not to act.
    #[schema(value_type = Option<Vec<crate::by_game::Command>>)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub legal_commands: Option<Box<RawValue>>,
    /// With `include=spots`: as in the list of legal commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spots: Option<Vec<Vec<String>>>,
    /// With `include=labels`: as in the list of legal commands.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<Vec<String>>,
    /// With `include=moves`: the moves of the pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<kernel::Moved>>,
}

impl Engine {
    /// Submits a command of `caller`; resolves when its commit is on disk.
    ///
    /// # Errors
    /// In this order: who asks, an idempotency key used otherwise, the expected version, the state of the match, whose turn it is, the
    /// rules of the game, the store.
    pub async fn submit(
        &self,
        slot: &Slot,
        caller: Caller,
        submission: Submission<'_>,
    ) -> Result<Done, Error> {
        let seat = seat_of(caller)?;
        let _gate = slot.gate.lock().await;
        loop {
            if let Some(done) = self.submit_once(slot, seat, submission).await? {
                return Ok(done);
            }
        }
    }

    /// The same; nothing if another server has committed to the match meanwhile: then it is to be decided again.
    async fn submit_once(
        &self,
        slot: &Slot,
        seat: Seat,
        submission: Submission<'_>,
    ) -> Result<Option<Done>, Error> {
        let Submission { command, expected, key } = submission;
        // Taken before the keys are asked: what another server commits in between is a conflict, not a refusal.
        let head = slot.head();
        let tag = key.map(|(key, body)| Tag::new(seat, key, body));
        if let (Some(key), Some(tag)) = (key, tag)
            && let Some(before) = self.accepted_before(slot, seat, key, tag).await?
        {
            return Ok(Some(before));
        }
        check(slot, &head, seat, expected)?;
        let current = head.folded.version;
        let number = head.folded.commit + 1;
        let mut chance = head.folded.table.chance(slot.seed(), number);
        let deciding = || head.folded.state.decide(command, &mut chance);
        let decided = tracing::info_span!(target: "otel", "decide").in_scope(deciding);
        let decided = decided.map_err(|refusal| {
            // What is refused in a private match tells of its hands; a sandbox counts in no statistic.
            let table = &head.folded.table;
            if table.opened.visibility == Visibility::Public && !table.is_sandbox() {
                self.refusals.count(slot.game.info().id, refusal.rule);
            }
            let refusal = refusal.within("/command");
            Error::IllegalCommand { refusal, current: Some(current), step: None }
        })?;
        let Decided { state, command, events, certain: _ } = decided;
        let after = head.folded.next(state.into(), events.len() as u64);
        let recorded_at = now_after(&head.updated_at);
        let command = Some(command);
        let next = Next { seat: Some(seat), command, events, recorded_at, after, tag };
        let head = self.append(slot, &head, next).await?;
        Ok(head.map(|head| Done::of(&head, seat)))
    }

    /// Takes back the latest command of `caller` (M-80 to M-84).
    ///
    /// # Errors
    /// The first of M-80 to M-83 that is broken.
    pub async fn take_back(
        &self,
        slot: &Slot,
        caller: Caller,
        expected: Option<u64>,
    ) -> Result<Done, Error> {
        let seat = seat_of(caller)?;
        let _gate = slot.gate.lock().await;
        loop {
            if let Some(done) = self.take_back_once(slot, seat, expected).await? {
                return Ok(done);
            }
        }
    }

    async fn take_back_once(
        &self,
        slot: &Slot,
        seat: Seat,
        expected: Option<u64>,
    ) -> Result<Option<Done>, Error> {
        let head = slot.head();
        check_version(&head, expected)?;
        let to_version = check_take_back(slot, &head, seat)?;
        let mut after = head.folded.clone();
        after.undo(to_version)?;
        let event = raw(&PlatformEvent::CommandTakenBack { seat, to_version });
        let events = vec![Seen { full: event, public: None }];
        let recorded_at = now_after(&head.updated_at);
        let (command, tag) = (None, None);
        let next = Next { seat: Some(seat), command, events, recorded_at, after, tag };
        let head = self.append(slot, &head, next).await?;
        Ok(head.map(|head| Done::of(&head, seat)))
    }
}

impl Done {
    fn of(head: &Head, seat: Seat) -> Self {
        Done { seat, folded: head.folded.clone(), record: Arc::clone(&head.record) }
    }

    /// What its seat is told of it. Of the same commit that is always the same.
    ///
    /// # Errors
    /// If the commit is damaged.
    pub fn told(
        &self,
        slot: &Slot,
        telling: Telling,
        words: Option<&Words>,
    ) -> Result<Accepted, Error> {
        let Done { seat, folded, record } = self;
        let Telling { events, legal_commands, spots, labels, moves: _ } = telling;
        let viewer = Viewer::Seat(*seat);
        let entries = events.then(|| events_of(slot, record, Some(viewer))).transpose()?;
        let legal = legal_commands.then(|| legal_of(folded, Some(*seat), words));
        let (legal_commands, choices) = legal.unzip();
        let choices = choices.unwrap_or_default().into_iter();
        let (places, told) = choices.map(|choice| (choice.spots, choice.label)).unzip();
        Ok(Accepted {
            version: folded.version,
            commit: folded.commit,
            active_seat: folded.state.active_seat(),
            view: folded.view(viewer),
            events: entries.map(|all| all.into_iter().map(|entry| entry.event).collect()),
            legal_commands,
            spots: spots.then_some(places),
            labels: labels.then_some(told),
            moves: None,
        })
    }
}

/// The seat that the caller may act for.
///
/// # Errors
/// If it has no token, or the owner's.
pub fn seat_of(caller: Caller) -> Result<Seat, Error> {
    match caller {
        Caller::Seat(seat) => Ok(seat),
        Caller::Stranger => Err(Error::TokenRequired("acting needs the token of a seat")),
        Caller::Owner => Err(Error::NotYours("the owner token may only close the match")),
    }
}

fn check_version(head: &Head, expected: Option<u64>) -> Result<(), Error> {
    let current = head.folded.version;
    match expected {
        Some(expected) if expected != current => Err(Error::VersionConflict { expected, current }),
        Some(_) | None => Ok(()),
    }
}

pub(crate) fn check(
    slot: &Slot,
    head: &Head,
    seat: Seat,
    expected: Option<u64>,
) -> Result<(), Error> {
    check_version(head, expected)?;
    let current = head.folded.version;
    let forms = &slot.game.info().forms;
    match head.folded.status() {
        Status::Open => return Err(Error::MatchNotStarted { current }),
        Status::Abandoned => return Err(Error::over(End::Closed, current, None)),
        Status::Finished => return Err(Error::over(End::Finished, current, Some(forms.finished))),
        Status::Running => {}
    }
    match head.folded.state.active_seat() {
        Some(active) if active != seat => {
            Err(Error::NotActiveSeat { active, current, rule: forms.not_active })
        }
        Some(_) | None => Ok(()),
    }
}

/// M-80 to M-83, in this order; returns the version to go back to.
fn check_take_back(slot: &Slot, head: &Head, seat: Seat) -> Result<u64, Error> {
    let current = head.folded.version;
    let refuse = |refusal| Error::IllegalCommand { refusal, current: Some(current), step: None };
    if !head.folded.take_back() {
        let reason = "this match was opened without the option to take back";
        return Err(refuse(Refusal::new(rules::TAKE_BACK_ALLOWED, reason)));
    }
    if let Some(end) = head.folded.end() {
        return Err(Error::over(end, current, Some(rules::RESULT_IS_FINAL)));
    }
    let body = head.record.body()?;
    if let Some(refusal) = rules::take_back_refused(slot.game, &body, seat)? {
        return Err(refuse(refusal));
    }
    head.folded
        .version_before()
        .ok_or_else(|| kernel::StreamError("nothing was kept to go back to".to_owned()).into())
}

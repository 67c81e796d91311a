//! A match at one version: the events so far, folded.

use std::sync::Arc;

use kernel::{AnyGame, AnyMatch, Chance, Replayed, Seat, StreamError, Viewer};
use serde_json::value::RawValue;

use crate::header::Status;
use crate::platform::PlatformEvent;
use crate::record::{Body, End};
use crate::table::Table;

/// A match after some of its events. Cloning shares the state; applying an event copies it first where it is shared.
#[derive(Clone)]
pub struct Folded {
    /// The game's own state.
    pub state: Arc<dyn AnyMatch>,
    /// How many events there were.
    pub version: u64,
    /// How many commits there were.
    pub commit: u64,
    /// Who sits there, and how the match is played.
    pub table: Arc<Table>,
    /// The version and state before the latest commit: what a take-back returns to. Kept only where take-back is on.
    before: Option<(u64, Arc<dyn AnyMatch>)>,
}

impl Folded {
    /// The match after the first `most` events of the next commit: `folded` is the match before it, `None` before commit 1. The one way from
    /// stored commits to a match.
    ///
    /// # Errors
    /// If the events do not follow on one another, or none of `games` is played.
    pub fn advance(
        folded: Option<Self>,
        games: &[&dyn AnyGame],
        body: &Body<'_>,
        most: usize,
    ) -> Result<Self, StreamError> {
        if let Some(mut folded) = folded {
            folded.commit(body, most)?;
            return Ok(folded);
        }
        let table = Table::open(body)?;
        let game = table.game(games)?;
        let edition = table.edition(game)?;
        let (first, rest) = body.events.split_first().expect("one of them opens the table");
        let state = match PlatformEvent::read(first) {
            Some(PlatformEvent::PositionLoaded { position }) => {
                game.restore(&position, Some(edition))?
            }
            Some(_) => return Err(StreamError("no match begins with this event".to_owned())),
            None => game.start(first, edition)?,
        };
        let mut folded = Self::new(state.into(), table, 1);
        rest.iter().take(most.saturating_sub(1)).try_for_each(|event| folded.apply(event))?;
        Ok(folded)
    }

    /// The match in commit 1, at `version`.
    #[must_use]
    pub fn new(state: Arc<dyn AnyMatch>, table: Table, version: u64) -> Self {
        Folded { state, version, commit: 1, table: Arc::new(table), before: None }
    }

    /// The match after one more commit that was decided on it.
    pub fn next(&self, state: Arc<dyn AnyMatch>, events: u64) -> Self {
        let mut next = self.clone();
        next.enter();
        next.acted(self.state.active_seat());
        next.state = state;
        next.version += events;
        next
    }

    /// The match after an event of the platform, which is a commit of its own.
    ///
    /// # Errors
    /// If the event does not belong there: a seat is not free, the match is closed already, a reply is not due.
    pub fn after(&self, event: &PlatformEvent) -> Result<Self, StreamError> {
        let mut next = self.clone();
        next.enter();
        next.apply_platform(event)?;
        Ok(next)
    }

    /// What `viewer` may see of it, with the version: the view that the game makes has one field more.
    #[must_use]
    pub fn view(&self, viewer: Viewer) -> Box<RawValue> {
        self.state.view_at(viewer, self.version)
    }

    /// How much memory it takes, in bytes, and rather more.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let positions = 1 + usize::from(self.before.is_some());
        let sandbox = self.table.opened.sandbox.as_ref().map_or(0, |sandbox| sandbox.bytes());
        positions * self.state.bytes() + sandbox
    }

    /// Is the match finished: is nobody to act?
    #[must_use]
    pub fn finished(&self) -> bool {
        self.state.active_seat().is_none()
    }

    /// How the match has ended, if it has.
    #[must_use]
    pub fn end(&self) -> Option<End> {
        let closed = self.table.closed.map(|_| End::Closed);
        self.finished().then_some(End::Finished).or(closed)
    }

    /// Where the match is in its life.
    #[must_use]
    pub fn status(&self) -> Status {
        self.table.status(self.end())
    }

    /// Can commands be taken back in this match (M-80)?
    #[must_use]
    pub fn take_back(&self) -> bool {
        self.table.opened.take_back || self.state.allows_take_back()
    }

    /// The version that a take-back would return to.
    pub fn version_before(&self) -> Option<u64> {
        self.before.as_ref().map(|(version, _)| *version)
    }

    /// May this commit follow? None follows the closing, and no command stands before all seats are taken.
    ///
    /// # Errors
    /// If it may not.
    pub fn may_follow(&self, body: &Body<'_>) -> Result<(), StreamError> {
        if self.table.closed.is_some() {
            return Err(StreamError("the match was closed before it".to_owned()));
        }
        if body.command.is_some() && self.table.free() > 0 {
            return Err(StreamError("a command before all seats are taken".to_owned()));
        }
        Ok(())
    }

    /// Begins the next commit, which is this one; its events follow by [`apply`](Folded::apply).
    ///
    /// # Errors
    /// If it may not follow.
    pub fn enter_of(&mut self, body: &Body<'_>) -> Result<(), StreamError> {
        self.may_follow(body)?;
        self.enter();
        if body.command.is_some() {
            self.acted(body.seat);
        }
        Ok(())
    }

    /// Begins the next commit, of which only the position is of interest.
    pub fn enter(&mut self) {
        self.commit += 1;
        // A take-back needs what stands here: it is applied before it is replaced.
        self.before = self.take_back().then(|| (self.version, Arc::clone(&self.state)));
    }

    /// The commit that was entered is a command of this seat.
    fn acted(&mut self, seat: Option<Seat>) {
        if let Some(seat) = seat.filter(|seat| self.table.reply_in(self.commit, *seat).is_some()) {
            self.table_mut().reply(seat);
        }
    }

    /// Applies one event of the commit that was entered.
    ///
    /// # Errors
    /// If the event does not belong there.
    pub fn apply(&mut self, event: &RawValue) -> Result<(), StreamError> {
        match PlatformEvent::read(event) {
            Some(event) => self.apply_platform(&event),
            None => self.apply_own(event),
        }
    }

    fn apply_platform(&mut self, event: &PlatformEvent) -> Result<(), StreamError> {
        match (self.commit, event) {
            // Read before, with the first event of the commit.
            (1, PlatformEvent::TableOpened(_)) => {}
            (2.., PlatformEvent::SeatTaken(taken)) => self.table_mut().take(taken)?,
            (2.., PlatformEvent::MatchClosed(closed)) => self.table_mut().close(*closed)?,
            (2.., PlatformEvent::ReplyRefused(refused)) => self.table_mut().refuse(refused)?,
            (_, _) => {
                let what = "an event of the platform stands where none may";
                return Err(StreamError(what.to_owned()));
            }
        }
        self.version += 1;
        Ok(())
    }

    fn table_mut(&mut self) -> &mut Table {
        Arc::make_mut(&mut self.table)
    }

    /// The same, of a commit whose events are all of the game if it has a command.
    ///
    /// # Errors
    /// If the event does not belong there.
    pub fn apply_of(&mut self, body: &Body<'_>, event: &RawValue) -> Result<(), StreamError> {
        if body.command.is_some() { self.apply_own(event) } else { self.apply(event) }
    }

    /// Takes the latest commit back, as a commit of its own.
    ///
    /// # Errors
    /// If there is nothing to take back, or it would return to another version.
    pub fn undo(&mut self, to_version: u64) -> Result<(), StreamError> {
        let before = self.before.take().filter(|_| self.table.closed.is_none());
        let (version, state) =
            before.ok_or_else(|| StreamError("there is nothing to take back".to_owned()))?;
        if version != to_version {
            return Err(StreamError(format!(
                "a take-back to version {to_version} stands where {version} is due"
            )));
        }
        self.state = state;
        self.version += 1;
        self.commit += 1;
        Ok(())
    }

    /// Applies all events of the next commit, or the first `most` of them.
    fn commit(&mut self, body: &Body<'_>, most: usize) -> Result<(), StreamError> {
        if let ([event], None) = (body.events.as_slice(), body.command)
            && let Some(PlatformEvent::CommandTakenBack { seat: _, to_version }) =
                PlatformEvent::read(event)
        {
            return self.undo(to_version);
        }
        self.enter_of(body)?;
        body.events.iter().take(most).try_for_each(|event| self.apply_of(body, event))
    }

    /// Decides the next commit again, which [may follow](Folded::may_follow): `events` must be those that `command` leads to. Returns what
    /// they award.
    pub fn replay(
        &mut self,
        command: &RawValue,
        events: &[&RawValue],
        chance: &mut dyn Chance,
    ) -> Result<Replayed, StreamError> {
        self.enter();
        self.acted(self.state.active_seat());
        let replayed = self.state_mut().replay(command, events, chance)?;
        self.version += events.len() as u64;
        Ok(replayed)
    }

    /// Applies an event of the game. One that the game does not know may be of a later program, which is named.
    ///
    /// # Errors
    /// If the event does not belong there.
    pub fn apply_own(&mut self, event: &RawValue) -> Result<(), StreamError> {
        self.state_mut().apply(event).map_err(|StreamError(error)| {
            StreamError(format!("{error}; the match was opened by {}", self.table.opened.engine))
        })?;
        self.version += 1;
        Ok(())
    }

    fn state_mut(&mut self) -> &mut dyn AnyMatch {
        if Arc::get_mut(&mut self.state).is_none() {
            self.state = self.state.boxed_clone().into();
        }
        Arc::get_mut(&mut self.state).expect("a state that was just copied has one owner")
    }
}

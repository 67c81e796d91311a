//! What rows of a commit have in common: its columns, and the types of its command and its events.

use archive::{FinishedCommit, FinishedMatch};

use crate::batch::Misfit;
use crate::key::{Key, int, millis};
use crate::members::Members;
use crate::row::{Defined, Get, Row, defined};

/// A commit, ready for rows.
pub(crate) struct Commit<'m> {
    pub(crate) key: &'m Key,
    pub(crate) number: i64,
    pub(crate) seat: Option<i64>,
    pub(crate) stored: &'m FinishedCommit,
    pub(crate) recorded_at: i64,
    /// The turn in which it was made, and the round: the setup is in the first ones, a take-back in those that it returns to.
    pub(crate) turn: i64,
    pub(crate) round: i64,
    /// Milliseconds since the commit before.
    pub(crate) after: i64,
}

impl<'m> Commit<'m> {
    /// The commits of a match in order.
    pub(crate) fn all(m: &'m FinishedMatch, key: &'m Key) -> Result<Vec<Self>, Misfit> {
        let mut rows: Vec<Commit<'_>> = Vec::with_capacity(m.commits.len());
        for (number, stored) in (1..).zip(&m.commits) {
            let recorded_at = millis(&stored.recorded_at)?;
            let before = rows.last().map_or(recorded_at, |row| row.recorded_at);
            let seat = stored.seat.map(|seat| i64::from(seat.0));
            let after = recorded_at - before;
            // A command belongs to the turn before it, and a take-back to the one that it returns to. No other commit begins a turn.
            let last = rows.last().filter(|_| stored.command().is_some());
            let state = last.map_or(&stored.after, |row| &row.stored.after);
            let (turn, round) = (int(state.turn), int(state.round));
            rows.push(Commit { key, number, seat, stored, recorded_at, turn, round, after });
        }
        Ok(rows)
    }
}

/// A row of something that happened in a commit.
pub(crate) trait InCommit: Row {
    /// The commit.
    fn commit(&self) -> &Commit<'_>;
}

pub(crate) fn commit_no<R: InCommit>() -> Defined<R> {
    defined(
        "commit_no",
        Get::Int(|row: &R| row.commit().number),
        "The number of the commit; commit 1 is the setup",
    )
}

pub(crate) const ACTING_SEAT: &str = "acting_seat";

/// What `acting_seat` says.
pub(crate) const ACTED: &str = "The seat that acted; no value for the setup";

pub(crate) const VERSION_AFTER: &str = "The version of the match after it";

pub(crate) fn acting_seat<R: InCommit>() -> Defined<R> {
    let about = ACTED;
    defined(ACTING_SEAT, Get::IntOrNone(|row: &R| row.commit().seat), about)
}

pub(crate) const RECORDED_AT: &str = "recorded_at";

pub(crate) fn recorded_at<R: InCommit>() -> Defined<R> {
    let get = Get::Time(|row: &R| row.commit().recorded_at);
    defined(RECORDED_AT, get, "When the commit was recorded")
}

/// The turn and the round in which the commit was made.
pub(crate) fn turn<R: InCommit>() -> [Defined<R>; 2] {
    let turn = "The turn in which it happened, from 1; the setup is in the first";
    let round = "The round in which it happened, from 1: it ends when the turn comes to the seat that began, or past it";
    [
        defined("turn", Get::Int(|row: &R| row.commit().turn), turn),
        defined("round", Get::Int(|row: &R| row.commit().round), round),
    ]
}

pub(crate) fn taken_back<R: InCommit>() -> Defined<R> {
    let get = Get::Bool(|row: &R| row.commit().stored.taken_back);
    let about =
        "Whether the commit was taken back later. Leave such rows out to count only what is valid";
    defined("taken_back", get, about)
}

/// An event: the row of `events`, and the front of the rows in the table of its type.
pub(crate) struct Event<'m> {
    pub(crate) commit: &'m Commit<'m>,
    pub(crate) version: i64,
    pub(crate) kind: &'m str,
    pub(crate) json: &'m str,
}

/// The type of a command or an event with these members.
pub(crate) fn kind<'a>(
    mut members: impl Iterator<Item = (&'a str, &'a str)>,
) -> Result<&'a str, Misfit> {
    members
        .find(|(name, _)| *name == "type")
        .and_then(|(_, kind)| kind.strip_prefix('"')?.strip_suffix('"'))
        .ok_or_else(|| "an event or a command without a type".to_owned())
}

/// The type of a command.
pub(crate) fn kind_of(json: &str) -> Result<&str, Misfit> {
    kind(Members::of(json))
}

/// Was it a command that stands?
pub(crate) fn counts(commit: &&FinishedCommit) -> bool {
    commit.command().is_some() && !commit.taken_back
}

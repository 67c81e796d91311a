//! The tables that are the same for every game, and how a match becomes their rows.

mod awards;
mod commands;
mod commits;
mod draws;
mod events;
mod matches;
mod seats;

use archive::{FinishedCommit, FinishedMatch};
use chrono::DateTime;

use crate::batch::{Batch, Misfit};
use crate::column::{Column, Table};
use crate::members::Members;
use crate::row::{Defined, Get, Row, defined};
use awards::AwardRow;
use commands::CommandRow;
use commits::CommitRow;
use draws::DrawRow;
use events::EventRow;
use matches::MatchRow;
use seats::SeatRow;

/// How many there are.
pub(crate) const COUNT: usize = 7;

/// The tables; each stands at its [`Row::AT`].
pub(crate) fn tables() -> [Table; COUNT] {
    [
        MatchRow::table(),
        SeatRow::table(),
        CommitRow::table(),
        EventRow::table(),
        CommandRow::table(),
        DrawRow::table(),
        AwardRow::table(),
    ]
}

/// What is the same in all rows of a match.
pub(crate) struct Key {
    pub(crate) number: i64,
    pub(crate) id: String,
}

impl Key {
    pub(crate) fn of(m: &FinishedMatch) -> Self {
        Key { number: int(m.finish.position), id: m.finish.r#match.to_string() }
    }
}

/// A commit, ready for rows.
pub(crate) struct Commit<'m> {
    pub(crate) key: &'m Key,
    pub(crate) number: i64,
    pub(crate) seat: Option<i64>,
    pub(crate) stored: &'m FinishedCommit,
    recorded_at: i64,
    /// Milliseconds since the commit before.
    after: i64,
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
            rows.push(Commit { key, number, seat, stored, recorded_at, after });
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
    defined("commit_no", Get::Int(|row: &R| row.commit().number), "The commit, from 1: the setup")
}

fn seat<R: InCommit>() -> Defined<R> {
    let about = "The seat that acted; no value for the setup";
    defined("seat", Get::IntOrNone(|row: &R| row.commit().seat), about)
}

fn recorded_at<R: InCommit>() -> Defined<R> {
    let get = Get::Time(|row: &R| row.commit().recorded_at);
    defined("recorded_at", get, "When the commit was recorded")
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

/// The columns in front of an event's own, in the table of its type.
pub(crate) fn front() -> Vec<Column> {
    EventRow::front().iter().map(Defined::column).collect()
}

/// The columns of the rows of one match, made once for all of them.
pub(crate) struct Rows<'m> {
    key: &'m Key,
    commits: Vec<Defined<CommitRow<'m>>>,
    events: Vec<Defined<EventRow<'m>>>,
    front: Vec<Defined<EventRow<'m>>>,
    commands: Vec<Defined<CommandRow<'m>>>,
    draws: Vec<Defined<DrawRow<'m>>>,
    awards: Vec<Defined<AwardRow<'m>>>,
}

impl<'m> Rows<'m> {
    pub(crate) fn new(key: &'m Key) -> Self {
        Rows {
            key,
            commits: CommitRow::all_columns(),
            events: EventRow::all_columns(),
            front: EventRow::front(),
            commands: CommandRow::all_columns(),
            draws: DrawRow::all_columns(),
            awards: AwardRow::all_columns(),
        }
    }

    /// The rows of the match itself and of its seats.
    pub(crate) fn of_match(&self, m: &FinishedMatch, batches: &mut [Batch]) -> Result<(), Misfit> {
        let places = seats::places(&m.standing)?;
        let row = MatchRow::of(m, self.key, &places)?;
        batches[MatchRow::AT].push_row(&MatchRow::all_columns(), &row)?;
        let columns = SeatRow::all_columns();
        for row in SeatRow::all(m, self.key, &places)? {
            batches[SeatRow::AT].push_row(&columns, &row)?;
        }
        Ok(())
    }

    /// The rows of a commit, but for its events.
    pub(crate) fn of_commit(
        &self,
        commit: &'m Commit<'m>,
        batches: &mut [Batch],
    ) -> Result<(), Misfit> {
        batches[CommitRow::AT].push_row(&self.commits, &CommitRow::of(commit))?;
        if let Some(command) = commit.stored.command() {
            let row = CommandRow::of(commit, command)?;
            batches[CommandRow::AT].push_row(&self.commands, &row)?;
        }
        for row in DrawRow::all(commit) {
            batches[DrawRow::AT].push_row(&self.draws, &row)?;
        }
        AwardRow::all(commit).try_for_each(|row| batches[AwardRow::AT].push_row(&self.awards, &row))
    }

    /// The row of an event in `events`.
    pub(crate) fn of_event(&self, event: Event<'m>, batches: &mut [Batch]) -> Result<(), Misfit> {
        batches[EventRow::AT].push_row(&self.events, &EventRow(event))
    }

    /// Puts the front of the row of an event in the table of its type.
    pub(crate) fn put_front(&self, event: Event<'m>, batch: &mut Batch) -> Result<(), Misfit> {
        let row = EventRow(event);
        let cells = self.front.iter().map(|column| column.cell(&row));
        cells.enumerate().try_for_each(|(at, cell)| batch.set(at, cell))
    }
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
fn kind_of(json: &str) -> Result<&str, Misfit> {
    kind(Members::of(json))
}

fn millis(time: &str) -> Result<i64, Misfit> {
    DateTime::parse_from_rfc3339(time)
        .map(|time| time.timestamp_millis())
        .map_err(|error| format!("the time {time}: {error}"))
}

/// What counts something is far below 2^63.
pub(crate) fn int(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Was it a command that stands?
fn counts(commit: &&FinishedCommit) -> bool {
    commit.command().is_some() && !commit.taken_back
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_table_stands_at_its_place() {
        let places = [
            (MatchRow::NAME, MatchRow::AT),
            (SeatRow::NAME, SeatRow::AT),
            (CommitRow::NAME, CommitRow::AT),
            (EventRow::NAME, EventRow::AT),
            (CommandRow::NAME, CommandRow::AT),
            (DrawRow::NAME, DrawRow::AT),
            (AwardRow::NAME, AwardRow::AT),
        ];
        let tables = tables();
        assert_eq!(tables.len(), places.len());
        for (name, at) in places {
            assert_eq!(tables[at].name, name);
        }
    }
}

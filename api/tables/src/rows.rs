//! The tables that are the same for every game, and how a match becomes their rows.

mod awards;
mod commands;
mod commits;
mod draws;
mod events;
mod matches;
mod seats;
mod states;

use archive::FinishedMatch;

use crate::batch::{Batch, Misfit};
use crate::column::{Column, Table};
use crate::in_commit::{Commit, Event};
use crate::key::Key;
use crate::row::{Defined, Row};
use awards::AwardRow;
use commands::CommandRow;
use commits::CommitRow;
use draws::DrawRow;
use events::EventRow;
use matches::MatchRow;
use seats::SeatRow;
use states::StateRow;

/// How many there are.
pub(crate) const COUNT: usize = 8;

/// The tables, with the columns of hashes or without; each stands at its [`Row::AT`].
pub(crate) fn tables(hashes: bool) -> [Table; COUNT] {
    [
        MatchRow::table(hashes),
        SeatRow::table(hashes),
        CommitRow::table(hashes),
        EventRow::table(hashes),
        CommandRow::table(hashes),
        DrawRow::table(hashes),
        AwardRow::table(hashes),
        StateRow::table(hashes),
    ]
}

/// The columns in front of an event's own, in the table of its type.
pub(crate) fn front() -> Vec<Column> {
    EventRow::front().iter().map(Defined::column).collect()
}

/// The columns of the rows of one match, made once for all of them.
pub(crate) struct Rows<'m> {
    key: &'m Key,
    hashes: bool,
    commits: Vec<Defined<CommitRow<'m>>>,
    events: Vec<Defined<EventRow<'m>>>,
    front: Vec<Defined<EventRow<'m>>>,
    commands: Vec<Defined<CommandRow<'m>>>,
    draws: Vec<Defined<DrawRow<'m>>>,
    awards: Vec<Defined<AwardRow<'m>>>,
    states: Vec<Defined<StateRow<'m>>>,
}

impl<'m> Rows<'m> {
    pub(crate) fn new(key: &'m Key, hashes: bool) -> Self {
        Rows {
            key,
            hashes,
            commits: CommitRow::all_columns(hashes),
            events: EventRow::all_columns(hashes),
            front: EventRow::front(),
            commands: CommandRow::all_columns(hashes),
            draws: DrawRow::all_columns(hashes),
            awards: AwardRow::all_columns(hashes),
            states: StateRow::all_columns(hashes),
        }
    }

    /// The rows of the match itself and of its seats.
    pub(crate) fn of_match(&self, m: &FinishedMatch, batches: &mut [Batch]) -> Result<(), Misfit> {
        let places = seats::places(&m.standing)?;
        let row = MatchRow::of(m, self.key, &places)?;
        batches[MatchRow::AT].push_row(&MatchRow::all_columns(self.hashes), &row)?;
        let columns = SeatRow::all_columns(self.hashes);
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
        batches[CommitRow::AT].push_row(&self.commits, &CommitRow::of(commit, self.hashes))?;
        batches[StateRow::AT].push_row(&self.states, &StateRow::of(commit))?;
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
            (StateRow::NAME, StateRow::AT),
        ];
        let tables = tables(true);
        assert_eq!(tables.len(), places.len());
        for (name, at) in places {
            assert_eq!(tables[at].name, name);
        }
    }
}

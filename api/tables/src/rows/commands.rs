//! The table `commands`.

use crate::batch::Misfit;
use crate::in_commit::{
    ACTED, ACTING_SEAT, Commit, InCommit, commit_no, kind_of, recorded_at, taken_back, turn,
};
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// An accepted command.
pub(super) struct CommandRow<'m> {
    commit: &'m Commit<'m>,
    seat: i64,
    kind: &'m str,
    json: &'m str,
}

impl<'m> CommandRow<'m> {
    pub(super) fn of(commit: &'m Commit<'m>, json: &'m str) -> Result<Self, Misfit> {
        Ok(CommandRow {
            commit,
            seat: commit.seat.ok_or("a command of no seat")?,
            kind: kind_of(json)?,
            json,
        })
    }
}

impl InCommit for CommandRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.commit
    }
}

impl Row for CommandRow<'_> {
    const NAME: &'static str = "commands";
    const ABOUT: &'static str = "An accepted command.";
    const AT: usize = 4;

    fn key(&self) -> &Key {
        self.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Int, IntOrNone, Json, Text};
        let before: Vec<Defined<Self>> = vec![
            commit_no(),
            defined(ACTING_SEAT, Int(|row| row.seat), ACTED),
            defined("command_type", Text(|row| row.kind), "The type of the command"),
            defined(
                "legal_before",
                IntOrNone(|row| row.commit.stored.legal.map(int)),
                "The number of commands that were legal before it; no value if `otherwise` of the commit has one",
            ),
            recorded_at(),
        ];
        let after: Vec<Defined<Self>> = vec![
            defined(
                "after_ms",
                Int(|row| row.commit.after),
                "Milliseconds since the previous commit",
            ),
            taken_back(),
            defined("command", Json(|row| row.json), "The whole command"),
        ];
        before.into_iter().chain(turn()).chain(after).collect()
    }
}

//! The table `draws`.

use archive::Drawn;

use crate::in_commit::{Commit, InCommit, acting_seat, commit_no, taken_back, turn};
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// An outcome of chance.
pub(super) struct DrawRow<'m> {
    commit: &'m Commit<'m>,
    number: i64,
    drawn: &'m Drawn,
    outcome: String,
}

impl<'m> DrawRow<'m> {
    /// The draws of a commit in order.
    pub(super) fn all(commit: &'m Commit<'m>) -> impl Iterator<Item = Self> {
        (1..).zip(&commit.stored.draws).map(|(number, drawn)| {
            let outcome = match drawn.outcome.as_str() {
                Some(text) => text.to_owned(),
                None => drawn.outcome.to_string(),
            };
            DrawRow { commit, number, drawn, outcome }
        })
    }
}

impl InCommit for DrawRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.commit
    }
}

impl Row for DrawRow<'_> {
    const NAME: &'static str = "draws";
    const ABOUT: &'static str = "An outcome of chance.";
    const AT: usize = 5;

    fn key(&self) -> &Key {
        self.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Bool, Int, Text};
        let own: Vec<Defined<Self>> = vec![
            commit_no(),
            defined(
                "draw_no",
                Int(|row| row.number),
                "The number of the draw within the commit, from 1",
            ),
            acting_seat(),
            defined(
                "draw_kind",
                Text(|row| row.drawn.kind),
                "The specification's name of the draw",
            ),
            defined(
                "candidates",
                Int(|row| int(row.drawn.candidates)),
                "The number of candidates, each equally likely; with 1 the outcome is certain",
            ),
            defined(
                "drawn_index",
                Int(|row| int(row.drawn.index)),
                "The index of the candidate that was drawn, from 0",
            ),
            defined(
                "outcome",
                Text(|row| &row.outcome),
                "The candidate that was drawn: a text as it is, anything else as JSON",
            ),
            defined(
                "forced",
                Bool(|row| row.drawn.forced),
                "Whether the outcome was forced, in a sandbox, and does not follow from the seed",
            ),
            taken_back(),
        ];
        own.into_iter().chain(turn()).collect()
    }
}

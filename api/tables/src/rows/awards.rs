//! The table `awards`.

use kernel::Award;

use super::seats::SEAT;
use crate::in_commit::{Commit, InCommit, VERSION_AFTER, commit_no, taken_back, turn};
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// Points that an event gave a seat, or took from it.
pub(super) struct AwardRow<'m> {
    commit: &'m Commit<'m>,
    version: i64,
    number: i64,
    award: &'m Award,
}

impl<'m> AwardRow<'m> {
    /// The awards of a commit in order.
    pub(super) fn all(commit: &'m Commit<'m>) -> impl Iterator<Item = Self> {
        let first = commit.stored.first_version;
        let (mut event, mut number) = (None, 0);
        commit.stored.awards.iter().map(move |(at, award)| {
            number = if event == Some(at) { number + 1 } else { 1 };
            event = Some(at);
            AwardRow { commit, version: int(first + *at as u64), number, award }
        })
    }
}

impl InCommit for AwardRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.commit
    }
}

impl Row for AwardRow<'_> {
    const NAME: &'static str = "awards";
    const ABOUT: &'static str =
        "Points that an event gave a seat, or took from it, with the reason.";
    const AT: usize = 6;

    fn key(&self) -> &Key {
        self.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Int, Json, Text};
        let before: Vec<Defined<Self>> =
            vec![defined("version", Int(|row| row.version), VERSION_AFTER), commit_no()];
        let after: Vec<Defined<Self>> = vec![
            defined(
                "award_no",
                Int(|row| row.number),
                "The number of the award within the event, from 1",
            ),
            defined("seat", Int(|row| i64::from(row.award.seat.0)), SEAT),
            defined(
                "points",
                Int(|row| row.award.points),
                "The number of points; negative if they were taken",
            ),
            defined(
                "reason",
                Text(|row| row.award.reason),
                "What the points are for, as a word of the game",
            ),
            defined("rule", Text(|row| row.award.rule.0), "The rule that gives the points"),
            defined(
                "arithmetic",
                Text(|row| &row.award.arithmetic),
                "How the points follow from the pieces",
            ),
            defined("pieces", Json(|row| row.award.pieces.get()), "What was counted"),
            taken_back(),
        ];
        before.into_iter().chain(turn()).chain(after).collect()
    }
}

//! The table `matches`.

use archive::FinishedMatch;
use journal::Visibility;

use crate::batch::Misfit;
use crate::in_commit::counts;
use crate::key::{Key, int, millis};
use crate::row::{Defined, Get, Row, defined};

use super::seats::{COMMANDS, Place};

/// A finished match.
pub(super) struct MatchRow<'m> {
    key: &'m Key,
    m: &'m FinishedMatch,
    winners: String,
    commands: usize,
    otherwise: usize,
    created_at: i64,
    finished_at: i64,
    branched_from: Option<String>,
    seed: String,
    hash: String,
}

impl<'m> MatchRow<'m> {
    pub(super) fn of(
        m: &'m FinishedMatch,
        key: &'m Key,
        places: &[Place<'_>],
    ) -> Result<Self, Misfit> {
        let first = places.iter().filter(|place| place.rank == 1);
        let mut winners: Vec<i64> = first.map(|place| place.seat).collect();
        winners.sort_unstable();
        let last = m.commits.last().ok_or("a match without a commit")?;
        Ok(MatchRow {
            key,
            m,
            winners: format!("{winners:?}").replace(' ', ""),
            commands: m.commits.iter().filter(counts).count(),
            otherwise: m.commits.iter().filter(|commit| commit.otherwise.is_some()).count(),
            created_at: millis(&m.created_at)?,
            finished_at: millis(&m.finish.finished_at)?,
            branched_from: m.branched_from.as_ref().map(|from| from.r#match.to_string()),
            seed: m.seed.hex(),
            hash: last.hash.hex(),
        })
    }
}

impl Row for MatchRow<'_> {
    const NAME: &'static str = "matches";
    const ABOUT: &'static str = "A finished match.";
    const AT: usize = 0;

    fn key(&self) -> &Key {
        self.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Bool, Int, IntOrNone, Ints, Json, Text, TextOrNone, Time};
        vec![
            defined("seat_count", Int(|row| int(row.m.names.len() as u64)), "The number of seats"),
            defined(
                "edition",
                Int(|row| i64::from(row.m.edition.number())),
                "The edition of the rules under which it was played",
            ),
            defined(
                "engine",
                Text(|row| &row.m.engine),
                "The program that opened it, with its version",
            ),
            defined(
                "options",
                Json(|row| row.m.options.get()),
                "The options with their values: the default for an option that was left out. What was left to chance stays as it was requested (who begins is in `start_seat`), except for the seed of a map, which is the one that was drawn",
            ),
            defined(
                "start_seat",
                IntOrNone(|row| row.m.start_seat.map(|seat| i64::from(seat.0))),
                "The seat that had the first turn",
            ),
            defined("winners", Ints(|row| &row.winners), "The seats of rank 1, ascending"),
            defined("event_count", Int(|row| int(row.m.version)), "The number of events"),
            defined(
                "commit_count",
                Int(|row| int(row.m.commits.len() as u64)),
                "The number of commits",
            ),
            defined("command_count", Int(|row| int(row.commands as u64)), COMMANDS),
            defined("created_at", Time(|row| row.created_at), "When the match was opened"),
            defined(
                "finished_at",
                Time(|row| row.finished_at),
                "When its last commit was recorded",
            ),
            defined("visibility", Text(visibility), "`public` or `private`"),
            defined(
                "take_back",
                Bool(|row| row.m.take_back),
                "Whether commands could be taken back: the match was opened that way, or its options allow it",
            ),
            defined(
                "sandbox",
                Bool(|row| row.m.sandbox),
                "Whether it is a sandbox, opened to try something out: it counts in no statistics",
            ),
            defined("loaded", Bool(|row| row.m.loaded), "Whether it began from a given position"),
            defined(
                "branched_from",
                TextOrNone(|row| row.branched_from.as_deref()),
                "The id of the match that it branched off from",
            ),
            defined(
                "branched_at",
                IntOrNone(|row| row.m.branched_from.as_ref().map(|from| int(from.at))),
                "The version where it branched off",
            ),
            defined(
                "otherwise_count",
                Int(|row| int(row.otherwise as u64)),
                "The number of commits that the rules of this program decide otherwise than they were played",
            ),
            defined(
                "origin",
                TextOrNone(|row| row.m.origin.as_ref().map(|origin| origin.from.as_str())),
                "Where it comes from, if it was imported from another server",
            ),
            defined("seed", Text(|row| &row.seed), "The seed of its chance, hexadecimal"),
            defined(
                "head_hash",
                Text(|row| &row.hash),
                "The hash of its last commit, hexadecimal; only if hashes are requested",
            ),
            defined("standing", Json(|row| row.m.standing.get()), "The final ranking"),
        ]
    }
}

fn visibility<'a>(row: &'a MatchRow<'_>) -> &'a str {
    match row.m.visibility {
        Visibility::Public => "public",
        Visibility::Private => "private",
    }
}

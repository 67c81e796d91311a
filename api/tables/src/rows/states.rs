//! The table `states`.

use std::fmt::{self, Write};

use journal::Bytes32;

use crate::in_commit::{Commit, InCommit, VERSION_AFTER, commit_no, recorded_at, taken_back, turn};
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// What a match was after a commit.
pub(super) struct StateRow<'m> {
    commit: &'m Commit<'m>,
    version: i64,
    scores: String,
    hands: String,
    hash: String,
}

/// So many digits of a hash tell the positions of any store apart.
const DIGITS: usize = 32;

impl<'m> StateRow<'m> {
    pub(super) fn of(commit: &'m Commit<'m>) -> Self {
        let stored = commit.stored;
        // Without hashes there is no column for it.
        let mut hash = stored.after.position.as_ref().map_or_else(String::new, Bytes32::hex);
        hash.truncate(DIGITS);
        StateRow {
            commit,
            version: int(stored.first_version + stored.events().len() as u64) - 1,
            scores: list(&stored.after.points),
            hands: list(&stored.after.sizes.hands),
            hash,
        }
    }
}

/// Numbers as JSON.
fn list(numbers: &[impl fmt::Display]) -> String {
    let mut list = String::with_capacity(2 + 4 * numbers.len());
    for number in numbers {
        list.push(if list.is_empty() { '[' } else { ',' });
        write!(list, "{number}").expect("a text takes what is written to it");
    }
    list.push_str(if list.is_empty() { "[]" } else { "]" });
    list
}

impl InCommit for StateRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.commit
    }
}

impl Row for StateRow<'_> {
    const NAME: &'static str = "states";
    const ABOUT: &'static str = "The state of a match after a commit: one row for each commit.";
    const AT: usize = 7;

    fn key(&self) -> &Key {
        self.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Int, IntOrNone, Ints, Text};
        let before: Vec<Defined<Self>> = vec![
            commit_no(),
            defined("version", Int(|row| row.version), VERSION_AFTER),
            recorded_at(),
        ];
        let after: Vec<Defined<Self>> = vec![
            defined(
                "scores",
                Ints(|row| &row.scores),
                "The score of each seat, in order of the seats",
            ),
            defined(
                "seat_to_act",
                IntOrNone(|row| row.commit.stored.after.active_seat.map(|seat| i64::from(seat.0))),
                "The seat that acts next; no value at the end",
            ),
            defined(
                "legal_after",
                Int(|row| int(row.commit.stored.after.legal.unwrap_or_default())),
                "The number of commands that are legal after it; 0 at the end",
            ),
            defined(
                "left_to_draw",
                Int(|row| int(row.commit.stored.after.sizes.left)),
                "What is left to be drawn: cards of the deck (in Delphi, the oracle cards), tiles of the pile",
            ),
            defined(
                "hand_sizes",
                Ints(|row| &row.hands),
                "How many cards or tiles each seat has in hand, in order of the seats",
            ),
            defined(
                "position_hash",
                Text(|row| &row.hash),
                "The same for equal positions: the first half of the SHA-256 of the whole position as `GET /v1/matches/{id}/position` answers it with `at`, byte for byte, hexadecimal; only if hashes are requested",
            ),
            taken_back(),
        ];
        before.into_iter().chain(turn()).chain(after).collect()
    }
}

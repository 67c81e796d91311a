//! The table `commits`.

use crate::in_commit::{Commit, InCommit, acting_seat, commit_no, recorded_at, taken_back, turn};
use crate::key::{Key, int};
use crate::row::{Defined, Get, Row, defined};

/// A commit: all events of one command.
pub(super) struct CommitRow<'m> {
    commit: &'m Commit<'m>,
    hash: String,
}

impl<'m> CommitRow<'m> {
    /// Without hashes there is no column for that of the commit.
    pub(super) fn of(commit: &'m Commit<'m>, hashes: bool) -> Self {
        let hash = if hashes { commit.stored.hash.hex() } else { String::new() };
        CommitRow { commit, hash }
    }
}

impl InCommit for CommitRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.commit
    }
}

impl Row for CommitRow<'_> {
    const NAME: &'static str = "commits";
    const ABOUT: &'static str =
        "A commit: all events of one command, of the setup, or of the platform.";
    const AT: usize = 2;

    fn key(&self) -> &Key {
        self.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Int, Text, TextOrNone};
        let before: Vec<Defined<Self>> = vec![
            commit_no(),
            defined(
                "feed_position",
                Int(|row| int(row.commit.stored.position)),
                "Its place in the feed of the store",
            ),
            acting_seat(),
            recorded_at(),
        ];
        let after: Vec<Defined<Self>> = vec![
            defined(
                "first_version",
                Int(|row| int(row.commit.stored.first_version)),
                "The version of its first event",
            ),
            defined(
                "event_count",
                Int(|row| int(row.commit.stored.events().len() as u64)),
                "The number of events",
            ),
            taken_back(),
            defined(
                "otherwise",
                TextOrNone(|row| row.commit.stored.otherwise.as_deref()),
                "What differs, if the rules of this program decide the commit otherwise than it was played; its draws are then not known",
            ),
            defined(
                "hash",
                Text(|row| &row.hash),
                "Its hash in the chain, hexadecimal; only if hashes are requested",
            ),
        ];
        before.into_iter().chain(turn()).chain(after).collect()
    }
}

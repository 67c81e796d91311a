//! The table `events`.

use crate::in_commit::{
    Commit, Event, InCommit, VERSION_AFTER, acting_seat, commit_no, recorded_at, taken_back, turn,
};
use crate::key::Key;
use crate::row::{Defined, Get, Row, defined};

/// An event.
pub(super) struct EventRow<'m>(pub(super) Event<'m>);

impl EventRow<'_> {
    /// The columns in front of an event's own, in the table of its type.
    pub(super) fn front() -> Vec<Defined<Self>> {
        let names = [
            "match_no",
            "match_id",
            "version",
            "commit_no",
            "recorded_at",
            "turn",
            "round",
            "taken_back",
        ];
        let front = Self::all_columns(true).into_iter();
        front.filter(|column| names.contains(&column.name())).collect()
    }
}

impl InCommit for EventRow<'_> {
    fn commit(&self) -> &Commit<'_> {
        self.0.commit
    }
}

impl Row for EventRow<'_> {
    const NAME: &'static str = "events";
    const ABOUT: &'static str = "An event. Its fields are columns in the table `<game>_<type>`.";
    const AT: usize = 3;

    fn key(&self) -> &Key {
        self.0.commit.key
    }

    fn columns() -> Vec<Defined<Self>> {
        use Get::{Int, Json, Text};
        let before: Vec<Defined<Self>> = vec![
            defined("version", Int(|row| row.0.version), VERSION_AFTER),
            commit_no(),
            acting_seat(),
            defined("event_type", Text(|row| row.0.kind), "The type of the event"),
            recorded_at(),
        ];
        let after: Vec<Defined<Self>> =
            vec![taken_back(), defined("event", Json(|row| row.0.json), "The whole event")];
        before.into_iter().chain(turn()).chain(after).collect()
    }
}

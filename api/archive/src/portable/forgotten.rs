//! What was forgotten between two archives: the later one says of which matches, and has all names that are left of those.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use journal::{MatchId, forgotten_match, match_of_name};
use store::Note;

/// The matches of which the notes of an archive, so far, say that a name in them was forgotten. Those notes come before all names.
#[derive(Default)]
pub(super) struct Forgotten(BTreeSet<MatchId>);

impl Forgotten {
    /// Whether a note belongs into the archive of these positions: it is of one of them, or nobody knows when it was written, or it is a name
    /// that was not forgotten in a match where one was.
    pub(super) fn belongs(&mut self, note: &Note, positions: &RangeInclusive<u64>) -> bool {
        if note.position == 0 || positions.contains(&note.position) {
            self.0.extend(forgotten_match(&note.key, &note.value));
            return true;
        }
        let is_before = note.position < *positions.start();
        is_before && match_of_name(&note.key).is_some_and(|id| self.0.contains(&id))
    }
}

#[cfg(test)]
mod tests {
    use journal::{Name, forgetting_note};

    use super::*;

    #[test]
    fn names_of_before_belong_where_one_was_forgotten_since() {
        let [one, other] = [[1; 16], [2; 16]].map(MatchId::from_bytes);
        let note = |(key, value), position| Note { key, value, position };
        let name = |id, position| note(Name::new("Ada".to_owned()).note(id), position);
        let forgetting = |position| note((forgetting_note(1), one.as_bytes().to_vec()), position);
        let mut forgotten = Forgotten::default();
        let mut belongs = |note: &Note| forgotten.belongs(note, &(5..=9));
        assert!(belongs(&name(one, 0)) && belongs(&name(one, 5)) && belongs(&name(one, 9)));
        assert!(!belongs(&forgetting(4)) && !belongs(&name(one, 4)));
        assert!(belongs(&forgetting(5)) && belongs(&name(one, 4)));
        assert!(!belongs(&name(one, 10)) && !belongs(&name(other, 4)));
    }
}

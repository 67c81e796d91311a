//! What was forgotten: between two archives, of which the later one says in which matches, and has all names that are left of those; and in a
//! damaged store.

use std::collections::{BTreeMap, BTreeSet};
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

/// Names in a damaged store that may have been forgotten: what is read there may be older than their removal, and a note says only of which
/// match one was removed.
#[derive(Default)]
pub(super) struct Doubtful {
    /// The position of the last such note, by match.
    forgotten: BTreeMap<MatchId, u64>,
    /// How many names are doubtful, by match.
    pub(super) names: BTreeMap<MatchId, u64>,
}

impl Doubtful {
    /// Looks at a note of the store. Those that say what was forgotten come before all names.
    pub(super) fn look(&mut self, note: &Note) {
        if let Some(id) = forgotten_match(&note.key, &note.value) {
            let last = self.forgotten.entry(id).or_default();
            *last = note.position.max(*last);
        } else if let Some(id) = self.of(note) {
            *self.names.entry(id).or_default() += 1;
        }
    }

    /// Whether a note is such a name.
    pub(super) fn has(&self, note: &Note) -> bool {
        self.of(note).is_some()
    }

    fn of(&self, note: &Note) -> Option<MatchId> {
        let id = match_of_name(&note.key)?;
        let forgotten = self.forgotten.get(&id)?;
        (note.position <= *forgotten).then_some(id)
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

    #[test]
    fn names_from_before_a_forgetting_are_doubtful_in_its_match() {
        let [one, other] = [[1; 16], [2; 16]].map(MatchId::from_bytes);
        let note = |(key, value), position| Note { key, value, position };
        let name = |id, position| note(Name::new("Ada".to_owned()).note(id), position);
        let forgetting =
            |number, position| note((forgetting_note(number), one.as_bytes().to_vec()), position);
        let mut doubtful = Doubtful::default();
        let names = [name(one, 3), name(one, 7), name(one, 8), name(other, 3)];
        for note in [forgetting(1, 7), forgetting(2, 5)].iter().chain(&names) {
            doubtful.look(note);
        }
        assert_eq!(names.map(|name| doubtful.has(&name)), [true, true, false, false]);
        assert_eq!(doubtful.names, BTreeMap::from([(one, 2)]));
    }
}

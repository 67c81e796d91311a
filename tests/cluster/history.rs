//! A checker for recorded histories: could everything have happened one after the other, each between its request and its answer?
//!
//! This is the search of Wing and Gong. Of the operations that are left, any may be the next that began before all others that are left
//! had ended; it is tried whether the model allows it, and then the rest. What was tried in vain is remembered by the set of operations
//! that are done and the state, as Lowe and Porcupine do, so the search is short where few overlap.
//!
//! The model is a match as its version counts: its number of commits. A command that was accepted as commit `n` turns `n - 1` into `n`,
//! a read sees the number that there is, and a command without an answer may have happened or not.

use std::collections::HashSet;
use std::time::Instant;

/// What somebody asked, and was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// A command was accepted as this commit.
    Accepted(u64),
    /// A read showed this commit as the last.
    Read(u64),
    /// A command was not answered.
    Unanswered,
}

/// An operation: when it was asked for, and when it was answered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Operation {
    pub(crate) what: What,
    pub(crate) asked: Instant,
    pub(crate) answered: Option<Instant>,
}

/// The number of commits after an operation, if it may happen at `commits`.
fn step(what: What, commits: u64) -> Option<u64> {
    match what {
        What::Accepted(number) => (number == commits + 1).then_some(number),
        What::Read(number) => (number == commits).then_some(commits),
        What::Unanswered => Some(commits + 1),
    }
}

/// Could the operations on a match that began with `commits` have happened one after the other? If not, what came as far as possible: the
/// commits that there were, and the operations of which none could be the next.
pub(crate) fn misfit(history: &[Operation], commits: u64) -> Option<(u64, Vec<Operation>)> {
    let (mut most, mut stuck) = (0, None);
    let mut tried = HashSet::new();
    let mut open = vec![(vec![0_u64; history.len().div_ceil(64)], commits)];
    while let Some((done, commits)) = open.pop() {
        let is_done = |at: usize| done[at / 64] & (1 << (at % 64)) != 0;
        let left = || (0..history.len()).filter(|at| !is_done(*at)).map(|at| (at, &history[at]));
        let Some(first_end) = left().filter_map(|(_, left)| left.answered).min() else {
            // What is left was never answered, and need not have happened.
            return None;
        };
        let count = done.iter().map(|word| word.count_ones()).sum();
        if stuck.is_none() || count > most {
            let next = left().map(|(_, left)| *left).filter(|left| left.asked <= first_end);
            (most, stuck) = (count, Some((commits, next.collect())));
        }
        for (at, operation) in left().filter(|(_, left)| left.asked <= first_end) {
            let Some(after) = step(operation.what, commits) else { continue };
            let mut next = done.clone();
            next[at / 64] |= 1 << (at % 64);
            if tried.insert((next.clone(), after)) {
                open.push((next, after));
            }
        }
    }
    stuck
}

mod tests {
    use std::time::{Duration, Instant};

    use super::{Operation, What, misfit};

    fn history(of: &[(What, u64, Option<u64>)]) -> Vec<Operation> {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let operation = |(what, asked, answered): &(What, u64, Option<u64>)| Operation {
            what: *what,
            asked: at(*asked),
            answered: answered.map(at),
        };
        of.iter().map(operation).collect()
    }

    #[test]
    fn a_read_that_was_asked_for_after_an_answer_must_show_it() {
        use What::{Accepted, Read, Unanswered};
        let check = |of: &[_]| misfit(&history(of), 1).is_none();
        assert!(check(&[(Accepted(2), 0, Some(10)), (Read(2), 20, Some(30))]));
        assert!(!check(&[(Accepted(2), 0, Some(10)), (Read(1), 20, Some(30))]), "stale");
        // While the command is under way, both are right, but nobody goes back.
        assert!(check(&[
            (Accepted(2), 0, Some(30)),
            (Read(1), 5, Some(10)),
            (Read(2), 15, Some(20))
        ]));
        assert!(!check(&[
            (Accepted(2), 0, Some(30)),
            (Read(2), 5, Some(10)),
            (Read(1), 15, Some(20))
        ]));
        // A command that was not answered may have happened at any time after, or not at all.
        assert!(check(&[(Unanswered, 0, None), (Read(1), 5, Some(10)), (Read(2), 15, Some(20))]));
        assert!(check(&[(Unanswered, 0, None), (Read(1), 5, Some(10))]));
        assert!(!check(&[(Unanswered, 0, None), (Read(3), 5, Some(10))]));
        // Nobody sees what does not exist, and no number is given twice.
        assert!(!check(&[(Read(2), 0, Some(10))]));
        assert!(!check(&[(Accepted(2), 0, Some(30)), (Accepted(2), 5, Some(10))]));
    }
}

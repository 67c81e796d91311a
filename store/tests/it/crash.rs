//! A process that is killed at any moment loses nothing that it acknowledged, and leaves nothing half.

use crate::child;
use crate::content::{self, Dice};
use crate::engines;

const ROUNDS: u64 = 20;

#[test]
fn what_was_acknowledged_survives_kill() {
    engines::each(|home| {
        let mut dice = Dice(20_261_121);
        let mut total = 0;
        for round in 0..ROUNDS {
            let lines = child::killed(home.place(), 1 + dice.below(8), 1 + dice.below(400));
            home.settle();
            let store = home.open();
            total = content::assert_whole(&store);
            assert!(!lines.is_empty(), "round {round} wrote nothing");
            assert_eq!(child::assert_acknowledged(&store, &lines), lines.len());
        }
        println!("{total} commits in {ROUNDS} rounds");
    });
}

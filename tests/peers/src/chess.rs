//! Chess by shakmaty: random play, with the full list of legal moves before each.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use shakmaty::{Chess, Position, perft};

use crate::clock::cpu;
use crate::dice::Dice;

/// Half moves without a capture or a pawn's move after which a game is drawn.
const DRAWN: u32 = 100;

pub(crate) fn measure(seconds: f64) -> Value {
    // It plays by the rules: the number of ways to play four half moves is known.
    assert_eq!(perft(&Chess::default(), 4), 197_281);
    let mut dice = Dice::new(u64::from(std::process::id()));
    let (start, before) = (Instant::now(), cpu("self"));
    let (mut moves, mut games, mut decided) = (0_u64, 0_u64, 0_u64);
    while start.elapsed() < Duration::from_secs_f64(seconds) {
        let mut position = Chess::default();
        loop {
            let legal = position.legal_moves();
            if legal.is_empty() || position.halfmoves() >= DRAWN {
                break;
            }
            // The list is what is legal, so it need not be checked again.
            position.play_unchecked(legal[dice.below(legal.len())]);
            moves += 1;
            if position.is_insufficient_material() {
                break;
            }
        }
        games += 1;
        decided += u64::from(position.is_checkmate());
    }
    let used = cpu("self") - before;
    assert!(games > 0 && decided > 0, "random games are won now and then");
    json!({"done": moves, "matches": games, "cpu": used, "seconds": start.elapsed().as_secs_f64()})
}

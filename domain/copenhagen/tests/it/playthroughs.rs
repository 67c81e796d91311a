//! Whole matches as text, for people: who chose what, what followed, who saw what, and the facades at the end.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p copenhagen playthrough` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

use serde_json::Value;
use testkit::{check_snapshot, playthrough};

use crate::oracle::{Facade, Oracle};
use crate::strategy;

#[test]
fn playthrough_of_two() {
    check(2, 26);
}

#[test]
fn playthrough_of_three() {
    check(3, 29);
}

#[test]
fn playthrough_of_four() {
    check(4, 4);
}

fn check(seats: usize, seed: u64) {
    let mut text = playthrough(copenhagen::GAME, "{}", seats, seed, &strategy::of_json);
    let position = text.rsplit_once("\nposition ").expect("a playthrough ends with the position").1;
    let facades = facades(&serde_json::from_str(position).expect("the position is JSON"));
    text.push_str(&facades);
    let file = format!("tests/playthroughs/{seats}_seats.txt");
    check_snapshot(Path::new(env!("CARGO_MANIFEST_DIR")).join(file), &text);
}

/// The facades side by side: `W` window, `B` brick, `.` empty.
fn facades(position: &Value) -> String {
    let oracle = Oracle::new();
    let players = position["players"].as_array().expect("a list");
    let boards: Vec<Facade> =
        players.iter().map(|player| Facade::of(&oracle, &player["tiles"])).collect();
    let mut text = String::from("\nfacades\n");
    for y in 0..9 {
        let rows = boards.iter().map(|board| board.fill[y].iter().collect::<String>());
        let _ = writeln!(text, "   {}", rows.collect::<Vec<_>>().join("   "));
    }
    text
}

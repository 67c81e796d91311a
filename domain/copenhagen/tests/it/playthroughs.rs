//! Whole matches as text, for people: who chose what, what followed, who saw what, and the facades at the end.
//!
//! `UPDATE_SNAPSHOTS=1 cargo test -p copenhagen playthrough` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

use kernel::AnyMatch;
use serde_json::Value;
use serde_json::value::RawValue;
use testkit::{Dice, check_snapshot, playthrough};

use crate::oracle::{Facade, Oracle};

#[test]
fn playthrough_of_two() {
    check(2, 26);
}

#[test]
fn playthrough_of_three() {
    check(3, 3);
}

#[test]
fn playthrough_of_four() {
    check(4, 4);
}

fn check(seats: usize, seed: u64) {
    let mut text = playthrough(copenhagen::GAME, "{}", seats, seed, &builder);
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

/// Somebody who looks at a few commands, and takes the one that scores, or else builds big and low.
fn builder(state: &dyn AnyMatch, commands: &[&RawValue], dice: &mut Dice) -> usize {
    let tries: Vec<usize> = (0..30).map(|_| dice.below(commands.len())).collect();
    let worth = |index: &usize| {
        let decided = state.decide(commands[*index], &mut dice.clone()).expect("listed");
        let events = decided
            .events
            .iter()
            .map(|event| serde_json::from_str(event.full.get()).expect("an event"));
        events.map(|event: Value| appeal(&event)).sum::<i64>()
    };
    tries.into_iter().max_by_key(worth).expect("there were tries")
}

fn appeal(event: &Value) -> i64 {
    let number = |key: &str| event[key].as_i64().unwrap_or(0);
    let cells = event["cells"].as_array().map_or(0, Vec::len);
    match event["type"].as_str() {
        Some("ScoreAwarded") => 1_000 * number("points"),
        Some("CoatsOfArmsActivated") => 500 * number("count"),
        Some("TilePlaced") => 10 * i64::try_from(cells).expect("a few") + 20 * number("y") - 100,
        Some("AbilityUsed") => -30,
        _ => 0,
    }
}

//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p copenhagen fixtures` makes them anew.

use copenhagen::{Command, Position};
use kernel::AnyMatch;
use serde_json::value::RawValue;
use testkit::Dice;

use crate::strategy::builder;

#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    testkit::fixtures(copenhagen::GAME, &["{}"], &[&testkit::uniform, &choose], path);
}

/// Somebody who wants to build: only such play comes to twelve points.
fn choose(state: &dyn AnyMatch, legal: &[&RawValue], dice: &mut Dice) -> usize {
    let position: Position = serde_json::from_str(state.position().get()).expect("a position");
    let command = |json: &&RawValue| serde_json::from_str(json.get()).expect("a command");
    let commands: Vec<Command> = legal.iter().map(command).collect();
    builder(&position, &commands, dice)
}

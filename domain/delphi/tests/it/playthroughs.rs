//! Whole matches as text, reviewed as a diff when something changes.

use delphi::Delphi;
use delphi::command::Command;
use kernel::{AnyMatch, Game};
use serde_json::value::RawValue;
use testkit::{Dice, check_snapshot, playthrough};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/playthroughs");

fn choose(state: &dyn AnyMatch, legal: &[&RawValue], dice: &mut Dice) -> usize {
    let position = Delphi::admit(serde_json::from_str(state.position().get()).unwrap()).unwrap();
    let commands: Vec<Command> =
        legal.iter().map(|command| serde_json::from_str(command.get()).unwrap()).collect();
    dice.lean(&Delphi::leanings(&position, &commands))
}

#[test]
fn a_short_match_of_two_with_chosen_ships() {
    let options = r#"{"ships":"choice","fewer_tasks":4,"start_seat":1}"#;
    let text = playthrough(delphi::GAME, options, 2, 11, &choose);
    check_snapshot(format!("{FOLDER}/two_choose_ships.txt"), &text);
}

#[test]
fn a_match_of_four_on_a_random_map() {
    let options = r#"{"map":"random","map_seed":42}"#;
    let text = playthrough(delphi::GAME, options, 4, 5, &choose);
    check_snapshot(format!("{FOLDER}/four_random_map.txt"), &text);
}

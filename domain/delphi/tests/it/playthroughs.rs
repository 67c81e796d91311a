//! Whole matches as text, reviewed as a diff when something changes.

use testkit::{check_snapshot, greedy, playthrough};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/playthroughs");

#[test]
fn a_short_match_of_two_with_chosen_ships() {
    let options = r#"{"ships":"choice","fewer_tasks":4,"start_seat":1}"#;
    let text = playthrough(delphi::GAME, options, 2, 11, &greedy);
    check_snapshot(format!("{FOLDER}/two_choose_ships.txt"), &text);
}

#[test]
fn a_match_of_four_on_a_random_map() {
    let options = r#"{"map":"random","map_seed":42}"#;
    let text = playthrough(delphi::GAME, options, 4, 5, &greedy);
    check_snapshot(format!("{FOLDER}/four_random_map.txt"), &text);
}

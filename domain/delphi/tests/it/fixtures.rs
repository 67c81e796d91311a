//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p delphi fixtures` makes them anew.

use serde_json::value::RawValue;
use serde_json::{Value, json};

#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    testkit::fixtures(delphi::GAME, &[r#"{"ships": "choice"}"#, "{}"], &[&testkit::greedy], path);
}

#[test]
fn what_waits_before_the_first_turn_or_after_the_end_is_not_the_moment() {
    let fixtures: Vec<Value> = serde_json::from_str(delphi::GAME.info().fixtures).unwrap();
    for moment in ["ships", "finished"] {
        let fixture = fixtures.iter().find(|fixture| fixture["name"] == moment).unwrap();
        let mut position = fixture["position"].clone();
        position["pending"] = json!([{"kind": "heal_color"}]);
        let position = RawValue::from_string(position.to_string()).unwrap();
        let state = delphi::GAME.load(&position, delphi::GAME.info().newest()).unwrap();
        assert_eq!(state.moment(), moment);
    }
}

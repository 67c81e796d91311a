//! Two seeded matches as text for people.

use serde_json::value::RawValue;
use testkit::{ChooseJson, check_snapshot, playthrough, uniform};

fn check(name: &str, options: &str, seed: u64, choose: &ChooseJson) {
    let text = playthrough(rosenkoenig::GAME, options, 2, seed, choose);
    check_snapshot(format!("{}/tests/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR")), &text);
}

#[test]
fn a_random_match_with_the_default_options() {
    check("default", "{}", 1, &uniform);
}

#[test]
fn a_match_of_two_hoarders_ends_blocked() {
    // Heroes first, then draws: the hands are always full, and the heroes are gone early.
    let options = r#"{"colors":["white","red"],"start":"red","show_draw_pile":true,"light":true}"#;
    check("hoarders", options, 1704, &|_, legal, dice| {
        let eager = |command: &&RawValue| {
            command.get().contains("true") || command.get().contains("DrawCard")
        };
        legal.iter().position(eager).unwrap_or_else(|| dice.below(legal.len()))
    });
}

//! What an earlier release loaded is read for ever, also what is refused today (D-131).

use kernel::AnyMatch;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

/// The example of the rules with some fields replaced.
fn example(changes: &[(&str, Value)]) -> Value {
    let mut position: Value = serde_json::from_str(include_str!("../cases/example.json")).unwrap();
    for (pointer, value) in changes {
        *position.pointer_mut(pointer).unwrap() = value.clone();
    }
    position
}

/// A match that began with a position which is refused today.
fn stored(position: &Value) -> Box<dyn AnyMatch> {
    let json = to_raw_value(position).unwrap();
    let refusal = delphi::GAME.load(&json, delphi::GAME.info().newest()).err();
    assert_eq!(refusal.unwrap().rule.0, "D-131", "{position}");
    delphi::GAME.restore(&json, None).unwrap()
}

#[test]
fn what_is_refused_today_is_read_where_it_was_stored() {
    let battle = json!({"kind": "battle", "at": {"q": 0, "r": -2}, "color": "red", "strength": 7});
    let changes = [
        vec![("/options/colors", json!(vec!["red"; 40]))],
        vec![("/round", json!(0))],
        vec![("/pending", json!([battle])), ("/players/0/fulfilled/monster", json!(["red"]))],
    ];
    for changes in changes {
        let state = stored(&example(&changes));
        assert!(state.legal_count() > 0);
    }
}

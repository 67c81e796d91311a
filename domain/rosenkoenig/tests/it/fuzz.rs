//! Damaged JSON: refused with a rule of the catalogue, or understood in full; never a panic.

use std::collections::BTreeSet;
use std::path::Path;

use kernel::{AnyMatch, Viewer};
use rosenkoenig::{GAME, Rosenkoenig};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

const POSITIONS: [&str; 3] = [
    include_str!("../cases/p1.json"),
    include_str!("../cases/p2.json"),
    include_str!("../cases/finished.json"),
];

fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    if let Some(fields) = value.as_object() {
        fields.iter().for_each(|(key, value)| pointers(value, &format!("{at}/{key}"), found));
    }
    if let Some(items) = value.as_array() {
        (0..)
            .zip(items)
            .for_each(|(i, value): (u32, _)| pointers(value, &format!("{at}/{i}"), found));
    }
}

/// Another value for a place: wild, or near to what was there, or what stands elsewhere in the same JSON.
fn other(now: &Value, whole: &Value, all: &[String], dice: &mut Dice) -> Value {
    let wild = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(5),
        json!(53),
        json!(255),
        json!(256),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1.5),
        json!(""),
        json!("n1"),
        json!("nw3"),
        json!("red"),
        json!("finished"),
        json!("turn"),
        json!("blocked"),
        json!("last_stone"),
        json!("........."),
        json!("rrrrrrrrr"),
        json!("rwrwrwrwrw"),
        json!("ééééééééé"),
        json!([]),
        json!({}),
        json!(["n1"]),
        json!({"x": 8, "y": 8}),
        json!({"x": 9, "y": 0}),
        json!([4, 4]),
        json!(["DrawCard"]),
        json!(["white", "white"]),
    ];
    match dice.below(4) {
        0 | 1 => dice.of(&wild).clone(),
        2 => whole.pointer(dice.of::<String>(all)).unwrap().clone(),
        _ => match now {
            Value::Number(number) => {
                json!(number.as_i64().unwrap_or(0).wrapping_add(*dice.of(&[-1, 1])))
            }
            Value::Array(items) => {
                let mut items = items.clone();
                dice.shuffle(&mut items);
                json!(items)
            }
            Value::Bool(value) => json!(!value),
            Value::String(text) => json!(text.chars().rev().collect::<String>()),
            Value::Null | Value::Object(_) => json!(0),
        },
    }
}

fn damage(value: &mut Value, dice: &mut Dice) {
    for _ in 0..=dice.below(3) {
        let mut all = Vec::new();
        pointers(value, "", &mut all);
        let pointer = dice.of(&all).clone();
        let new = other(value.pointer(&pointer).unwrap(), value, &all, dice);
        let (parent, key) = pointer.rsplit_once('/').unwrap_or(("", ""));
        match (dice.below(8), value.pointer_mut(parent)) {
            (0, Some(Value::Object(fields))) => drop(fields.remove(key)),
            (1, Some(Value::Object(fields))) => drop(fields.insert(format!("{key}_"), new)),
            _ => *value.pointer_mut(&pointer).unwrap() = new,
        }
    }
}

fn raw(value: &Value) -> Box<RawValue> {
    RawValue::from_string(value.to_string()).unwrap()
}

/// A position that was accepted says of itself what was loaded, can be seen, and can be played to the end.
fn check_accepted(mut state: Box<dyn AnyMatch>, loaded: &Value, dice: &mut Dice) {
    let now: Value = serde_json::from_str(state.position().get()).unwrap();
    let mut told = loaded.clone();
    told["edition"] = json!(1);
    assert_eq!(now, told);
    state.view(Viewer::Spectator);
    assert_eq!(state.standing().is_none(), state.active_seat().is_some());
    for step in 0.. {
        let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).unwrap();
        assert_eq!(legal.is_empty(), state.active_seat().is_none(), "{loaded}");
        assert!(step <= 140, "no end from {loaded}");
        if legal.is_empty() {
            return;
        }
        state = state.decide(&raw(dice.of(&legal)), dice).unwrap().state;
    }
}

#[test]
fn damaged_positions_are_refused_or_playable() {
    let rules: BTreeSet<String> = GAME.rules().into_iter().map(|rule| rule.rule).collect();
    let mut dice = Dice::new(90);
    let mut refused = BTreeSet::new();
    let mut accepted = 0;
    for round in 0..12_000 {
        let mut position: Value = serde_json::from_str(POSITIONS[round % POSITIONS.len()]).unwrap();
        damage(&mut position, &mut dice);
        match GAME.load(&raw(&position), GAME.info().newest()) {
            Ok(state) => {
                accepted += 1;
                check_accepted(state, &position, &mut dice);
            }
            Err(refusal) => {
                assert!(
                    rules.contains(refusal.rule.0) && !refusal.reason.is_empty(),
                    "{refusal}: {position}"
                );
                refused.insert(refusal.rule.0);
            }
        }
    }
    assert!(accepted > 100, "only {accepted} accepted");
    assert_eq!(refused, BTreeSet::from(["R-90", "R-91", "R-92", "R-93", "R-94", "R-95", "R-96"]));
}

#[test]
fn damaged_commands_are_refused_or_listed() {
    let mut dice = Dice::new(24);
    let mut refused = BTreeSet::new();
    for round in 0..10_000 {
        let position: Value = serde_json::from_str(POSITIONS[round % 2]).unwrap();
        let state = GAME.load(&raw(&position), GAME.info().newest()).unwrap();
        let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).unwrap();
        let mut command = dice.of(&legal).clone();
        damage(&mut command, &mut dice);
        match state.decide(&raw(&command), &mut dice) {
            Ok(_) => assert!(legal.contains(&command), "{command} is not listed, but accepted"),
            Err(refusal) => {
                assert!(!legal.contains(&command), "{command} is listed, but: {refusal}");
                refused.insert(refusal.rule.0);
            }
        }
    }
    assert!(
        refused.contains("R-24") && refused.contains("R-30") && refused.contains("R-35"),
        "{refused:?}"
    );
}

#[test]
fn damaged_options_are_refused_or_complete() {
    let mut dice = Dice::new(3);
    let full = json!({"colors": ["red", "white"], "start": "random", "show_draw_pile": false, "light": true});
    let mut refused = BTreeSet::new();
    for _ in 0..5_000 {
        let mut options = full.clone();
        damage(&mut options, &mut dice);
        match GAME.setup(&raw(&options), 2, kernel::newest::<Rosenkoenig>(), &mut dice) {
            Ok(started) => {
                let position: Value = serde_json::from_str(started.state.position().get()).unwrap();
                for (name, value) in options.as_object().unwrap() {
                    assert_eq!(&position["options"][name], value);
                }
            }
            Err(refusal) => drop(refused.insert(refusal.rule.0)),
        }
    }
    assert_eq!(refused, BTreeSet::from(["R-02", "R-03"]));
}

#[test]
fn damaged_events_are_errors_or_applied() {
    let mut dice = Dice::new(8);
    let start = RawValue::from_string(POSITIONS[0].to_owned()).unwrap();
    let mut state = GAME.load(&start, GAME.info().newest()).unwrap();
    let mut events = Vec::new();
    while state.active_seat().is_some() {
        let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).unwrap();
        let decided = state.decide(&raw(dice.of(&legal)), &mut dice).unwrap();
        events.extend(decided.events.iter().map(|event| parse(&event.full)));
        state = decided.state;
    }
    let mut state = GAME.load(&start, GAME.info().newest()).unwrap();
    let mut errors = 0;
    for _ in 0..5_000 {
        let mut event = dice.of(&events).clone();
        damage(&mut event, &mut dice);
        let event = raw(&event);
        assert_eq!(
            state.event_view(&event, Viewer::Spectator).is_err(),
            GAME.discloses(&event).is_err()
        );
        match state.apply(&event) {
            Ok(()) => drop(state.view(Viewer::Spectator)),
            Err(_) => errors += 1,
        }
    }
    assert!((2_500..4_950).contains(&errors), "{errors} errors of 5000");
}

fn parse(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap()
}

/// The corpus is the positions of the cases and a file of commands. `FUZZ_ROUNDS=1000000 cargo test -p rosenkoenig fuzz` runs longer.
#[test]
fn rosenkoenig_survives_the_fuzzer() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let found = testkit::fuzz::<Rosenkoenig>(&corpus, 3_000, 1, &|_, position| {
        crate::conformance::invariant(position)
    });
    assert!(found.admitted > found.rounds / 10, "{found:?}");
    let rules = ["R-23", "R-30", "R-32", "R-34", "R-35", "R-45", "R-92", "R-94", "R-95", "R-96"];
    assert!(rules.iter().all(|rule| found.refused.contains_key(*rule)), "{found:?}");
}

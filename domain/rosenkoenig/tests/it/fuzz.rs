//! Damaged JSON: refused with a rule of the catalogue, or understood in full; never a panic.

use std::collections::BTreeSet;
use std::path::Path;

use kernel::{Game, Viewer};
use rosenkoenig::{GAME, Position, Rosenkoenig};
use serde_json::{Value, json};
use testkit::{Dice, Walk, change};

use crate::against_oracle::raw;

const P1: &str = include_str!("../cases/p1.json");

/// Changes in up to three places, with values from the document and some of the game's own.
fn damage(value: &mut Value, dice: &mut Dice) {
    let wild = json!(["red", "random", "blocked", "n1", [], {"x": 9, "y": 0}, ["white", "white"], 1.5, 53]);
    for _ in 0..=dice.below(3) {
        let donor = if dice.below(2) == 0 {
            value.clone()
        } else {
            dice.of(wild.as_array().unwrap()).clone()
        };
        change(value, &donor, dice);
    }
}

#[test]
fn damaged_positions_are_refused_by_the_rules_of_loading() {
    let mut dice = Dice::new(90);
    let mut refused = BTreeSet::new();
    for _ in 0..5_000 {
        let mut position: Value = serde_json::from_str(P1).unwrap();
        damage(&mut position, &mut dice);
        let loaded = GAME.load(&raw(&position), GAME.info().newest());
        refused.extend(loaded.err().map(|refusal| refusal.rule.0));
    }
    assert_eq!(refused, BTreeSet::from(["R-90", "R-91", "R-92", "R-93", "R-94", "R-95", "R-96"]));
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
    let position = Rosenkoenig::admit(serde_json::from_str(P1).unwrap()).unwrap();
    let mut walk = Walk::<Rosenkoenig>::from(position, dice.clone());
    let mut events: Vec<Value> = Vec::new();
    while walk.next(|_, legal, dice| dice.below(legal.len())).is_some() {
        events.extend(walk.events.iter().map(|event| json!(event)));
    }
    let mut state = GAME.load(serde_json::from_str(P1).unwrap(), GAME.info().newest()).unwrap();
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

/// A position that was loaded can be played to its end.
fn comes_to_an_end(position: &Position) {
    let mut walk = Walk::<Rosenkoenig>::from(position.clone(), Dice::new(90));
    let ended = (0..=140).any(|_| walk.next(|_, legal, dice| dice.below(legal.len())).is_none());
    assert!(ended, "no end from {}", json!(position));
}

/// The corpus is the positions of the cases and a file of commands. `FUZZ_ROUNDS=1000000 cargo test -p rosenkoenig fuzz` runs longer.
#[test]
fn rosenkoenig_survives_the_fuzzer() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let found = testkit::fuzz::<Rosenkoenig>(&corpus, 3_000, 1, &|before, position| {
        crate::conformance::invariant(position);
        if before.is_none() {
            comes_to_an_end(position);
        }
    });
    assert!(found.admitted > found.rounds / 10, "{found:?}");
    let rules =
        ["R-23", "R-24", "R-30", "R-32", "R-34", "R-35", "R-45", "R-92", "R-94", "R-95", "R-96"];
    assert!(rules.iter().all(|rule| found.refused.contains_key(*rule)), "{found:?}");
}

//! Hands and the deck are hidden until the end: in views, in events, in what is drawn.

use copenhagen::{Copenhagen, Event, OptionsAsked};
use kernel::{Game, Seat, Secret, Viewer};
use serde_json::{Value, json};
use testkit::{Dice, Walk, viewers};

use crate::strategy;

#[test]
fn only_the_start_has_hidden_parts() {
    for seats in 2..=4 {
        let dice = Dice::new(u64::from(seats));
        let mut walk = Walk::<Copenhagen>::new(OptionsAsked {}, seats, dice);
        let Walk { position, events, .. } = &walk;
        for viewer in viewers::<Copenhagen>(position) {
            let seen = json!(events[0].seen(position, viewer));
            assert_eq!(
                seen,
                json!({"type": "MatchStarted", "position": Copenhagen::view(position, viewer)})
            );
        }
        while walk.next(strategy::builder).is_some() {
            let Walk { position, events, .. } = &walk;
            for event in events {
                for viewer in viewers::<Copenhagen>(position) {
                    assert_eq!(json!(event.seen(position, viewer)), json!(event));
                }
            }
            for viewer in viewers::<Copenhagen>(position) {
                check_view(&json!(position), &json!(Copenhagen::view(position, viewer)), viewer);
            }
        }
    }
}

/// A view is the position with `hand_size`, `deck_size` and `viewer`, and null for what is hidden.
fn check_view(position: &Value, view: &Value, viewer: Viewer) {
    let mut expected = position.clone();
    let finished = position["phase"] == "finished";
    let end_card = usize::from(position["end_card"] == "deck");
    let size = |list: &Value| list.as_array().expect("a list").len();
    expected["viewer"] = json!(viewer);
    expected["deck_size"] = json!(size(&position["deck"]) + end_card);
    if !finished {
        expected["deck"] = Value::Null;
    }
    for (seat, player) in (0..).zip(expected["players"].as_array_mut().expect("a list")) {
        player["hand_size"] = json!(size(&player["hand"]));
        if !finished && !viewer.is(Seat(seat)) {
            player["hand"] = Value::Null;
        }
    }
    assert_eq!(*view, expected);
}

#[test]
fn the_door_shows_spectators_less_of_the_start() {
    let options = serde_json::from_str("{}").expect("JSON");
    let started = copenhagen::GAME
        .setup(options, 2, kernel::newest::<Copenhagen>(), &mut Dice::new(1))
        .unwrap();
    let public = started.events[0].public.as_ref().expect("the start has hidden parts");
    let public: Value = serde_json::from_str(public.get()).unwrap();
    assert!(
        public["position"]["deck"].is_null() && public["position"]["players"][0]["hand"].is_null()
    );
}

#[test]
fn the_stored_start_loads_exactly() {
    for seats in 2..=4 {
        let events = Walk::<Copenhagen>::new(OptionsAsked {}, seats, Dice::new(9)).events;
        let text = serde_json::to_string(&events[0]).unwrap();
        let read: Event = serde_json::from_str(&text).unwrap();
        assert_eq!(read, events[0]);
        assert_eq!(serde_json::to_string(&read).unwrap(), text);
    }
}

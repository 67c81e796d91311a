//! Nobody sees what is hidden: hands and pile are in no event and no view of another.

use kernel::{Game, Seat, Secret, Viewer};
use serde_json::Value;
use testkit::{Dice, Walk, viewers};
use voluspa::{Event, Position, Voluspa};

use crate::conformance::all_options;

#[test]
fn hands_and_pile_are_in_no_event_and_no_view_of_another() {
    for (number, options) in (0..).zip(all_options()) {
        let seats = 2 + u8::try_from(number % 4).unwrap();
        let asked = serde_json::from_value(options).unwrap();
        let mut walk = Walk::<Voluspa>::new(asked, seats, Dice::new(number));
        loop {
            let Walk { position, events, .. } = &walk;
            events.iter().for_each(|event| check_event(position, event));
            if Voluspa::active_seat(position).is_some() {
                check_view(position, seats);
            }
            if walk.next(|_, legal, dice| dice.below(legal.len())).is_none() {
                break;
            }
        }
        let finished = view(&walk.position, Viewer::Spectator);
        assert_eq!(finished["pile"], serde_json::json!([]), "at the end all is open");
    }
}

/// A drawn tile is seen by its seat alone; every other event is the same for all.
fn check_event(position: &Position, event: &Event) {
    let full = serde_json::to_value(event).unwrap();
    for viewer in viewers::<Voluspa>(position) {
        let mut expected = full.clone();
        if let Event::TileDrawn { seat, .. } = event
            && !viewer.is(*seat)
        {
            expected["tile"] = Value::Null;
        }
        let seen = serde_json::to_value(event.seen(position, viewer)).unwrap();
        assert_eq!(seen, expected, "{viewer:?}");
    }
}

/// A view is the position with the other hands and the pile taken out, and the counts put in.
fn check_view(position: &Position, seats: u8) {
    let full = serde_json::to_value(position).unwrap();
    let count = |tiles: &Value| Value::from(tiles.as_array().unwrap().len());
    for viewer in viewers::<Voluspa>(position) {
        let mut expected = full.clone();
        expected["pile_count"] = count(&full["pile"]);
        expected["pile"] = Value::Null;
        let seen = view(position, viewer);
        for (seat, player) in (0..seats).zip(expected["players"].as_array_mut().unwrap()) {
            let hels =
                player["hand"].as_array().unwrap().iter().filter(|tile| **tile == "hel").count();
            player["hand_count"] = count(&player["hand"]);
            player["hel_count"] = Value::from(hels);
            player["display"] = display(&full, seat);
            if !viewer.is(Seat(seat)) {
                player["hand"] = Value::Null;
            }
        }
        assert_eq!(seen, expected, "{viewer:?}");
    }
}

fn view(position: &Position, viewer: Viewer) -> Value {
    serde_json::to_value(Voluspa::view(position, viewer)).unwrap()
}

/// V-703 in its own words: of the seats that share the score, how many reached it no earlier.
fn display(full: &Value, seat: u8) -> Value {
    let players = full["players"].as_array().unwrap();
    let own = &players[usize::from(seat)];
    let shared: Vec<&Value> =
        players.iter().filter(|other| other["score"] == own["score"]).collect();
    let no_earlier =
        shared.iter().filter(|other| other["reached"].as_u64() >= own["reached"].as_u64()).count();
    let score = &own["score"];
    Value::from(if shared.len() == 1 { score.to_string() } else { format!("{score}.{no_earlier}") })
}

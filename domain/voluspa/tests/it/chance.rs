//! What is drawn, from what, and in which order (V-105, V-106, V-107, V-108).

use std::collections::BTreeMap;

use kernel::{Draft, Game};
use serde_json::{Value, json};
use testkit::{Dice, Draw, Walk, Witness};
use voluspa::{Event, Position, Voluspa};

fn pile(position: &Position) -> Vec<Value> {
    serde_json::to_value(position).unwrap()["pile"].as_array().unwrap().clone()
}

#[test]
fn every_draw_is_from_all_tiles_of_the_pile_in_order() {
    let options = json!({"set": "in_the_order_of_the_gods", "lightning_bolt": true});
    for seats in 2..=5 {
        let mut chance = Witness::new(Dice::new(u64::from(seats)));
        let options = serde_json::from_value(options.clone()).unwrap();
        let events =
            Voluspa::setup(options, seats, kernel::newest::<Voluspa>(), &mut chance).unwrap();
        let mut position = Voluspa::start(&events[0], kernel::newest::<Voluspa>()).unwrap();
        let mut draws = std::mem::take(&mut chance.draws).into_iter();
        for event in &events[1..] {
            check_draw(event, &position, seats, &mut draws);
            Voluspa::apply(&mut position, event);
        }
        assert!(draws.next().is_none(), "every draw is in an event");
        play(position, &mut chance);
    }
}

fn check_draw(
    event: &Event,
    position: &Position,
    seats: u8,
    draws: &mut impl Iterator<Item = Draw>,
) {
    let mut next = || draws.next().unwrap();
    if let Event::TileDrawn { tile, .. } = event {
        let Draw { kind, candidates, .. } = next();
        assert_eq!((kind, &candidates), ("hand_tile", &pile(position)));
        assert!(candidates.contains(&json!(tile)));
    } else if let Event::StartTilePlaced { tile, .. } = event {
        let Draw { kind, candidates, .. } = next();
        let but_trolls: Vec<Value> =
            pile(position).into_iter().filter(|tile| *tile != "troll").collect();
        assert_eq!((kind, &candidates), ("start_tile", &but_trolls));
        assert!(candidates.contains(&json!(tile)));
    } else if let Event::StartSeatChosen { seat } = event {
        let Draw { kind, candidates, .. } = next();
        assert_eq!((kind, &candidates), ("start_seat", &(0..seats).map(Value::from).collect()));
        assert_eq!(candidates[seat.index()], json!(seat));
    }
}

/// Plays to the end; every draw is of kind `draw_tile`, from the pile as it was then.
fn play(mut position: Position, chance: &mut Witness) {
    let mut legal = Vec::new();
    while Voluspa::active_seat(&position).is_some() {
        legal.clear();
        Voluspa::legal_commands(&position, &mut legal);
        let command = *chance.dice.of(&legal);
        let (mut after, mut events) = (position.clone(), Vec::new());
        Voluspa::decide(&mut Draft::new(&mut after, &mut events, chance), &command).unwrap();
        let mut draws = std::mem::take(&mut chance.draws).into_iter();
        for event in &events {
            if matches!(event, Event::TileDrawn { .. }) {
                let Draw { kind, candidates, .. } = draws.next().unwrap();
                assert_eq!((kind, candidates), ("draw_tile", pile(&position)));
            }
            Voluspa::apply(&mut position, event);
        }
        assert!(draws.next().is_none(), "every draw is in an event");
    }
}

#[test]
fn a_start_seat_and_a_start_tile_are_about_equally_often_drawn() {
    let mut seats = [0; 5];
    let mut tiles: BTreeMap<String, u32> = BTreeMap::new();
    for seed in 0..4_000 {
        let events = Walk::<Voluspa>::new(Default::default(), 5, Dice::new(seed)).events;
        for event in &events {
            if let Event::StartSeatChosen { seat } = event {
                seats[seat.index()] += 1;
            } else if let Event::StartTilePlaced { tile, .. } = event {
                *tiles.entry(tile.to_string()).or_default() += 1;
            }
        }
    }
    // 800 are expected for each seat, and 74 for each single one of the 54 tiles that are no Trolls.
    assert!(seats.iter().all(|count| (700..900).contains(count)), "{seats:?}");
    assert!(
        (390..500).contains(&tiles["Odin"]) && (580..760).contains(&tiles["Skadi"]),
        "{tiles:?}"
    );
    assert!(!tiles.contains_key("Troll"), "{tiles:?}");
}

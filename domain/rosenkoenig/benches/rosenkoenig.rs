//! What a user waits for: whole matches, folding one, listing commands, loading a position.

use std::hint::black_box;

use kernel::Game;
use rosenkoenig::{Event, GAME, Position, Rosenkoenig};
use serde_json::value::RawValue;
use testkit::{Dice, Walk, measure};

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("JSON")
}

/// A random match: all its events, and the positions before each command.
fn random_match(seed: u64) -> (Vec<Event>, Vec<Position>) {
    let options = serde_json::from_str("{}").expect("default options");
    let mut walk = Walk::<Rosenkoenig>::new(options, 2, Dice::new(seed));
    let (mut events, mut positions) = (walk.events.clone(), vec![walk.position.clone()]);
    while walk.next(|_, legal, dice| dice.below(legal.len())).is_some() {
        events.append(&mut walk.events);
        positions.push(walk.position.clone());
    }
    positions.pop();
    (events, positions)
}

fn main() {
    let options = raw("{}".to_owned());
    let mut dice = Dice::new(1);
    measure("random match", "matches", || {
        black_box(
            GAME.playout(&options, 2, GAME.info().newest(), &mut dice).expect("default options"),
        );
        1
    });
    measure("command of a random match", "commands", || {
        GAME.playout(&options, 2, GAME.info().newest(), &mut dice)
            .expect("default options")
            .commands
    });

    let (events, positions) = random_match(2);
    measure("fold of a match, typed", "events", || {
        let mut position =
            Rosenkoenig::start(&events[0], kernel::newest::<Rosenkoenig>()).expect("a first event");
        events[1..].iter().for_each(|event| Rosenkoenig::apply(&mut position, event));
        black_box(position);
        events.len() as u64
    });
    let stored: Vec<Box<RawValue>> = events
        .iter()
        .map(|event| raw(serde_json::to_string(event).expect("an event has JSON")))
        .collect();
    measure("fold of a match, JSON", "events", || {
        let mut state = GAME.start(&stored[0], GAME.info().newest()).expect("a first event");
        for event in &stored[1..] {
            state.apply(event).expect("a stored event");
        }
        black_box(state);
        stored.len() as u64
    });

    let mut commands = Vec::new();
    measure("legal_commands", "positions", || {
        for position in &positions {
            commands.clear();
            Rosenkoenig::legal_commands(black_box(position), &mut commands);
            black_box(&commands);
        }
        positions.len() as u64
    });
    let middle = raw(serde_json::to_string(&positions[positions.len() / 2]).expect("JSON"));
    measure("load a position, JSON", "positions", || {
        black_box(GAME.load(&middle, GAME.info().newest()).expect("a position of play"));
        1
    });
}

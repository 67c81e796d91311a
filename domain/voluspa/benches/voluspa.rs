//! How fast matches are played and folded, on one thread.

use std::cell::RefCell;

use kernel::Game;
use serde_json::value::RawValue;
use testkit::{Dice, Walk, measure};
use voluspa::{Event, Position, Voluspa};

const ALL: &str = r#"{"set": "custom", "custom_types": ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya",
    "raven", "niohoggr"], "lightning_bolt": true}"#;

fn main() {
    for (name, options) in [("all modules", ALL), ("base game", "{}")] {
        let raw = RawValue::from_string(options.to_owned()).expect("options are JSON");
        let seed = RefCell::new(0);
        let play = || {
            *seed.borrow_mut() += 1;
            let mut dice = Dice::new(*seed.borrow());
            voluspa::GAME
                .playout(&raw, 2, kernel::newest::<Voluspa>(), &mut dice)
                .expect("valid options")
        };
        measure(&format!("{name}: random full matches"), "matches", || {
            play();
            1
        });
        measure(&format!("{name}: commands with all legal ones"), "commands", || play().commands);
    }
    let matches: Vec<Recorded> = (0..200).map(record).collect();
    let longest = matches.iter().max_by_key(|recorded| recorded.events.len()).expect("matches");
    let name = format!("fold of the longest match, {} events", longest.events.len());
    measure(&name, "events", || {
        let mut position = Voluspa::start(&longest.events[0], kernel::newest::<Voluspa>())
            .expect("a stream begins with its start");
        longest.events[1..].iter().for_each(|event| Voluspa::apply(&mut position, event));
        assert!(Voluspa::active_seat(&position).is_none());
        longest.events.len() as u64
    });
    list(&matches);
}

/// Lists of legal commands alone: the widest position of all matches, and all positions of one match.
fn list(matches: &[Recorded]) {
    let mut commands = Vec::new();
    let mut count = |position: &Position| {
        commands.clear();
        Voluspa::legal_commands(position, &mut commands);
        commands.len() as u64
    };
    let widest = matches
        .iter()
        .flat_map(|recorded| &recorded.positions)
        .max_by_key(|position| count(position));
    let widest = widest.expect("matches have positions");
    let name = format!("the widest list, {} legal commands", count(widest));
    measure(&name, "lists", || {
        count(widest);
        1
    });
    let all: Vec<&Position> =
        matches.iter().take(20).flat_map(|recorded| &recorded.positions).collect();
    let legal: u64 = all.iter().map(|position| count(position)).sum();
    let name = format!("lists in play, {:.0} legal commands", legal as f64 / all.len() as f64);
    measure(&name, "lists", || {
        all.iter().for_each(|position| {
            count(position);
        });
        all.len() as u64
    });
}

struct Recorded {
    events: Vec<Event>,
    /// The positions in which a command was chosen.
    positions: Vec<Position>,
}

fn record(seed: u64) -> Recorded {
    let options = serde_json::from_str(ALL).expect("options are JSON");
    let mut walk = Walk::<Voluspa>::new(options, 2, Dice::new(seed));
    let (mut events, mut positions) = (walk.events.clone(), vec![walk.position.clone()]);
    while walk.next(|_, legal, dice| dice.below(legal.len())).is_some() {
        events.append(&mut walk.events);
        positions.push(walk.position.clone());
    }
    positions.pop();
    Recorded { events, positions }
}

//! What a user waits for in any game: whole matches, a fold, the legal commands, a decision, a position and a view as JSON.

use kernel::{AnyGame, Draft, Erased, Game, Seat, Viewer};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

use crate::{Choose, Dice, Walk, measure};

/// So many matches are played to find a long one.
const MATCHES: u64 = 200;

/// Measures a game on one thread, in matches with these options and seats that `choose` plays; each figure begins with the name of the game.
/// Positions and events are those of the longest of 200 matches, what is loaded and shown is the position in its middle.
///
/// # Panics
/// If the options are refused, or the game breaks its promises.
pub fn bench<G: Game>(options: &str, seats: u8, choose: &Choose<G>) {
    let (game, edition) = (Erased::<G>::NEW, G::INFO.newest());
    let of = |what: &str| format!("{} {what}", G::INFO.id);
    let begin = |seed: u64| {
        let options = serde_json::from_str(options).expect("options are JSON");
        Walk::<G>::new(options, seats, Dice::new(seed))
    };
    let mut seed = 0;
    let mut play = || {
        seed += 1;
        let (mut walk, mut commands) = (begin(seed), 0);
        while walk.next(choose).is_some() {
            commands += 1;
        }
        commands
    };
    measure(&of("matches"), "matches", || {
        play();
        1
    });
    measure(&of("commands"), "commands", play);

    let matches = (0..MATCHES).map(|seed| record(begin(seed), choose));
    let (events, steps) = matches.max_by_key(|(events, _)| events.len()).expect("matches");
    measure(&of("fold, typed"), "events", || {
        let mut position = G::start(&events[0], edition).expect("a first event");
        events[1..].iter().for_each(|event| G::apply(&mut position, event));
        assert!(G::active_seat(&position).is_none());
        events.len() as u64
    });
    let stored: Vec<Box<RawValue>> = events.iter().map(json).collect();
    measure(&of("fold, JSON"), "events", || {
        let mut state = game.start(&stored[0], edition).expect("a first event");
        stored[1..].iter().for_each(|event| state.apply(event).expect("a stored event"));
        assert!(state.active_seat().is_none());
        stored.len() as u64
    });

    let mut legal = Vec::new();
    let mut list = |position: &G::Position| {
        legal.clear();
        G::legal_commands(position, &mut legal);
        legal.len()
    };
    measure(&of("legal commands along a match"), "positions", || {
        steps.iter().for_each(|(position, _)| assert!(list(position) > 0));
        steps.len() as u64
    });
    let positions = steps.iter().map(|(position, _)| position);
    let widest = positions.max_by_key(|position| list(position)).expect("a match has commands");
    measure(&of("legal commands at the widest position"), "positions", || {
        assert!(list(widest) > 0);
        1
    });
    let (mut emitted, mut dice) = (Vec::new(), Dice::new(7));
    measure(&of("decisions along a match, the copy included"), "commands", || {
        for (position, command) in &steps {
            emitted.clear();
            let mut after = position.clone();
            G::decide(&mut Draft::new(&mut after, &mut emitted, &mut dice), command)
                .expect("it was listed");
        }
        steps.len() as u64
    });

    let middle = &steps[steps.len() / 2].0;
    let sent = json(middle);
    measure(&of("load a position, JSON"), "positions", || {
        u64::from(game.load(&sent, edition).expect("a position of play").seats() > 0)
    });
    measure(&of("view to JSON"), "views", || {
        u64::from(!json(&G::view(middle, Viewer::Seat(Seat(0)))).get().is_empty())
    });
}

/// All events of a match, and each of its commands with the position before it.
type Recorded<G> = (Vec<<G as Game>::Event>, Vec<(<G as Game>::Position, <G as Game>::Command)>);

fn record<G: Game>(mut walk: Walk<G>, choose: &Choose<G>) -> Recorded<G> {
    let (mut events, mut steps) = (walk.events.clone(), Vec::new());
    let mut before = walk.position.clone();
    while let Some(command) = walk.next(choose).cloned() {
        steps.push((std::mem::replace(&mut before, walk.position.clone()), command));
        events.append(&mut walk.events);
    }
    (events, steps)
}

fn json(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("a game's types are plain data")
}

//! What a user waits for: whole matches, the fold of a match, loading a position, the legal commands.

#![expect(clippy::print_stdout, reason = "a bench reports")]

use delphi::Delphi;
use delphi::options::Options;
use delphi::position::PositionForm;
use kernel::{Draft, Game, Seat, Viewer};
use serde_json::value::RawValue;
use testkit::{Dice, Walk, leaning, measure};

const EXAMPLE: &str = include_str!("../tests/cases/example.json");

/// A match that the bot has to play.
fn walk(seed: u64) -> Walk<Delphi> {
    Walk::new(Options::default(), 4, Dice::new(seed))
}

fn main() {
    let (mut seed, mut total) = (0, 0);
    measure("bot matches, 4 seats", "matches", || {
        seed += 1;
        let mut walk = walk(seed);
        while walk.next(leaning::<Delphi>).is_some() {
            total += 1;
        }
        1
    });
    println!("    {seed} matches played, {} commands in a match", total / seed);
    let mut walk = walk(1);
    let (mut commands, mut events) = (Vec::new(), walk.events.clone());
    let mut before = walk.position.clone();
    while let Some(command) = walk.next(leaning::<Delphi>).cloned() {
        commands.push((std::mem::replace(&mut before, walk.position.clone()), command));
        events.append(&mut walk.events);
    }
    println!("    kept: a match of {} commands, {} events", commands.len(), events.len());
    let start = Delphi::start(&events[0], kernel::newest::<Delphi>()).expect("a match starts");
    measure("fold of a match, typed events", "events", || {
        let mut position = start.clone();
        events[1..].iter().for_each(|event| Delphi::apply(&mut position, event));
        assert!(position.active_seat.is_none());
        events.len() as u64 - 1
    });
    let mut legal = Vec::new();
    measure("legal commands along a match", "positions", || {
        for (position, _) in &commands {
            legal.clear();
            Delphi::legal_commands(position, &mut legal);
            assert!(!legal.is_empty());
        }
        commands.len() as u64
    });
    let mut emitted = Vec::new();
    measure("decide along a match, the copy included", "commands", || {
        let mut dice = Dice::new(7);
        for (position, command) in &commands {
            emitted.clear();
            let mut position = position.clone();
            Delphi::decide(&mut Draft::new(&mut position, &mut emitted, &mut dice), command)
                .expect("it was listed");
        }
        commands.len() as u64
    });
    measure("example position from JSON, typed", "positions", || {
        let form: PositionForm = serde_json::from_str(EXAMPLE).expect("the example");
        u64::from(Delphi::admit(form).is_ok())
    });
    let raw = RawValue::from_string(EXAMPLE.to_owned()).expect("the example");
    measure("example position from JSON, erased", "positions", || {
        u64::from(delphi::GAME.load(&raw, kernel::newest::<Delphi>()).is_ok())
    });
    let example =
        Delphi::admit(serde_json::from_str(EXAMPLE).expect("the example")).expect("the example");
    measure("view of the example to JSON", "views", || {
        let view = serde_json::to_string(&Delphi::view(&example, Viewer::Seat(Seat(0))))
            .expect("a view has JSON");
        u64::from(!view.is_empty())
    });
    measure("copy of a position", "copies", || {
        (0..1000).map(|_| u64::from(std::hint::black_box(&example).clone().seats == 2)).sum()
    });
}

//! What a user waits for: whole matches, the fold of a match, loading a position, the legal commands.

#![expect(clippy::print_stdout, reason = "a bench reports")]

use delphi::Delphi;
use delphi::command::Command;
use delphi::event::Event;
use delphi::position::{Position, PositionForm};
use kernel::{Draft, Game, Seat, Viewer};
use serde_json::value::RawValue;
use testkit::{Dice, measure};

const EXAMPLE: &str = include_str!("../tests/cases/example.json");

/// Plays a match with the bot; returns its commands and events.
fn play(
    seats: u8,
    seed: u64,
    commands: &mut Vec<(Position, Command)>,
    events: &mut Vec<Event>,
    keep: bool,
) -> u64 {
    let mut dice = Dice::new(seed);
    let mut legal = Vec::new();
    *events = Delphi::setup(
        delphi::options::Options::default(),
        seats,
        kernel::newest::<Delphi>(),
        &mut dice,
    )
    .expect("default options");
    let mut position =
        Delphi::start(&events[0], kernel::newest::<Delphi>()).expect("a match starts");
    let mut count = 0;
    while position.active_seat.is_some() {
        legal.clear();
        Delphi::legal_commands(&position, &mut legal);
        let command = &legal[dice.lean(&Delphi::leanings(&position, &legal))];
        if keep {
            commands.push((position.clone(), command.clone()));
        } else {
            events.clear();
        }
        Delphi::decide(&mut Draft::new(&mut position, events, &mut dice), command)
            .expect("a listed command");
        count += 1;
    }
    count
}

fn main() {
    let (mut commands, mut events) = (Vec::new(), Vec::new());
    let mut seed = 0;
    let mut total = 0;
    measure("bot matches, 4 seats", "matches", || {
        seed += 1;
        total += play(4, seed, &mut Vec::new(), &mut Vec::new(), false);
        1
    });
    println!("    {seed} matches played, {} commands in a match", total / seed);
    play(4, 1, &mut commands, &mut events, true);
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

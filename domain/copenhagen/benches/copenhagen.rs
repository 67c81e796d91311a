//! What a user waits for: whole matches, and the longest list of legal commands.

#![expect(clippy::print_stdout, reason = "a bench prints what it measures")]

use copenhagen::Copenhagen;
use kernel::{AnyGame, Draft, Game};
use serde_json::value::RawValue;
use testkit::{Dice, measure};

/// Position E of the rules: a full hand and all abilities that a list can depend on.
const EXAMPLE: &str = include_str!("../tests/cases/e.json");

fn main() {
    for seats in 2..=4 {
        playouts(seats);
    }
    lists();
    loads();
}

fn playouts(seats: usize) {
    let options = RawValue::from_string("{}".to_owned()).expect("an object");
    let mut dice = Dice::new(1);
    measure(&format!("random matches, {seats} seats"), "matches", || {
        (0..100).for_each(|_| {
            copenhagen::GAME
                .playout(&options, seats, kernel::newest::<Copenhagen>(), &mut dice)
                .expect("two to four seats may play");
        });
        100
    });
}

fn lists() {
    let form = serde_json::from_str(EXAMPLE).expect("position E has the form of a position");
    let position = Copenhagen::admit(form).expect("position E is well-formed");
    let mut commands = Vec::new();
    let mut list = || {
        commands.clear();
        Copenhagen::legal_commands(&position, &mut commands);
        commands.len()
    };
    println!("position E: {} legal commands", list());
    measure("legal_commands of position E", "lists", || {
        (0..100).map(|_| u64::from(list() > 0)).sum()
    });
    let mut events = Vec::new();
    let mut dice = Dice::new(1);
    measure("legal_commands and decide in position E", "commands", || {
        let command = &commands[dice.below(commands.len())];
        events.clear();
        let mut after = position.clone();
        Copenhagen::decide(&mut Draft::new(&mut after, &mut events, &mut dice), command)
            .expect("a listed command");
        1
    });
}

fn loads() {
    let json = RawValue::from_string(EXAMPLE.to_owned()).expect("JSON");
    let game: &dyn AnyGame = copenhagen::GAME;
    measure("load position E from JSON", "positions", || {
        u64::from(game.load(&json, game.info().newest()).is_ok())
    });
}

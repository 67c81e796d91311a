//! How the matches of the tests are played: at random, or by somebody who wants to build.

use copenhagen::{Command, Copenhagen, Event, Position};
use kernel::{AnyMatch, Draft, Game};
use serde_json::value::RawValue;
use testkit::Dice;

/// Chooses the index of a command.
pub(crate) type Choose = dyn Fn(&Position, &[Command], &mut Dice) -> usize;

/// Every command is equally likely.
pub(crate) fn uniform(_: &Position, commands: &[Command], dice: &mut Dice) -> usize {
    dice.below(commands.len())
}

/// Looks at some commands and takes the one with the best events: points, coats of arms, big tiles placed low.
pub(crate) fn builder(position: &Position, commands: &[Command], dice: &mut Dice) -> usize {
    let tries: Vec<usize> = (0..40).map(|_| dice.below(commands.len())).collect();
    let worth = |index: &usize| {
        let (mut after, mut events, mut chance) = (position.clone(), Vec::new(), dice.clone());
        let mut draft = Draft::new(&mut after, &mut events, &mut chance);
        Copenhagen::decide(&mut draft, &commands[*index]).expect("listed");
        events.iter().map(appeal).sum::<i32>()
    };
    tries.into_iter().max_by_key(worth).expect("there were tries")
}

/// The same with JSON, at the door of all games.
pub(crate) fn of_json(state: &dyn AnyMatch, legal: &[&RawValue], dice: &mut Dice) -> usize {
    let position: Position = serde_json::from_str(state.position().get()).expect("a position");
    let command = |json: &&RawValue| serde_json::from_str(json.get()).expect("a command");
    let commands: Vec<Command> = legal.iter().map(command).collect();
    builder(&position, &commands, dice)
}

fn appeal(event: &Event) -> i32 {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other events are worth nothing")]
    match event {
        Event::ScoreAwarded { points, .. } => 1_000 * i32::from(*points),
        Event::CoatsOfArmsActivated { count, .. } => 500 * i32::from(*count),
        Event::TilePlaced { tile, y, .. } => {
            10 * i32::from(tile.size()) + 20 * i32::from(y.get()) - 100
        }
        Event::AbilityUsed { .. } => -30,
        Event::OptionDeclined { .. } => -10,
        _ => 0,
    }
}

//! A bot that makes progress: uniform play wanders about for ever. Also for the bench.

use delphi::Delphi;
use delphi::command::Command;
use delphi::position::Position;
use kernel::Game;
use testkit::Dice;

/// One command in so many is chosen at random, so that play meets rare things too.
const WHIM: usize = 12;

/// Chooses the index of a command.
pub(crate) fn choose(position: &Position, commands: &[Command], dice: &mut Dice) -> usize {
    if commands.len() == 1 || dice.below(WHIM) == 0 {
        return dice.below(commands.len());
    }
    if !position.pending.is_empty() {
        return answer(commands, dice);
    }
    if position.player(position.active()).ship.is_none() {
        return dice.below(commands.len());
    }
    let leanings = Delphi::leanings(position, commands);
    let first = dice.below(commands.len());
    let order = (first..commands.len()).chain(0..first);
    order.max_by_key(|index| leanings[*index]).unwrap_or(0)
}

fn answer(commands: &[Command], dice: &mut Dice) -> usize {
    let fight = commands.iter().position(|command| *command == Command::ContinueBattle {});
    let choices = commands.len() - usize::from(commands.contains(&Command::Decline {}));
    fight.unwrap_or_else(|| dice.below(choices))
}

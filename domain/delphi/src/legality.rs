//! May this command be given now? The order of refusal (D-201 to D-203), and the list of legal commands.
//!
//! A refusal is made of a [`Breach`](crate::refusal::Breach) only when somebody is told, so that listing commands costs no texts.

use kernel::Seat;

use crate::command::Command;
use crate::decide::actions::{self, Deed};
use crate::decide::decisions::{self, Answer, choices};
use crate::decide::gods::{self, Power};
use crate::decide::sailing::Voyage;
use crate::decide::sources::{self, Paid};
use crate::moments;
use crate::pieces::{Color, Ship};
use crate::position::{Decision, Position, Stage};
use crate::refusal::Breach;

/// A command that is allowed, with all that is needed to perform it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step {
    ChooseShip(Ship),
    Pay(Paid),
    EndTurn,
    Use(Power),
    Act(Deed, Color),
    Answer(Answer),
}

/// What the position waits for.
enum Due<'a> {
    Nobody,
    Ship,
    Answer(&'a Decision),
    /// A choice in the stage `main`: a source, a god, the end of the turn.
    Choice,
    Action(Color),
    /// Nothing that a seat could do: a position that was loaded in the middle of what happens by itself.
    Nothing,
}

impl Due<'_> {
    fn of(position: &Position) -> Due<'_> {
        match (position.stage, position.pending.first(), position.turn.source) {
            (Stage::Over, _, _) => Due::Nobody,
            (Stage::Ships, _, _) => Due::Ship,
            (Stage::Start | Stage::Upkeep | Stage::Main, Some(decision), _) => {
                Due::Answer(decision)
            }
            (Stage::Start | Stage::Upkeep, None, _) => Due::Nothing,
            (Stage::Main, None, Some(source)) => Due::Action(source.r#as),
            (Stage::Main, None, None) => Due::Choice,
        }
    }

    /// What breaks the rule that only this may be done.
    fn breach(&self) -> Breach {
        let due = match self {
            Due::Nobody => "nothing",
            Due::Ship => "the choice of a ship",
            Due::Answer(decision) => return Breach::DecisionDue { due: moments::due(decision) },
            Due::Choice => "a source, a god or the end of the turn",
            Due::Action(_) => "the action of the source",
            Due::Nothing => "nothing that a seat could do",
        };
        Breach::NotDue { due }
    }
}

/// Checks a command of the active seat.
///
/// # Errors
/// The first condition broken, in the order of the rules.
pub(crate) fn check(position: &Position, command: &Command) -> Result<Step, Breach> {
    let seat = position.active();
    let due = Due::of(position);
    let step = match due {
        Due::Nobody => return Err(Breach::Finished),
        Due::Ship => check_ship(position, command),
        Due::Answer(decision) => decisions::check(position, seat, decision, command)
            .map(|answer| answer.map(Step::Answer)),
        Due::Choice => check_choice(position, seat, command),
        Due::Action(color) => actions::check(position, seat, color, command)
            .map(|deed| deed.map(|deed| Step::Act(deed, color))),
        Due::Nothing => None,
    };
    step.unwrap_or_else(|| Err(due.breach()))
}

fn check_ship(position: &Position, command: &Command) -> Option<Result<Step, Breach>> {
    let Command::ChooseShip { ship } = *command else { return None };
    let offered = position.ship_offer.contains(ship);
    Some(if offered { Ok(Step::ChooseShip(ship)) } else { Err(Breach::NotOffered { ship }) })
}

fn check_choice(
    position: &Position,
    seat: Seat,
    command: &Command,
) -> Option<Result<Step, Breach>> {
    if *command == (Command::EndTurn {}) {
        let count = position.player(seat).dice.len();
        return Some(if count == 0 { Ok(Step::EndTurn) } else { Err(Breach::DiceLeft { count }) });
    }
    let paid = sources::check(position, seat, command).map(|paid| paid.map(Step::Pay));
    paid.or_else(|| gods::check(position, seat, command).map(|power| power.map(Step::Use)))
}

/// Appends all legal commands.
pub(crate) fn list(position: &Position, commands: &mut Vec<Command>) {
    let seat = position.active();
    let first = commands.len();
    match Due::of(position) {
        Due::Nobody | Due::Nothing => {}
        Due::Ship => {
            commands.extend(position.ship_offer.iter().map(|ship| Command::ChooseShip { ship }))
        }
        Due::Answer(decision) => choices::candidates(position, seat, decision, commands),
        Due::Choice => {
            sources::candidates(position, seat, commands);
            gods::candidates(position, seat, commands);
            commands.push(Command::EndTurn {});
        }
        Due::Action(color) => {
            actions::list(position, seat, color, &mut |command| commands.push(command));
            let voyage = Voyage::plan(position, seat, color, false);
            voyage.destinations(&mut |to| commands.push(Command::MoveShip { to }));
            return;
        }
    }
    keep_legal(position, first, commands);
}

/// Is the match not finished, and yet nothing can be done? Only a loaded position can be like that.
pub(crate) fn is_stuck(position: &Position) -> bool {
    let mut commands = Vec::new();
    match Due::of(position) {
        Due::Nobody | Due::Choice | Due::Action(_) => return false,
        Due::Ship | Due::Answer(_) | Due::Nothing => list(position, &mut commands),
    }
    commands.is_empty()
}

/// Keeps those commands from `first` on that the check allows.
fn keep_legal(position: &Position, first: usize, commands: &mut Vec<Command>) {
    let mut place = 0;
    commands.retain(|command| {
        place += 1;
        place <= first || check(position, command).is_ok()
    });
}

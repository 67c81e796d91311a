//! What a command does: the effects of each deed, beside what it needs.

pub(crate) mod sources;
pub(crate) mod sailing;
pub(crate) mod actions;
pub(crate) mod gods;
pub(crate) mod decisions;
pub(crate) mod tasks;
pub(crate) mod battle;
pub(crate) mod islands;
pub(crate) mod rewards;
pub(crate) mod gains;
pub(crate) mod turn;

use kernel::{Draft, Refusal};

use crate::command::Command;
use crate::legality::{self, Step};
use crate::refusal::Breach;
use crate::{Delphi, setup};

/// Emits the commit of a command.
///
/// # Errors
/// The first rule that the command breaks; then nothing is emitted or drawn.
pub(crate) fn decide(draft: &mut Draft<'_, Delphi>, command: &Command) -> Result<(), Refusal> {
    let step = legality::check(draft.position(), command).map_err(Breach::refusal)?;
    let seat = draft.position().active();
    match step {
        Step::ChooseShip(ship) => setup::areas::choose_ship(draft, seat, ship),
        Step::Pay(paid) => sources::perform(draft, seat, paid),
        Step::EndTurn => turn::end(draft, seat),
        Step::Use(power) => gods::perform(draft, seat, power),
        Step::Act(deed, color) => actions::perform(draft, seat, deed, color),
        Step::Answer(answer) => decisions::perform(draft, seat, answer),
    }
    turn::go_on(draft);
    Ok(())
}

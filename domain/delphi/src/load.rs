//! May a loaded position be played (D-131)?

mod bounds;

use kernel::{Game, Refusal};

use crate::position::{Decision, Position, PositionForm, Stage};
use crate::{Delphi, legality};

/// A position that the box, the bounds of numbers and D-702 allow, ready for play.
///
/// # Errors
/// D-131, with the first thing that is wrong.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    bounds::check(&form).map_err(refuse)?;
    let position = restore(form)?;
    battles(&position).map_err(refuse)?;
    Ok(position)
}

/// No battle waits for a colour that its seat has fulfilled, and no two for one colour: it is fulfilled once (D-702).
fn battles(position: &Position) -> Result<(), String> {
    let seat = match position.stage {
        // What waits then is answered after the choice of ships.
        Stage::Ships => Some(position.start_seat),
        Stage::Start | Stage::Upkeep | Stage::Main | Stage::Over => position.active_seat,
    };
    let Some(seat) = seat else { return Ok(()) };
    let mut done = position.player(seat).fulfilled.monster;
    for decision in &position.pending {
        let Decision::Battle { at: _, color, strength: _ } = decision else { continue };
        if done.contains(*color) {
            return Err(format!(
                "seat {seat} fights a {color} monster, but has defeated or fights one already"
            ));
        }
        done.add(*color);
    }
    Ok(())
}

/// A position of the right shape, in which somebody can do something.
///
/// # Errors
/// D-131, with the first thing that is wrong.
pub(crate) fn restore(form: PositionForm) -> Result<Position, Refusal> {
    let position = Position::try_from(form).map_err(refuse)?;
    if legality::is_stuck(&position) {
        return Err(refuse(
            "nobody could do anything: nothing is due, or what is due has no answer".to_owned(),
        ));
    }
    Ok(position)
}

fn refuse(reason: String) -> Refusal {
    Refusal::new(Delphi::INFO.forms.position, reason)
}

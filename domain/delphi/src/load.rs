//! May a loaded position be played (D-131)?

mod bounds;

use kernel::{Game, Refusal};

use crate::position::{Position, PositionForm};
use crate::{Delphi, legality};

/// A position that the box and the bounds of numbers allow, ready for play.
///
/// # Errors
/// D-131, with the first thing that is wrong.
pub(crate) fn admit(form: PositionForm) -> Result<Position, Refusal> {
    bounds::check(&form).map_err(refuse)?;
    restore(form)
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

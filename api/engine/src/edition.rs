//! The edition of the rules that a request asks for.

use journal::rules::ONE_EDITION;
use kernel::{AnyGame, AnyMatch, Edition, Refusal};
use serde_json::value::RawValue;

use crate::error::Error;

/// The edition that was asked for: the newest if none was.
///
/// # Errors
/// If the game has no such edition.
pub(crate) fn asked(game: &dyn AnyGame, number: Option<u32>) -> Result<Edition, Error> {
    let info = game.info();
    number.map_or(Ok(info.newest()), |number| info.edition(number).map_err(refused))
}

/// A position that may be played, by the edition that it tells or, if it tells none, the one that was asked for.
///
/// # Errors
/// What the game refuses; and if the position tells another edition than the one that was asked for.
pub(crate) fn load(
    game: &dyn AnyGame,
    position: &RawValue,
    number: Option<u32>,
) -> Result<Box<dyn AnyMatch>, Error> {
    let asked = asked(game, number)?;
    let state = game.load(position, asked).map_err(Error::InvalidPosition)?;
    let own = state.edition();
    if number.is_some() && own != asked {
        return Err(refused(format!(
            "the position is of edition {own}, and edition {asked} was asked for"
        )));
    }
    Ok(state)
}

fn refused(reason: String) -> Error {
    Error::InvalidOptions(Refusal::new(ONE_EDITION, reason))
}

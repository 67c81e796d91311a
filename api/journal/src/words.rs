//! The words of games, with those of the platform.

use kernel::{AnyGame, Lexicon, WordsError};

use crate::rules;

const PLATFORM: [(&str, &str); 2] =
    [("en", include_str!("../words/en.toml")), ("de", include_str!("../words/de.toml"))];

/// The words of a game: those of the platform, then its own, then those of `more` files, TOML by language.
///
/// # Errors
/// If a file is not TOML.
pub fn lexicon(game: &dyn AnyGame, more: &[(&str, &str)]) -> Result<Lexicon, WordsError> {
    Lexicon::new(game.info(), &rules::of(game), &PLATFORM, more)
}

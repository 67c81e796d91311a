//! The games that a command can be about, and their pictures.

use canvas::Picture;
use kernel::AnyGame;

use crate::failure::{Failure, usage};

pub(crate) type Games = &'static [&'static dyn AnyGame];
pub(crate) type Pictures = &'static [&'static Picture];

/// The game with this id.
pub(crate) fn known(games: Games, id: &str) -> Result<&'static dyn AnyGame, Failure> {
    games.iter().copied().find(|game| game.info().id == id).ok_or_else(|| {
        let known: Vec<&str> = games.iter().map(|game| game.info().id).collect();
        usage(format!("--game {id}: no such game; the games are {}", known.join(", ")))
    })
}

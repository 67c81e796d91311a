//! The games of this server: one slice, one line per game.

use copenhagen::Copenhagen;
use delphi::Delphi;
use kernel::{AnyGame, Erased};
use rosenkoenig::Rosenkoenig;
use voluspa::Voluspa;

/// Every game that can be played, in the order in which the catalogue lists them.
pub static GAMES: &[&dyn AnyGame] = &[
    &Erased::<Voluspa>::NEW,
    &Erased::<Rosenkoenig>::NEW,
    &Erased::<Copenhagen>::NEW,
    &Erased::<Delphi>::NEW,
];

//! The kernel: what every game is made of, and the one door through which the rest of Muninn meets a game.
//!
//! A game is a type that implements [`Game`]: pure functions over plain data. Nothing here reads a clock, a file, the
//! environment or a random generator; chance comes in as an argument ([`Chance`]), and every outcome goes into an
//! event. The shell never sees a game's types: it holds `&dyn AnyGame` and `Box<dyn AnyMatch>`, which take and give JSON
//! text (see [`Erased`]).
//!
//! Read in this order: [`Seat`] and [`Viewer`], [`Rule`] and [`Refusal`], [`Chance`], [`Draft`], [`Game`], [`AnyGame`].

mod seat;

mod rule;

mod chance;

mod award;

mod draft;

mod disclosure;

mod game;

mod prospect;

mod erased;

mod schema;

mod json;

pub use award::Award;
pub use chance::{Chance, Forced};
pub use disclosure::Disclosure;
pub use draft::Draft;
pub use erased::{AnyGame, AnyMatch, Decided, Driver, Erased, Played, Seen, Started, StreamError};
pub use game::{FormRules, Game, Info};
pub use json::{Given, object, present};
pub use prospect::prospects;
pub use rule::{Refusal, Rule, RuleText};
pub use schema::Schemas;
pub use seat::{Seat, Viewer};

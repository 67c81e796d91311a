//! The kernel: what every game is made of, and the one door through which the rest of Muninn meets a game.
//!
//! A game is a type that implements [`Game`]: pure functions over plain data. Nothing here reads a clock, a file, the
//! environment or a random generator; chance comes in as an argument ([`Chance`]), and every outcome goes into an
//! event. The shell never sees a game's types: it holds `&dyn AnyGame` and `Box<dyn AnyMatch>`, which take and give JSON
//! text (see [`Erased`]).
//!
//! Read in this order: [`Seat`] and [`Viewer`], [`Rule`] and [`Refusal`], [`Edition`], [`Chance`], [`Draft`], [`Secret`](trait@Secret) and
//! [`Fact`](trait@Fact), [`Form`], [`Game`], [`AnyGame`].
//!
//! # Example
//! A match of Nim, the toy game of `testkit`, without a type of Nim:
//! ```
//! use kernel::{AnyGame, Erased, Forced, Seat, Viewer};
//! use serde_json::value::RawValue;
//! use testkit::Nim;
//!
//! let nim: &dyn AnyGame = &Erased::<Nim>::NEW;
//! let position = r#"{"heaps": [3], "lucky": [7, 4], "active_seat": 0, "winner": null}"#;
//! let state = nim.load(&RawValue::from_string(position.to_owned())?, nim.info().newest())?;
//! assert_eq!(state.legal_count(), 3);
//!
//! let command = RawValue::from_string(r#"{"type": "Take", "heap": 0, "count": 3}"#.to_owned())?;
//! let decided = state.decide(&command, &mut Forced::default())?;
//! assert_eq!(decided.events.len(), 2); // StonesTaken, MatchFinished
//! assert_eq!(decided.state.active_seat(), None);
//! assert_eq!(decided.state.points(), [1, 0]);
//! assert!(state.view(Viewer::Seat(Seat(0))).get().contains("[7,null]")); // the other number is hidden
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod seat;
mod rule;
mod edition;
mod chance;
mod award;
mod tally;
mod choice;
mod draft;
mod disclosure;
mod secret;
mod stored;
mod fixed;
mod form;
mod game;
mod prospect;
mod playout;
mod half;
mod setup;
mod erased;
mod schema;
pub mod json;
mod track;
mod multiset;
pub mod printed;
mod words;
mod wrong;

pub use award::Award;
pub use chance::{Candidate, Chance, Forced};
pub use choice::{Choice, Pointed};
pub use disclosure::Disclosure;
pub use draft::Draft;
pub use edition::{Edition, EditionText, edition, newest};
pub use erased::{AnyGame, AnyMatch, Decided, Erased, Played, Started};
pub use fixed::Fixed;
pub use form::{First, Form, FormNumber, read_form};
pub use game::{FormRules, Game, Info};
pub use half::{Against, Completions};
pub use json::{Given, json_bytes, object, present};
pub use multiset::{Bag, Piece, Set};
pub use playout::Driver;
pub use prospect::{gains, prospects};
pub use rule::{Refusal, Rule, RuleText, require};
pub use schema::{Schemas, pascal};
pub use seat::{Seat, Viewer};
pub use secret::{Fact, Open, Secret, open};
pub use stored::{Seen, StreamError};
pub use tally::{Replayed, Sizes};
pub use track::{Moved, Placed, Places, Step, Tracked, Tracker, moves};
pub use words::{Lexicon, Words, WordsError};
pub use wrong::{Wrong, nearest, step};

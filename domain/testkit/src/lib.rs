//! What every game must pass, and the tools to say it briefly.
//!
//! * [`conform`]: random full matches that hold a game to the promises of [`kernel::Game`].
//! * [`Cases`]: rule cases as data, `tests/cases/*.toml`.
//! * [`playthrough`]: one seeded match as text that a person reads in review; [`play`] tells its steps to anybody.
//! * [`fixtures`]: a position of real play for each moment of a game.
//! * [`bench()`]: how fast a game is, where a user waits for it.
//! * [`measure`] and [`figure`]: rates with median and spread for benches, and their ratios to something that stays the same.
//! * [`fuzz`]: mutated positions and commands of a corpus: no panic, the right refusals, lists and decisions that agree.
//! * [`pointers_to`] and [`references`]: where in a JSON document something is, and what it refers to.
//! * [`Walk`]: a match step by step, to look at every position on the way.
//! * [`Witness`]: dice that write down every draw.
//! * [`leaky`]: any game, but for one leak, to see that it is found.
//! * [`unread`]: the values of printed data that may change without a change of what is read.
//! * [`Nim`]: a toy game, the smallest complete example of a game, with its picture, [`NIM_PICTURE`].

mod dice;
mod arithmetic;
mod conform;
mod cases;
mod playthrough;
mod fixtures;
mod measure;
mod bench;
mod fuzz;
pub mod leaky;
mod nim;
mod pointers;
mod unread;
mod walk;
mod witness;

pub use bench::bench;
pub use cases::Cases;
pub use conform::{Choose, Conformance, Exchange, conform, viewers};
pub use dice::Dice;
pub use fixtures::{fixtures, greedy, uniform};
pub use fuzz::{Fuzzed, Holds, change, fuzz, garble, said};
pub use measure::{figure, measure};
pub use nim::{NIM_PICTURE, Nim};
pub use playthrough::{ChooseJson, Step, check_snapshot, play, playthrough};
pub use pointers::{pointers_to, references};
pub use unread::unread;
pub use walk::{Walk, leaning};
pub use witness::{Draw, Witness};

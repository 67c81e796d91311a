//! A finished match with its commits, draws and points.

use std::ops::Range;

use journal::{Bot, BranchedFrom, Bytes32, Origin, Visibility};
use kernel::{AnyGame, Award, Edition, Seat, Sizes};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::finishes::Finish;

/// A finished match with everything that happened. All of it is open to everybody, but for the tokens, which are not here.
#[derive(Clone)]
pub struct FinishedMatch {
    /// Where and when it ended.
    pub finish: Finish,
    /// The game that was played.
    pub game: &'static dyn AnyGame,
    /// All options, defaults filled in and what was drawn entered.
    pub options: Box<RawValue>,
    /// The edition of the rules that it was played by.
    pub edition: Edition,
    /// The program that opened it, with its version.
    pub engine: String,
    /// The names of the seats, in order.
    pub names: Vec<Option<String>>,
    /// The bots by seat, each with the version of its play.
    pub bots: Vec<Option<(Bot, u32)>>,
    /// Who may see the match.
    pub visibility: Visibility,
    /// Was taking back allowed when it was opened?
    pub take_back: bool,
    /// Whether it is a sandbox.
    pub sandbox: bool,
    /// Whether it began from a given position
    pub loaded: bool,
    /// The match and version that it branched off from.
    pub branched_from: Option<BranchedFrom>,
    /// Where it comes from, if it was imported.
    pub origin: Option<Origin>,
    /// When it was opened.
    pub created_at: String,
    /// The seed of its chance.
    pub seed: Bytes32,
    /// The seat that had the first turn.
    pub start_seat: Option<Seat>,
    /// The final score by seat.
    pub points: Vec<i64>,
    /// The final ranking, a JSON array with at least `rank` and `seat`.
    pub standing: Box<RawValue>,
    /// The number of its events.
    pub version: u64,
    /// Its commits in order; number 1 is the first.
    pub commits: Vec<FinishedCommit>,
}

/// A commit of a finished match.
#[derive(Clone, Debug)]
pub struct FinishedCommit {
    /// Its place in the feed of the store.
    pub position: u64,
    /// The seat that acted; `None` for the setup, and for a match that is closed.
    pub seat: Option<Seat>,
    /// When it was recorded.
    pub recorded_at: String,
    /// What was recorded, canonical JSON; the command and the events are parts of it.
    pub(crate) text: Box<str>,
    pub(crate) command: Option<Range<usize>>,
    pub(crate) events: Vec<Range<usize>>,
    /// What differs where the rules of this program decide otherwise; then `legal` and `draws` are not known.
    pub otherwise: Option<String>,
    /// How many commands were legal then, where there is a command.
    pub legal: Option<u64>,
    /// The version of its first event.
    pub first_version: u64,
    /// What was drawn, in order.
    pub draws: Vec<Drawn>,
    /// The points that its events gave and took, each with the index of its event.
    pub awards: Vec<(usize, Award)>,
    /// What the match was after it.
    pub after: After,
    /// Was it taken back later?
    pub taken_back: bool,
    /// Its hash in the chain.
    pub hash: Bytes32,
}

impl FinishedCommit {
    /// The command, canonical JSON, if it is the commit of one.
    #[must_use]
    pub fn command(&self) -> Option<&str> {
        let place = self.command.clone()?;
        Some(&self.text[place])
    }

    /// Its events, canonical JSON.
    pub fn events(&self) -> impl ExactSizeIterator<Item = &str> {
        self.events.iter().map(|place| &self.text[place.clone()])
    }
}

/// What a match was after a commit: nothing of it is hidden, also while the match went on, but for the hash.
#[derive(Clone, Debug)]
pub struct After {
    /// The number of its turn, from 1, which begins with the setup.
    pub turn: u64,
    /// The number of its round, from 1: the next one begins when the turn comes to the seat that began, or past it.
    pub round: u64,
    /// The score by seat.
    pub points: Vec<i64>,
    /// The seat to act; `None` at the end.
    pub active_seat: Option<Seat>,
    /// How many commands are legal, if they were counted.
    pub legal: Option<u64>,
    /// What is left to be drawn, and the size of each hand.
    pub sizes: Sizes,
    /// SHA-256 of the canonical JSON of the position, hidden parts included. Whoever knows it of a match that goes on could try what
    /// those parts are: it is told of finished matches alone. None where it was not asked for.
    pub position: Option<Bytes32>,
}

/// An outcome of chance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The specification's name of the draw.
    pub kind: &'static str,
    /// How many candidates there were, each equally likely.
    pub candidates: u64,
    /// The index of the one that was drawn.
    pub index: u64,
    /// The one that was drawn.
    pub outcome: Value,
    /// Whether it was forced, in a sandbox, and does not follow from the seed.
    pub forced: bool,
}

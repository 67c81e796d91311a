//! Finished matches in bulk: every commit decided again, with its draws and the number of legal commands before it.
//!
//! A match that goes on, or was closed before its end, keeps its secrets: it is not in the archive.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::vec;

use kernel::{AnyGame, Award, Chance, Seat, StreamError};
use serde_json::Value;
use serde_json::value::RawValue;
use store::{Place, Store, Stored};

use crate::engine::{first_commit, match_id, seats, stream_id};
use crate::fold::Folded;
use crate::header::{BranchedFrom, Header, MatchId, Visibility};
use crate::platform::PlatformEvent;
use crate::record::{Body, Outline, Record};
use crate::{Bytes32, Seeded, StartError, canonical};

/// How many commits of a match are read from the store at once.
const PAGE: usize = 256;
/// How many places of the feed are looked at at once.
const PLACES: usize = 16_384;

/// A store to be read in bulk. Cheap to clone.
#[derive(Clone)]
pub struct Archive {
    store: Arc<Store>,
    games: &'static [&'static dyn AnyGame],
}

/// A match's end in the feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finish {
    /// The feed position of the commit that finished the match.
    pub position: u64,
    /// The match.
    pub r#match: MatchId,
    /// When that commit was recorded: RFC 3339 in UTC with milliseconds.
    pub finished_at: String,
}

/// Something in the store that cannot be read, or is not what the game decides.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {what}")]
pub struct Damaged {
    /// Where: a feed position, or a match and perhaps a commit.
    pub place: String,
    /// What is wrong there.
    pub what: String,
}

/// A finished match with everything that happened. All of it is open to everybody, but for the tokens, which are not here.
#[derive(Clone)]
pub struct FinishedMatch {
    /// Where and when it ended.
    pub finish: Finish,
    /// The game that was played.
    pub game: &'static dyn AnyGame,
    /// All options, defaults filled in and what was drawn entered.
    pub options: Box<RawValue>,
    /// The names of the seats, in order.
    pub names: Vec<Option<String>>,
    /// Who may look at it.
    pub visibility: Visibility,
    /// Was taking back allowed when it was opened?
    pub take_back: bool,
    /// Did it begin from a given position?
    pub loaded: bool,
    /// The match and version that it branched off from.
    pub branched_from: Option<BranchedFrom>,
    /// When it was opened.
    pub created_at: String,
    /// The seed of its chance.
    pub seed: Bytes32,
    /// The seat that acted first.
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
    /// The seat that acted; `None` for the setup.
    pub seat: Option<Seat>,
    /// When it was recorded.
    pub recorded_at: String,
    /// What was recorded, canonical JSON; the command and the events are parts of it.
    text: Box<str>,
    command: Option<Range<usize>>,
    events: Vec<Range<usize>>,
    /// How many commands were legal then, where there is a command.
    pub legal: Option<u64>,
    /// The version of its first event.
    pub first_version: u64,
    /// What was drawn, in order.
    pub draws: Vec<Drawn>,
    /// The points that its events gave and took, each with the index of its event.
    pub awards: Vec<(usize, Award)>,
    /// Was it taken back later?
    pub taken_back: bool,
    /// Its hash in the chain.
    pub hash: Bytes32,
}

impl FinishedCommit {
    /// The command, canonical JSON; `None` for the setup and for a take-back.
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
}

impl std::fmt::Debug for Archive {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Archive").field("position", &self.position()).finish_non_exhaustive()
    }
}

impl Archive {
    pub(crate) fn new(store: Arc<Store>, games: &'static [&'static dyn AnyGame]) -> Self {
        Archive { store, games }
    }

    /// Opens the store in `folder`, which no server may have open. Damage inside is found as it is read.
    ///
    /// # Errors
    /// If the store does not open.
    pub fn open(
        folder: &Path,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, StartError> {
        let store = Store::open(folder, store::Config { cache_bytes })?;
        Ok(Archive::new(Arc::new(store), games))
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.store.position()
    }

    /// The hash of the commit at a feed position: two stores that have the same there are the same up to there. `None` if there is no such
    /// commit, or it cannot be read.
    #[must_use]
    pub fn mark(&self, position: u64) -> Option<Bytes32> {
        let page = self.store.feed(position.checked_sub(1)?, 1).ok()?;
        Some(Record::read(&page.first()?.bytes).ok()?.hash())
    }

    /// The matches that ended at feed positions above `span.start`, up to and with `span.end`, in this order. What cannot be read is
    /// told, and passed.
    #[must_use]
    pub fn finishes(&self, span: Range<u64>) -> Finishes {
        Finishes {
            store: Arc::clone(&self.store),
            at: span.start,
            until: span.end.min(self.position()),
            page: Vec::new().into_iter(),
            end: span.start,
        }
    }

    /// The game and the visibility of a match: what is known before its commits are read.
    ///
    /// # Errors
    /// If the header is damaged.
    pub fn outline(&self, finish: &Finish) -> Result<(&'static dyn AnyGame, Visibility), Damaged> {
        let (game, header) = self.header(finish.r#match)?;
        Ok((game, header.visibility))
    }

    fn header(&self, id: MatchId) -> Result<(&'static dyn AnyGame, Header), Damaged> {
        let damaged = |what: String| Damaged { place: format!("match {id}"), what };
        let bytes = self.store.header(stream_id(id));
        let bytes = bytes.map_err(|error| damaged(error.to_string()))?;
        let bytes = bytes.ok_or_else(|| damaged("it has no header".to_owned()))?;
        let header: Header = serde_json::from_slice(&bytes)
            .map_err(|error| damaged(format!("its header: {error}")))?;
        let game = self.games.iter().copied().find(|game| game.info().id == header.game);
        let game =
            game.ok_or_else(|| damaged(format!("its header names the game {}", header.game)))?;
        Ok((game, header))
    }

    /// Reads a finished match and decides each of its commands again.
    ///
    /// # Errors
    /// If a commit cannot be read, or the game does not decide what is stored.
    pub fn read(&self, finish: &Finish) -> Result<FinishedMatch, Damaged> {
        let id = finish.r#match;
        let (game, header) = self.header(id)?;
        let damaged = |commit: usize, what: String| Damaged {
            place: format!("match {id}, commit {commit}"),
            what,
        };
        let mut replay = Replay {
            game,
            header,
            folded: None,
            start_seat: None,
            loaded: false,
            commits: Vec::new(),
        };
        loop {
            let next = replay.commits.len() + 1;
            let page = self
                .store
                .commits(stream_id(id), replay.commits.len() as u64, PAGE)
                .map_err(|error| damaged(next, error.to_string()))?;
            if page.is_empty() {
                break;
            }
            for stored in &page {
                let number = replay.commits.len() + 1;
                replay.commit(stored).map_err(|error| damaged(number, error.0))?;
            }
        }
        let last = replay.commits.len();
        replay
            .end(finish.clone())
            .ok_or_else(|| damaged(last, "the match does not end there".to_owned()))
    }
}

/// The ends of matches, in the order of the feed.
pub struct Finishes {
    store: Arc<Store>,
    at: u64,
    until: u64,
    page: vec::IntoIter<Place>,
    /// The position of the page's last commit.
    end: u64,
}

impl Finishes {
    /// The position up to which all ends were given.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next commits that may be ends; those around a damaged place come one by one.
    fn turn(&mut self) -> Result<(), Damaged> {
        let left = usize::try_from(self.until - self.at).unwrap_or(PLACES);
        let places = |most: usize| self.store.feed_places(self.at, left.min(most));
        let places = places(PLACES).or_else(|_| places(PAGE)).or_else(|_| places(1));
        let mut places = places.map_err(|error| {
            self.at += 1;
            Damaged { place: format!("feed position {}", self.at), what: error.to_string() }
        })?;
        self.end = places.last().map_or(self.until, |last| last.position);
        // A commit that another one of its match follows has not ended it: most are never read.
        let mut followed = HashSet::new();
        places.reverse();
        places.retain(|place| followed.insert(place.stream));
        places.reverse();
        self.page = places.into_iter();
        Ok(())
    }

    fn read(&self, place: Place) -> Result<Option<Finish>, Damaged> {
        let stored = self.store.at_place(place).map_err(|error| Damaged {
            place: format!("feed position {}", place.position),
            what: error.to_string(),
        })?;
        finish(&stored)
    }
}

impl Iterator for Finishes {
    type Item = Result<Finish, Damaged>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            while let Some(place) = self.page.next() {
                self.at = place.position;
                if let Some(finish) = self.read(place).transpose() {
                    return Some(finish);
                }
            }
            self.at = self.at.max(self.end);
            if self.at >= self.until {
                return None;
            }
            if let Err(damaged) = self.turn() {
                return Some(Err(damaged));
            }
        }
    }
}

fn finish(stored: &Stored) -> Result<Option<Finish>, Damaged> {
    let id = match_id(stored.stream);
    let damaged = |error: StreamError| Damaged {
        place: format!("match {id}, commit {}", stored.number),
        what: error.0,
    };
    let record = Record::read(&stored.bytes).map_err(damaged)?;
    if !record.finishes() {
        return Ok(None);
    }
    let Outline { recorded_at, commit: _, last_version: _ } = record.outline().map_err(damaged)?;
    Ok(Some(Finish { position: stored.position, r#match: id, finished_at: recorded_at }))
}

/// Where a part that was read from `text` stands in it.
fn place(part: &RawValue, text: &str) -> Range<usize> {
    let start = part.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + part.get().len()
}

/// A match while it is read.
struct Replay {
    game: &'static dyn AnyGame,
    header: Header,
    folded: Option<Folded>,
    start_seat: Option<Seat>,
    loaded: bool,
    commits: Vec<FinishedCommit>,
}

impl Replay {
    fn commit(&mut self, stored: &Stored) -> Result<(), StreamError> {
        let record = Record::read(&stored.bytes)?;
        let body = record.body_text()?;
        let number = self.commits.len() as u64 + 1;
        let version = self.folded.as_ref().map_or(0, |folded| folded.version);
        if body.commit != number || body.first_version != version + 1 {
            return Err(StreamError("its number or version differs".to_owned()));
        }
        let mut chance = Recorder::new(self.header.seed, number);
        let (mut legal, mut awards) = (None, Vec::new());
        match (&mut self.folded, &body.command) {
            (None, None) => self.set_up(&record.body()?, &mut chance)?,
            (Some(folded), Some(command)) => {
                if folded.state.active_seat() != body.seat {
                    return Err(StreamError("another seat was to act".to_owned()));
                }
                legal = Some(folded.state.legal_count() as u64);
                awards = folded.replay(command, &body.events, &mut chance)?;
            }
            (Some(folded), None) => {
                let body = record.body()?;
                folded.commit(&body, usize::MAX)?;
                self.take_back(&body);
            }
            (None, Some(_)) => return Err(StreamError("a command before the setup".to_owned())),
        }
        let text = record.full();
        self.commits.push(FinishedCommit {
            position: stored.position,
            seat: body.seat,
            command: body.command.map(|command| place(command, text)),
            legal,
            first_version: body.first_version,
            events: body.events.iter().map(|e| place(e, text)).collect(),
            recorded_at: body.recorded_at,
            draws: chance.drawn,
            awards,
            taken_back: false,
            hash: record.hash(),
            text: text.into(),
        });
        Ok(())
    }

    fn set_up(&mut self, body: &Body, chance: &mut Recorder) -> Result<(), StreamError> {
        let folded = first_commit(self.game, body, self.header.take_back);
        let folded = folded.map_err(|error| StreamError(error.to_string()))?;
        let first = body.events.first();
        self.loaded = first.is_some_and(|event| PlatformEvent::read(event).is_some());
        if !self.loaded {
            let seats = self.header.seats.len();
            let started = self
                .game
                .setup(self.header.asked()?, seats, chance)
                .map_err(|refusal| StreamError(format!("its setup is refused by {refusal}")))?;
            let decided = started.events.iter().map(|seen| canonical(seen.full.get()));
            if !decided.eq(body.events.iter().map(|event| event.get())) {
                return Err(StreamError("its setup differs".to_owned()));
            }
        }
        self.start_seat = folded.state.active_seat();
        self.folded = Some(folded);
        Ok(())
    }

    /// Marks what the take-back of this commit undid.
    fn take_back(&mut self, body: &Body) {
        let event = body.events.first();
        let Some(PlatformEvent::CommandTakenBack { seat: _, to_version }) =
            event.and_then(|event| PlatformEvent::read(event))
        else {
            return;
        };
        let commits = self.commits.iter_mut().rev();
        commits
            .take_while(|commit| commit.first_version > to_version)
            .for_each(|commit| commit.taken_back = true);
    }

    fn end(self, finish: Finish) -> Option<FinishedMatch> {
        let folded = self.folded?;
        let standing = folded.state.standing()?;
        let Header {
            format: _,
            game: _,
            options,
            asked: _,
            seats: _,
            owner_hash: _,
            visibility,
            take_back,
            seed,
            created_at,
            branched_from,
            closed_at: _,
        } = self.header.clone();
        Some(FinishedMatch {
            finish,
            game: self.game,
            options,
            names: seats(&self.header).into_iter().map(|s| s.name).collect(),
            visibility,
            take_back,
            loaded: self.loaded,
            branched_from,
            created_at,
            seed,
            start_seat: self.start_seat,
            points: folded.state.points(),
            standing,
            version: folded.version,
            commits: self.commits,
        })
    }
}

/// The chance of a commit, and what was drawn.
struct Recorder {
    chance: Seeded,
    drawn: Vec<Drawn>,
}

impl Recorder {
    fn new(seed: Bytes32, commit: u64) -> Self {
        Recorder { chance: Seeded::new(seed, commit), drawn: Vec::new() }
    }
}

impl Chance for Recorder {
    fn draw(
        &mut self,
        kind: &'static str,
        count: usize,
        candidate: &dyn Fn(usize) -> Value,
    ) -> usize {
        let index = self.chance.draw(kind, count, candidate);
        self.drawn.push(Drawn {
            kind,
            candidates: count as u64,
            index: index as u64,
            outcome: candidate(index),
        });
        index
    }
}

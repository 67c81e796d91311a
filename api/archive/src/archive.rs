//! Finished matches in bulk: every commit decided again, with its draws and the number of legal commands before it.
//!
//! A match that goes on, or was closed before its end, keeps its secrets: it is not in the archive.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use journal::{
    Body, BranchedFrom, Bytes32, DamageKind, Damaged, Folded, Header, Journal, Place,
    PlatformEvent, Record, Seeded, Visibility, canonical,
};
use kernel::{AnyGame, Award, Chance, Seat, StreamError};
use serde_json::Value;
use serde_json::value::RawValue;
use store::OpenError;

use crate::finishes::{Finish, Finishes};

/// How many commits of a match are read from the store at once.
const PAGE: usize = 256;

/// A store to be read in bulk. Cheap to clone.
#[derive(Clone)]
pub struct Archive {
    journal: Journal,
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
    /// Who may see the match.
    pub visibility: Visibility,
    /// Was taking back allowed when it was opened?
    pub take_back: bool,
    /// Whether it began from a given position
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
    /// The finished matches of a journal. What is found damaged is set aside there.
    #[must_use]
    pub fn new(journal: Journal) -> Self {
        Archive { journal }
    }

    /// Opens the store in `folder`, which no server may have open. Damage inside is found as it is read.
    ///
    /// # Errors
    /// If the store does not open.
    pub fn open(
        folder: &Path,
        games: &'static [&'static dyn AnyGame],
        cache_bytes: u64,
    ) -> Result<Self, OpenError> {
        Ok(Archive::new(Journal::open(folder, games, cache_bytes)?))
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.journal.games()
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.journal.position()
    }

    /// The hash of the commit at a feed position. Two stores with the same hash there are the same up to there. `None` if there is no such
    /// commit, or it cannot be read.
    #[must_use]
    pub fn mark(&self, position: u64) -> Option<Bytes32> {
        let page = self.journal.store().feed(position.checked_sub(1)?, 1).ok()?;
        Some(Record::read(&page.first()?.bytes).ok()?.hash())
    }

    /// The matches that ended at feed positions above `span.start`, up to and with `span.end`, in this order. What cannot be read is
    /// set aside, told, and passed.
    #[must_use]
    pub fn finishes(&self, span: Range<u64>) -> Finishes {
        let span = span.start..span.end.min(self.position());
        Finishes::new(self.journal.clone(), span)
    }

    /// What is known to be damaged, and is or may be in a span of the feed.
    #[must_use]
    pub fn damaged(&self, span: &Range<u64>) -> BTreeSet<Place> {
        self.journal.aside().within(span)
    }

    /// Whether it is known to be damaged, so that reading it again does not help.
    #[must_use]
    pub fn lasts(&self, place: Place) -> bool {
        self.journal.aside().get(place).is_some_and(|damaged| damaged.lasts())
    }

    /// Sets a match aside that is not of the form that its game describes.
    #[must_use]
    pub fn misfit(&self, finish: &Finish, cause: String) -> Damaged {
        let damaged = Damaged::of_match(finish.r#match, DamageKind::Differs, cause);
        let damaged = damaged.position(finish.position);
        self.journal.aside().put(&damaged);
        damaged
    }

    /// The game and the visibility of a match: what is known before its commits are read.
    ///
    /// # Errors
    /// If the header is damaged; then the match is set aside.
    pub fn outline(&self, finish: &Finish) -> Result<(&'static dyn AnyGame, Visibility), Damaged> {
        let (game, header) = self.noted(finish, self.journal.known_header(finish.r#match))?;
        Ok((game, header.visibility))
    }

    /// Sets aside what is damaged.
    fn noted<T>(&self, finish: &Finish, read: Result<T, Damaged>) -> Result<T, Damaged> {
        read.map_err(|damaged| damaged.position(finish.position))
            .inspect_err(|damaged| self.journal.aside().put(damaged))
    }

    /// Reads a finished match and decides each of its commands again.
    ///
    /// # Errors
    /// If a commit cannot be read, or the game does not decide what is stored; then the match is set aside, and only what the disk did not
    /// give out is read again the next time.
    pub fn read(&self, finish: &Finish) -> Result<FinishedMatch, Damaged> {
        let known = self.journal.aside().of(finish.r#match);
        if let Some(known) = known.clone().filter(Damaged::lasts) {
            return self.noted(finish, Err(known));
        }
        let read = self.noted(finish, self.read_anew(finish))?;
        if let Some(known) = known {
            self.journal.aside().remove(known.place());
        }
        Ok(read)
    }

    fn read_anew(&self, finish: &Finish) -> Result<FinishedMatch, Damaged> {
        let id = finish.r#match;
        let (game, header) = self.journal.known_header(id)?;
        let mut replay = Replay {
            game,
            header,
            folded: None,
            start_seat: None,
            loaded: false,
            commits: Vec::new(),
        };
        loop {
            let after = replay.commits.len() as u64;
            let page = self.journal.next_commits(id, after, PAGE)?;
            if page.is_empty() {
                break;
            }
            for ((position, record), number) in page.iter().zip(after + 1..) {
                replay.commit(*position, record).map_err(|error| {
                    Damaged::of_match(id, DamageKind::Differs, error.0).commit(number)
                })?;
            }
        }
        let last = replay.commits.len() as u64;
        replay.end(finish.clone()).ok_or_else(|| {
            let what = "the match does not end there";
            Damaged::of_match(id, DamageKind::Differs, what).commit(last)
        })
    }
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
    fn commit(&mut self, position: u64, record: &Record) -> Result<(), StreamError> {
        let body = record.body()?;
        let number = self.commits.len() as u64 + 1;
        let version = self.folded.as_ref().map_or(0, |folded| folded.version);
        if body.commit != number || body.first_version != version + 1 {
            return Err(StreamError("its number or version differs".to_owned()));
        }
        let mut chance = Recorder::new(self.header.seed, number);
        let (mut legal, mut awards) = (None, Vec::new());
        match (&mut self.folded, &body.command) {
            (None, None) => self.set_up(&body, &mut chance)?,
            (Some(folded), Some(command)) => {
                if folded.state.active_seat() != body.seat {
                    return Err(StreamError("another seat was to act".to_owned()));
                }
                legal = Some(folded.state.legal_count() as u64);
                awards = folded.replay(command, &body.events, &mut chance)?;
            }
            (Some(_), None) => {
                let before = self.folded.take();
                let take_back = self.header.take_back;
                let after = Folded::advance(before, self.game, &body, usize::MAX, take_back)?;
                self.folded = Some(after);
                self.take_back(&body);
            }
            (None, Some(_)) => return Err(StreamError("a command before the setup".to_owned())),
        }
        let text = record.full();
        self.commits.push(FinishedCommit {
            position,
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

    fn set_up(&mut self, body: &Body<'_>, chance: &mut Recorder) -> Result<(), StreamError> {
        let folded = Folded::advance(None, self.game, body, usize::MAX, self.header.take_back)?;
        let first = body.events.first();
        self.loaded = first.is_some_and(|event| PlatformEvent::read(event).is_some());
        if !self.loaded {
            let seats = self.header.seats.len();
            let started = self
                .game
                .setup(self.header.asked()?, seats, self.game.info().newest(), chance)
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
            seats,
            owner_hash: _,
            visibility,
            take_back,
            seed,
            created_at,
            branched_from,
            closed_at: _,
        } = self.header;
        Some(FinishedMatch {
            finish,
            game: self.game,
            options,
            names: seats.into_iter().map(|seat| seat.name).collect(),
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

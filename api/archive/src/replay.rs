//! A finished match, read commit by commit: what is stored is folded, and decided again beside that.

use std::ops::Range;
use std::sync::Arc;

use journal::{
    Body, Bytes32, Folded, PlatformEvent, Record, Seeded, TableOpened, canonical, standing_told,
};
use kernel::{AnyGame, Award, Candidate, Chance, Replayed, Seat, StreamError};
use serde_json::value::RawValue;

use crate::finished::{After, Drawn, FinishedCommit, FinishedMatch};
use crate::finishes::Finish;
use crate::today::today;
use crate::turns::Turns;
use crate::verify::{back_again, refused_otherwise};

/// How a match is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// As one that the rules of this program decide as it is stored.
    Same,
    /// As one that they may decide otherwise.
    Otherwise,
}

/// What is told of the position after each commit, beside what deciding again tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Nothing more.
    Decided,
    /// How many commands are legal.
    Legal,
    /// That, and a hash of the position.
    Hashed,
}

/// Why a match is not read on.
pub(crate) enum Stopped {
    /// The rules of this program decide otherwise. Only in [`Mode::Same`]; then nothing of the match means anything.
    Otherwise,
    /// What is stored does not follow on what is stored before.
    Damaged(StreamError),
    /// The bytes of the commit are not those that were sealed.
    Changed,
}

impl From<StreamError> for Stopped {
    fn from(error: StreamError) -> Self {
        Stopped::Damaged(error)
    }
}

/// What deciding a commit again tells.
#[derive(Default)]
struct Again {
    legal: Option<u64>,
    draws: Vec<Drawn>,
    otherwise: Option<String>,
}

/// A match while it is read.
pub(crate) struct Replay {
    games: &'static [&'static dyn AnyGame],
    seed: Bytes32,
    mode: Mode,
    detail: Detail,
    pub(crate) folded: Option<Folded>,
    start_seat: Option<Seat>,
    created_at: String,
    pub(crate) commits: Vec<FinishedCommit>,
    /// The final ranking as the last commit told it.
    standing: Option<Box<RawValue>>,
    turns: Turns,
    /// The turns after each commit.
    turns_after: Vec<Turns>,
}

impl Replay {
    pub(crate) fn new(
        games: &'static [&'static dyn AnyGame],
        seed: Bytes32,
        mode: Mode,
        detail: Detail,
    ) -> Self {
        Replay {
            games,
            seed,
            mode,
            detail,
            folded: None,
            start_seat: None,
            created_at: String::new(),
            commits: Vec::new(),
            standing: None,
            turns: Turns::default(),
            turns_after: Vec::new(),
        }
    }

    /// Reads the next commit.
    pub(crate) fn commit(&mut self, position: u64, record: &Record) -> Result<(), Stopped> {
        let body = record.body()?;
        let number = self.commits.len() as u64 + 1;
        let version = self.folded.as_ref().map_or(0, |folded| folded.version);
        if body.commit != number || body.first_version != version + 1 {
            return Err(StreamError("its number or version differs".to_owned()).into());
        }
        if let Some(folded) = &self.folded {
            folded.may_follow(&body)?;
        }
        let (again, brought) = match (&self.folded, &body.command) {
            (None, None) => (self.set_up(&body)?, Replayed::default()),
            (Some(_), Some(command)) => self.decide(&body, command)?,
            (Some(before), None) => {
                let back = self.back_otherwise(before, &body)?;
                let otherwise = refused_otherwise(before, &body, self.seed).or(back);
                let before = self.folded.take();
                self.folded = Some(Folded::advance(before, self.games, &body, usize::MAX)?);
                self.take_back(&body);
                let again = Again { otherwise, ..Again::default() };
                (self.told(again)?, Replayed::default())
            }
            (None, Some(_)) => {
                return Err(StreamError("a command before the setup".to_owned()).into());
            }
        };
        let Again { legal, draws, otherwise } = again;
        if otherwise.is_some() && record.sealed() != record.expected_seal(self.seed, number) {
            return Err(Stopped::Changed);
        }
        self.standing = standing_told(record);
        let Replayed { awards, turns } = brought;
        turns.into_iter().for_each(|seat| self.turns.begin(seat));
        let after = self.after(body.command.is_some(), &awards);
        self.turns_after.push(self.turns);
        let text = record.full();
        self.commits.push(FinishedCommit {
            position,
            seat: body.seat,
            command: body.command.map(|command| place(command, text)),
            otherwise,
            legal,
            first_version: body.first_version,
            events: body.events.iter().map(|e| place(e, text)).collect(),
            recorded_at: body.recorded_at,
            draws,
            awards,
            after,
            taken_back: false,
            hash: record.hash(),
            text: text.into(),
        });
        Ok(())
    }

    fn set_up(&mut self, body: &Body<'_>) -> Result<Again, Stopped> {
        let folded = Folded::advance(None, self.games, body, usize::MAX)?;
        let state = &folded.state;
        self.start_seat = state.start_seat();
        self.created_at.clone_from(&body.recorded_at);
        let (table, game) = (Arc::clone(&folded.table), folded.state.game());
        self.folded = Some(folded);
        if table.loaded {
            return Ok(Again::default());
        }
        let mut chance = Recorder::new(table.chance(self.seed, 1));
        let (seats, edition) = (table.seats.len(), table.opened.edition);
        let otherwise = match game.setup(&table.asked(), seats, edition, &mut chance) {
            Err(refusal) => Some(format!("its setup is refused by {refusal}")),
            Ok(started) => {
                let decided = started.events.iter().map(|seen| canonical(seen.full.get()));
                let (_, stored) = body.events.split_last().expect("the last opens the table");
                let same = decided.eq(stored.iter().map(|event| today(game, event)));
                (!same).then(|| "its setup differs".to_owned())
            }
        };
        self.told(Again { legal: None, draws: chance.drawn, otherwise })
    }

    /// Decides the command again, and folds its events.
    fn decide(
        &mut self,
        body: &Body<'_>,
        command: &RawValue,
    ) -> Result<(Again, Replayed), Stopped> {
        let folded = self.folded.as_mut().expect("the match was set up");
        let before = (self.mode == Mode::Otherwise).then(|| folded.clone());
        let table = Arc::clone(&folded.table);
        let mut chance = Recorder::new(table.chance(self.seed, body.commit));
        let legal = self.commits.last().and_then(|commit| commit.after.legal);
        let decided = if folded.state.active_seat() == body.seat {
            folded.replay(command, &body.events, &mut chance)
        } else {
            Err(StreamError("another seat was to act".to_owned()))
        };
        match decided {
            Ok(brought) => Ok((Again { legal, draws: chance.drawn, otherwise: None }, brought)),
            Err(StreamError(what)) => {
                let Some(mut before) = before else { return Err(Stopped::Otherwise) };
                before.enter_of(body)?;
                let mut brought = Replayed::default();
                for (number, event) in body.events.iter().enumerate() {
                    let given = before.state.awards(event)?;
                    brought.awards.extend(given.into_iter().map(|award| (number, award)));
                    brought.turns.extend(before.state.turn_begun(event)?);
                    before.apply(event)?;
                }
                self.folded = Some(before);
                Ok((self.told(Again { otherwise: Some(what), ..Again::default() })?, brought))
            }
        }
    }

    /// In a match that is read as one that does not go otherwise, it must not.
    fn told(&self, again: Again) -> Result<Again, Stopped> {
        match again.otherwise {
            Some(_) if self.mode == Mode::Same => Err(Stopped::Otherwise),
            Some(what) => Ok(Again { otherwise: Some(what), ..Again::default() }),
            None => Ok(again),
        }
    }

    /// How the take-back of this commit would be refused now, if it is one.
    fn back_otherwise(
        &self,
        before: &Folded,
        body: &Body<'_>,
    ) -> Result<Option<String>, StreamError> {
        let event = body.events.first().and_then(|event| PlatformEvent::read(event));
        let (Some(PlatformEvent::CommandTakenBack { seat, to_version: _ }), Some(latest)) =
            (event, self.commits.last())
        else {
            return Ok(None);
        };
        let latest = serde_json::from_str::<Body<'_>>(&latest.text);
        let latest = latest.map_err(|error| StreamError(format!("a commit's JSON: {error}")))?;
        back_again(before, &latest, seat)
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
        // Commits that were taken back earlier lie among those that stand.
        let stands = self.commits.iter().rposition(|commit| !commit.taken_back);
        if let Some(turns) = stands.and_then(|commit| self.turns_after.get(commit)) {
            self.turns = *turns;
        }
    }

    /// What the match is now. The points are those of before, and the awards, which explain every change of them; where nothing is
    /// before, or something was taken back, the game counts them.
    fn after(&mut self, is_command: bool, awards: &[(usize, Award)]) -> After {
        let folded = self.folded.as_ref().expect("a commit was folded");
        let state = &folded.state;
        let (active_seat, sizes) = (state.active_seat(), state.sizes());
        if self.commits.is_empty() {
            self.turns = Turns::of(self.start_seat, state.seats());
        }
        let points = match (self.commits.last(), is_command) {
            (Some(last), true) => {
                let mut points = last.after.points.clone();
                awards.iter().for_each(|(_, award)| points[award.seat.index()] += award.points);
                points
            }
            (Some(_) | None, _) => state.points(),
        };
        let count = || if active_seat.is_some() { state.legal_count() as u64 } else { 0 };
        let legal = (self.detail >= Detail::Legal).then(count);
        let hash = || Bytes32::hash(&[state.position().get().as_bytes()]);
        let position = (self.detail >= Detail::Hashed).then(hash);
        let Turns { turn, round, .. } = self.turns;
        After { turn, round, points, active_seat, legal, sizes, position }
    }

    /// The whole match, if it is finished.
    pub(crate) fn end(self, finish: Finish, names: Vec<Option<String>>) -> Option<FinishedMatch> {
        let folded = self.folded?;
        let standing = self.standing.or_else(|| folded.state.standing())?;
        let TableOpened { edition, engine, visibility, branched_from, .. } =
            TableOpened::clone(&folded.table.opened);
        Some(FinishedMatch {
            finish,
            game: folded.state.game(),
            options: folded.state.options(),
            edition,
            engine,
            names,
            bots: folded.table.bots(),
            visibility,
            take_back: folded.take_back(),
            sandbox: folded.table.is_sandbox(),
            loaded: folded.table.loaded,
            branched_from,
            origin: None,
            created_at: self.created_at,
            seed: self.seed,
            start_seat: self.start_seat,
            points: folded.state.points(),
            standing,
            version: folded.version,
            commits: self.commits,
        })
    }
}

/// Where a part that was read from `text` stands in it.
fn place(part: &RawValue, text: &str) -> Range<usize> {
    let start = part.get().as_ptr().addr() - text.as_ptr().addr();
    start..start + part.get().len()
}

/// The chance of a commit, and what was drawn.
struct Recorder<'a> {
    chance: Seeded<'a>,
    drawn: Vec<Drawn>,
}

impl<'a> Recorder<'a> {
    fn new(chance: Seeded<'a>) -> Self {
        Recorder { chance, drawn: Vec::new() }
    }
}

impl Chance for Recorder<'_> {
    fn draw(&mut self, kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        let index = self.chance.draw(kind, count, candidate);
        self.drawn.push(Drawn {
            kind,
            candidates: count as u64,
            index: index as u64,
            outcome: candidate(index),
            forced: self.chance.was_forced(),
        });
        index
    }
}

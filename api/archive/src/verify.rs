//! Proof that nothing was changed: hashes, folds and re-decides every stream of a store.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use journal::{
    Body, Bytes32, DamageKind, Damaged, Folded, Header, Journal, MatchId, PlatformEvent, Record,
    ReplyRefused, SeatTaken, Table, canonical, match_id, raw, rules,
};
use kernel::{AnyGame, Refusal, Seat, Seen, StreamError};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{Damage, Home, OpenError};

use crate::pace::Pace;
use crate::today::today;

/// No work is longer before it rests: a rest has a length that it may have at most, too.
const SLICE: Duration = Duration::from_millis(1);

/// Something that differs from what it must be, or would.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The match, if it belongs to one.
    pub r#match: Option<MatchId>,
    /// The commit, if it belongs to one.
    pub commit: Option<u64>,
    /// What differs.
    pub what: String,
}

impl Finding {
    /// What cannot be read.
    pub(crate) fn of(damaged: &Damaged) -> Self {
        Finding {
            r#match: damaged.id(),
            commit: damaged.number(),
            what: damaged.cause().to_owned(),
        }
    }

    /// What the check of the bytes tells.
    fn in_store(damage: Damage) -> Self {
        if let Damage::Commit { stream, number, what } = damage {
            return Finding { r#match: Some(match_id(stream)), commit: Some(number), what };
        }
        Finding { r#match: None, commit: None, what: damage.to_string() }
    }
}

/// What was verified.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// How many matches.
    pub matches: u64,
    /// How many commits.
    pub commits: u64,
    /// How many events.
    pub events: u64,
    /// Everything that is damaged.
    pub findings: Vec<Finding>,
    /// Matches that are as they were written, and that the rules of this program would decide otherwise: each with its first such commit.
    pub otherwise: Vec<Finding>,
}

impl Verified {
    /// Verifies a store: of a folder a copy that is made in the folder `scratch` and removed again. The store itself is left as it is. `progress` is told the number of matches after each.
    ///
    /// # Errors
    /// If the store cannot be copied, or not opened at all; what differs inside, or cannot be read, is a finding.
    pub fn run(
        home: impl Into<Home>,
        scratch: &Path,
        games: &'static [&'static dyn AnyGame],
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, OpenError> {
        let journal = Journal::of(home.into().inspect(scratch)?, games);
        let all = Self::all(&journal, &|_| {}, &mut |verified| {
            progress(verified.matches);
            ControlFlow::Continue(())
        });
        Ok(match all {
            ControlFlow::Continue(verified) | ControlFlow::Break(verified) => verified,
        })
    }

    /// Verifies a journal that may be in use, at a pace that leaves room for whoever plays; what is written meanwhile need not be among it.
    /// What is damaged is set aside. `progress` is called now and then with what was found so far, and may break off.
    pub fn live(
        journal: &Journal,
        progress: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> ControlFlow<Self, Self> {
        // Where the whole disk failed, nothing is known of a match that it did not give out.
        let found = |damaged: &Damaged| {
            if damaged.lasts() || !journal.disk_failed() {
                let _ = journal.set_aside(damaged);
            }
        };
        Self::all(journal, &found, progress)
    }

    /// `found` is told of each match that is damaged, and of each feed position that cannot be read.
    fn all(
        journal: &Journal,
        found: &dyn Fn(&Damaged),
        progress: &mut dyn FnMut(&Self) -> ControlFlow<()>,
    ) -> ControlFlow<Self, Self> {
        let mut verified = Verified::default();
        let mut pace = Pace::new(journal.store());
        let mut begun = Instant::now();
        let checked = journal.store().check(&mut |_| {
            pace.rest(begun);
            begun = Instant::now();
            // The check of the bytes goes on to its end, and nothing is found before.
            let _ = progress(&verified);
        });
        let mut told = BTreeSet::new();
        for damage in checked.damage {
            if let Damage::Commit { stream, number, .. } = &damage {
                told.insert((*stream, *number));
            }
            // Read as everybody reads it: a match is read below, and a position may be only out of reach.
            if let Damage::Feed { position, .. } = &damage
                && let Some(before) = position.checked_sub(1)
                && let Err(damaged) = journal.places(before, 1)
            {
                found(&damaged);
            }
            verified.findings.push(Finding::in_store(damage));
        }
        for stream in checked.streams {
            verified.matches += 1;
            let id = match_id(stream);
            if let Err(damaged) = verified.check_match(journal, id, &mut pace) {
                found(&damaged);
                if damaged.number().is_none_or(|number| !told.contains(&(stream, number))) {
                    verified.findings.push(Finding::of(&damaged));
                }
            }
            if progress(&verified).is_break() {
                return ControlFlow::Break(verified);
            }
        }
        ControlFlow::Continue(verified)
    }

    fn check_match(
        &mut self,
        journal: &Journal,
        id: MatchId,
        pace: &mut Pace<'_>,
    ) -> Result<(), Damaged> {
        let header = journal.known_header(id)?;
        let games = journal.games();
        let mut chain = Chain::new(games, header);
        loop {
            let mut begun = Instant::now();
            let page = journal.next_commits(id, chain.number, 64)?;
            if page.is_empty() {
                let otherwise = chain.otherwise.take().map(|(commit, what)| Finding {
                    r#match: Some(id),
                    commit: Some(commit),
                    what,
                });
                self.otherwise.extend(otherwise);
                return chain.beside(journal, id);
            }
            for (position, record) in page {
                let number = chain.number + 1;
                let events = chain.check(&record).map_err(|what| {
                    let known = record.body().is_ok();
                    let kind = if known { DamageKind::Differs } else { DamageKind::UnknownForm };
                    Damaged::of_match(id, kind, what).commit(number).position(position)
                })?;
                self.commits += 1;
                self.events += events;
                if begun.elapsed() > SLICE {
                    pace.rest(begun);
                    begun = Instant::now();
                }
            }
            pace.rest(begun);
        }
    }
}

/// The events of a commit as they would be now, or why there would be none.
type Decided = Result<Vec<Seen>, String>;

/// What deciding a commit again tells.
#[derive(Default)]
struct Again {
    /// How the game decides otherwise now than what is stored, if it does.
    otherwise: Option<String>,
    /// All events of the commit, if they are what is stored, to the last byte: what was stored in an older form, a spectator saw in that one.
    events: Option<Vec<Seen>>,
}

/// A match while it is verified.
pub(crate) struct Chain {
    games: &'static [&'static dyn AnyGame],
    pub(crate) header: Header,
    pub(crate) folded: Option<Folded>,
    hash: Bytes32,
    number: u64,
    recorded_at: String,
    /// The latest commit, where one can be taken back.
    latest: Option<Record>,
    /// The first commit that the rules of this program would decide otherwise, and how.
    pub(crate) otherwise: Option<(u64, String)>,
}

impl Chain {
    pub(crate) fn new(games: &'static [&'static dyn AnyGame], header: Header) -> Self {
        Chain {
            games,
            header,
            folded: None,
            hash: Bytes32::default(),
            number: 0,
            recorded_at: String::new(),
            latest: None,
            otherwise: None,
        }
    }

    /// Verifies the next commit and returns the number of its events.
    pub(crate) fn check(&mut self, record: &Record) -> Result<u64, String> {
        self.number += 1;
        let body = record.body().map_err(|error| error.to_string())?;
        same("prev_hash", record.prev_hash() == self.hash)?;
        let sealed = record.expected_seal(self.header.seed, self.number);
        same("sealed", record.sealed() == sealed)?;
        same("the number of the commit", body.commit == self.number)?;
        let version = self.folded.as_ref().map_or(0, |folded| folded.version);
        same("first_version", body.first_version == version + 1)?;
        same("last_version", body.last_version == version + body.events.len() as u64)?;
        same("recorded_at", self.recorded_at <= body.recorded_at)?;
        self.recorded_at.clone_from(&body.recorded_at);
        let Again { otherwise, events } = self.decide_again(&body)?;
        let folded = Folded::advance(self.folded.take(), self.games, &body, usize::MAX);
        let folded = self.folded.insert(folded.map_err(|error| error.to_string())?);
        let (hash, is_open) = match events {
            Some(events) => record.expected_again(&body, &events),
            None => {
                let expected = record.expected_hash(folded.state.as_ref());
                expected.map_err(|error| error.to_string())?
            }
        };
        same("hash", record.hash() == hash)?;
        same("the mark of an open commit", record.is_open() == is_open)?;
        same("the mark of a match's end", record.end() == folded.end())?;
        self.hash = hash;
        self.latest = folded.take_back().then(|| record.clone());
        if let Some(what) = otherwise {
            self.otherwise.get_or_insert((self.number, what));
        }
        Ok(body.events.len() as u64)
    }

    /// What stands beside the chain must be what the chain commits to.
    fn beside(&self, journal: &Journal, id: MatchId) -> Result<(), Damaged> {
        let differs = |what| Damaged::of_match(id, DamageKind::Differs, what);
        let folded = self.opened().map_err(differs)?;
        let people = journal.people(id, &self.header, &folded.table);
        let people = people.and_then(|people| journal.check_tokens(id, &self.header, &people));
        let beside = people.and_then(|()| journal.origin(id).map(drop));
        beside.map_err(|unread| journal.damage(id, unread))
    }

    /// The match, if its header is the one that commit 1 commits to.
    pub(crate) fn opened(&self) -> Result<&Folded, String> {
        let folded = self.folded.as_ref().ok_or("it has no commit")?;
        let opened = &folded.table.opened;
        same("the seed", self.header.seed_commitment() == opened.seed_commitment)?;
        same("the header", self.header.commitment() == opened.header_commitment)?;
        let told = opened.sandbox.as_ref().is_none_or(|sandbox| sandbox.seed == self.header.seed);
        same("the seed of the sandbox", told)?;
        Ok(folded)
    }

    /// What the game decides now, from the seed, where that is a question of its rules.
    ///
    /// # Errors
    /// If the parts of the commit do not belong together, whatever the rules.
    fn decide_again(&self, body: &Body<'_>) -> Result<Again, String> {
        let first = body.events.first().and_then(|event| PlatformEvent::read(event));
        let (game, events, decided) = match (&self.folded, &body.command, first) {
            (None, None, Some(PlatformEvent::PositionLoaded { .. })) => {
                same("the number of events", body.events.len() == 2)?;
                return Ok(Again::default());
            }
            (None, None, None) => {
                let (_, events) = body.events.split_last().ok_or("a commit has no events")?;
                let (game, decided) = self.set_up(body)?;
                (game, events, decided)
            }
            (Some(before), Some(command), None) => {
                let decided = self.decide(before, body.seat, command);
                (before.state.game(), body.events.as_slice(), decided)
            }
            (Some(before), None, Some(PlatformEvent::CommandTakenBack { seat, to_version })) => {
                same("the seat", Some(seat) == body.seat)?;
                same("to_version", before.version_before() == Some(to_version))?;
                let latest = self.latest.as_ref().ok_or("there is nothing to take back")?;
                let refused = latest.body().and_then(|latest| back_again(before, &latest, seat));
                let otherwise = refused.map_err(|error| error.to_string())?;
                return Ok(Again { otherwise, events: None });
            }
            (Some(_), None, Some(PlatformEvent::SeatTaken(SeatTaken { seat, .. }))) => {
                same("the seat", Some(seat) == body.seat && body.events.len() == 1)?;
                return Ok(Again::default());
            }
            (Some(before), None, Some(PlatformEvent::ReplyRefused(refused))) => {
                same("the seat", Some(refused.seat) == body.seat && body.events.len() == 1)?;
                let checked = refused_again(before, &refused, self.header.seed, self.number);
                return Ok(Again { otherwise: checked.err(), events: None });
            }
            (Some(_), None, Some(PlatformEvent::MatchClosed(_))) => {
                same("the seat", body.seat.is_none() && body.events.len() == 1)?;
                return Ok(Again::default());
            }
            _ => return Err("a command and events that do not belong together".to_owned()),
        };
        let decided = match decided {
            Ok(decided) => decided,
            Err(otherwise) => return Ok(Again { otherwise: Some(otherwise), events: None }),
        };
        let mut is_lifted = false;
        let mut same_events = || {
            same("the number of events", decided.len() == events.len())?;
            for (number, (decided, stored)) in decided.iter().zip(events).enumerate() {
                let decided = canonical(decided.full.get());
                if decided != stored.get() {
                    same(&format!("event {number}"), decided == today(game, stored))?;
                    is_lifted = true;
                }
            }
            Ok(())
        };
        let otherwise = same_events().err();
        // A setup's commit has an event more, which opens the table.
        let is_all = otherwise.is_none() && !is_lifted && events.len() == body.events.len();
        Ok(Again { otherwise, events: is_all.then_some(decided) })
    }

    /// The game, and the events of the setup as they would be now.
    fn set_up(&self, body: &Body<'_>) -> Result<(&'static dyn AnyGame, Decided), String> {
        let table = Table::open(body).map_err(|error| error.to_string())?;
        let game = table.game(self.games).map_err(|error| error.to_string())?;
        let mut chance = table.chance(self.header.seed, 1);
        let edition = table.edition(game).map_err(|error| error.to_string())?;
        let started = game.setup(&table.asked(), table.seats.len(), edition, &mut chance);
        let decided = started
            .map(|started| started.events)
            .map_err(|refusal| format!("its setup is refused by {refusal}"));
        Ok((game, decided))
    }

    /// The events of a command as they would be now.
    fn decide(&self, before: &Folded, seat: Option<Seat>, command: &RawValue) -> Decided {
        same("the seat", before.state.active_seat() == seat)?;
        let mut chance = before.table.chance(self.header.seed, self.number);
        let decided = before.state.decide(command, &mut chance);
        let decided = decided.map_err(|refusal| format!("its command is refused by {refusal}"))?;
        same("the command", canonical(decided.command.get()) == command.get())?;
        Ok(decided.events)
    }
}

/// How the take-back by `seat` of the commit `latest`, which led to `before`, would be refused now. That is no damage: earlier programs allowed some
/// that M-83 forbids now.
pub(crate) fn back_again(
    before: &Folded,
    latest: &Body<'_>,
    seat: Seat,
) -> Result<Option<String>, StreamError> {
    let refusal = if before.finished() {
        Some(Refusal::new(rules::RESULT_IS_FINAL, "the match is finished"))
    } else {
        rules::take_back_refused(before.state.game(), latest, seat)?
    };
    Ok(refusal.map(|refusal| format!("its take-back is refused by {refusal}")))
}

/// What a script said must be refused now, too, by the same rule: in the commit with this number, which follows on `before`.
fn refused_again(
    before: &Folded,
    refused: &ReplyRefused,
    seed: Bytes32,
    number: u64,
) -> Result<(), String> {
    same("the seat to act", before.state.active_seat() == Some(refused.seat))?;
    let (_, command) = before.table.next_reply(refused.seat).ok_or("no reply is due")?;
    let mut chance = before.table.chance(seed, number);
    let decided = before.state.decide(&raw(command), &mut chance);
    let rule = decided.err().map(|refusal| refusal.rule.0);
    same("the rule against a reply", rule == Some(refused.rule.as_str()))
}

/// How a reply of a script that was refused would be taken otherwise now, if this commit is one.
pub(crate) fn refused_otherwise(before: &Folded, body: &Body<'_>, seed: Bytes32) -> Option<String> {
    let event = body.events.first();
    let Some(PlatformEvent::ReplyRefused(refused)) =
        event.and_then(|event| PlatformEvent::read(event))
    else {
        return None;
    };
    refused_again(before, &refused, seed, body.commit).err()
}

pub(crate) fn same(what: &str, same: bool) -> Result<(), String> {
    if same { Ok(()) } else { Err(format!("{what} differs")) }
}

//! What other rules would have done: finished matches decided again under another edition of their game.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use journal::{
    Body, Bytes32, DamageKind, Damaged, Folded, Journal, MatchId, PlatformEvent, Record, Table,
    canonical, kind,
};
use kernel::{AnyGame, Edition, Refusal, Rule, Seen, StreamError};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{Home, OpenError};

use crate::archive::Archive;
use crate::today::today;
use crate::verify::{Finding, refused_otherwise};

/// How many commits of a match are read from the store at once.
const PAGE: usize = 256;

/// A match that would have gone otherwise, up to the first commit that shows it. What would have followed nobody can say: the players
/// would have chosen in another position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The match.
    pub r#match: MatchId,
    /// The edition that it was played by.
    pub edition: Edition,
    /// The first commit that differs.
    pub commit: u64,
    /// The rule that refuses its command. Where the command is accepted and an event differs: the rules that changed between the two
    /// editions, since one of them is the reason.
    pub rules: Vec<Rule>,
    /// The type of the first event that differs; null if the command is refused.
    pub event: Option<String>,
    /// What differs, for people.
    pub what: String,
}

/// What an audit found.
#[derive(Clone, Debug, Default)]
pub struct Audited {
    /// How many matches were decided again.
    pub matches: u64,
    /// Those that would have gone otherwise, in the order in which they ended.
    pub differing: Vec<Difference>,
    /// Those that this program decides otherwise under their own edition already, each with the first such commit: no other edition is the reason.
    pub otherwise: Vec<Finding>,
    /// What could not be decided again, because it is damaged.
    pub damaged: Vec<Finding>,
}

/// Why there is no audit.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The store cannot be copied, or not opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The database does not answer.
    #[error("{0}")]
    Away(Damaged),
}

impl Audited {
    /// How many matches differ by which rules, most first.
    #[must_use]
    pub fn by_rules(&self) -> Vec<(&[Rule], usize)> {
        let mut counts = BTreeMap::new();
        for Difference { rules, .. } in &self.differing {
            *counts.entry(rules.as_slice()).or_default() += 1;
        }
        let mut counts: Vec<_> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        counts
    }

    /// Decides all finished matches of a game again under an edition, of a folder in a copy that is made in the folder
    /// `scratch` and removed again. The store itself is left as it is. `progress` is told the number of matches now and then.
    ///
    /// # Errors
    /// If the store cannot be copied, or not opened at all, or the database does not answer.
    pub fn run(
        (home, scratch): (impl Into<Home>, &Path),
        games: &'static [&'static dyn AnyGame],
        (game, edition): (&'static dyn AnyGame, Edition),
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, AuditError> {
        let journal = Journal::of(home.into().inspect(scratch)?, games);
        let archive = Archive::new(journal.clone());
        let finishes = Mutex::new(archive.finishes(0..archive.position()));
        let found = Mutex::new((Audited::default(), BTreeMap::new()));
        let away = OnceLock::new();
        let next = || {
            let mut finishes = finishes.lock().unwrap_or_else(PoisonError::into_inner);
            if away.get().is_some() { None } else { finishes.next() }
        };
        let work = || {
            while let Some(finish) = next() {
                let audited = finish.and_then(|finish| {
                    let (of, _) = archive.outline(&finish)?;
                    if of.info().id != game.info().id {
                        return Ok(None);
                    }
                    let decided = audit(&journal, (game, edition), finish.r#match)?;
                    Ok(Some((finish.position, decided)))
                });
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                let (all, differing) = &mut *found;
                match audited {
                    Ok(None) => {}
                    Ok(Some((position, decided))) => {
                        all.matches += 1;
                        match decided {
                            Decided::Same => {}
                            Decided::Differs(it) => drop(differing.insert(position, it)),
                            Decided::Otherwise(finding) => all.otherwise.push(finding),
                        }
                        progress(all.matches);
                    }
                    // The first one is told.
                    Err(damaged) if damaged.is_away() => drop(away.set(damaged)),
                    Err(damaged) => all.damaged.push(Finding::of(&damaged)),
                }
            }
        };
        thread::scope(|scope| {
            (0..threads.max(1)).for_each(|_| drop(scope.spawn(work)));
        });
        let (mut audited, differing) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(away) = away.into_inner() {
            return Err(AuditError::Away(away));
        }
        audited.differing = differing.into_values().collect();
        for findings in [&mut audited.otherwise, &mut audited.damaged] {
            findings.sort_by_key(|finding| (finding.r#match, finding.commit));
        }
        audited
            .damaged
            .dedup_by(|later, first| first.r#match.is_some() && first.r#match == later.r#match);
        Ok(audited)
    }
}

/// What a commit would have been: the same, or not.
type Same = Result<(), Otherwise>;

/// Why a commit would have been another one.
enum Otherwise {
    /// The command, or the setup, is refused.
    Refused(Refusal),
    /// An event differs.
    Event(Option<String>),
    /// The position is none to begin with.
    Position(StreamError),
}

/// What deciding a match again tells.
enum Decided {
    /// It would have gone as it did.
    Same,
    /// It would have gone otherwise.
    Differs(Difference),
    /// Under its own edition already this program decides it otherwise.
    Otherwise(Finding),
}

/// Decides one match again up to the first commit that differs, and then up to there under its own edition.
fn audit(
    journal: &Journal,
    (game, edition): (&'static dyn AnyGame, Edition),
    id: MatchId,
) -> Result<Decided, Damaged> {
    let Some((again, number, otherwise)) = first(journal, (game, edition), id, u64::MAX)? else {
        return Ok(Decided::Same);
    };
    let own = if again.own == edition {
        Some(number)
    } else {
        first(journal, (game, again.own), id, number)?.map(|(_, number, _)| number)
    };
    Ok(match own {
        Some(number) => {
            let what = "the game does not decide it so under its own edition".to_owned();
            Decided::Otherwise(Finding { r#match: Some(id), commit: Some(number), what })
        }
        None => Decided::Differs(again.difference(id, number, otherwise)),
    })
}

/// The first commit of a match, up to number `until`, that would have been another one.
fn first(
    journal: &Journal,
    (game, edition): (&'static dyn AnyGame, Edition),
    id: MatchId,
    until: u64,
) -> Result<Option<(Again, u64, Otherwise)>, Damaged> {
    let header = journal.known_header(id)?;
    let mut again = Again { game, edition, seed: header.seed, own: edition, folded: None };
    let mut number = 0;
    loop {
        let page = journal.next_commits(id, number, PAGE)?;
        if page.is_empty() {
            return Ok(None);
        }
        for (_, record) in page {
            if number == until {
                return Ok(None);
            }
            number += 1;
            let decided = again.commit(number, &record).map_err(|error| {
                Damaged::of_match(id, DamageKind::Differs, error.0).commit(number)
            })?;
            if record.sealed() != record.expected_seal(header.seed, number) {
                let what = "its bytes are not those that were sealed";
                return Err(Damaged::of_match(id, DamageKind::Corrupt, what).commit(number));
            }
            if let Err(otherwise) = decided {
                return Ok(Some((again, number, otherwise)));
            }
        }
    }
}

/// A match while it is decided again.
struct Again {
    game: &'static dyn AnyGame,
    /// The edition under which it is decided.
    edition: Edition,
    seed: Bytes32,
    /// The edition that it was played by.
    own: Edition,
    folded: Option<Folded>,
}

impl Again {
    fn commit(&mut self, number: u64, record: &Record) -> Result<Same, StreamError> {
        let body = record.body()?;
        let Some(mut folded) = self.folded.take() else {
            return self.set_up(&body);
        };
        folded.may_follow(&body)?;
        let Some(command) = body.command else {
            if refused_otherwise(&folded, &body, self.seed).is_some() {
                let differs = body.events.first().and_then(|event| kind(event));
                let differs = differs.map(str::to_owned);
                return Ok(Err(Otherwise::Event(differs)));
            }
            let next = Folded::advance(Some(folded), &[self.game], &body, usize::MAX)?;
            self.folded = Some(next);
            return Ok(Ok(()));
        };
        let (before, table) = (Arc::clone(&folded.state), Arc::clone(&folded.table));
        let chance = || table.chance(self.seed, number);
        if folded.replay(command, &body.events, &mut chance()).is_ok() {
            self.folded = Some(folded);
            return Ok(Ok(()));
        }
        Ok(Err(match before.decide(command, &mut chance()) {
            Err(refusal) => Otherwise::Refused(refusal),
            Ok(decided) => Otherwise::Event(differing(self.game, &body.events, &decided.events)),
        }))
    }

    /// Commit 1.
    fn set_up(&mut self, body: &Body<'_>) -> Result<Same, StreamError> {
        let Again { game, edition, .. } = *self;
        let own = Folded::advance(None, &[game], body, usize::MAX)?;
        self.own = own.state.edition();
        let first = body.events.first().and_then(|event| PlatformEvent::read(event));
        let state = if let Some(PlatformEvent::PositionLoaded { position }) = first {
            match game.restore(&position, Some(edition)) {
                Ok(state) => state,
                Err(error) => return Ok(Err(Otherwise::Position(error))),
            }
        } else {
            let seats = own.state.seats();
            let table = &own.table;
            let mut chance = table.chance(self.seed, 1);
            let started = match game.setup(&table.asked(), seats, edition, &mut chance) {
                Ok(started) => started,
                Err(refusal) => return Ok(Err(Otherwise::Refused(refusal))),
            };
            let of_game = |event: &&&RawValue| PlatformEvent::read(event).is_none();
            let stored: Vec<&RawValue> = body.events.iter().filter(of_game).copied().collect();
            // The first event may tell the edition: it is the same if the same match begins with it.
            let begin = |event: Option<&RawValue>| {
                event.map(|event| {
                    game.start(event, edition).map(|state| state.position().get().to_owned())
                })
            };
            let begun = begin(stored.first().copied()).transpose()?;
            let decided = started.events.first().map(|event| event.full.as_ref());
            let same = begun == begin(decided).transpose()?;
            let rest = |events| differing(game, &stored[1..], events);
            let other = started.events.get(1..).and_then(rest);
            if !same || other.is_some() {
                let first = stored.first().and_then(|event| kind(event)).map(str::to_owned);
                return Ok(Err(Otherwise::Event(if same { other } else { first })));
            }
            started.state
        };
        let table = Table::clone(&own.table);
        self.folded = Some(Folded::new(state.into(), table, own.version));
        Ok(Ok(()))
    }

    fn difference(&self, id: MatchId, commit: u64, otherwise: Otherwise) -> Difference {
        let (older, newer) = (self.own.min(self.edition), self.own.max(self.edition));
        let between = self
            .game
            .info()
            .editions()
            .filter(|(edition, _)| *edition > older && *edition <= newer);
        let mut changed: Vec<Rule> =
            between.flat_map(|(_, text)| text.changes.iter().map(|(rule, _)| *rule)).collect();
        changed.sort();
        changed.dedup();
        let (rules, event, what) = match otherwise {
            Otherwise::Refused(refusal) => (vec![refusal.rule], None, refusal.reason),
            Otherwise::Event(event) => {
                let what =
                    format!("{} differs", event.as_deref().unwrap_or("the number of its events"));
                (changed, event, what)
            }
            Otherwise::Position(error) => (changed, None, error.0),
        };
        Difference { r#match: id, edition: self.own, commit, rules, event, what }
    }
}

/// The type of the first event that is not the same.
fn differing(game: &dyn AnyGame, stored: &[&RawValue], decided: &[Seen]) -> Option<String> {
    let pairs = stored.iter().zip(decided);
    let same = pairs
        .take_while(|(stored, decided)| today(game, stored) == canonical(decided.full.get()))
        .count();
    let rest = stored.get(same).copied().or(decided.get(same).map(|seen| seen.full.as_ref()));
    rest.and_then(kind).map(str::to_owned)
}

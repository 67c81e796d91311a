//! What other rules would have done: finished matches decided again under another edition of their game.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use journal::{
    Body, Bytes32, Folded, Journal, MatchId, PlatformEvent, Record, Table, canonical, kind,
};
use kernel::{AnyGame, Edition, Refusal, Rule, Seen, StreamError};
use serde::Serialize;
use serde_json::value::RawValue;
use store::{Home, OpenError};

use crate::archive::Archive;
use crate::finishes::Finish;
use crate::verify::Finding;

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
    /// What could not be decided again, because it is damaged.
    pub damaged: Vec<Finding>,
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
    /// If the store cannot be copied, or not opened at all.
    pub fn run(
        (home, scratch): (impl Into<Home>, &Path),
        games: &'static [&'static dyn AnyGame],
        (game, edition): (&'static dyn AnyGame, Edition),
        threads: usize,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Self, OpenError> {
        let journal = Journal::of(home.into().inspect(scratch)?, games);
        let archive = Archive::new(journal.clone());
        let finishes = Mutex::new(archive.finishes(0..archive.position()));
        let found = Mutex::new((Audited::default(), BTreeMap::new()));
        let id = game.info().id;
        let work = || {
            loop {
                let next = finishes.lock().unwrap_or_else(PoisonError::into_inner).next();
                let audited = match next {
                    None => return,
                    Some(Ok(finish)) => match archive.outline(&finish) {
                        Ok((other, _)) if other.info().id != id => continue,
                        Ok(_) => audit(&journal, (game, edition), &finish),
                        Err(damaged) => Err(Finding::of(&damaged)),
                    }
                    .map(|difference| (finish.position, difference)),
                    Some(Err(damaged)) => Err(Finding::of(&damaged)),
                };
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                let (all, differing) = &mut *found;
                match audited {
                    Ok((position, difference)) => {
                        all.matches += 1;
                        differing.extend(difference.map(|difference| (position, difference)));
                        progress(all.matches);
                    }
                    Err(finding) => all.damaged.push(finding),
                }
            }
        };
        thread::scope(|scope| {
            (0..threads.max(1)).for_each(|_| drop(scope.spawn(work)));
        });
        let (mut audited, differing) = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        audited.differing = differing.into_values().collect();
        audited.damaged.sort_by_key(|finding| (finding.r#match, finding.commit));
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

/// Decides one match again up to the first commit that differs.
fn audit(
    journal: &Journal,
    (game, edition): (&'static dyn AnyGame, Edition),
    finish: &Finish,
) -> Result<Option<Difference>, Finding> {
    let id = finish.r#match;
    let damaged = |commit: u64| {
        move |error: StreamError| Finding { r#match: Some(id), commit: Some(commit), what: error.0 }
    };
    let header = journal.known_header(id).map_err(|damaged| Finding::of(&damaged))?;
    let mut again = Again { game, edition, seed: header.seed, own: edition, folded: None };
    let mut number = 0;
    loop {
        let page = journal.next_commits(id, number, PAGE);
        let page = page.map_err(|damaged| Finding::of(&damaged))?;
        if page.is_empty() {
            return Ok(None);
        }
        for (_, record) in page {
            number += 1;
            let Err(otherwise) = again.commit(number, &record).map_err(damaged(number))? else {
                continue;
            };
            if again.own == edition {
                let what = "the game does not decide it so under its own edition".to_owned();
                return Err(Finding { r#match: Some(id), commit: Some(number), what });
            }
            return Ok(Some(again.difference(id, number, otherwise)));
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
            Ok(decided) => Otherwise::Event(differing(&body.events, &decided.events)),
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
            let rest = |events| differing(&stored[1..], events);
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
fn differing(stored: &[&RawValue], decided: &[Seen]) -> Option<String> {
    let pairs = stored.iter().zip(decided);
    let same = pairs.take_while(|(stored, decided)| stored.get() == canonical(decided.full.get()));
    let same = same.count();
    let rest = stored.get(same).copied().or(decided.get(same).map(|seen| seen.full.as_ref()));
    rest.and_then(kind).map(str::to_owned)
}

//! Proof that nothing was changed: hashes, folds and re-decides every stream of a store.

use std::path::Path;

use journal::{
    Body, Bytes32, DamageKind, Damaged, Folded, Header, Journal, MatchId, PlatformEvent, Record,
    Seeded, canonical_raw, match_id,
};
use kernel::{AnyGame, AnyMatch, Seen};
use serde::Serialize;
use serde_json::value::RawValue;
use store::OpenError;

/// Something that differs from what it must be.
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
    /// Everything that differs.
    pub findings: Vec<Finding>,
}

impl Verified {
    /// Verifies the store in `folder`, in a copy of it that is made in the folder `scratch` and removed again: the store itself is left as
    /// it is. `progress` is told the number of matches after each.
    ///
    /// # Errors
    /// If the store cannot be copied, or not opened at all; what differs inside, or cannot be read, is a finding.
    pub fn run(
        folder: &Path,
        scratch: &Path,
        games: &'static [&'static dyn AnyGame],
        progress: &mut dyn FnMut(u64),
    ) -> Result<Self, OpenError> {
        let journal = Journal::inspect(folder, scratch, games)?;
        let checked = journal.store().check(&mut |_| {});
        let mut verified = Verified::default();
        for damage in checked.damage {
            let what = damage.to_string();
            verified.findings.push(Finding { r#match: None, commit: None, what });
        }
        for stream in checked.streams {
            verified.matches += 1;
            let id = match_id(stream);
            if let Err((commit, what)) = verified.check_match(&journal, id) {
                verified.findings.push(Finding { r#match: Some(id), commit, what });
            }
            progress(verified.matches);
        }
        Ok(verified)
    }

    fn check_match(&mut self, journal: &Journal, id: MatchId) -> Result<(), (Option<u64>, String)> {
        let (game, header) = match journal.header(id) {
            Ok(Some(known)) => known,
            Ok(None) => return Err((None, "it has no header".to_owned())),
            Err(unread) => {
                let damaged = journal.damage(id, unread);
                let unknown = damaged.what() == DamageKind::UnknownForm;
                let header = if unknown { "" } else { "its header: " };
                return Err((None, format!("{header}{}", damaged.cause())));
            }
        };
        let mut chain = Chain { game, header, folded: None, hash: Bytes32::default(), number: 0 };
        loop {
            let page = journal
                .next_commits(id, chain.number, 64)
                .map_err(|damaged| (damaged.number(), damaged.cause().to_owned()))?;
            if page.is_empty() {
                return if chain.number == 0 {
                    Err((None, "it has no commit".to_owned()))
                } else {
                    Ok(())
                };
            }
            for (_, record) in page {
                let number = chain.number + 1;
                let events = chain.check(&record).map_err(|what| (Some(number), what))?;
                self.commits += 1;
                self.events += events;
            }
        }
    }
}

/// A match while it is verified.
struct Chain {
    game: &'static dyn AnyGame,
    header: Header,
    folded: Option<Folded>,
    hash: Bytes32,
    number: u64,
}

impl Chain {
    /// Verifies the next commit and returns the number of its events.
    fn check(&mut self, record: &Record) -> Result<u64, String> {
        self.number += 1;
        let body = record.body().map_err(|error| error.to_string())?;
        same("prev_hash", record.prev_hash() == self.hash)?;
        let sealed = record.expected_seal(self.header.seed, self.number);
        same("sealed", record.sealed() == sealed)?;
        same("the number of the commit", body.commit == self.number)?;
        let version = self.folded.as_ref().map_or(0, |folded| folded.version);
        same("first_version", body.first_version == version + 1)?;
        same("last_version", body.last_version == version + body.events.len() as u64)?;
        self.decide_again(&body)?;
        let take_back = self.header.take_back;
        let folded = Folded::advance(self.folded.take(), self.game, &body, usize::MAX, take_back);
        let folded = self.folded.insert(folded.map_err(|error| error.to_string())?);
        let state = &folded.state;
        let hash = record.expected_hash(state.as_ref()).map_err(|error| error.to_string())?;
        same("hash", record.hash() == hash)?;
        same("the mark of a finished match", record.finishes() == state.active_seat().is_none())?;
        self.hash = hash;
        Ok(body.events.len() as u64)
    }

    /// The events must be those that the game decides now, from the seed.
    fn decide_again(&self, body: &Body<'_>) -> Result<(), String> {
        let first = body.events.first().and_then(|event| PlatformEvent::read(event));
        let mut chance = Seeded::new(self.header.seed, self.number);
        let events = match (&self.folded, &body.command, first) {
            (None, None, Some(PlatformEvent::PositionLoaded { .. })) => return Ok(()),
            (None, None, None) => {
                let seats = self.header.seats.len();
                let asked = self.header.asked().map_err(|error| error.0)?;
                let started = self.game.setup(asked, seats, self.game.info().newest(), &mut chance);
                started.map_err(|refusal| format!("its setup is refused by {refusal}"))?.events
            }
            (Some(folded), Some(command), None) => {
                same("the seat", folded.state.active_seat() == body.seat)?;
                decide(folded.state.as_ref(), command, &mut chance)?
            }
            (Some(folded), None, Some(PlatformEvent::CommandTakenBack { seat, to_version })) => {
                same("the seat", Some(seat) == body.seat)?;
                return same("to_version", folded.version_before() == Some(to_version));
            }
            _ => return Err("a command and events that do not belong together".to_owned()),
        };
        let decided = events.iter().map(|event| canonical_raw(&event.full));
        let stored = body.events.iter();
        same("the number of events", decided.len() == stored.len())?;
        for (number, (decided, stored)) in decided.zip(stored).enumerate() {
            same(&format!("event {number}"), decided.get() == stored.get())?;
        }
        Ok(())
    }
}

fn decide(
    state: &dyn AnyMatch,
    command: &RawValue,
    chance: &mut Seeded,
) -> Result<Vec<Seen>, String> {
    let decided = state
        .decide(command, chance)
        .map_err(|refusal| format!("its command is refused by {refusal}"))?;
    same("the command", canonical_raw(&decided.command).get() == command.get())?;
    Ok(decided.events)
}

fn same(what: &str, same: bool) -> Result<(), String> {
    if same { Ok(()) } else { Err(format!("{what} differs")) }
}

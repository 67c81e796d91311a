//! Bots at the table: which matches wait for one, and the next move of each.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use journal::{Bot, Header, MatchId, Status};
use kernel::Seat;
use serde_json::value::RawValue;
use tokio::sync::Notify;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::{Slot, lock};
use crate::play::Chooser;
use crate::submit::Submission;

/// How long a bot waits after the command of a person who may take it back: its own command would end that (M-84).
const AFTER_A_PERSON: Duration = Duration::from_secs(3);
/// How long a bot waits when the store takes no writes.
const STORE_DOWN: Duration = Duration::from_secs(5);

/// When the next bot is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BotDue {
    /// Now, in this match; nobody else will be told so.
    Now(MatchId),
    /// Not before this time has passed.
    In(Duration),
    /// In no match.
    Never,
}

/// The matches in which a bot is to act, each once.
pub(crate) struct Waiting {
    pause: Duration,
    queues: Mutex<Queues>,
    changed: Notify,
}

/// By time. Matches that only bots play come after those where people wait.
#[derive(Default)]
struct Queues {
    people: BTreeSet<(Instant, MatchId)>,
    bots: BTreeSet<(Instant, MatchId)>,
    due: BTreeMap<MatchId, Instant>,
}

impl Queues {
    fn remove(&mut self, id: MatchId) {
        if let Some(due) = self.due.remove(&id) {
            self.people.remove(&(due, id));
            self.bots.remove(&(due, id));
        }
    }
}

impl Waiting {
    pub(crate) fn new(pause: Duration) -> Self {
        Waiting { pause, queues: Mutex::default(), changed: Notify::new() }
    }

    fn put(&self, id: MatchId, people: bool, pause: Duration) {
        let due = Instant::now() + pause;
        let mut queues = lock(&self.queues);
        queues.remove(id);
        queues.due.insert(id, due);
        let queue = if people { &mut queues.people } else { &mut queues.bots };
        queue.insert((due, id));
        drop(queues);
        self.changed.notify_one();
    }

    fn next(&self) -> BotDue {
        let now = Instant::now();
        let mut queues = lock(&self.queues);
        let first = [&queues.people, &queues.bots].map(|queue| queue.first().copied());
        let due = first.iter().flatten().find(|(due, _)| *due <= now);
        if let Some((_, id)) = due.copied() {
            queues.remove(id);
            return BotDue::Now(id);
        }
        let soonest = first.iter().flatten().map(|(due, _)| *due).min();
        soonest.map_or(BotDue::Never, |due| BotDue::In(due - now))
    }
}

impl Engine {
    /// A match goes on: a bot may be next. `by`: who acted, if it was a seat.
    pub(crate) fn call_bot(&self, slot: &Slot, by: Option<Seat>) {
        let header = slot.header();
        if !header.has_bots() {
            return;
        }
        let head = slot.head();
        let bot = |seat: Seat| header.seats.get(seat.index()).and_then(|seat| seat.bot);
        let next = head.folded.state.active_seat().and_then(bot);
        if next.is_none() || header.status(head.finished()) != Status::Running {
            return;
        }
        let person = by.is_some_and(|seat| bot(seat).is_none());
        let pause = if person && head.folded.take_back() {
            self.waiting.pause.max(AFTER_A_PERSON)
        } else {
            self.waiting.pause
        };
        self.waiting.put(slot.id, header.has_people(), pause);
    }

    /// A match was found at the start: if a bot is to act in it, that goes on.
    pub(crate) fn recall_bot(&self, id: MatchId, header: &Header, finished: bool) {
        if header.has_bots() && header.status(finished) == Status::Running {
            self.waiting.put(id, header.has_people(), self.waiting.pause);
        }
    }

    /// The match in which a bot is to act next; it is taken from the list.
    #[must_use]
    pub fn next_bot(&self) -> BotDue {
        self.waiting.next()
    }

    /// Resolves when a bot may be due sooner than was said.
    pub async fn bots_changed(&self) {
        self.waiting.changed.notified().await;
    }

    /// Plays the move of the bot that is to act in this match, if there is one. It chooses from what its seat sees, and its command is
    /// submitted like any other. It is not an error if somebody acted before the bot, or closed the match. Returns the game and the bot
    /// whose command was accepted.
    ///
    /// # Errors
    /// If the match cannot be read, or the store takes no writes: then the bot tries again later.
    pub async fn play_bot(&self, id: MatchId) -> Result<Option<(&'static str, Bot)>, Error> {
        let slot = self.load(id)?;
        let (header, head) = (slot.header(), slot.head());
        let state = &head.folded.state;
        let active = state.active_seat().and_then(|seat| {
            let bot = header.seats.get(seat.index())?.bot?;
            Some((seat, bot))
        });
        let Some((seat, bot)) = active else {
            return Ok(None);
        };
        let legal = state.legal_commands();
        let legal: Vec<&RawValue> =
            serde_json::from_str(legal.get()).expect("the legal commands are a JSON array");
        let mut chooser = Chooser::new(header.seed, head.folded.commit + 1);
        let chosen = chooser.choose(bot, legal.len(), || state.prospects());
        let submission =
            Submission { command: legal[chosen], expected: Some(head.folded.version), key: None };
        let submitted = self.submit(&slot, Caller::Seat(seat), submission).await;
        match submitted {
            Ok(_) => Ok(Some((slot.game.info().id, bot))),
            Err(
                Error::VersionConflict { .. }
                | Error::MatchFinished { .. }
                | Error::NotActiveSeat { .. },
            ) => Ok(None),
            Err(error) => {
                if let Error::Unavailable(_) | Error::OutcomeUnknown(_) = error {
                    self.waiting.put(id, header.has_people(), STORE_DOWN);
                }
                Err(error)
            }
        }
    }
}

//! Which matches wait for a bot.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use journal::{MatchId, Status, stream_id};
use kernel::Seat;
use store::{Leases, SHARES, share_of};
use tokio::sync::Notify;

use crate::live::{Slot, lock};

/// How long a bot waits after the command of a person who may take it back: its own command would end that (M-84).
pub(crate) const AFTER_A_PERSON: Duration = Duration::from_secs(3);
/// How long a bot waits when the store is not read, or takes no writes.
const STORE_DOWN: Duration = Duration::from_secs(5);

/// How often to look whether other shares are ours.
const LEASES: Duration = Duration::from_secs(1);

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
    begun: Instant,
    /// Those of each share of the matches.
    shares: Mutex<[Queues; SHARES]>,
    changed: Notify,
    elsewhere: Mutex<Elsewhere>,
}

/// The matches in which a seat has acted at another server lately, and when this server followed that.
#[derive(Default)]
struct Elsewhere {
    last: BTreeMap<MatchId, Instant>,
    /// All of them by time, a match perhaps several times.
    order: VecDeque<(Instant, MatchId)>,
}

/// By time. Matches that only bots play come after those where people wait.
#[derive(Default)]
struct Queues {
    people: BTreeSet<(Instant, MatchId)>,
    bots: BTreeSet<(Instant, MatchId)>,
    due: BTreeMap<MatchId, Instant>,
}

impl Queues {
    fn put(&mut self, id: MatchId, people: bool, pause: Duration) {
        let due = Instant::now() + pause;
        self.remove(id);
        self.due.insert(id, due);
        let queue = if people { &mut self.people } else { &mut self.bots };
        queue.insert((due, id));
    }

    fn remove(&mut self, id: MatchId) {
        if let Some(due) = self.due.remove(&id) {
            self.people.remove(&(due, id));
            self.bots.remove(&(due, id));
        }
    }
}

impl Waiting {
    pub(crate) fn new(pause: Duration) -> Self {
        Waiting {
            pause,
            begun: Instant::now(),
            shares: Mutex::default(),
            changed: Notify::new(),
            elsewhere: Mutex::default(),
        }
    }

    /// Whether this server was started so lately that a person may have acted before it, and be waited for.
    pub(crate) fn has_just_begun(&self) -> bool {
        self.begun.elapsed() < AFTER_A_PERSON
    }

    /// A seat has acted at another server, in a match that is not in memory here: so it is not known whether a bot is to wait.
    pub(crate) fn acted_elsewhere(&self, id: MatchId) {
        let now = Instant::now();
        let mut elsewhere = lock(&self.elsewhere);
        let Elsewhere { last, order } = &mut *elsewhere;
        let is_over = |(at, _): &(Instant, MatchId)| now - *at > AFTER_A_PERSON;
        while let Some((at, id)) = order.front().copied().filter(is_over) {
            order.pop_front();
            if last.get(&id) == Some(&at) {
                last.remove(&id);
            }
        }
        last.insert(id, now);
        order.push_back((now, id));
    }

    /// Whether that was just now, by the clock of this server.
    pub(crate) fn has_just_acted_elsewhere(&self, id: MatchId) -> bool {
        let elsewhere = lock(&self.elsewhere);
        elsewhere.last.get(&id).is_some_and(|at| at.elapsed() < AFTER_A_PERSON)
    }

    /// A match goes on: a bot may be next, or none any more. `by`: who acted, if it was a seat.
    pub(crate) fn call(&self, slot: &Slot, by: Option<Seat>) {
        // Looked at in turns: whoever calls last has seen the latest.
        let mut shares = lock(&self.shares);
        let head = slot.head();
        let table = &head.folded.table;
        if !table.has_bots() {
            return;
        }
        let bot = |seat: Seat| table.bot(seat);
        let next = head.folded.state.active_seat().and_then(bot);
        let queues = &mut shares[share(slot.id)];
        if next.is_none() || head.folded.status() != Status::Running {
            return queues.remove(slot.id);
        }
        let person = by.is_some_and(|seat| bot(seat).is_none());
        let pause = if person && head.folded.take_back() {
            self.pause.max(AFTER_A_PERSON)
        } else {
            self.pause
        };
        queues.put(slot.id, table.has_people(), pause);
        drop(shares);
        self.changed.notify_one();
    }

    /// A match was found in which a bot may have to act. Where it is known already, so is when. Whether a person may take something back there is
    /// looked at when the bot is about to act.
    pub(crate) fn go_on(&self, id: MatchId, people: bool) {
        let mut shares = lock(&self.shares);
        let queues = &mut shares[share(id)];
        if !queues.due.contains_key(&id) {
            queues.put(id, people, self.pause);
            drop(shares);
            self.changed.notify_one();
        }
    }

    /// A match is over.
    pub(crate) fn end(&self, id: MatchId) {
        lock(&self.shares)[share(id)].remove(id);
    }

    /// A bot could not act since the store was not read, or took no writes: it tries again later.
    pub(crate) fn store_down(&self, id: MatchId, people: bool) {
        lock(&self.shares)[share(id)].put(id, people, STORE_DOWN);
        self.changed.notify_one();
    }

    /// Resolves when a bot may be due sooner than was said.
    pub(crate) async fn changed(&self) {
        self.changed.notified().await;
    }

    /// The match in which a bot is to act next, of the shares that are ours; it is taken from the list.
    pub(crate) fn next(&self, ours: &Leases) -> BotDue {
        let now = Instant::now();
        let mut shares = lock(&self.shares);
        let ours_now = ours.shares();
        let held = |(share, _): &(usize, _)| ours_now >> share & 1 == 1;
        let queues = || shares.iter().enumerate().filter(held).map(|(_, queues)| queues);
        let people = queues().filter_map(|queues| queues.people.first().copied()).min();
        let bots = queues().filter_map(|queues| queues.bots.first().copied()).min();
        let first = [people, bots];
        let due = first.iter().flatten().find(|(due, _)| *due <= now);
        if let Some((_, id)) = due.copied() {
            shares[share(id)].remove(id);
            return BotDue::Now(id);
        }
        let soonest = first.iter().flatten().map(|(due, _)| *due - now).min();
        if ours.can_change() {
            // Another share may be ours by then.
            return BotDue::In(soonest.map_or(LEASES, |soonest| soonest.min(LEASES)));
        }
        soonest.map_or(BotDue::Never, BotDue::In)
    }
}

fn share(id: MatchId) -> usize {
    share_of(stream_id(id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_elsewhere_is_known_for_a_while_and_kept_no_longer() {
        let waiting = Waiting::new(Duration::ZERO);
        let [early, late] = [0, 1].map(|_| MatchId::now_v7());
        waiting.acted_elsewhere(early);
        assert!(waiting.has_just_acted_elsewhere(early) && !waiting.has_just_acted_elsewhere(late));
        let before = Instant::now().checked_sub(AFTER_A_PERSON * 2).expect("it runs for longer");
        lock(&waiting.elsewhere).last.insert(early, before);
        lock(&waiting.elsewhere).order[0].0 = before;
        waiting.acted_elsewhere(late);
        assert!(!waiting.has_just_acted_elsewhere(early) && waiting.has_just_acted_elsewhere(late));
        let kept = lock(&waiting.elsewhere);
        assert_eq!((kept.last.len(), kept.order.len()), (1, 1));
    }

    #[test]
    fn a_match_that_is_found_again_keeps_its_time() {
        let waiting = Waiting::new(Duration::ZERO);
        let id = MatchId::now_v7();
        waiting.store_down(id, true);
        waiting.go_on(id, true);
        let due = lock(&waiting.shares)[share(id)].due[&id];
        assert!(due > Instant::now() + STORE_DOWN / 2);
        waiting.end(id);
        waiting.go_on(id, true);
        let due = lock(&waiting.shares)[share(id)].due[&id];
        assert!(due <= Instant::now());
    }
}

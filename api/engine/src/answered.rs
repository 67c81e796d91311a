//! The idempotency keys that are in memory, and how long they are remembered.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use journal::{Bytes32, MatchId, Tag};
use tokio::sync::MutexGuard;

use crate::clock::{believed_now, seconds_of};
use crate::error::Error;

/// How long a key is remembered, in seconds.
const REMEMBERED: u64 = 24 * 60 * 60;

/// What is known of the keys of commands, beside the tags of commits.
#[derive(Default)]
pub(crate) struct Keys {
    /// Those whose outcome nobody knows, for the disk failed.
    unknown: Mutex<HashSet<(MatchId, [u8; 10])>>,
    /// Is it certain that the store has no note of a command?
    are_none_noted: AtomicBool,
}

impl Keys {
    /// A command was not written, or nobody knows.
    pub(crate) fn failed(&self, id: MatchId, tag: Option<Tag>, error: &Error) {
        if let (Some(tag), Error::OutcomeUnknown(_)) = (tag, error) {
            self.unknown.lock().unwrap_or_else(PoisonError::into_inner).insert((id, tag.key));
        }
    }

    pub(crate) fn is_unknown(&self, id: MatchId, tag: Tag) -> bool {
        self.unknown.lock().unwrap_or_else(PoisonError::into_inner).contains(&(id, tag.key))
    }

    /// It was looked for notes of commands: is it certain that there are none?
    pub(crate) fn looked(&self, are_none: bool) {
        self.are_none_noted.store(are_none, Ordering::Release);
    }

    /// May the store have notes of commands?
    pub(crate) fn may_be_noted(&self) -> bool {
        !self.are_none_noted.load(Ordering::Acquire)
    }
}

/// Openings with the same idempotency key come one after the other; with few keys that differ, too.
pub(crate) struct Keyed([tokio::sync::Mutex<()>; 64]);

impl Keyed {
    pub(crate) fn new() -> Self {
        Keyed(std::array::from_fn(|_| tokio::sync::Mutex::new(())))
    }

    /// Waits for those with this key.
    pub(crate) async fn of(&self, key: &str) -> MutexGuard<'_, ()> {
        let [first, ..] = Bytes32::hash(&[key.as_bytes()]).0;
        self.0[usize::from(first) % self.0.len()].lock().await
    }

    /// Waits for all of them.
    pub(crate) async fn all(&self) -> Vec<MutexGuard<'_, ()>> {
        let mut all = Vec::with_capacity(self.0.len());
        for each in &self.0 {
            all.push(each.lock().await);
        }
        all
    }
}

/// The tags of the last commits of a match.
#[derive(Default)]
pub(crate) struct Answered {
    /// Each with its commit, and when that was recorded: in order.
    tags: VecDeque<(Tag, u64, u64)>,
    /// By key: the last commit with it.
    commits: HashMap<[u8; 10], u64>,
}

impl Answered {
    /// Takes the tag of a commit that was recorded at that time, and drops those that are over.
    pub(crate) fn put(&mut self, tag: Tag, commit: u64, recorded_at: &str) {
        let at = seconds_of(recorded_at);
        // It may have been recorded by a clock that was set far ahead.
        let is_dropped = |first: u64| is_over_by(first, at) && is_over(first);
        while let Some((over, last, _)) =
            self.tags.front().copied().filter(|(_, _, first)| is_dropped(*first))
        {
            self.tags.pop_front();
            // The key may have been used again since.
            if self.commits.get(&over.key) == Some(&last) {
                self.commits.remove(&over.key);
            }
        }
        self.tags.push_back((tag, commit, at));
        self.commits.insert(tag.key, commit);
    }

    /// How much memory they take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let by_key = size_of::<([u8; 10], u64)>() + 1;
        self.tags.capacity() * size_of::<(Tag, u64, u64)>() + self.commits.capacity() * by_key
    }

    /// The tag with this key that is not over, and its commit.
    pub(crate) fn get(&self, key: [u8; 10]) -> Option<(Tag, u64)> {
        let last = self.commits.get(&key)?;
        let at = self.tags.binary_search_by_key(last, |(_, commit, _)| *commit).ok()?;
        let (tag, commit, at) = self.tags[at];
        (!is_over(at)).then_some((tag, commit))
    }
}

/// Whether a key of a request at that time is remembered no longer.
pub(crate) fn is_over(at: u64) -> bool {
    is_over_by(at, believed_now())
}

/// The same at another time.
fn is_over_by(at: u64, now: u64) -> bool {
    at + REMEMBERED < now
}

/// When a match was opened, by its id: in seconds.
pub(crate) fn opened_at(id: MatchId) -> u64 {
    id.get_timestamp().map_or(0, |time| time.to_unix().0)
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use chrono::{SecondsFormat, TimeDelta, Utc};
    use kernel::Seat;

    use super::*;
    use crate::engine::{Config, Engine};
    use crate::people::tests::{GAMES, done};

    #[test]
    fn an_opening_that_is_being_stored_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = Engine::start(folder.path(), GAMES, &Config::default()).expect("it starts");
        let (key, body) = ("0198c0de-5c00-7000-8000-000000000001", Bytes32::hash(&[b"a body"]));
        let request = serde_json::from_str(r#"{"game": "nim", "seats": [{}, {}]}"#);
        let prepared = engine.rehearse(request.expect("a request")).expect("it is one");
        let mut context = Context::from_waker(Waker::noop());
        let mut opening = pin!(engine.open_prepared(prepared, Some((key, body)), None));
        let begun = opening.as_mut().poll(&mut context);
        let mut asking = pin!(engine.opened_by_now(key, body));
        let asked = asking.as_mut().poll(&mut context);
        let opened = match begun {
            Poll::Ready(opened) => opened,
            Poll::Pending => done(opening),
        };
        let known = match asked {
            Poll::Ready(known) => known,
            Poll::Pending => done(asking),
        };
        let opened = opened.expect("it is opened").r#match;
        assert_eq!(known.expect("it is known").map(|known| known.r#match), Some(opened));
    }

    #[test]
    fn the_last_commit_with_a_key_is_found_until_it_is_over() {
        let ago = |hours| {
            let then = Utc::now() - TimeDelta::hours(hours);
            then.to_rfc3339_opts(SecondsFormat::Millis, true)
        };
        let tag = |key: &str| Tag::new(Seat(0), key, Bytes32::hash(&[key.as_bytes()]));
        let [once, twice, late] = ["once", "twice", "late"].map(tag);
        let mut answered = Answered::default();
        answered.put(once, 2, &ago(30));
        answered.put(twice, 3, &ago(29));
        answered.put(twice, 5, &ago(23));
        assert_eq!(answered.get(once.key), None, "it is over");
        assert_eq!(answered.get(twice.key), Some((twice, 5)));
        answered.put(late, 8, &ago(0));
        assert_eq!(answered.get(twice.key), Some((twice, 5)), "only the first one is over");
        assert_eq!(answered.get(late.key), Some((late, 8)));
        assert_eq!((answered.tags.len(), answered.commits.len()), (2, 2));
    }
}

//! The idempotency keys that are in memory, and how long they are remembered.

use std::collections::{HashSet, VecDeque};
use std::sync::{Mutex, PoisonError};

use journal::{Bytes32, MatchId, Tag};
use tokio::sync::MutexGuard;

use crate::clock::{seconds_now, seconds_of};
use crate::error::Error;

/// How long a key is remembered, in seconds.
const REMEMBERED: u64 = 24 * 60 * 60;

/// The keys of commands whose outcome nobody knows, for the disk failed.
#[derive(Default)]
pub(crate) struct Keys(Mutex<HashSet<(MatchId, [u8; 10])>>);

impl Keys {
    /// A command was not written, or nobody knows.
    pub(crate) fn failed(&self, id: MatchId, tag: Option<Tag>, error: &Error) {
        if let (Some(tag), Error::OutcomeUnknown(_)) = (tag, error) {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert((id, tag.key));
        }
    }

    pub(crate) fn is_unknown(&self, id: MatchId, tag: Tag) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).contains(&(id, tag.key))
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

/// The tags of the last commits of a match, in order.
#[derive(Default)]
pub(crate) struct Answered(VecDeque<(Tag, u64, u64)>);

impl Answered {
    /// Takes the tag of a commit that was recorded at that time, and drops those that are over.
    pub(crate) fn put(&mut self, tag: Tag, commit: u64, recorded_at: &str) {
        let at = seconds_of(recorded_at);
        while self.0.front().is_some_and(|(_, _, first)| first + REMEMBERED < at) {
            self.0.pop_front();
        }
        self.0.push_back((tag, commit, at));
    }

    /// How much memory they take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<(Tag, u64, u64)>()
    }

    /// The tag with this key that is not over, and its commit.
    pub(crate) fn get(&self, key: [u8; 10]) -> Option<(Tag, u64)> {
        let found = self.0.iter().rev().find(|(tag, _, _)| tag.key == key);
        found.filter(|(_, _, at)| !is_over(*at)).map(|(tag, commit, _)| (*tag, *commit))
    }
}

/// Whether a key of a request at that time is remembered no longer.
pub(crate) fn is_over(at: u64) -> bool {
    at + REMEMBERED < seconds_now()
}

/// When a match was opened, by its id: in seconds.
pub(crate) fn opened_at(id: MatchId) -> u64 {
    id.get_timestamp().map_or(0, |time| time.to_unix().0)
}

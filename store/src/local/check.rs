//! Whether what is stored fits together: a short look at every start, a long one on demand.

use std::collections::BTreeSet;
use std::panic::resume_unwind;
use std::thread;

use crate::error::{Damage, ReadError};
use crate::local::engine::{Engine, feed};
use crate::local::layout;
use crate::local::walk::Walk;
use crate::store::Checked;
use crate::stream::StreamId;

/// How many of the last commits are looked at when a store is opened.
const RECENT: usize = 2_000;
/// How many commits lie between two reports of progress.
const STEP: u64 = 1_000;

/// Checks the last commits against the feed; returns the last position. One of them that is not there, or elsewhere, shows that writes were
/// lost; one that cannot be read is damaged like any other, and hides none.
pub(crate) fn recent(engine: &Engine) -> Result<u64, ReadError> {
    let mut position = None;
    let mut expected_end = None;
    let mut seen = 0;
    for record in engine.feed_back() {
        let record = record?;
        let (first, end) = (record.first, record.end() - 1);
        if expected_end.is_some_and(|expected| expected != end) {
            return Err(ReadError::Damaged(format!("the feed has a gap after position {end}")));
        }
        position.get_or_insert(end);
        expected_end = first.checked_sub(1);
        seen += record.commits.len();
        for ((stream, number), position) in record.commits.into_iter().zip(first..) {
            if let Ok(Some(what)) = lost(engine, stream, number, position) {
                return Err(ReadError::Damaged(format!(
                    "commit {number} of stream {stream} {what}"
                )));
            }
        }
        if seen >= RECENT {
            break;
        }
    }
    if seen < RECENT && expected_end.is_some_and(|left| left != 0) {
        return Err(ReadError::Damaged("the beginning of the feed is missing".to_owned()));
    }
    Ok(position.unwrap_or(0))
}

/// The last position of what can be read of the feed.
pub(crate) fn reach(engine: &Engine) -> u64 {
    let records = Walk::new(engine, layout::FEEDS).filter_map(Result::ok);
    records.filter_map(|record| feed(record).ok()).map(|feed| feed.end() - 1).max().unwrap_or(0)
}

/// Whether the commit that the feed has at `position` is not there, and what is instead.
fn lost(
    engine: &Engine,
    stream: StreamId,
    number: u64,
    position: u64,
) -> Result<Option<String>, ReadError> {
    Ok(match engine.record(&layout::commit_key(stream, number))? {
        Some((found, _)) if found == position => None,
        Some((found, _)) => Some(format!("is at feed position {position}, but says {found}")),
        None => Some(format!("is missing (feed position {position})")),
    })
}

/// Checks everything up to `durable`. What cannot be read is listed and skipped.
pub(crate) fn all(engine: &Engine, durable: u64, progress: &mut dyn FnMut(u64)) -> Checked {
    let mut check = Check::new(engine, durable);
    // Each of them reads all commits: two threads do.
    let (commits, gaps) = thread::scope(|scope| {
        let feed = scope.spawn(|| check.feed(Depth::Claims));
        let mut commits = Check::new(engine, durable);
        let gaps = commits.commits(progress);
        feed.join().unwrap_or_else(|panic| resume_unwind(panic));
        (commits, gaps)
    });
    if gaps > 0 {
        check = Check::new(engine, durable);
        check.feed(Depth::Bytes);
    }
    check.add(commits);
    check.headers();
    check.notes();
    let Check { damage, streams, newer, .. } = check;
    Checked { streams: streams.into_iter().rev().collect(), damage, newer }
}

/// How far the commits are looked at that the feed names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// They are there and claim the right position: whoever reads the streams, all of them, compares the bytes.
    Claims,
    Bytes,
}

/// A check on its way.
struct Check<'a> {
    engine: &'a Engine,
    durable: u64,
    damage: Vec<Damage>,
    /// All streams that any record mentions.
    streams: BTreeSet<StreamId>,
    /// The commits that are listed as damaged: each is once.
    listed: BTreeSet<(StreamId, u64)>,
    /// The first record that only a newer program can read.
    newer: Option<String>,
}

impl<'a> Check<'a> {
    fn new(engine: &'a Engine, durable: u64) -> Self {
        let (streams, listed) = (BTreeSet::new(), BTreeSet::new());
        Check { engine, durable, damage: Vec::new(), streams, listed, newer: None }
    }

    /// What another check has found behind what this one has; a commit that both list is told once.
    fn add(&mut self, other: Check<'_>) {
        let is_listed = |damage: &Damage| matches!(damage, Damage::Commit { stream, number, .. } if self.listed.contains(&(*stream, *number)));
        self.damage.extend(other.damage.into_iter().filter(|damage| !is_listed(damage)));
        self.streams.extend(other.streams);
        self.newer = self.newer.take().or(other.newer);
    }

    /// What is wrong with a record.
    fn told(&mut self, key: &[u8], error: &ReadError) -> String {
        if let ReadError::Newer(what) = error {
            self.newer.get_or_insert_with(|| format!("{}: {what}", layout::name_of_key(key)));
        }
        error.to_string()
    }

    /// What is wrong with the commit that the feed has at `position`.
    fn wrong(&mut self, stream: StreamId, number: u64, position: u64) -> Option<String> {
        lost(self.engine, stream, number, position).unwrap_or_else(|error| {
            self.told(&layout::commit_key(stream, number), &error);
            Some(error.in_short())
        })
    }

    fn list_commit(&mut self, stream: StreamId, number: u64, what: String) {
        if self.listed.insert((stream, number)) {
            self.damage.push(Damage::Commit { stream, number, what });
        }
    }

    /// Every position up to `durable` is in the feed once, and its commit knows it.
    ///
    /// The feed names each commit, so those that lie where nothing can be read are found here, one by one.
    fn feed(&mut self, depth: Depth) {
        let durable = self.durable;
        let mut next = 1;
        for step in Walk::new(self.engine, layout::FEEDS) {
            let entry = match step {
                Ok(entry) => entry,
                Err(gap) => {
                    self.damage.push(gap.named("feed"));
                    continue;
                }
            };
            let key = entry.0.clone();
            let Ok(record) = feed(entry) else {
                let what = format!("the record {} is damaged", key.escape_ascii());
                self.damage.push(Damage::Feed { position: next, what });
                continue;
            };
            let first = record.first;
            if first > durable {
                break;
            }
            if first != next {
                let what = format!("the next record begins at {first}");
                self.damage.push(Damage::Feed { position: next, what });
            }
            next = record.end();
            for ((stream, number), position) in record.commits.into_iter().zip(first..=durable) {
                self.streams.insert(stream);
                let claimed = || self.engine.claimed(&layout::commit_key(stream, number));
                if depth == Depth::Claims && claimed().is_ok_and(|it| it == Some(position)) {
                    continue;
                }
                if let Some(what) = self.wrong(stream, number, position) {
                    self.list_commit(stream, number, what);
                }
            }
        }
        if next <= durable {
            let what = format!("it and all up to {durable} are missing");
            self.damage.push(Damage::Feed { position: next, what });
        }
    }

    /// Every stream's numbers are contiguous, and there are as many commits as positions.
    ///
    /// With [`feed`](Check::feed) that means: the feed and the streams hold the same commits. Returns how many gaps there are in which nothing can
    /// be read.
    fn commits(&mut self, progress: &mut dyn FnMut(u64)) -> u64 {
        let (mut count, mut gaps) = (0, 0_u64);
        let mut expected: Option<(StreamId, u64)> = None;
        let mut is_after_gap = false;
        for step in Walk::new(self.engine, layout::COMMITS) {
            let (key, value) = match step {
                Ok(entry) => entry,
                Err(gap) => {
                    // What is missing there, the feed has told; nothing more is known about the numbers.
                    self.damage.push(gap.named("commits"));
                    gaps += 1;
                    (is_after_gap, expected) = (true, None);
                    continue;
                }
            };
            let Some((stream, number)) = layout::commit_of_key(&key) else {
                let record = key.escape_ascii().to_string();
                self.damage.push(Damage::Record { record, what: "is no commit's key".to_owned() });
                continue;
            };
            let what = match self.engine.decode(&key, &value) {
                Ok((position, _)) if position > self.durable => continue,
                Ok(_) => None,
                Err(error) => Some(self.told(&key, &error)),
            };
            count += 1;
            self.streams.insert(stream);
            if let Some(what) = what {
                self.list_commit(stream, number, what);
            }
            let first = if is_after_gap { number } else { 1 };
            let next = expected.filter(|(last, _)| *last == stream).map_or(first, |(_, next)| next);
            if next != number {
                self.list_commit(stream, next, format!("missing; the next is {number}"));
            }
            expected = number.checked_add(1).map(|next| (stream, next));
            is_after_gap = false;
            if count % STEP == 0 {
                progress(count);
            }
        }
        progress(count);
        if gaps == 0 && count != self.durable {
            let what = format!("the feed ends here, but {count} commits are in the streams");
            self.damage.push(Damage::Feed { position: self.durable, what });
        }
        gaps
    }

    /// Every header can be read: those that there are, and where not all can be found, those of all streams.
    fn headers(&mut self) {
        let mut gaps = 0;
        for step in Walk::new(self.engine, layout::HEADERS) {
            match step {
                Ok((key, value)) => {
                    self.streams.extend(layout::stream_of_header_key(&key));
                    self.record(&key, &value);
                }
                Err(gap) => {
                    gaps += 1;
                    self.damage.push(gap.named("headers"));
                }
            }
        }
        if gaps == 0 {
            return;
        }
        for stream in self.streams.clone() {
            let key = layout::header_key(stream);
            let Err(error) = self.engine.record(&key) else { continue };
            self.told(&key, &error);
            if error.is_of_store() {
                let record = format!("the header of stream {stream}");
                self.damage.push(Damage::Record { record, what: error.to_string() });
            }
        }
    }

    fn notes(&mut self) {
        for step in Walk::new(self.engine, layout::NOTES) {
            match step {
                Ok((key, value)) => self.record(&key, &value),
                Err(gap) => self.damage.push(gap.named("notes")),
            }
        }
    }

    fn record(&mut self, key: &[u8], value: &[u8]) {
        if let Err(error) = self.engine.decode(key, value) {
            let (record, what) = (layout::name_of_key(key), self.told(key, &error));
            self.damage.push(Damage::Record { record, what });
        }
    }
}

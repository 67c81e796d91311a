//! The past: any version, the logs, every frame.

use std::collections::VecDeque;
use std::sync::Arc;

use journal::{Body, Folded, Record, event_seen};
use kernel::{Seat, StreamError, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::Error;
use crate::live::Slot;
use crate::recent::StreamEntry;
use crate::room::Room;

/// How many commits are read from the store at once.
const PAGE: usize = 64;
/// What stands around an event in a log, in bytes.
pub(crate) const ENTRY: usize = 200;

/// One event of a match's log.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct EventEntry {
    /// The version after the event.
    pub version: u64,
    /// The commit that it belongs to.
    pub commit: u64,
    /// The seat that acted; null for the setup and for the end of a closed match.
    pub seat: Option<Seat>,
    /// When the commit was recorded.
    #[schema(format = "date-time")]
    pub recorded_at: String,
    /// The event.
    #[schema(value_type = crate::by_game::EventView)]
    pub event: Box<RawValue>,
}

/// One frame of a replay.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Frame {
    /// The version after the event.
    pub version: u64,
    /// The commit that it belongs to.
    pub commit: u64,
    /// The event.
    #[schema(value_type = crate::by_game::EventView)]
    pub event: Box<RawValue>,
    /// The view after the event.
    #[schema(value_type = crate::by_game::View)]
    pub view: Box<RawValue>,
}

/// How far a match is folded on the way to a version.
enum Way {
    /// There, and whether that is the end of a commit.
    Reached(Folded, bool),
    /// Commits are missing, after these.
    Before(Option<Folded>),
}

impl Way {
    /// From the nearest position that is in memory.
    fn begin(slot: &Slot, version: u64) -> Way {
        let head = slot.head();
        if version == head.folded.version {
            return Way::Reached(head.folded.clone(), true);
        }
        match slot.nearest(version) {
            Some(folded) if folded.version == version => Way::Reached(folded, true),
            nearest => Way::Before(nearest),
        }
    }
}

/// The last commit of what is folded.
fn commit_of(folded: Option<&Folded>) -> u64 {
    folded.map_or(0, |folded| folded.commit)
}

impl Engine {
    /// The match after event `at` (the latest for `None`), and whether that is the end of a commit.
    pub(crate) fn at(&self, slot: &Slot, at: Option<u64>) -> Result<(Folded, bool), Error> {
        let version = slot.head().known_version(at)?;
        let mut way = Way::begin(slot, version);
        loop {
            match way {
                Way::Reached(folded, is_whole) => return Ok((folded, is_whole)),
                Way::Before(folded) => {
                    let records = self.records(slot.id, commit_of(folded.as_ref()), PAGE)?;
                    way = self.go_on(slot, folded, &records, version)?;
                }
            }
        }
    }

    /// The same for a thread that serves requests: it does not wait for a store that is asked over a network.
    pub(crate) async fn at_elsewhere(&self, slot: &Slot, at: u64) -> Result<(Folded, bool), Error> {
        let version = slot.head().known_version(Some(at))?;
        let mut way = Way::begin(slot, version);
        loop {
            match way {
                Way::Reached(folded, is_whole) => return Ok((folded, is_whole)),
                Way::Before(folded) => {
                    let (id, after) = (slot.id, commit_of(folded.as_ref()));
                    let read =
                        self.reading(move |journal| journal.commits(id, after, PAGE)).await?;
                    let commits = self.whole(read)?;
                    let records: Vec<_> = commits.into_iter().map(|(_, record)| record).collect();
                    way = self.go_on(slot, folded, &records, version)?;
                }
            }
        }
    }

    /// Folds the next commits, and keeps positions on the way.
    fn go_on(
        &self,
        slot: &Slot,
        mut folded: Option<Folded>,
        records: &[Record],
        version: u64,
    ) -> Result<Way, Error> {
        if records.is_empty() {
            return Err(StreamError(format!("the commit of version {version} is missing")).into());
        }
        let way = 'way: {
            for record in records {
                let body = record.body()?;
                if body.last_version > version {
                    break 'way Way::Reached(part(slot, folded, &body, version)?, false);
                }
                let before = folded.as_ref().map_or(0, |folded| folded.version);
                let next = Folded::advance(folded, &[slot.game], &body, usize::MAX)?;
                if next.version == version {
                    slot.keep(&next);
                    break 'way Way::Reached(next, true);
                }
                slot.pass(before, &next);
                folded = Some(next);
            }
            Way::Before(folded)
        };
        self.slots.settle(slot);
        Ok(way)
    }

    /// The log by commits after commit `after`, at most `limit` and fewer where they are large, as entries; and where the next page begins.
    ///
    /// # Errors
    /// If the log is not the caller's to see.
    pub fn commits(
        &self,
        slot: &Slot,
        caller: Caller,
        asked: Option<Viewer>,
        after: u64,
        limit: usize,
    ) -> Result<(Vec<Box<RawValue>>, Option<u64>), Error> {
        let viewer = slot.log_viewer(caller, asked)?;
        let head = slot.head();
        let (last, state) = (head.folded.commit, &head.folded.state);
        let shown = usize::try_from(last.saturating_sub(after)).unwrap_or(limit);
        let (mut entries, mut room) = (Vec::new(), Room::of_page());
        // They were read up to so many stored bytes, and what is sent of each is longer.
        for record in self.records(slot.id, after, limit.min(shown))? {
            if room.is_full() {
                break;
            }
            let entry = record.entry(state.as_ref(), viewer)?;
            room.take(entry.get().len());
            entries.push(entry);
        }
        let next = after + entries.len() as u64;
        Ok((entries, (next < last).then_some(next)))
    }

    /// The commits that follow on version `after`, up to the one that ends with version `current`, as [`commits`](Engine::commits) would
    /// show them to the caller: what somebody has not seen yet who has seen `after`.
    ///
    /// # Errors
    /// If the log is not the caller's to see.
    pub fn missed(
        &self,
        slot: &Slot,
        caller: Caller,
        after: u64,
        current: u64,
    ) -> Result<(Vec<Box<RawValue>>, Option<u64>), Error> {
        const MOST: u64 = 100;
        let first = self.commit_before(slot, after)?;
        let last = self.commit_before(slot, current)?;
        let due = usize::try_from(last.saturating_sub(first).min(MOST)).expect("at most 100");
        let (items, _) = self.commits(slot, caller, None, first, due)?;
        let next = first + items.len() as u64;
        Ok((items, (next < last).then_some(next)))
    }

    /// The log by events after version `after`, at most `limit` and fewer where they are large; and where the next page begins.
    ///
    /// # Errors
    /// If the log is not the caller's to see.
    pub fn events(
        &self,
        slot: &Slot,
        caller: Caller,
        asked: Option<Viewer>,
        after: u64,
        limit: usize,
    ) -> Result<(Vec<EventEntry>, Option<u64>), Error> {
        let viewer = slot.log_viewer(caller, asked)?;
        let head = slot.head();
        let last = head.folded.version;
        let (mut entries, mut room) = (Vec::new(), Room::of_page());
        let mut commit = self.commit_before(slot, after)?;
        'page: while commit < head.folded.commit {
            let records = self.records(slot.id, commit, PAGE)?;
            let Some(record) = records.last() else { break };
            commit = record.outline()?.commit;
            for record in &records {
                let events = events_of(slot, record, viewer)?.into_iter();
                // What is stored by now, and not shown yet, comes with the next page.
                for entry in events.filter(|entry| entry.version > after && entry.version <= last) {
                    if entries.len() >= limit || room.is_full() {
                        break 'page;
                    }
                    room.take(ENTRY + entry.event.get().len());
                    entries.push(entry);
                }
            }
        }
        let next = entries.last().map_or(after, |entry| entry.version);
        Ok((entries, (next < last).then_some(next)))
    }

    /// The number of the last commit that ends at or before `version`; 0 if there is none. Reads a few commits.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn commit_before(&self, slot: &Slot, version: u64) -> Result<u64, Error> {
        let head = slot.head();
        if version >= head.folded.version {
            return Ok(head.folded.commit);
        }
        // The last version of commit `low` is at most `version`, that of `high` is greater.
        let (mut low, mut high) = (0, head.folded.commit);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            let record = self.records(slot.id, middle - 1, 1)?;
            let outline = record.first().ok_or_else(|| gap(middle))?.outline()?;
            if outline.last_version <= version { low = middle } else { high = middle }
        }
        Ok(low)
    }

    /// The commits after commit `after`, if all of them are in memory; otherwise none.
    ///
    /// # Errors
    /// If a commit is damaged.
    pub fn latest(
        &self,
        slot: &Slot,
        viewer: Viewer,
        after: u64,
    ) -> Result<Vec<StreamEntry>, Error> {
        let told = slot.recent(after);
        let state = Arc::clone(&slot.head().folded.state);
        Ok(told.iter().map(|told| told.entry(state.as_ref(), viewer)).collect::<Result<_, _>>()?)
    }

    /// The commits after commit `after` as one viewer sees them, some of them; reads the store.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn stream_page(
        &self,
        slot: &Slot,
        viewer: Viewer,
        after: u64,
    ) -> Result<Vec<StreamEntry>, Error> {
        let shown = slot.head().folded.commit.saturating_sub(after);
        let records = self.records(slot.id, after, PAGE)?;
        let state = Arc::clone(&slot.head().folded.state);
        let shown = records.iter().take(usize::try_from(shown).unwrap_or(PAGE));
        let entry = |record| StreamEntry::new(state.as_ref(), record, viewer);
        Ok(shown.map(entry).collect::<Result<_, _>>()?)
    }

    /// Every frame from version `from` to `to`, as JSON lines.
    ///
    /// # Errors
    /// If the versions are unknown, or the replay is not the caller's to see.
    pub fn replay(
        self: &Arc<Self>,
        slot: &Arc<Slot>,
        caller: Caller,
        asked: Option<Viewer>,
        from: Option<u64>,
        to: Option<u64>,
    ) -> Result<Replay, Error> {
        let events_for = slot.log_viewer(caller, asked)?;
        let views_for = events_for.unwrap_or(caller.viewer());
        let head = slot.head();
        let from = head.known_version(Some(from.unwrap_or(1)))?;
        let to = head.known_version(to)?;
        if to < from {
            let detail = format!("a replay cannot go backwards from {from} to {to}");
            return Err(Error::malformed(detail, "to"));
        }
        let folded = match from {
            1 => None,
            from => Some(self.at(slot, Some(from - 1))?.0),
        };
        let commit = self.commit_before(slot, from - 1)?;
        Ok(Replay {
            engine: Arc::clone(self),
            slot: Arc::clone(slot),
            events_for,
            views_for,
            folded,
            commit,
            to,
            records: VecDeque::new(),
        })
    }
}

/// An iterator over the frames of a match. It reads the store as it advances.
pub struct Replay {
    engine: Arc<Engine>,
    slot: Arc<Slot>,
    events_for: Option<Viewer>,
    views_for: Viewer,
    folded: Option<Folded>,
    commit: u64,
    to: u64,
    records: VecDeque<Record>,
}

impl Replay {
    /// The lines of the next commits, about 64 KiB of them; `None` at the end. Blocks.
    ///
    /// # Errors
    /// If the store cannot be read.
    ///
    /// # Panics
    /// Never: a frame has a JSON.
    pub fn next_lines(&mut self) -> Result<Option<Vec<u8>>, Error> {
        const ENOUGH: usize = 64 << 10;
        let mut lines = Vec::new();
        while lines.len() < ENOUGH {
            if self.folded.as_ref().is_some_and(|folded| folded.version >= self.to) {
                break;
            }
            if self.records.is_empty() {
                self.records = self.engine.records(self.slot.id, self.commit, PAGE)?.into();
            }
            let Some(record) = self.records.pop_front() else {
                break;
            };
            self.commit += 1;
            self.frames(&record, &mut lines)?;
        }
        Ok((!lines.is_empty()).then_some(lines))
    }

    fn frames(&mut self, record: &Record, lines: &mut Vec<u8>) -> Result<(), Error> {
        let body = record.body()?;
        let hidden = self.events_for.filter(|_| !record.is_open());
        let start = self.folded.as_ref().map_or(0, |folded| folded.version);
        for (version, event) in (body.first_version..=self.to).zip(&body.events) {
            if version <= start {
                continue;
            }
            let folded = advance(&self.slot, self.folded.take(), &body, version)?;
            let event = match hidden {
                Some(viewer) => event_seen(folded.state.as_ref(), event, viewer)?,
                None => (*event).to_owned(),
            };
            let view = folded.view(self.views_for);
            let frame = Frame { version, commit: body.commit, event, view };
            serde_json::to_writer(&mut *lines, &frame).expect("plain data always has JSON");
            lines.push(b'\n');
            self.folded = Some(folded);
        }
        Ok(())
    }
}

fn gap(commit: u64) -> Error {
    kernel::StreamError(format!("commit {commit} is missing")).into()
}

pub(crate) fn events_of(
    slot: &Slot,
    record: &Record,
    viewer: Option<Viewer>,
) -> Result<Vec<EventEntry>, Error> {
    let Body { commit, events, first_version, recorded_at, seat, command: _, last_version: _ } =
        record.body()?;
    let hidden = viewer.filter(|_| !record.is_open());
    let state = Arc::clone(&slot.head().folded.state);
    let entry = |(version, event): (u64, &RawValue)| {
        let event = match hidden {
            Some(viewer) => event_seen(state.as_ref(), event, viewer)?,
            None => event.to_owned(),
        };
        Ok(EventEntry { version, commit, seat, recorded_at: recorded_at.clone(), event })
    };
    (first_version..).zip(events).map(entry).collect()
}

/// Folds the first events of the next commit, up to `version`.
fn part(
    slot: &Slot,
    folded: Option<Folded>,
    body: &Body<'_>,
    version: u64,
) -> Result<Folded, Error> {
    let most = usize::try_from(version + 1 - body.first_version).map_err(|_| gap(body.commit))?;
    Ok(Folded::advance(folded, &[slot.game], body, most)?)
}

/// Goes on by one event, inside a commit or at its beginning.
fn advance(
    slot: &Slot,
    folded: Option<Folded>,
    body: &Body<'_>,
    version: u64,
) -> Result<Folded, Error> {
    match folded {
        Some(mut folded) if folded.commit == body.commit => {
            let number =
                usize::try_from(version - body.first_version).map_err(|_| gap(body.commit))?;
            folded.apply_of(body, body.events[number])?;
            Ok(folded)
        }
        folded => part(slot, folded, body, version),
    }
}

//! The latest commits of a match, as streams tell them: each is rendered once for all who see the same.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use journal::Record;
use kernel::{AnyMatch, StreamError, Viewer};
use serde_json::value::RawValue;

/// How many are kept of a match that somebody watches: who is further behind reads the store.
const MOST: usize = 16;

/// A commit for a live stream.
#[derive(Clone, Debug)]
pub struct StreamEntry {
    /// The number of the commit.
    pub commit: u64,
    /// Its last version.
    pub version: u64,
    /// The commit as the viewer sees it.
    pub json: Arc<RawValue>,
    /// What it changes of the viewer's view, as a JSON Patch, where that was asked for.
    pub patch: Option<Box<RawValue>>,
}

impl StreamEntry {
    /// A commit as one viewer sees it; `state` is the match at that commit or later.
    pub(crate) fn new(
        state: &dyn AnyMatch,
        record: &Record,
        viewer: Viewer,
    ) -> Result<Self, StreamError> {
        let outline = record.outline()?;
        let json = record.entry(state, Some(viewer))?.into();
        Ok(StreamEntry { commit: outline.commit, version: outline.last_version, json, patch: None })
    }
}

/// A commit, and what a stream tells a spectator of it.
pub(crate) struct Told {
    pub(crate) commit: u64,
    record: Arc<Record>,
    entry: OnceLock<StreamEntry>,
}

impl Told {
    pub(crate) fn new(commit: u64, record: Arc<Record>) -> Self {
        Told { commit, record, entry: OnceLock::new() }
    }

    /// The commit as one viewer sees it. Where nothing of it is hidden, all see what a spectator sees.
    pub(crate) fn entry(
        &self,
        state: &dyn AnyMatch,
        viewer: Viewer,
    ) -> Result<StreamEntry, StreamError> {
        if !self.record.is_open() && viewer != Viewer::Spectator {
            return StreamEntry::new(state, &self.record, viewer);
        }
        if let Some(entry) = self.entry.get() {
            return Ok(entry.clone());
        }
        let entry = StreamEntry::new(state, &self.record, Viewer::Spectator)?;
        Ok(self.entry.get_or_init(|| entry).clone())
    }

    fn bytes(&self) -> usize {
        let told = self.entry.get().map_or(0, |entry| entry.json.get().len());
        size_of::<Self>() + self.record.bytes().len() + told
    }
}

/// The latest commits, one after the other.
#[derive(Default)]
pub(crate) struct Recent(VecDeque<Arc<Told>>);

impl Recent {
    /// Takes the next commit.
    pub(crate) fn put(&mut self, told: Arc<Told>) {
        if self.0.back().is_some_and(|last| last.commit + 1 != told.commit) {
            self.0.clear();
        }
        if self.0.len() == MOST {
            self.0.pop_front();
        }
        self.0.push_back(told);
    }

    /// Those after commit `after`; none if one of them is missing.
    pub(crate) fn after(&self, after: u64) -> Vec<Arc<Told>> {
        let at = self.0.iter().position(|told| told.commit == after + 1);
        at.map_or_else(Vec::new, |at| self.0.range(at..).cloned().collect())
    }

    /// How much memory they take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|told| told.bytes()).sum()
    }

    /// Nobody watches any more, or there is no room.
    pub(crate) fn clear(&mut self) {
        self.0 = VecDeque::new();
    }
}

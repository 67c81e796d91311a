//! What has changed of a view, as a JSON Patch (RFC 6902). It is made of the two views alone, and so tells no more than they do.

use journal::{Folded, Record};
use kernel::{StreamError, Viewer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::caller::Caller;
use crate::engine::Engine;
use crate::error::{Error, broken};
use crate::live::Slot;
use crate::look::Seen;
use crate::recent::StreamEntry;

/// How many versions a patch goes back: who is further behind takes the view as a whole.
const VERSIONS_MOST: u64 = 256;
/// How many commits of a stream with patches are read from the store at once.
const PAGE: usize = 8;

/// A match as a stream with patches has shown it last; nothing before its first message.
#[derive(Clone, Default)]
pub struct LastShown(Option<Folded>);

impl Engine {
    /// Is the match known at this version (the latest for `None`) without reading the store?
    #[must_use]
    pub fn has_at_hand(&self, slot: &Slot, at: Option<u64>) -> bool {
        let Some(version) = at else { return true };
        let is_kept = || slot.nearest(version).is_some_and(|folded| folded.version == version);
        slot.version() == version || is_kept()
    }

    /// What has changed between the views at the versions `since` and `at` (the latest for `None`), as `caller` or the viewer `asked` for
    /// sees them.
    ///
    /// # Errors
    /// If a version is unknown or too long ago, or the view is not the caller's to see.
    pub fn changes(
        &self,
        slot: &Slot,
        caller: Caller,
        since: u64,
        at: Option<u64>,
        asked: Option<Viewer>,
    ) -> Result<Seen, Error> {
        let viewer = slot.viewer(caller, asked)?;
        let head = slot.head();
        let (from, to) = (head.known_version(Some(since))?, head.known_version(at)?);
        if from > to {
            let detail = format!("a patch cannot go backwards from {from} to {to}");
            return Err(Error::malformed(detail, "since"));
        }
        if to - from > VERSIONS_MOST {
            let current = head.folded.version;
            return Err(Error::VersionGone { since, to, current, most: VERSIONS_MOST });
        }
        let (before, _) = self.at(slot, Some(from))?;
        let (after, _) = self.at(slot, Some(to))?;
        if to == head.folded.version {
            // Whoever asks again asks since then.
            slot.keep(&after);
            self.slots.settle(slot);
        }
        let json = patch(Some(&before), &after, viewer)?;
        Ok(Seen { version: to, json, fixed: head.finished() && at.is_some() })
    }

    /// Where a stream with patches begins that goes on from the view at `version`.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn last_shown(&self, slot: &Slot, version: u64) -> Result<LastShown, Error> {
        let folded = (version > 0).then(|| self.at(slot, Some(version))).transpose()?;
        Ok(LastShown(folded.map(|(folded, _)| folded)))
    }

    /// Some of the commits after commit `after` as one viewer sees them, each with the patch from the view before it, and what is then
    /// shown; reads the store unless it is the latest commit alone.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn patched_page(
        &self,
        slot: &Slot,
        viewer: Viewer,
        after: u64,
        shown: LastShown,
    ) -> Result<(Vec<StreamEntry>, LastShown), Error> {
        let head = slot.head();
        let due = usize::try_from(head.folded.commit.saturating_sub(after)).unwrap_or(PAGE);
        let records = match due {
            0 => Vec::new(),
            1 => vec![Record::clone(&head.record)],
            due => self.records(slot.id, after, due.min(PAGE))?,
        };
        let LastShown(mut shown) = shown;
        let mut entries = Vec::new();
        for record in &records {
            let mut entry = StreamEntry::new(head.folded.state.as_ref(), record, viewer)?;
            let next = if entry.version == head.folded.version {
                head.folded.clone()
            } else {
                self.followed(slot, shown.clone(), record)?
            };
            entry.patch = Some(patch(shown.as_ref(), &next, viewer)?);
            shown = Some(next);
            entries.push(entry);
        }
        Ok((entries, LastShown(shown)))
    }

    /// The match after a commit, from what was shown before it where that is the end of the one before.
    fn followed(
        &self,
        slot: &Slot,
        shown: Option<Folded>,
        record: &Record,
    ) -> Result<Folded, Error> {
        let body = record.body()?;
        if shown.as_ref().map_or(0, |folded| folded.version) + 1 == body.first_version {
            return Ok(Folded::advance(shown, &[slot.game], &body, usize::MAX)?);
        }
        Ok(self.at(slot, Some(body.last_version))?.0)
    }
}

/// What leads from one view to the other; it replaces the whole where that is shorter, and where nothing was shown before.
fn patch(
    before: Option<&Folded>,
    after: &Folded,
    viewer: Viewer,
) -> Result<Box<RawValue>, StreamError> {
    let read = |view: &RawValue| serde_json::from_str::<Value>(view.get()).map_err(broken);
    let after = after.view(viewer);
    if let Some(before) = before {
        let patch = json_patch::diff(&read(&before.view(viewer))?, &read(&after)?);
        let patch = to_raw_value(&patch).map_err(broken)?;
        if patch.get().len() <= after.get().len() {
            return Ok(patch);
        }
    }
    let whole = format!("[{{\"op\":\"replace\",\"path\":\"\",\"value\":{after}}}]");
    RawValue::from_string(whole).map_err(broken)
}

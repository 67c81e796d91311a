//! A damaged store, opened in the way that loses least.
//!
//! sled's snapshot is derived from the log, but neither of them is always the better one: the snapshot may name pages that are damaged, while
//! the log has all of them anew; and where a segment of the log is gone, the snapshot may know where the others are. So each way is tried,
//! in a copy of its own, and what can be read is counted.

use std::collections::BTreeSet;
use std::path::Path;

use crate::error::{Damage, OpenError};
use crate::local::Local;
use crate::local::check;
use crate::local::engine::{Engine, feed};
use crate::local::layout;
use crate::local::opening::Way;
use crate::local::walk::Walk;
use crate::store::Checked;
use crate::stream::StreamId;

/// How much can be read: what is more is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Readable {
    /// Commits of streams that are whole.
    whole: u64,
    /// All records.
    records: u64,
}

/// Opens a copy of the store in `folder`, made in `scratch`, as [`Local::inspect`] does, but in the way that loses least.
pub(crate) fn salvage(folder: &Path, scratch: &Path) -> Result<Local, OpenError> {
    let (mut best, mut failed) = (None, None);
    for way in [Way::Snapshot, Way::Log, Way::OlderPages] {
        let mut local = match Local::inspect(folder, scratch, way) {
            Ok(local) => local,
            Err(error @ (OpenError::Damaged(_) | OpenError::Lost { .. })) => {
                failed.get_or_insert(error);
                continue;
            }
            // The others would fail in the same way.
            Err(error) => return Err(error),
        };
        let position = local.position();
        let found = check::all(&local.shared.engine, position, &mut |_| {});
        if found.damage.is_empty() {
            // What was damaged in another way may be older in this one.
            let is_other = best.is_some() || failed.is_some();
            if is_other && local.damage.is_empty() {
                local.damage.push(Damage::Files("the log is damaged".to_owned()));
            }
            return Ok(local);
        }
        let readable = readable(&local.shared.engine, &found);
        if best.is_none_or(|(_, most)| readable > most) {
            best = Some((way, readable));
        }
    }
    match (best, failed) {
        (Some((way, _)), _) => Local::inspect(folder, scratch, way),
        (None, Some(error)) => Err(error),
        (None, None) => unreachable!("each way gives a store or an error"),
    }
}

fn readable(engine: &Engine, found: &Checked) -> Readable {
    let mut damaged: BTreeSet<StreamId> = BTreeSet::new();
    for damage in &found.damage {
        if let Damage::Commit { stream, .. } = damage {
            damaged.insert(*stream);
        }
    }
    let entries = |kind| Walk::new(engine, kind).flatten();
    let headers: BTreeSet<StreamId> = entries(layout::HEADERS)
        .filter(|(key, value)| engine.decode(key, value).is_ok())
        .filter_map(|(key, _)| layout::stream_of_header_key(&key))
        .collect();
    let (mut whole, mut records) = (0, headers.len() as u64);
    for (key, value) in entries(layout::COMMITS) {
        if engine.decode(&key, &value).is_err() {
            continue;
        }
        records += 1;
        let stream = layout::commit_of_key(&key).map(|(stream, _)| stream);
        whole +=
            u64::from(stream.is_some_and(|of| headers.contains(&of) && !damaged.contains(&of)));
    }
    let notes = entries(layout::NOTES).filter(|(key, value)| engine.decode(key, value).is_ok());
    let feeds = entries(layout::FEEDS).filter(|entry| feed(entry.clone()).is_ok());
    records += (notes.count() + feeds.count()) as u64;
    Readable { whole, records }
}

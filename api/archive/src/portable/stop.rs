//! Where a restored store stops: an import was written as one, so the store has all of it, or nothing.

use std::collections::BTreeMap;
use std::path::PathBuf;

use journal::{MatchId, Origin, Record, match_id};

use super::failed::Failed;
use super::reader::{Item, read};

/// Where a restored store stops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Until {
    /// After this feed position.
    Position(u64),
    /// Before the first commit that was recorded later, or imported later where its match is of another server: RFC 3339 in UTC with
    /// milliseconds.
    Time(String),
}

/// Where the commits of a match lie in the feed.
struct Span {
    first: u64,
    last: u64,
    /// The first commit that was recorded later than what was asked for.
    later: Option<u64>,
    /// When the match was imported, if it was.
    imported_at: Option<String>,
}

/// The end of a restored store, and what it was chosen by.
pub(super) struct Stop {
    /// Its last feed position.
    pub(super) position: u64,
    /// The time that was asked for, if it was a time.
    time: Option<String>,
    /// When those matches were imported that were.
    imported: BTreeMap<MatchId, String>,
}

impl Stop {
    /// Whether a commit behind the end is not from after the time that was asked for: a clock was set ahead, and back again.
    pub(super) fn is_early(&self, id: MatchId, record: &Record) -> bool {
        self.time.as_ref().is_some_and(|time| match self.imported.get(&id) {
            Some(imported_at) => imported_at <= time,
            // The reader has read the text before.
            None => record.outline().is_ok_and(|outline| outline.recorded_at <= *time),
        })
    }
}

/// The end of a store that stops there. All of the archives is read: which matches are imports, they say at their end.
///
/// # Errors
/// If an archive is not what was written, or the position lies behind the last one, or within an import.
pub(super) fn stop(
    files: &[PathBuf],
    until: &Until,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Stop, Failed> {
    let mut spans: BTreeMap<MatchId, Span> = BTreeMap::new();
    let mut end = 0;
    read(files, progress, &mut |item| {
        match item {
            Item::Commit { commit, record, position } => {
                end = position;
                let is_later = match until {
                    Until::Position(_) => false,
                    Until::Time(time) => {
                        let outline = record.outline();
                        // The reader has read the text before.
                        outline.is_ok_and(|outline| outline.recorded_at > *time)
                    }
                };
                let new = Span { first: position, last: position, later: None, imported_at: None };
                let span = spans.entry(match_id(commit.stream)).or_insert(new);
                span.last = position;
                if is_later {
                    span.later.get_or_insert(position);
                }
            }
            Item::Note(note) => {
                if let Some((id, origin)) = Origin::of_note(&note.key, &note.value)
                    && let Some(span) = spans.get_mut(&id)
                {
                    span.imported_at = Some(origin.imported_at);
                }
            }
            Item::End => {}
        }
        Ok(())
    })?;
    let (position, time) = match until {
        Until::Position(wanted) => (at(*wanted, end, &spans)?, None),
        Until::Time(time) => (before(time, end, &spans), Some(time.clone())),
    };
    let imported = spans.into_iter().filter_map(|(id, span)| Some((id, span.imported_at?)));
    Ok(Stop { position, time, imported: imported.collect() })
}

/// That position, if a store had it as its last one.
fn at(wanted: u64, end: u64, spans: &BTreeMap<MatchId, Span>) -> Result<u64, Failed> {
    if end < wanted {
        return Err(Failed::Unfit(format!("the archives end at feed position {end}")));
    }
    let within = spans
        .iter()
        .find(|(_, span)| span.imported_at.is_some() && (span.first..span.last).contains(&wanted));
    match within {
        None => Ok(wanted),
        Some((id, Span { first, last, .. })) => Err(Failed::Unfit(format!(
            "feed position {wanted} is within the import of match {id}, which was written as one: stop at {}, before it, or at {last}, with it",
            first - 1
        ))),
    }
}

/// The position before the first commit that came later. What was imported came when it was imported, whenever it was played.
fn before(time: &str, end: u64, spans: &BTreeMap<MatchId, Span>) -> u64 {
    let later = spans.values().filter_map(|span| match &span.imported_at {
        Some(imported_at) => (imported_at.as_str() > time).then_some(span.first),
        None => span.later,
    });
    later.min().map_or(end, |first| first - 1)
}

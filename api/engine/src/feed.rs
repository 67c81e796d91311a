//! The feed of the whole store: every event of every public match, in the order in which commits became durable.

use std::str::FromStr;

use kernel::{Seat, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::engine::match_id;
use crate::header::{MatchId, Visibility};
use crate::index::Shown;
use crate::platform::kind;
use crate::record::{Body, Record, event_seen};
use crate::{Engine, Error};

/// How many commits one page looks at, at most: a rare type does not make a request slow.
const SCAN: usize = 10_000;
/// How many commits are read from the store at once.
const PAGE: usize = 256;

/// One event of the feed.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct FeedEntry {
    /// The feed position of its commit.
    pub position: u64,
    /// The match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played there.
    pub game: &'static str,
    /// The version of the match after the event.
    pub version: u64,
    /// The commit that it belongs to.
    pub commit: u64,
    /// The seat that acted; null for the setup.
    pub seat: Option<Seat>,
    /// When the commit was recorded.
    #[schema(format = "date-time")]
    pub recorded_at: String,
    /// What happened: in full in a finished match, else as a spectator sees it.
    #[schema(value_type = crate::look::EventView)]
    pub event: Box<RawValue>,
}

/// Which events to show.
#[derive(Clone, Debug, Default)]
pub struct FeedFilter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only of this type.
    pub kind: Option<String>,
}

/// A place in the feed: after all events of the commit at `position - 1`, and after `events` events of the one at `position`
/// where that is not 0. Text: `57`, all of commit 57 has been seen; `57.3`, and three events of the next one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeedPlace {
    /// The last position that was seen whole.
    pub position: u64,
    /// How many events of the next one were seen.
    pub events: usize,
}

impl std::fmt::Display for FeedPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.events {
            0 => write!(f, "{}", self.position),
            events => write!(f, "{}.{events}", self.position),
        }
    }
}

impl FromStr for FeedPlace {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (position, events) = text.split_once('.').unwrap_or((text, "0"));
        Ok(FeedPlace { position: position.parse()?, events: events.parse()? })
    }
}

/// A page of the feed.
#[derive(Clone, Debug)]
pub struct FeedPage {
    /// The events; there may be none although there is a next page.
    pub entries: Vec<FeedEntry>,
    /// Where the next page begins.
    pub place: FeedPlace,
    /// Is there more now?
    pub more: bool,
}

impl Engine {
    /// A page of the feed, at most `limit` events, of commits up to and with the feed position `until`.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn feed(
        &self,
        after: FeedPlace,
        until: u64,
        filter: &FeedFilter,
        limit: usize,
    ) -> Result<FeedPage, Error> {
        let mut page = FeedPage { entries: Vec::new(), place: after, more: true };
        let mut scanned = 0;
        while page.entries.len() < limit && scanned < SCAN {
            let left = usize::try_from(until.saturating_sub(page.place.position)).unwrap_or(PAGE);
            let stored = self.store.feed(page.place.position, left.min(PAGE))?;
            scanned += stored.len();
            if stored.is_empty() {
                page.more = false;
                break;
            }
            for stored in &stored {
                let events = self.feed_events(stored, filter)?;
                let left = limit - page.entries.len();
                let fresh = events.into_iter().filter(|(number, _)| *number >= page.place.events);
                let mut fresh: Vec<_> = fresh.collect();
                if fresh.len() > left {
                    fresh.truncate(left);
                    page.place.events =
                        fresh.last().map_or(page.place.events, |(number, _)| number + 1);
                    page.entries.extend(fresh.into_iter().map(|(_, entry)| entry));
                    return Ok(page);
                }
                page.entries.extend(fresh.into_iter().map(|(_, entry)| entry));
                page.place = FeedPlace { position: stored.position, events: 0 };
            }
        }
        Ok(page)
    }

    /// The events of one commit that the feed shows, with their number in the commit.
    fn feed_events(
        &self,
        stored: &store::Stored,
        filter: &FeedFilter,
    ) -> Result<Vec<(usize, FeedEntry)>, Error> {
        let id = match_id(stored.stream);
        let Shown { game, visibility, finished } = self.shown(id)?;
        let fits = filter.game.as_ref().is_none_or(|wanted| wanted == game);
        if !fits || visibility == Visibility::Private {
            return Ok(Vec::new());
        }
        // What is redacted belongs to a match that goes on, which is in memory or will be.
        let record = Record::read(&stored.bytes)?;
        let full = record.is_open() || record.finishes() || finished;
        let Body { commit, events, first_version, recorded_at, seat, command: _, last_version: _ } =
            record.body()?;
        let mut entries = Vec::new();
        for (number, event) in events.into_iter().enumerate() {
            if filter.kind.as_ref().is_some_and(|wanted| kind(&event) != Some(wanted)) {
                continue;
            }
            let event = if full {
                event
            } else {
                let head = self.load(id)?.head();
                event_seen(head.folded.state.as_ref(), &event, Viewer::Spectator)?
            };
            let (version, recorded_at) = (first_version + number as u64, recorded_at.clone());
            let position = stored.position;
            entries.push((
                number,
                FeedEntry {
                    position,
                    r#match: id,
                    game,
                    version,
                    commit,
                    seat,
                    recorded_at,
                    event,
                },
            ));
        }
        Ok(entries)
    }
}

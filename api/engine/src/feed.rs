//! The feed of the whole store: every event of every public match, in the order in which commits became durable.

use std::str::FromStr;

use journal::{Body, DamageKind, Damaged, MatchId, Record, Visibility, event_seen, kind, match_id};
use kernel::{Seat, Viewer};
use serde::Serialize;
use serde_json::value::RawValue;
use store::ReadError;
use utoipa::ToSchema;

use crate::engine::Engine;
use crate::error::Error;
use crate::history::ENTRY;
use crate::listed::Shown;
use crate::room::Room;
use crate::told::FOLDED_EVENTS;

/// How many commits one page looks at, at most: a rare type does not make a request slow.
const SCAN: usize = 10_000;
/// How many bytes of commits it reads, at most.
const SCAN_BYTES: usize = 16 << 20;
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
    /// The seat that acted; null for the setup and for the end of a closed match.
    pub seat: Option<Seat>,
    /// When the commit was recorded.
    #[schema(format = "date-time")]
    pub recorded_at: String,
    /// The event: in full for a finished match, otherwise as a spectator sees it.
    #[schema(value_type = crate::by_game::EventView)]
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
pub struct FeedPage {
    /// The events, and what could not be shown between them; there may be none although there is a next page.
    pub entries: Vec<FeedLine>,
    /// Where the next page begins.
    pub place: FeedPlace,
    /// Is there more now?
    pub more: bool,
    room: Room,
    /// How many bytes of commits were read for it.
    read: usize,
    /// How many events were folded for it, to hide what is hidden.
    folded: u64,
}

impl FeedPage {
    /// Takes the events of a commit that were not on the page before; `false` when the page is full.
    fn take(&mut self, events: Vec<(usize, FeedEntry)>, position: u64, limit: usize) -> bool {
        let seen = self.place.events;
        for (number, entry) in events.into_iter().filter(|(number, _)| *number >= seen) {
            if self.entries.len() >= limit || self.room.is_full() {
                return false;
            }
            self.room.take(ENTRY + entry.event.get().len());
            self.place.events = number + 1;
            self.entries.push(FeedLine::Event(Box::new(entry)));
        }
        self.place = FeedPlace { position, events: 0 };
        self.read < SCAN_BYTES && self.folded < FOLDED_EVENTS
    }
}

/// A line of the feed: an event, or a damaged commit with its place, whose events are not shown.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum FeedLine {
    /// An event.
    Event(Box<FeedEntry>),
    /// A damaged commit, with its place. Its events are not shown.
    Damaged(Box<Damaged>),
}

impl Engine {
    /// A page of the feed, at most `limit` events and fewer where they are large, of commits up to and with the feed position `until`. A commit that is damaged or
    /// cannot be read is named in its place, and passed.
    ///
    /// # Errors
    /// If the disk has failed and the first commit of the page cannot be read: what may come back is never passed then.
    pub fn feed(
        &self,
        after: FeedPlace,
        until: u64,
        filter: &FeedFilter,
        limit: usize,
    ) -> Result<FeedPage, Error> {
        let (entries, room) = (Vec::new(), Room::of_page());
        let mut page = FeedPage { entries, place: after, more: true, room, read: 0, folded: 0 };
        let mut scanned = 0;
        while page.entries.len() < limit && scanned < SCAN {
            let at = page.place.position;
            let left = usize::try_from(until.saturating_sub(at)).unwrap_or(PAGE).min(PAGE);
            let places = match self.journal.places(at, left) {
                Ok(places) => places,
                Err(damaged) => {
                    if !self.pass(damaged, at + 1, &mut page, after)? {
                        return Ok(page);
                    }
                    scanned += 1;
                    continue;
                }
            };
            scanned += places.len();
            if places.is_empty() {
                page.more = false;
                // Who asked from beyond the end goes on from the end.
                page.place.position = at.min(self.position());
                break;
            }
            for (place, stored) in self.journal.at(&places) {
                let events = stored.and_then(|stored| {
                    page.read += stored.bytes.len();
                    self.feed_commit(&stored, filter, &mut page.folded)
                });
                let shown = match events {
                    Ok(events) => page.take(events, place.position, limit),
                    Err(damaged) => {
                        let position = place.position;
                        // Where the page is full, the next one names it.
                        page.entries.len() < limit
                            && self.pass(damaged.position(position), position, &mut page, after)?
                    }
                };
                if !shown {
                    return Ok(page);
                }
            }
        }
        Ok(page)
    }

    /// Names a damaged commit on the page and passes it. `false`: the page ends before it, since it comes back after a restart.
    fn pass(
        &self,
        damaged: Damaged,
        position: u64,
        page: &mut FeedPage,
        after: FeedPlace,
    ) -> Result<bool, Error> {
        // Where the whole disk failed, whoever follows waits for a restart. Else what cannot be read hides nothing but itself.
        // A database that does not answer, or refuses to, comes back.
        if damaged.is_away() || self.journal.disk_failed() && !damaged.lasts() {
            let nothing_yet = page.place == after;
            let error = if damaged.is_away() { ReadError::Database } else { ReadError::GaveUp };
            let failed = || Error::Read(error(damaged.cause().to_owned()));
            return if nothing_yet { Err(failed()) } else { Ok(false) };
        }
        // The feed names this commit; of the match the first one is told elsewhere.
        let _ = self.journal.set_aside(&damaged);
        page.entries.push(FeedLine::Damaged(Box::new(damaged)));
        page.place = FeedPlace { position, events: 0 };
        Ok(true)
    }

    fn feed_commit(
        &self,
        stored: &store::Stored,
        filter: &FeedFilter,
        folded: &mut u64,
    ) -> Result<Vec<(usize, FeedEntry)>, Damaged> {
        self.feed_events(stored, filter, folded).map_err(|error| {
            let id = match_id(stored.stream);
            let damaged =
                |what| Damaged::of_match(id, what, error.to_string()).commit(stored.number);
            if let Error::Damaged(known) = &error {
                // What must be redacted needs the match: it is hidden with it.
                if known.is_away() { Damaged::clone(known) } else { damaged(known.what()) }
            } else if let Error::Read(error) = &error {
                damaged(DamageKind::of(self.journal.store(), error)).by(error)
            } else {
                damaged(DamageKind::UnknownForm)
            }
        })
    }

    /// The events of one commit that the feed shows, with their number in the commit.
    fn feed_events(
        &self,
        stored: &store::Stored,
        filter: &FeedFilter,
        folded: &mut u64,
    ) -> Result<Vec<(usize, FeedEntry)>, Error> {
        let id = match_id(stored.stream);
        let shown = self.index.shown(id).map_err(|damaged| Error::Damaged(Box::new(damaged)))?;
        let Shown { game, visibility, finished } = shown;
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
            if filter.kind.as_ref().is_some_and(|wanted| kind(event) != Some(wanted)) {
                continue;
            }
            let event = if full {
                event.to_owned()
            } else {
                let head = match self.resident(id) {
                    Some(slot) => slot.head(),
                    None => {
                        let head = self.load(id)?.head();
                        *folded = folded.saturating_add(head.folded.version);
                        head
                    }
                };
                event_seen(head.folded.state.as_ref(), event, Viewer::Spectator)?
            };
            let (version, recorded_at) = (first_version + number as u64, recorded_at.clone());
            let (position, r#match) = (stored.position, id);
            let entry =
                FeedEntry { position, r#match, game, version, commit, seat, recorded_at, event };
            entries.push((number, entry));
        }
        Ok(entries)
    }
}

//! The account of one match: every point of it, with the event that gave it, the rule, and the arithmetic.

use std::ops::Range;

use journal::{Body, Folded, PlatformEvent, raw};
use kernel::{AnyGame, Award, Rule, Seat, StreamError};
use serde::Serialize;
use serde_json::json;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::kept::Booked;
use crate::room::Room;

/// One entry of the ledger: points that an event gave, or took.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct LedgerEntry {
    /// The number of the entry in the ledger of the match, from 1. It never changes.
    pub entry: u64,
    /// The version after the event.
    pub version: u64,
    /// The commit that it belongs to.
    pub commit: u64,
    /// Whose points.
    pub seat: Seat,
    /// The number of points; negative if they were taken.
    pub points: i64,
    /// The points of the seat afterwards: the sum of all its entries so far.
    pub total: i64,
    /// What the points are for, as a word of the game; `position_loaded` for the points of a loaded position.
    pub reason: &'static str,
    /// The rule that gives the points; null for `position_loaded`.
    #[schema(value_type = Option<String>)]
    pub rule: Option<Rule>,
    /// The text of the rule.
    pub rule_text: Option<String>,
    /// What was counted, in the game's own words.
    #[schema(value_type = Object)]
    pub pieces: Box<RawValue>,
    /// How the points follow from the pieces.
    pub arithmetic: String,
    /// The entry that this one cancels because its command was taken back; otherwise null.
    pub takes_back: Option<u64>,
}

/// How long the JSON of an entry is without what it quotes, and with the text of a rule.
const WITHOUT_TEXT: usize = 512;

impl LedgerEntry {
    /// How long its own words are.
    fn bytes(&self) -> usize {
        self.pieces.get().len() + self.arithmetic.len()
    }
}

/// A page of the ledger.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Ledger {
    /// The version up to which the ledger goes.
    pub version: u64,
    /// The points by seat at that version: the sums of all entries.
    pub points: Vec<i64>,
    /// The entries, in order.
    pub items: Vec<LedgerEntry>,
    /// The parameter `after` for the next page; null on the last page.
    pub next: Option<String>,
}

/// Which part of a ledger.
#[derive(Clone, Copy, Debug)]
pub struct LedgerQuery {
    /// Up to which version; the latest for `None`.
    pub at: Option<u64>,
    /// Only entries of this seat.
    pub seat: Option<Seat>,
    /// Only entries after this one.
    pub after: u64,
    /// At most so many.
    pub limit: usize,
}

/// A match folded commit by commit, with every change of the points.
#[derive(Default)]
pub(crate) struct Account {
    folded: Option<Folded>,
    /// By seat.
    points: Vec<i64>,
    entries: Vec<LedgerEntry>,
    /// About how much memory they take.
    bytes: usize,
    /// The entries of the latest commit: what a take-back cancels.
    latest: Range<usize>,
}

impl Account {
    /// A page of what was booked up to a version, without the texts of rules.
    pub(crate) fn page(&self, version: u64, query: LedgerQuery) -> Ledger {
        let LedgerQuery { at: _, seat, after, limit } = query;
        let until = |entry: &LedgerEntry| entry.version <= version;
        let entries = &self.entries[..self.entries.partition_point(until)];
        let mut points = vec![0; self.points.len()];
        for entry in entries {
            points[entry.seat.index()] += entry.points;
        }
        let after = usize::try_from(after).unwrap_or(usize::MAX);
        let items = entries.iter().skip(after);
        let items = items.filter(|entry| seat.is_none_or(|seat| seat == entry.seat));
        let (mut entries, mut room, mut more) = (Vec::new(), Room::of_page(), false);
        for entry in items {
            more = entries.len() >= limit || room.is_full();
            if more {
                break;
            }
            room.take(WITHOUT_TEXT + entry.bytes());
            entries.push(entry.clone());
        }
        let next = entries.last().filter(|_| more);
        Ledger { version, points, next: next.map(|entry| entry.entry.to_string()), items: entries }
    }

    fn event(&mut self, body: &Body<'_>, event: &RawValue) -> Result<(), StreamError> {
        let folded = self.folded.as_mut().expect("a commit is under way");
        let awards = match PlatformEvent::read(event) {
            Some(_) => Vec::new(),
            None => folded.state.awards(event)?,
        };
        folded.apply(event)?;
        let version = folded.version;
        for award in awards {
            let Award { seat, points, reason, rule, pieces, arithmetic } = award;
            self.enter(LedgerEntry {
                entry: 0,
                version,
                commit: body.commit,
                seat,
                points,
                total: 0,
                reason,
                rule: Some(rule),
                rule_text: None,
                pieces,
                arithmetic,
                takes_back: None,
            });
        }
        Ok(())
    }

    /// What a loaded position brings along.
    fn open(&mut self, body: &Body<'_>, brought: &[i64]) {
        for (seat, points) in (0..).map(Seat).zip(brought) {
            if *points != 0 {
                self.enter(LedgerEntry {
                    entry: 0,
                    version: 1,
                    commit: body.commit,
                    seat,
                    points: *points,
                    total: 0,
                    reason: "position_loaded",
                    rule: None,
                    rule_text: None,
                    pieces: raw(&json!({})),
                    arithmetic: format!("the position begins with {points}"),
                    takes_back: None,
                });
            }
        }
    }

    /// A take-back: what the commit before gave is taken, by the same rules, so that every sum comes out right.
    fn cancel(&mut self, body: &Body) {
        for index in self.latest.clone() {
            let cancelled = self.entries[index].clone();
            self.enter(LedgerEntry {
                version: body.last_version,
                commit: body.commit,
                points: -cancelled.points,
                arithmetic: format!("taken back: entry {}", cancelled.entry),
                takes_back: Some(cancelled.entry),
                ..cancelled
            });
        }
    }

    fn enter(&mut self, entry: LedgerEntry) {
        let total = &mut self.points[entry.seat.index()];
        *total += entry.points;
        self.bytes += size_of::<LedgerEntry>() + entry.bytes();
        self.entries.push(LedgerEntry {
            entry: self.entries.len() as u64 + 1,
            total: *total,
            ..entry
        });
    }
}

impl Booked for Account {
    fn folded(&self) -> Option<&Folded> {
        self.folded.as_ref()
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn book(&mut self, game: &dyn AnyGame, body: &Body<'_>) -> Result<(), StreamError> {
        let start = self.entries.len();
        match (&mut self.folded, body.events.as_slice()) {
            (None, [_, rest @ ..]) => {
                let folded = Folded::advance(None, &[game], body, 1)?;
                self.points = vec![0; folded.state.seats()];
                let brought = folded.state.points();
                self.folded = Some(folded);
                self.open(body, &brought);
                rest.iter().try_for_each(|event| self.event(body, event))?;
            }
            (Some(folded), [event])
                if let Some(PlatformEvent::CommandTakenBack { seat: _, to_version }) =
                    PlatformEvent::read(event) =>
            {
                folded.undo(to_version)?;
                self.cancel(body);
            }
            (Some(folded), events) => {
                folded.enter_of(body)?;
                let mut events = events.iter();
                events.try_for_each(|event| self.event(body, event))?;
            }
            (None, []) => return Err(StreamError("a commit has no events".to_owned())),
        }
        self.latest = start..self.entries.len();
        Ok(())
    }
}

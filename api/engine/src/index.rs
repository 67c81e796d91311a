//! The index of all matches: what the list shows, by match.
//!
//! It is a projection of the feed, filled by whoever wrote a commit once it is durable. Between the two a commit is on disk and not in
//! the index; so the index knows which feed positions it has, and catches up with the store before it answers.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, PoisonError, RwLock};

use journal::{
    Bot, Bytes32, Damaged, Folded, Journal, MatchId, Name, Opening, Origin, Status, Table,
    TableSeat, Visibility, match_id,
};
use kernel::Seat;
use serde::Serialize;
use store::StreamId;
use utoipa::ToSchema;

use crate::live::Slot;
use crate::waiting::Waiting;

/// How many feed positions are looked at at once.
const PLACES: usize = 1_000;

/// A match in the list of matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchSummary {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played.
    pub game: &'static str,
    /// The status of the match.
    pub status: Status,
    /// The seats, in order.
    pub seats: Vec<SeatInfo>,
    /// The number of events so far.
    pub version: u64,
    /// When it was opened.
    #[schema(format = "date-time")]
    pub created_at: String,
    /// When its latest commit was recorded.
    #[schema(format = "date-time")]
    pub updated_at: String,
    /// Where the match comes from; null for one that was played on this server.
    pub origin: Option<Origin>,
    #[serde(skip)]
    pub(crate) visibility: Visibility,
}

/// What everybody may know about a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatInfo {
    /// The number of the seat.
    pub seat: Seat,
    /// The player's name, if one was given.
    pub name: Option<String>,
    /// Whether the seat is taken.
    pub taken: bool,
    /// The bot that has the seat; null for a person.
    pub bot: Option<Bot>,
    /// SHA-256(salt || name), as the chain of the match has it; null for a seat without a name. The name itself is null where it was forgotten.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_commitment: Option<Bytes32>,
    /// The salt of the name.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub name_salt: Option<Bytes32>,
}

/// Which matches to list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only matches with this status.
    pub status: Option<Status>,
    /// Only matches with a player of exactly this name.
    pub player: Option<String>,
}

/// What the feed needs to know of a match to show its commits.
pub(crate) struct Shown {
    pub(crate) game: &'static str,
    pub(crate) visibility: Visibility,
    pub(crate) finished: bool,
}

/// All matches, and how far in the feed that goes.
pub(crate) struct Index {
    journal: Journal,
    /// A match that is found may wait for a bot.
    waiting: Arc<Waiting>,
    entries: RwLock<Entries>,
}

#[derive(Default)]
struct Entries {
    matches: BTreeMap<MatchId, Arc<MatchSummary>>,
    /// How many of them have each status, in the order of [`Status::ALL`].
    by_status: [u64; Status::ALL.len()],
    /// Every commit up to this feed position is in the index,
    through: u64,
    /// and so are these beyond it.
    beyond: BTreeSet<u64>,
}

impl Entries {
    /// Takes a summary, unless a later one is known.
    fn put(&mut self, summary: MatchSummary) {
        let known = self.matches.get(&summary.r#match);
        if known.is_none_or(|known| known.version <= summary.version) {
            if let Some(known) = known {
                self.by_status[known.status as usize] -= 1;
            }
            self.by_status[summary.status as usize] += 1;
            self.matches.insert(summary.r#match, Arc::new(summary));
        }
    }

    fn has(&self, position: u64) -> bool {
        position <= self.through || self.beyond.contains(&position)
    }

    /// The commit at this feed position is in the index now.
    fn reached(&mut self, position: u64) {
        if position > self.through {
            self.beyond.insert(position);
        }
        while self.beyond.remove(&(self.through + 1)) {
            self.through += 1;
        }
    }
}

impl Index {
    /// The index of a journal: its matches as they are now.
    pub(crate) fn new(journal: Journal, waiting: Arc<Waiting>) -> Self {
        let index = Index { journal, waiting, entries: RwLock::default() };
        index.read_all();
        index
    }

    fn read<T>(&self, look: impl FnOnce(&Entries) -> T) -> T {
        look(&self.entries.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn write<T>(&self, change: impl FnOnce(&mut Entries) -> T) -> T {
        change(&mut self.entries.write().unwrap_or_else(PoisonError::into_inner))
    }

    /// How many matches there are.
    pub(crate) fn len(&self) -> usize {
        self.read(|entries| entries.matches.len())
    }

    /// The feed position up to which it has every commit.
    pub(crate) fn position(&self) -> u64 {
        self.read(|entries| entries.through)
    }

    /// How many matches have each status.
    pub(crate) fn by_status(&self) -> [(Status, u64); Status::ALL.len()] {
        let counts = self.read(|entries| entries.by_status);
        Status::ALL.map(|status| (status, counts[status as usize]))
    }

    /// The newest matches that fit, those before `before`, at most `limit`.
    pub(crate) fn list(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        limit: usize,
    ) -> Vec<Arc<MatchSummary>> {
        self.catch_up();
        let Filter { game, status, player } = filter;
        let damaged = self.journal.aside().matches();
        let fits = |summary: &Arc<MatchSummary>| {
            let named =
                |name: &String| summary.seats.iter().any(|seat| seat.name.as_ref() == Some(name));
            summary.visibility == Visibility::Public
                && !damaged.contains(&summary.r#match)
                && game.as_ref().is_none_or(|game| game == summary.game)
                && status.is_none_or(|status| status == summary.status)
                && player.as_ref().is_none_or(named)
        };
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        self.read(|entries| {
            let newest_first = entries.matches.range((Bound::Unbounded, end)).rev();
            let fitting = newest_first.map(|(_, summary)| summary).filter(|summary| fits(summary));
            fitting.take(limit).cloned().collect()
        })
    }

    /// What the feed needs to know of a match with a durable commit: from the index where it is there, else from the store.
    pub(crate) fn shown(&self, id: MatchId) -> Result<Shown, Damaged> {
        if let Some(known) = self.read(|entries| entries.matches.get(&id).cloned()) {
            let finished = known.status == Status::Finished;
            return Ok(Shown { game: known.game, visibility: known.visibility, finished });
        }
        let Opening { game, table, .. } = self.journal.opening(id)?;
        let visibility = table.opened.visibility;
        Ok(Shown { game: game.info().id, visibility, finished: false })
    }

    /// Brings the index up to date with a match; `position` is the feed position of its new commit.
    pub(crate) fn put(&self, slot: &Slot, position: u64) {
        self.put_known(slot);
        self.write(|entries| entries.reached(position));
    }

    /// Brings the index up to date with a match.
    pub(crate) fn put_known(&self, slot: &Slot) {
        self.write(|entries| {
            // Looked at here: of two who do this at the same time, the later one sees the newer state.
            let head = slot.head();
            let Folded { version, ref table, .. } = head.folded;
            entries.put(MatchSummary {
                r#match: slot.id,
                game: slot.game.info().id,
                status: head.folded.status(),
                seats: seats(table, &head.people.names),
                version,
                created_at: slot.created_at.clone(),
                updated_at: head.updated_at.clone(),
                origin: slot.origin.clone(),
                visibility: table.opened.visibility,
            });
        });
    }

    /// Puts what is durable and not in the index yet; what cannot be read is set aside.
    fn catch_up(&self) {
        let end = self.journal.position();
        loop {
            let through = self.read(|entries| entries.through);
            if through >= end {
                return;
            }
            let places = self.journal.store().feed_places(through, PLACES);
            let Ok(places) = places.or_else(|_| self.journal.store().feed_places(through, 1))
            else {
                // Whoever reads the feed tells it.
                self.write(|entries| entries.reached(through + 1));
                continue;
            };
            for place in places {
                if !self.read(|entries| entries.has(place.position)) {
                    self.find(place.stream);
                    self.write(|entries| entries.reached(place.position));
                }
            }
        }
    }

    /// Reads the index at the start.
    fn read_all(&self) {
        const PAGE: usize = 1_000;
        let mut before = None;
        self.write(|entries| entries.through = self.journal.position());
        loop {
            let Ok(page) = self.journal.store().headers(before, PAGE) else {
                return self.read_by_feed(before);
            };
            page.iter().for_each(|(stream, _)| self.find(*stream));
            let Some((last, _)) = page.last() else { return };
            before = Some(*last);
        }
    }

    /// A header cannot be read, and those behind it cannot be listed: the feed knows the matches too.
    fn read_by_feed(&self, before: Option<StreamId>) {
        const PAGE: usize = 16_384;
        let mut at = 0;
        while at < self.journal.position() {
            let Ok(places) = self.journal.places(at, PAGE) else {
                // Whoever reads the feed tells it.
                at += 1;
                continue;
            };
            at = places.last().map_or(at + 1, |last| last.position);
            let opened = places.iter().filter(|place| place.number == 1);
            let left = opened.filter(|place| before.is_none_or(|before| place.stream < before));
            left.for_each(|place| self.find(place.stream));
        }
    }

    /// A match was found: it is listed, or set aside.
    fn find(&self, stream: StreamId) {
        match self.stored_summary(stream) {
            Ok(found) => self.write(|entries| entries.put(found)),
            Err(damaged) => self.journal.aside().put(&damaged),
        }
    }

    /// A match as the store has it.
    fn stored_summary(&self, stream: StreamId) -> Result<MatchSummary, Damaged> {
        let id = match_id(stream);
        let Opening { game, table, created_at } = self.journal.table(id)?;
        let (record, outline) = self.journal.last(id)?;
        let names = self.journal.names(id, &table);
        let names = names.map_err(|unread| self.journal.damage(id, unread))?;
        let (end, origin) = (record.end(), self.journal.origin(id));
        self.waiting.recall(id, &table, end);
        Ok(MatchSummary {
            r#match: id,
            game: game.info().id,
            status: table.status(end),
            seats: seats(&table, &names),
            version: outline.last_version,
            created_at,
            updated_at: outline.recorded_at,
            origin: origin.map_err(|unread| self.journal.damage(id, unread))?,
            visibility: table.opened.visibility,
        })
    }
}

pub(crate) fn seats(table: &Table, names: &[Option<Name>]) -> Vec<SeatInfo> {
    let seats = (0..).map(Seat).zip(&table.seats).zip(names);
    let seat = |((seat, at), name): ((Seat, &TableSeat), &Option<Name>)| SeatInfo {
        seat,
        name: name.as_ref().map(|name| name.name.clone()),
        taken: at.taken,
        bot: at.bot,
        name_commitment: at.name_commitment,
        name_salt: name.as_ref().map(|name| name.salt),
    };
    seats.map(seat).collect()
}

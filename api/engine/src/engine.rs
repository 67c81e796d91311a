//! The engine itself: a store, the games, the matches in memory, and an index of all matches.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use chrono::{SecondsFormat, Utc};
use kernel::{AnyGame, Seat};
use serde::Serialize;
use store::{Store, StreamId};
use utoipa::ToSchema;

use crate::fold::Folded;
use crate::header::{Header, MatchId, Status};
use crate::ledger::Ledgers;
use crate::live::{Head, Slot, Slots};
use crate::record::Record;
use crate::stats::Statistics;
use crate::waiting::Waiting;
use crate::{Archive, Bot, Bytes32, Error, StartError, Visibility};

/// How an engine is set up.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many matches are kept in memory.
    pub matches_in_memory: usize,
    /// The store's cache, in bytes.
    pub cache_bytes: u64,
    /// How long a bot waits before it acts.
    pub bot_pause: Duration,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            matches_in_memory: 20_000,
            cache_bytes: 64 << 20,
            bot_pause: Duration::from_millis(500),
        }
    }
}

/// A match server without HTTP. Share it by `Arc`.
pub struct Engine {
    pub(crate) store: Arc<Store>,
    games: &'static [&'static dyn AnyGame],
    slots: Slots,
    index: RwLock<BTreeMap<MatchId, Arc<MatchSummary>>>,
    /// Openings with an idempotency key come one after the other.
    pub(crate) keyed: tokio::sync::Mutex<()>,
    /// Where bots are to act.
    pub(crate) waiting: Waiting,
    pub(crate) statistics: Statistics,
    pub(crate) ledgers: Ledgers,
}

/// One line of the list of matches.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct MatchSummary {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The game that is played.
    pub game: &'static str,
    /// Where the match is in its life.
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
    #[serde(skip)]
    pub(crate) visibility: Visibility,
}

/// A seat as everybody may know it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatInfo {
    /// Its number.
    pub seat: Seat,
    /// The player's name, if one was given.
    pub name: Option<String>,
    /// Does somebody sit there?
    pub taken: bool,
    /// The player of the server that sits there; null for a person.
    pub bot: Option<Bot>,
}

/// Which matches to list.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// Only of this game.
    pub game: Option<String>,
    /// Only in this state.
    pub status: Option<Status>,
    /// Only with a player of exactly this name.
    pub player: Option<String>,
}

impl Engine {
    /// Opens the store in `folder` and reads the index of its matches.
    ///
    /// # Errors
    /// If the store does not open, or a header is damaged.
    pub fn start(
        folder: &Path,
        games: &'static [&'static dyn AnyGame],
        config: &Config,
    ) -> Result<Self, StartError> {
        let store = Store::open(folder, store::Config { cache_bytes: config.cache_bytes })?;
        let statistics = Statistics::new(store.position());
        let engine = Engine {
            store: Arc::new(store),
            games,
            slots: Slots::new(config.matches_in_memory),
            index: RwLock::new(BTreeMap::new()),
            keyed: tokio::sync::Mutex::new(()),
            waiting: Waiting::new(config.bot_pause),
            statistics,
            ledgers: Ledgers::new(games),
        };
        engine.read_index()?;
        Ok(engine)
    }

    fn read_index(&self) -> Result<(), StartError> {
        const PAGE: usize = 1_000;
        let mut before = None;
        loop {
            let page = self.store.headers(before, PAGE)?;
            for (stream, bytes) in &page {
                let id = match_id(*stream);
                let damaged = |source| StartError::Stream { id, source };
                let (game, header) = self.header(bytes).map_err(damaged)?;
                let Some(last) = self.store.last(*stream)? else {
                    continue;
                };
                let record = Record::read(&last.bytes).map_err(damaged)?;
                let outline = record.outline().map_err(damaged)?;
                let summary = summary(
                    id,
                    game,
                    &header,
                    record.finishes(),
                    outline.last_version,
                    outline.recorded_at,
                );
                self.recall_bot(id, &header, record.finishes());
                self.write_index(summary);
            }
            let Some((last, _)) = page.last() else {
                return Ok(());
            };
            before = Some(*last);
        }
    }

    fn header(&self, bytes: &[u8]) -> Result<(&'static dyn AnyGame, Header), kernel::StreamError> {
        let damaged = |detail: String| kernel::StreamError(format!("its header: {detail}"));
        let header: Header =
            serde_json::from_slice(bytes).map_err(|error| damaged(error.to_string()))?;
        if header.format != Header::FORMAT {
            return Err(damaged(format!("format {} is unknown", header.format)));
        }
        let game = self
            .game(&header.game)
            .map_err(|_| damaged(format!("there is no game {}", header.game)))?;
        Ok((game, header))
    }

    /// All games.
    #[must_use]
    pub fn games(&self) -> &'static [&'static dyn AnyGame] {
        self.games
    }

    /// The game with this id.
    ///
    /// # Errors
    /// [`Error::NotFound`].
    pub fn game(&self, id: &str) -> Result<&'static dyn AnyGame, Error> {
        self.games
            .iter()
            .copied()
            .find(|game| game.info().id == id)
            .ok_or(Error::NotFound("game of this name"))
    }

    /// The match, if it is in memory.
    #[must_use]
    pub fn resident(&self, id: MatchId) -> Option<Arc<Slot>> {
        self.slots.get(id)
    }

    /// The match; folds its stream if it is not in memory, which blocks.
    ///
    /// # Errors
    /// [`Error::NotFound`], or if the stream is damaged.
    pub fn load(&self, id: MatchId) -> Result<Arc<Slot>, Error> {
        if let Some(slot) = self.resident(id) {
            return Ok(slot);
        }
        let header =
            self.store.header(stream_id(id))?.ok_or(Error::NotFound("match of this id"))?;
        let (game, header) = self.header(&header)?;
        let (folded, record) = self.fold_all(id, game, header.take_back)?;
        let updated_at = record.outline()?.recorded_at;
        let head = Head { folded, record: Arc::new(record), updated_at };
        Ok(self.slots.insert(Slot::new(id, game, header, head)))
    }

    pub(crate) fn keep_slot(&self, slot: Slot) -> Arc<Slot> {
        self.slots.insert(slot)
    }

    fn fold_all(
        &self,
        id: MatchId,
        game: &'static dyn AnyGame,
        take_back: bool,
    ) -> Result<(Folded, Record), Error> {
        let mut folded: Option<Folded> = None;
        let mut last = None;
        loop {
            let after = folded.as_ref().map_or(0, |folded| folded.commit);
            let page = self.records(id, after, 64)?;
            let Some(record) = page.last() else { break };
            for record in &page {
                let body = record.body()?;
                match &mut folded {
                    None => folded = Some(first_commit(game, &body, take_back)?),
                    Some(folded) => folded.commit(&body, usize::MAX)?,
                }
            }
            last = Some(record.clone());
        }
        folded
            .zip(last)
            .ok_or_else(|| kernel::StreamError("a match has no commit".to_owned()).into())
    }

    /// The records of commits `after + 1` and later, at most `limit`.
    pub(crate) fn records(
        &self,
        id: MatchId,
        after: u64,
        limit: usize,
    ) -> Result<Vec<Record>, Error> {
        let stored = self.store.commits(stream_id(id), after, limit)?;
        Ok(stored.iter().map(|stored| Record::read(&stored.bytes)).collect::<Result<_, _>>()?)
    }

    /// The newest matches first, those before `before`, at most `limit`; private matches are never listed.
    #[must_use]
    pub fn list(
        &self,
        filter: &Filter,
        before: Option<MatchId>,
        limit: usize,
    ) -> Vec<Arc<MatchSummary>> {
        let Filter { game, status, player } = filter;
        let fits = |summary: &Arc<MatchSummary>| {
            let named =
                |name: &String| summary.seats.iter().any(|seat| seat.name.as_ref() == Some(name));
            summary.visibility == Visibility::Public
                && game.as_ref().is_none_or(|game| game == summary.game)
                && status.is_none_or(|status| status == summary.status)
                && player.as_ref().is_none_or(named)
        };
        let index = self.index.read().unwrap_or_else(PoisonError::into_inner);
        let end = before.map_or(Bound::Unbounded, Bound::Excluded);
        let range = index.range((Bound::Unbounded, end)).rev();
        range
            .map(|(_, summary)| summary)
            .filter(|summary| fits(summary))
            .take(limit)
            .cloned()
            .collect()
    }

    pub(crate) fn summary(&self, id: MatchId) -> Option<Arc<MatchSummary>> {
        self.index.read().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// Brings the index up to date with a match.
    pub(crate) fn index(&self, slot: &Slot) {
        let (header, head) = (slot.header(), slot.head());
        let (version, updated_at) = (head.folded.version, head.updated_at.clone());
        self.write_index(summary(
            slot.id,
            slot.game,
            &header,
            head.finished(),
            version,
            updated_at,
        ));
    }

    fn write_index(&self, summary: MatchSummary) {
        let mut index = self.index.write().unwrap_or_else(PoisonError::into_inner);
        index.insert(summary.r#match, Arc::new(summary));
    }

    /// In which match is this token good? For telling a foreign token from one that was never given.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn match_of_token(&self, token: Bytes32) -> Result<Option<MatchId>, Error> {
        let note = self.store.note(&token_key(token))?;
        Ok(note.and_then(|id| MatchId::from_slice(&id).ok()))
    }

    /// The finished matches, to be read in bulk.
    #[must_use]
    pub fn archive(&self) -> Archive {
        Archive::new(Arc::clone(&self.store), self.games)
    }

    /// Is the store well? Once a write failed at the disk, it takes no more, and may not find everything, until a restart.
    #[must_use]
    pub fn healthy(&self) -> bool {
        self.store.healthy()
    }

    /// Is there space on the disk? Without it the store takes no writes until there is.
    #[must_use]
    pub fn has_space(&self) -> bool {
        self.store.has_space()
    }

    /// The feed position of the last durable commit.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.store.position()
    }

    /// How many matches there are, and how many of them are in memory.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.index.read().unwrap_or_else(PoisonError::into_inner).len(), self.slots.len())
    }
}

fn summary(
    id: MatchId,
    game: &'static dyn AnyGame,
    header: &Header,
    finished: bool,
    version: u64,
    updated_at: String,
) -> MatchSummary {
    MatchSummary {
        r#match: id,
        game: game.info().id,
        status: header.status(finished),
        seats: seats(header),
        version,
        created_at: header.created_at.clone(),
        updated_at,
        visibility: header.visibility,
    }
}

pub(crate) fn seats(header: &Header) -> Vec<SeatInfo> {
    let seats = (0..).map(Seat).zip(&header.seats);
    seats
        .map(|(seat, s)| SeatInfo { seat, name: s.name.clone(), taken: s.taken(), bot: s.bot })
        .collect()
}

/// The match after its first commit.
pub(crate) fn first_commit(
    game: &dyn AnyGame,
    body: &crate::record::Body,
    take_back: bool,
) -> Result<Folded, Error> {
    let (first, rest) = body
        .events
        .split_first()
        .ok_or_else(|| kernel::StreamError("a commit has no events".to_owned()))?;
    let mut folded = Folded::start(game, first, take_back)?;
    rest.iter().try_for_each(|event| folded.apply(event))?;
    Ok(folded)
}

pub(crate) fn stream_id(id: MatchId) -> StreamId {
    StreamId(*id.as_bytes())
}

pub(crate) fn match_id(stream: StreamId) -> MatchId {
    MatchId::from_bytes(stream.0)
}

pub(crate) fn token_key(token: Bytes32) -> Vec<u8> {
    [b"token/".as_slice(), &Bytes32::hash(&[&token.0]).0].concat()
}

/// Now, in UTC with milliseconds.
pub(crate) fn now() -> String {
    Utc::now().to_rfc3339_opts(SecondsFormat::Millis, true)
}

//! A table: who sits at a match, and how it is played. The events of the platform, folded.

use std::sync::Arc;

use kernel::{AnyGame, Edition, Seat, StreamError};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::bot::Bot;
use crate::canonical::raw;
use crate::chance::Seeded;
use crate::hash::Bytes32;
use crate::header::Status;
use crate::platform::{
    BotScript, MatchClosed, PlatformEvent, ReplyRefused, SeatTaken, TableOpened, kind,
};
use crate::record::{Body, End};

/// A table after some of its commits.
#[derive(Clone, Debug)]
pub struct Table {
    /// How it was opened: the same for every position of the match that is kept.
    pub opened: Arc<TableOpened>,
    /// Whether the match began from a given position: its first event is `PositionLoaded`.
    pub loaded: bool,
    /// The seats, in order.
    pub seats: Vec<TableSeat>,
    /// How it was closed before the match's end, if it was.
    pub closed: Option<MatchClosed>,
    /// All nonces so far, in the order in which they were recorded.
    nonces: Vec<u8>,
}

/// A seat at a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSeat {
    /// SHA-256(salt || name) of the player's name, if there is one.
    pub name_commitment: Option<Bytes32>,
    /// The player of the server that sits there.
    pub bot: Option<Bot>,
    /// The version of its play when the match was opened; 1 for a person, too.
    pub bot_version: u32,
    /// Whether somebody, or a bot, has the seat.
    pub taken: bool,
    /// SHA-256(SHA-256(token)) of the token of whoever took the seat after the opening.
    pub token_commitment: Option<Bytes32>,
    /// How many commands of its script the bot has carried out; none once one of them was refused.
    replied: Option<usize>,
}

impl Table {
    /// The table of a match, from its first commit.
    ///
    /// # Errors
    /// If the commit does not open a table.
    pub fn open(first: &Body<'_>) -> Result<Self, StreamError> {
        let loaded = first.events.first().and_then(|event| kind(event)) == Some("PositionLoaded");
        match first.events.last().and_then(|event| PlatformEvent::read(event)) {
            Some(PlatformEvent::TableOpened(opened)) => Ok(Self::of(opened, loaded)),
            _ => Err(StreamError("its first commit does not open a table".to_owned())),
        }
    }

    /// The table as it was opened; `loaded` for a match that begins from a given position.
    #[must_use]
    pub fn of(opened: TableOpened, loaded: bool) -> Self {
        let seats = opened.seats.iter().map(|seat| TableSeat {
            name_commitment: seat.name_commitment,
            bot: seat.bot,
            bot_version: seat.bot_version.unwrap_or(Bot::FIRST_VERSION),
            taken: !seat.open,
            token_commitment: None,
            replied: Some(0),
        });
        let seats = seats.collect();
        let nonces = opened.nonce.iter().flat_map(|nonce| nonce.0).collect();
        Table { opened: Arc::new(opened), loaded, seats, closed: None, nonces }
    }

    /// The game that is played.
    ///
    /// # Errors
    /// If it is none of these.
    pub fn game<'a>(&self, games: &[&'a dyn AnyGame]) -> Result<&'a dyn AnyGame, StreamError> {
        let TableOpened { game, engine, .. } = &*self.opened;
        let known = games.iter().copied().find(|known| known.info().id == game);
        known.ok_or_else(|| StreamError(format!("there is no game {game}; {engine} knows it")))
    }

    /// The edition of the game's rules that decides the match.
    ///
    /// # Errors
    /// If the game has no such edition.
    pub fn edition(&self, game: &dyn AnyGame) -> Result<Edition, StreamError> {
        let TableOpened { edition, engine, .. } = &*self.opened;
        let known = game.info().edition(edition.number());
        known.map_err(|error| StreamError(format!("{error}; {engine} knows it")))
    }

    /// The options that the setup is decided from.
    #[must_use]
    pub fn asked(&self) -> Box<RawValue> {
        self.opened.options.clone().unwrap_or_else(|| raw(&serde_json::Map::new()))
    }

    /// The chance of a commit of the match, by its secret seed: what decides it for the first time, and whenever it is decided again.
    #[must_use]
    pub fn chance(&self, seed: Bytes32, commit: u64) -> Seeded<'_> {
        let forced = self.opened.sandbox.iter().flat_map(|sandbox| &sandbox.forced);
        let mut forced = forced.filter(|forced| forced.commit == commit).map(|f| &*f.outcomes);
        Seeded::new(seed, commit, &self.nonces).forced(forced.next().unwrap_or_default())
    }

    /// Is it a sandbox?
    #[must_use]
    pub fn is_sandbox(&self) -> bool {
        self.opened.sandbox.is_some()
    }

    /// Somebody takes a seat.
    pub(crate) fn take(&mut self, taken: &SeatTaken) -> Result<(), StreamError> {
        let SeatTaken { name_commitment, nonce, seat, token_commitment } = taken;
        let free = self.seats.get_mut(seat.index()).filter(|seat| !seat.taken);
        let place = free.ok_or_else(|| StreamError(format!("seat {seat} is not free")))?;
        place.taken = true;
        place.name_commitment = *name_commitment;
        place.token_commitment = Some(*token_commitment);
        self.nonces.extend(nonce.iter().flat_map(|nonce| nonce.0));
        Ok(())
    }

    /// The match is closed.
    pub(crate) fn close(&mut self, closed: MatchClosed) -> Result<(), StreamError> {
        match self.closed.replace(closed) {
            None => Ok(()),
            Some(_) => Err(StreamError("a match that was closed is closed again".to_owned())),
        }
    }

    /// What the script of a bot says next, and its number there. Nothing if there is no script, or it is over.
    #[must_use]
    pub fn next_reply(&self, seat: Seat) -> Option<(usize, &Value)> {
        let number = self.seats.get(seat.index())?.replied?;
        let command = self.script(seat)?.commands.get(number)?;
        Some((number, command))
    }

    fn script(&self, seat: Seat) -> Option<&BotScript> {
        let replies = self.opened.sandbox.as_ref()?.replies.as_ref()?;
        replies.scripts.iter().find(|script| script.seat == seat)
    }

    /// What the script of a bot says for this commit, and its number there. Nothing in the commits of the opening, which a store may have only a
    /// part of.
    #[must_use]
    pub fn reply_in(&self, commit: u64, seat: Seat) -> Option<(usize, &Value)> {
        let after = self.opened.sandbox.as_ref()?.replies.as_ref()?.after;
        if commit > after { self.next_reply(seat) } else { None }
    }

    /// A bot did what its script says.
    pub(crate) fn reply(&mut self, seat: Seat) {
        if let Some(seat) = self.seats.get_mut(seat.index()) {
            seat.replied = seat.replied.map(|replied| replied + 1);
        }
    }

    /// A bot cannot do what its script says next.
    pub(crate) fn refuse(&mut self, refused: &ReplyRefused) -> Result<(), StreamError> {
        let ReplyRefused { reply, rule: _, seat } = refused;
        let due = self.next_reply(*seat).map(|(number, _)| number as u64);
        match self.seats.get_mut(seat.index()).filter(|_| due == Some(*reply)) {
            Some(seat) => {
                seat.replied = None;
                Ok(())
            }
            None => Err(StreamError(format!("reply {reply} of seat {seat} is not due"))),
        }
    }

    /// The bot that has a seat.
    #[must_use]
    pub fn bot(&self, seat: Seat) -> Option<Bot> {
        self.seats.get(seat.index()).and_then(|seat| seat.bot)
    }

    /// The bots by seat, each with the version of its play.
    #[must_use]
    pub fn bots(&self) -> Vec<Option<(Bot, u32)>> {
        self.seats.iter().map(|seat| Some((seat.bot?, seat.bot_version))).collect()
    }

    /// Does a player of the server sit somewhere?
    #[must_use]
    pub fn has_bots(&self) -> bool {
        self.seats.iter().any(|seat| seat.bot.is_some())
    }

    /// Is a seat left to people?
    #[must_use]
    pub fn has_people(&self) -> bool {
        self.seats.iter().any(|seat| seat.bot.is_none())
    }

    /// How many seats are free.
    #[must_use]
    pub fn free(&self) -> usize {
        self.seats.iter().filter(|seat| !seat.taken).count()
    }

    /// Where the match is in its life.
    #[must_use]
    pub fn status(&self, end: Option<End>) -> Status {
        match end {
            Some(End::Finished) => Status::Finished,
            Some(End::Closed) => Status::Abandoned,
            None if self.free() > 0 => Status::Open,
            None => Status::Running,
        }
    }
}

//! Opening matches, taking seats, closing matches.

use std::sync::Arc;

use journal::{
    Bot, BranchedFrom, Bytes32, Folded, Header, MatchId, Next, PlatformEvent, SeatHeader, Seeded,
    Visibility, canonical_raw, raw, stream_id,
};
use kernel::{AnyGame, AnyMatch, Edition, Refusal, Rule, Seat, Seen};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use store::Write;
use utoipa::ToSchema;
use uuid::Uuid;

use crate::caller::Caller;
use crate::clock::{now, now_after};
use crate::edition;
use crate::engine::{Engine, token_key};
use crate::error::Error;
use crate::live::Slot;

/// The longest name of a player, in characters.
const NAME_MAX: usize = 64;

/// A request for a match.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The id of the game.
    pub game: String,
    /// The game's options; a missing one has its default. With a position they may be left out, or must equal the position's.
    #[schema(value_type = Option<crate::by_game::Options>)]
    pub options: Option<Box<RawValue>>,
    /// The seats, in order. Their number is the number of players.
    #[schema(max_items = 8)]
    #[serde(deserialize_with = "seat_requests")]
    pub seats: Vec<SeatRequest>,
    /// A position to start from. Without it the game's setup is carried out.
    #[schema(value_type = Option<crate::by_game::Position>)]
    pub position: Option<Box<RawValue>>,
    /// The edition of the rules. Default: that of the position, otherwise the newest.
    #[schema(minimum = 1)]
    pub edition: Option<u32>,
    /// Who may see the match. Default: everybody.
    pub visibility: Option<Visibility>,
    /// Whether commands may be taken back. Default: only if the game's own option says so.
    pub take_back: Option<bool>,
}

/// A request for a seat.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatRequest {
    /// The player's name, shown to everybody.
    #[schema(min_length = 1, max_length = 64)]
    pub name: Option<String>,
    /// Whether the seat is left open, to be taken later. Default: no.
    pub open: Option<bool>,
    /// A bot takes the seat. It has no token, and its commands are like any others. Default: a person.
    #[schema(value_type = Option<Bot>)]
    pub bot: Option<String>,
}

/// A wish for a seat that is an object: serde's own way would also take an array of its values.
#[derive(Deserialize)]
struct ObjectOf(#[serde(deserialize_with = "kernel::object")] SeatRequest);

fn seat_requests<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<SeatRequest>, D::Error> {
    let seats = Vec::<ObjectOf>::deserialize(from)?;
    Ok(seats.into_iter().map(|ObjectOf(seat)| seat).collect())
}

fn some_seat_requests<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Vec<SeatRequest>>, D::Error> {
    let seats = Option::<Vec<ObjectOf>>::deserialize(from)?;
    Ok(seats.map(|seats| seats.into_iter().map(|ObjectOf(seat)| seat).collect()))
}

/// A request for an open seat.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The player's name, shown to everybody.
    #[schema(min_length = 1, max_length = 64)]
    pub name: Option<String>,
}

/// A request for a match that continues from a version of a finished one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BranchRequest {
    /// The version whose position the new match starts from.
    #[schema(minimum = 1)]
    pub at: u64,
    /// The seats of the new match. Default: as many as in the old one, without names.
    #[serde(default, deserialize_with = "some_seat_requests")]
    pub seats: Option<Vec<SeatRequest>>,
    /// Who may see the match. Default: as in the old one.
    pub visibility: Option<Visibility>,
    /// Whether commands may be taken back. Default: only if the game's own option says so.
    pub take_back: Option<bool>,
}

/// The match that was opened. The tokens are shown only this once.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Opened {
    /// The id of the match.
    #[schema(value_type = String, format = "uuid")]
    pub r#match: MatchId,
    /// The tokens by seat; null for an open seat, and for the seat of a bot.
    #[schema(value_type = Vec<Option<String>>)]
    pub seat_tokens: Vec<Option<Bytes32>>,
    /// The token that may close the match.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    pub owner_token: Bytes32,
}

/// What was opened under an idempotency key. The tokens are encrypted by the key itself, which is not stored.
#[derive(Serialize, Deserialize)]
struct OpenNote {
    body: Bytes32,
    r#match: MatchId,
    salt: Bytes32,
    seat_tokens: Vec<Option<Bytes32>>,
    owner_token: Bytes32,
}

struct Setup {
    state: Arc<dyn AnyMatch>,
    events: Vec<Seen>,
    /// The options that it was decided from; `None` for a position.
    asked: Option<Box<RawValue>>,
}

struct Draft {
    game: &'static dyn AnyGame,
    setup: Setup,
    seed: Bytes32,
    seats: Vec<SeatRequest>,
    visibility: Visibility,
    take_back: bool,
    branched_from: Option<BranchedFrom>,
}

impl Engine {
    /// Opens a match; resolves when it is on disk. `key` is an idempotency key with a hash of the request's body.
    ///
    /// # Errors
    /// What the game or the store refuses, and malformed names.
    pub async fn open(
        &self,
        request: OpenRequest,
        key: Option<(&str, Bytes32)>,
    ) -> Result<Opened, Error> {
        self.open_seeded(request, key, Bytes32::random()).await
    }

    pub(crate) async fn open_seeded(
        &self,
        request: OpenRequest,
        key: Option<(&str, Bytes32)>,
        seed: Bytes32,
    ) -> Result<Opened, Error> {
        let OpenRequest { game, options, seats, position, edition, visibility, take_back } =
            request;
        let game = self.game(&game)?;
        check_seats(&seats)?;
        let setup = match position {
            Some(position) => {
                let state = edition::load(game, &position, edition)?;
                from_position(game, state, options.as_deref(), seats.len())?
            }
            None => {
                let edition = edition::asked(game, edition)?;
                from_setup(game, options.as_deref(), seats.len(), edition, seed)?
            }
        };
        let visibility = visibility.unwrap_or_default();
        let take_back = take_back.unwrap_or(false);
        let draft = Draft { game, setup, seed, seats, visibility, take_back, branched_from: None };
        let Some((key, body)) = key else {
            return self.write_opening(draft, None).await;
        };
        let _keyed = self.keyed.lock().await;
        if let Some(note) = self.earlier(&open_key(key))? {
            let note: OpenNote = serde_json::from_slice(&note)
                .map_err(|error| kernel::StreamError(error.to_string()))?;
            return note.open(key, body);
        }
        self.write_opening(draft, Some((key, body))).await
    }

    /// Opens a match that starts from a version of a finished one.
    ///
    /// # Errors
    /// If that match is not finished, or has no such version.
    pub async fn branch(&self, slot: &Slot, request: BranchRequest) -> Result<Opened, Error> {
        let BranchRequest { at, seats, visibility, take_back } = request;
        if !slot.head().finished() {
            return Err(Error::Hidden(
                "a branch starts from a complete position, so only from a finished match",
            ));
        }
        let (folded, _) = self.at(slot, Some(at))?;
        let seats = seats.unwrap_or_else(|| vec![SeatRequest::default(); folded.state.seats()]);
        check_seats(&seats)?;
        let state = edition::load(slot.game, &folded.state.position(), None)?;
        let setup = from_position(slot.game, state, None, seats.len())?;
        let draft = Draft {
            game: slot.game,
            setup,
            seed: Bytes32::random(),
            seats,
            visibility: visibility.unwrap_or(slot.header().visibility),
            take_back: take_back.unwrap_or(false),
            branched_from: Some(BranchedFrom { r#match: slot.id, at }),
        };
        self.write_opening(draft, None).await
    }

    async fn write_opening(
        &self,
        draft: Draft,
        key: Option<(&str, Bytes32)>,
    ) -> Result<Opened, Error> {
        let Draft { game, setup, seed, seats, visibility, take_back, branched_from } = draft;
        let id = Uuid::now_v7();
        let opened = Opened {
            r#match: id,
            seat_tokens: seats
                .iter()
                .map(|s| (!s.open.unwrap_or(false) && s.bot.is_none()).then(Bytes32::random))
                .collect(),
            owner_token: Bytes32::random(),
        };
        let recorded_at = now();
        let seat = |(seat, token): (SeatRequest, &Option<Bytes32>)| SeatHeader {
            bot: seat.bot.and_then(|bot| bot.parse().ok()),
            name: seat.name,
            token_hash: token.map(|token| Bytes32::hash(&[&token.0])),
        };
        let header = Header {
            format: Header::FORMAT,
            game: game.info().id.to_owned(),
            options: options_of(setup.state.as_ref()),
            asked: setup.asked,
            seats: seats.into_iter().zip(&opened.seat_tokens).map(seat).collect(),
            owner_hash: Bytes32::hash(&[&opened.owner_token.0]),
            visibility,
            take_back,
            seed,
            created_at: recorded_at.clone(),
            branched_from,
            closed_at: None,
        };
        let tokens = opened.seat_tokens.iter().flatten().chain([&opened.owner_token]);
        let mut notes: Vec<_> =
            tokens.map(|token| (token_key(*token), id.as_bytes().to_vec())).collect();
        if let Some((key, body)) = key {
            notes.push((
                open_key(key),
                raw(&OpenNote::new(&opened, key, body)).get().as_bytes().to_vec(),
            ));
        }
        let after = Folded::new(setup.state, setup.events.len() as u64, take_back);
        let next = Next { seat: None, command: None, events: setup.events, recorded_at, after };
        let header_bytes = Some((stream_id(id), header.bytes()));
        let beside = Write { commit: None, header: header_bytes, notes };
        let (head, position) = self.write(id, next, (seed, Bytes32::default()), beside).await?;
        let slot = self.keep_slot(Slot::new(id, game, header, head));
        self.index.put(&slot, Some(position));
        self.waiting.call(&slot, None);
        Ok(opened)
    }

    /// Takes an open seat; resolves with its token when that is on disk.
    ///
    /// # Errors
    /// If there is no such seat, or it is taken, or the match is over.
    pub async fn take_seat(
        &self,
        slot: &Slot,
        seat: Seat,
        request: JoinRequest,
    ) -> Result<Bytes32, Error> {
        let JoinRequest { name } = request;
        check_name(name.as_deref(), "/name")?;
        let _gate = slot.gate.lock().await;
        let current = slot.version();
        let mut header = Header::clone(&slot.header());
        let finished = slot.head().finished();
        if finished || header.closed_at.is_some() {
            return Err(Error::MatchFinished {
                how: if finished { "finished" } else { "abandoned" },
                current,
                rule: None,
            });
        }
        let place =
            header.seats.get_mut(seat.index()).ok_or(Error::NotFound("seat with this number"))?;
        if place.taken() {
            return Err(Error::SeatTaken { seat, current });
        }
        let token = Bytes32::random();
        place.token_hash = Some(Bytes32::hash(&[&token.0]));
        place.name = name.or(place.name.take());
        let notes = vec![(token_key(token), slot.id.as_bytes().to_vec())];
        self.write_header(slot, header, notes).await?;
        Ok(token)
    }

    /// Closes a match for good: only its owner may.
    ///
    /// # Errors
    /// If the caller is not the owner, or the match is over already.
    pub async fn close(&self, slot: &Slot, caller: Caller) -> Result<(), Error> {
        match caller {
            Caller::Owner => {}
            Caller::Stranger => {
                return Err(Error::TokenRequired("closing a match needs the owner token"));
            }
            Caller::Seat(_) => {
                return Err(Error::NotYours("only the owner token may close a match"));
            }
        }
        let _gate = slot.gate.lock().await;
        let mut header = Header::clone(&slot.header());
        if slot.head().finished() {
            return Err(Error::MatchFinished {
                how: "finished",
                current: slot.version(),
                rule: None,
            });
        }
        if header.closed_at.is_some() {
            return Ok(());
        }
        header.closed_at = Some(now_after(&slot.head().updated_at));
        self.write_header(slot, header, Vec::new()).await
    }

    async fn write_header(
        &self,
        slot: &Slot,
        header: Header,
        notes: Vec<(Vec<u8>, Vec<u8>)>,
    ) -> Result<(), Error> {
        let write =
            Write { commit: None, header: Some((stream_id(slot.id), header.bytes())), notes };
        self.journal.store().submit(write).await?;
        slot.set_header(header);
        self.index.put(slot, None);
        self.waiting.call(slot, None);
        Ok(())
    }
}

impl OpenNote {
    fn new(opened: &Opened, key: &str, body: Bytes32) -> Self {
        let salt = Bytes32::random();
        let hide = |(number, token): (u8, &Option<Bytes32>)| {
            token.map(|token| mask(token, salt, key, number))
        };
        OpenNote {
            body,
            r#match: opened.r#match,
            salt,
            seat_tokens: (0..).zip(&opened.seat_tokens).map(hide).collect(),
            owner_token: mask(opened.owner_token, salt, key, u8::MAX),
        }
    }

    fn open(self, key: &str, body: Bytes32) -> Result<Opened, Error> {
        let OpenNote { body: first, r#match, salt, seat_tokens, owner_token } = self;
        if first != body {
            return Err(Error::IdempotencyConflict { current: None });
        }
        let show = |(number, token): (u8, Option<Bytes32>)| {
            token.map(|token| mask(token, salt, key, number))
        };
        Ok(Opened {
            r#match,
            seat_tokens: (0..).zip(seat_tokens).map(show).collect(),
            owner_token: mask(owner_token, salt, key, u8::MAX),
        })
    }
}

/// A one-time pad from the idempotency key, which only the client has, and a salt.
fn mask(token: Bytes32, salt: Bytes32, key: &str, number: u8) -> Bytes32 {
    let pad = Bytes32::hash(&[b"idempotency", &salt.0, &[number], key.as_bytes()]);
    let mut bytes = token.0;
    bytes.iter_mut().zip(pad.0).for_each(|(byte, pad)| *byte ^= pad);
    Bytes32(bytes)
}

fn open_key(key: &str) -> Vec<u8> {
    [b"open/".as_slice(), &Bytes32::hash(&[key.as_bytes()]).0].concat()
}

fn from_setup(
    game: &'static dyn AnyGame,
    options: Option<&RawValue>,
    seats: usize,
    edition: Edition,
    seed: Bytes32,
) -> Result<Setup, Error> {
    let none = raw(&serde_json::Map::new());
    let asked = options.unwrap_or(&none);
    let started = game
        .setup(asked, seats, edition, &mut Seeded::new(seed, 1))
        .map_err(Error::InvalidOptions)?;
    // Not before: the game has read them, so they are JSON that can be written anew.
    let asked = Some(canonical_raw(asked));
    Ok(Setup { state: started.state.into(), events: started.events, asked })
}

fn from_position(
    game: &'static dyn AnyGame,
    state: Box<dyn AnyMatch>,
    options: Option<&RawValue>,
    seats: usize,
) -> Result<Setup, Error> {
    let forms = &game.info().forms;
    if state.seats() != seats {
        let reason = format!("the position has {} seats, not {seats}", state.seats());
        return Err(Error::InvalidOptions(Refusal::new(forms.seats, reason)));
    }
    let own: Value = parse(&options_of(state.as_ref()));
    let given =
        options.map_or_else(|| Ok(Default::default()), |given| fields(given, forms.options))?;
    if let Some((name, _)) = given.iter().find(|(name, value)| own.get(name) != Some(*value)) {
        let reason = format!("the option {name} differs from that of the position");
        return Err(Error::InvalidOptions(Refusal::new(forms.options, reason)));
    }
    let event = PlatformEvent::PositionLoaded { position: state.position() };
    let public = event.seen(game, kernel::Viewer::Spectator)?;
    let full = raw(&event);
    let public = (public.get() != full.get()).then_some(public);
    Ok(Setup { state: state.into(), events: vec![Seen { full, public }], asked: None })
}

/// The options that a position carries: by convention of every game its field `options`.
fn options_of(state: &dyn AnyMatch) -> Box<RawValue> {
    #[derive(Deserialize)]
    struct Options {
        options: Option<Box<RawValue>>,
    }
    let position = state.position();
    let options = serde_json::from_str(position.get()).ok().and_then(|Options { options }| options);
    options.unwrap_or_else(|| raw(&serde_json::Map::new()))
}

/// The fields of options that must be an object.
fn fields(options: &RawValue, rule: Rule) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(options.get())
        .map_err(|error| Error::InvalidOptions(Refusal::new(rule, error.to_string())))
}

fn parse(json: &RawValue) -> Value {
    serde_json::from_str(json.get()).unwrap_or_default()
}

fn check_seats(seats: &[SeatRequest]) -> Result<(), Error> {
    for (number, SeatRequest { name, open, bot }) in seats.iter().enumerate() {
        check_name(name.as_deref(), &format!("/seats/{number}/name"))?;
        let Some(bot) = bot else { continue };
        let detail = match bot.parse::<Bot>() {
            Ok(_) if open.unwrap_or(false) => "a seat with a bot cannot be open".to_owned(),
            Ok(_) => continue,
            Err(detail) => detail,
        };
        return Err(Error::Malformed { detail, pointer: format!("/seats/{number}/bot") });
    }
    Ok(())
}

fn check_name(name: Option<&str>, pointer: &str) -> Result<(), Error> {
    let Some(name) = name else { return Ok(()) };
    if name.is_empty() || name.chars().count() > NAME_MAX || name.chars().any(char::is_control) {
        let detail =
            format!("a name must have 1 to {NAME_MAX} characters and no control characters");
        return Err(Error::Malformed { detail, pointer: pointer.to_owned() });
    }
    Ok(())
}

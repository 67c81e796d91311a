//! Opening matches.

mod note;

use std::sync::Arc;

use journal::{
    Bot, BranchedFrom, Bytes32, Folded, Header, Name, Next, People, PlatformEvent, Replies,
    Sandbox, SeatOpened, Table, TableOpened, Visibility, name_of_person, nickname, raw,
};
use kernel::{AnyGame, Seen};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answered::{is_over, opened_at};
use crate::clock::{now, now_after};
use crate::edition;
use crate::engine::{Engine, token_key};
use crate::error::Error;
use crate::ids::new_id;
use crate::live::Slot;
pub use crate::open::note::Opened;
use crate::open::note::{OpenNote, open_key};
use crate::quotas::Opener;
use crate::replies;
use crate::sandbox::{ObjectOf, Played, SandboxRequest, Stage, objects, some_object};
use crate::seeds::used_key;
use crate::setup::Setup;

/// What opens matches, with its version.
const ENGINE: &str = concat!("muninn ", env!("CARGO_PKG_VERSION"));

/// A request for a match.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OpenRequest {
    /// The id of the game.
    pub game: String,
    /// The game's options; a missing one has its default. With a position they may be left out, or must equal the position's.
    #[schema(value_type = Option<crate::by_game::Options>)]
    pub options: Option<Box<RawValue>>,
    /// The seats, in order. Their number is the number of players.
    #[schema(max_items = 8)]
    #[serde(deserialize_with = "objects")]
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
    /// A ticket from `POST /v1/seeds`: the match uses the seed that the server committed to with it. Each ticket is good for one match.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub ticket: Option<Bytes32>,
    /// Your contribution to chance, ideally 32 random bytes: every draw of the match depends on it. It is shown to everybody.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Option<Bytes32>,
    /// Opens a match to try something out.
    #[serde(default, deserialize_with = "some_object")]
    pub sandbox: Option<SandboxRequest>,
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

fn some_seat_requests<'de, D: Deserializer<'de>>(
    from: D,
) -> Result<Option<Vec<SeatRequest>>, D::Error> {
    let seats = Option::<Vec<ObjectOf<_>>>::deserialize(from)?;
    Ok(seats.map(|seats| seats.into_iter().map(|ObjectOf(seat)| seat).collect()))
}

/// A request for an open seat.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct JoinRequest {
    /// The player's name, shown to everybody.
    #[schema(min_length = 1, max_length = 64)]
    pub name: Option<String>,
    /// Your contribution to chance, ideally 32 random bytes: every later draw of the match depends on it. It is shown to everybody.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub nonce: Option<Bytes32>,
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

/// A match that is to be opened: everything about it is decided.
pub struct Prepared {
    game: &'static dyn AnyGame,
    setup: Setup,
    seed: Bytes32,
    ticket: Option<Bytes32>,
    nonce: Option<Bytes32>,
    seats: Vec<SeatRequest>,
    visibility: Visibility,
    take_back: bool,
    branched_from: Option<BranchedFrom>,
    sandbox: Option<Sandbox>,
    played: Vec<Played>,
}

impl Prepared {
    /// How many commits there are beside the one that opens it.
    #[must_use]
    pub fn commits_played(&self) -> usize {
        self.played.len()
    }
}

impl Engine {
    /// Opens a match; resolves when it is on disk. `key` is an idempotency key with a hash of the request's body. The match counts for
    /// its opener, if there is one.
    ///
    /// # Errors
    /// What the game or the store refuses, malformed names, and a quota that is reached.
    pub async fn open(
        &self,
        request: OpenRequest,
        key: Option<(&str, Bytes32)>,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        let seed = match request.ticket {
            Some(ticket) => self.seed_of(ticket).await?,
            None => Bytes32::random(),
        };
        self.open_seeded(request, key, seed, opener).await
    }

    pub(crate) async fn open_seeded(
        &self,
        request: OpenRequest,
        key: Option<(&str, Bytes32)>,
        seed: Bytes32,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        self.open_prepared(self.prepare(request, seed)?, key, opener).await
    }

    /// Decides how a sandbox is opened and played on, which takes its time. Nothing is stored.
    ///
    /// # Errors
    /// What the game refuses, and all that is malformed.
    pub fn rehearse(&self, request: OpenRequest) -> Result<Prepared, Error> {
        self.prepare(request, Bytes32::random())
    }

    fn prepare(&self, request: OpenRequest, seed: Bytes32) -> Result<Prepared, Error> {
        let OpenRequest {
            game,
            options,
            mut seats,
            position,
            edition,
            visibility,
            take_back,
            ticket,
            nonce,
            sandbox,
        } = request;
        let game = self.game(&game)?;
        let most = *game.info().seats.end();
        let bots = check_seats(&mut seats, most)?;
        let is_sandbox = sandbox.is_some();
        if let Some(sandbox) = &sandbox {
            check_sandbox(sandbox, ticket, &seats, most)?;
        }
        let sandbox = sandbox.unwrap_or_default();
        let SandboxRequest { seed: chosen, outcomes, script, replies, fast_forward } = sandbox;
        let seed = chosen.unwrap_or(seed);
        let mut stage = Stage::new(seed, nonce, outcomes)?;
        let setup = match position {
            Some(position) => {
                let state = edition::load(game, &position, edition)?;
                Setup::from_position(game, state, options.as_deref(), seats.len())?
            }
            None => {
                let edition = edition::asked(game, edition)?;
                let options = options.as_deref();
                let decide = || {
                    stage.decide(1, |chance| {
                        Setup::decide(game, options, seats.len(), edition, chance)
                    })
                };
                tracing::info_span!(target: "otel", "decide").in_scope(decide)?
            }
        };
        let version = setup.events.len() as u64 + 1;
        let scripts = replies::read(replies, &bots, setup.state.as_ref())?;
        let forward = fast_forward.map(|forward| (forward, bots));
        stage.play(Arc::clone(&setup.state), version, &script, forward)?;
        stage.sandbox.replies =
            scripts.map(|scripts| Replies { after: 1 + stage.played.len() as u64, scripts });
        Ok(Prepared {
            game,
            setup,
            seed,
            ticket,
            nonce,
            seats,
            visibility: visibility.unwrap_or_default(),
            take_back: take_back.unwrap_or(false),
            branched_from: None,
            sandbox: is_sandbox.then_some(stage.sandbox),
            played: stage.played,
        })
    }

    /// What was opened under a key by the same request before, if anything was and the key is not over.
    ///
    /// # Errors
    /// A key that was used for another request, and one of which that cannot be told.
    pub async fn opened_before(&self, key: &str, body: Bytes32) -> Result<Option<Opened>, Error> {
        let note = self.opening_noted(key).await?.map(|(note, _)| note);
        let note = note.filter(|note| !is_over(opened_at(note.r#match)));
        note.map(|note| note.open(key, body)).transpose()
    }

    /// The same, after those with this key that are being stored.
    ///
    /// # Errors
    /// As [`opened_before`](Engine::opened_before).
    pub async fn opened_by_now(&self, key: &str, body: Bytes32) -> Result<Option<Opened>, Error> {
        let _keyed = self.keyed.of(key).await;
        self.opened_before(key, body).await
    }

    /// Opens a match that was prepared; resolves when it is on disk.
    ///
    /// # Errors
    /// What the store refuses, a key that was used for another request, and a quota that is reached.
    pub async fn open_prepared(
        &self,
        prepared: Prepared,
        key: Option<(&str, Bytes32)>,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        let Some((key, body)) = key else {
            return self.write_opening(prepared, None, opener).await;
        };
        let _keyed = self.keyed.of(key).await;
        // Asked once: another server may note it any time.
        if let Some((note, read)) = self.opening_noted(key).await? {
            if !is_over(opened_at(note.r#match)) {
                return note.open(key, body);
            }
            self.journal.store().forget_read(&[read]).await?;
        }
        match self.write_opening(prepared, Some((key, body)), opener).await {
            // The same request may have been carried out by another server.
            Err(Error::TicketUsed) => {
                let (note, _) = self.opening_noted(key).await?.ok_or(Error::TicketUsed)?;
                note.open(key, body)
            }
            opened => opened,
        }
    }

    /// Opens a match that starts from a version of a finished one.
    ///
    /// # Errors
    /// If that match is not finished, or has no such version, or a quota is reached.
    pub async fn branch(
        &self,
        slot: &Slot,
        request: BranchRequest,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        self.branch_seeded(slot, request, Bytes32::random(), opener).await
    }

    pub(crate) async fn branch_seeded(
        &self,
        slot: &Slot,
        request: BranchRequest,
        seed: Bytes32,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        let BranchRequest { at, seats, visibility, take_back } = request;
        if !slot.head().finished() {
            return Err(Error::Hidden(
                "a branch starts from a complete position, so only from a finished match",
            ));
        }
        let (folded, is_whole) = self.at_elsewhere(slot, at).await?;
        let mut seats = seats.unwrap_or_else(|| vec![SeatRequest::default(); folded.state.seats()]);
        check_seats(&mut seats, *slot.game.info().seats.end())?;
        let position = folded.state.position();
        let state = edition::load(slot.game, &position, None);
        let state = state.map_err(|error| {
            if is_whole { error } else { error.of_version_within(at, folded.commit) }
        })?;
        let setup = Setup::from_position(slot.game, state, None, seats.len())?;
        // What came of a sandbox is one, too.
        let sandbox = folded.table.is_sandbox().then(|| Sandbox::of(seed));
        let prepared = Prepared {
            game: slot.game,
            setup,
            seed,
            ticket: None,
            nonce: None,
            seats,
            visibility: visibility.unwrap_or(folded.table.opened.visibility),
            take_back: take_back.unwrap_or(false),
            branched_from: Some(BranchedFrom { r#match: slot.id, at }),
            sandbox,
            played: Vec::new(),
        };
        self.write_opening(prepared, None, opener).await
    }

    async fn write_opening(
        &self,
        mut draft: Prepared,
        key: Option<(&str, Bytes32)>,
        opener: Option<Opener>,
    ) -> Result<Opened, Error> {
        let id = new_id();
        let bots_alone = draft.seats.iter().all(|seat| seat.bot.is_some());
        let _place = self.counted.take(id, opener, bots_alone)?;
        let seats = draft.seats.iter();
        let opened = Opened {
            r#match: id,
            seat_tokens: seats
                .map(|s| (!s.open.unwrap_or(false) && s.bot.is_none()).then(Bytes32::random))
                .collect(),
            owner_token: Bytes32::random(),
        };
        let hash = |token: &Bytes32| Bytes32::hash(&[&token.0]);
        let header = Header {
            format: Header::FORMAT,
            owner_hash: hash(&opened.owner_token),
            seat_hashes: opened.seat_tokens.iter().map(|token| token.as_ref().map(hash)).collect(),
            seed: draft.seed,
        };
        let names = draft.seats.iter().map(|seat| seat.name.clone().map(Name::new));
        let people = People { names: names.collect(), tokens: header.seat_hashes.clone() };
        let tokens = opened.seat_tokens.iter().flatten().chain([&opened.owner_token]);
        let mut notes: Vec<_> =
            tokens.map(|token| (token_key(*token), id.as_bytes().to_vec())).collect();
        notes.extend(people.names.iter().flatten().map(|name| name.note(id)));
        notes.extend(draft.ticket.map(|ticket| (used_key(ticket), id.as_bytes().to_vec())));
        if let Some((key, body)) = key {
            let note = raw(&OpenNote::new(&opened, key, body));
            notes.push((open_key(key), note.get().as_bytes().to_vec()));
        }
        let (game, seed) = (draft.game, draft.seed);
        let played = std::mem::take(&mut draft.played);
        let first = draft.first_commit(&header, &people);
        let created_at = first.recorded_at.clone();
        let (commits, people) = (all_commits(first, played), Arc::new(people));
        let forgettings = self.index.forgettings();
        let written = self.write_all(id, commits, seed, people, header.bytes(), notes).await;
        let (head, positions) = written.inspect_err(|_| self.counted.free(id))?;
        // Before anybody is told of it: whoever takes a seat has the same one.
        let slot = self.slots.insert(Slot::new(id, game, header, created_at, head));
        self.name_opened(&slot, forgettings).await;
        let claimed: Vec<_> = positions.iter().filter(|at| self.index.claim(**at)).collect();
        let last = positions.last().expect("a match has a commit");
        claimed.iter().filter(|at| **at != last).for_each(|at| self.index.reach(**at));
        // The thread that follows has taken in the first commit, and counted the match a second time.
        if claimed.first().copied() != positions.first() {
            self.counted.found_own();
        }
        if claimed.last() == Some(&last) {
            self.index.put(&slot, *last);
            self.waiting.call(&slot, None);
            // A position may be one at the end of a match.
            if slot.head().folded.end().is_some() {
                self.counted.free(id);
            }
        }
        let gate = slot.gate.lock().await;
        self.end_if_long(&slot, &slot.head()).await;
        drop(gate);
        self.keep_opened(&slot).await;
        Ok(opened)
    }
}

/// All commits of a match that is opened: the one that opens it, and those that were played.
fn all_commits(first: Next, played: Vec<Played>) -> Vec<Next> {
    let mut commits = vec![first];
    for Played { seat, command, events, state } in played {
        let before = commits.last().expect("the first one was put");
        let after = before.after.next(state, events.len() as u64);
        let recorded_at = now_after(&before.recorded_at);
        let (seat, command) = (Some(seat), Some(command));
        commits.push(Next { seat, command, events, recorded_at, after, tag: None });
    }
    commits
}

impl Prepared {
    /// Commit 1: what the game decided, and the table.
    fn first_commit(self, header: &Header, people: &People) -> Next {
        let Prepared { game, setup, seats, visibility, branched_from, nonce, sandbox, .. } = self;
        let seat = |(seat, name): (&SeatRequest, &Option<Name>)| {
            let bot = seat.bot.as_ref().and_then(|bot| bot.parse().ok());
            let commitment = name.as_ref().map(Name::commitment);
            SeatOpened::new(bot, commitment, seat.open.unwrap_or(false))
        };
        let opened = TableOpened {
            branched_from,
            edition: setup.state.edition(),
            engine: ENGINE.to_owned(),
            game: game.info().id.to_owned(),
            header_commitment: header.commitment(),
            nonce,
            options: setup.asked,
            sandbox: sandbox.map(Box::new),
            seats: seats.iter().zip(&people.names).map(seat).collect(),
            seed_commitment: header.seed_commitment(),
            take_back: self.take_back,
            visibility,
        };
        let mut events = setup.events;
        let full = raw(&PlatformEvent::TableOpened(opened.clone()));
        events.push(Seen { full, public: None });
        let table = Table::of(opened, setup.loaded);
        let after = Folded::new(setup.state, table, events.len() as u64);
        Next { seat: None, command: None, events, recorded_at: now(), after, tag: None }
    }
}

/// Checks what is wished of the seats, and puts the names into the form in which they are kept. Returns the bots. The game has `most` seats: more
/// are refused for their number, and those are not looked at, since reading names takes time.
fn check_seats(seats: &mut [SeatRequest], most: u8) -> Result<Vec<Option<Bot>>, Error> {
    let mut bots = vec![None; seats.len()];
    for (number, seat) in seats.iter_mut().take(usize::from(most)).enumerate() {
        let SeatRequest { name, open, bot } = seat;
        let place = |field: &str| format!("/seats/{number}/{field}");
        let malformed = |field, detail: String| Error::malformed(detail, place(field));
        if let Some(name) = name {
            let kept = if bot.is_some() { nickname(name) } else { name_of_person(name) };
            *name = kept.map_err(|detail| malformed("name", detail))?;
        }
        let Some(bot) = bot else { continue };
        bots[number] = Some(bot.parse().map_err(|detail| malformed("bot", detail))?);
        if open.unwrap_or(false) {
            return Err(malformed("bot", "a seat with a bot cannot be open".to_owned()));
        }
    }
    Ok(bots)
}

/// Checks what does not go together with a sandbox. The game has `most` seats: those beyond are not looked at here either.
fn check_sandbox(
    sandbox: &SandboxRequest,
    ticket: Option<Bytes32>,
    seats: &[SeatRequest],
    most: u8,
) -> Result<(), Error> {
    let wrong = |detail: &str, pointer: String| Err(Error::malformed(detail, pointer));
    if ticket.is_some() {
        return wrong("a sandbox has a seed that everybody knows", "/ticket".to_owned());
    }
    let plays = !sandbox.script.is_empty() || sandbox.fast_forward.is_some();
    match seats.iter().take(usize::from(most)).position(|seat| seat.open == Some(true)) {
        Some(number) if plays => {
            wrong("a match that is played on has no open seat", format!("/seats/{number}/open"))
        }
        Some(_) | None => Ok(()),
    }
}

//! What a request says: who asks, about which match, with which body and parameters.

use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::rt::time::timeout;
use actix_web::web::Data;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use engine::{Caller, Engine, Error, PAGE_BYTES, Slot};
use futures_util::StreamExt;
use journal::{Bytes32, MatchId, Status};
use kernel::{Seat, Viewer, Wrong};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use tokio::sync::Semaphore;

use crate::document::is_tried;
use crate::headers::once;
use crate::meter;
use crate::parameters::position;
use crate::problem::Problem;
use crate::threads::READERS;

/// The largest body, in bytes.
const BODY_MAX: usize = 1 << 20;

/// How long a body may take to arrive.
const BODY_TIME: Duration = Duration::from_secs(8);

/// How long a request waits until this server has what others have committed.
const UP_TO_DATE: Duration = Duration::from_secs(10);

/// Waits until everything is shown that any server had acknowledged when the request came.
pub(crate) async fn up_to_date(engine: &Engine) -> Result<(), Problem> {
    // Then nothing is to be waited for, and no timer needed.
    if !engine.is_shared() {
        return Ok(());
    }
    match timeout(UP_TO_DATE, engine.up_to_date()).await {
        Ok(done) => Ok(done?),
        Err(_) => {
            let detail = "this server has not yet read what other servers have stored";
            Err(Problem::new("unavailable", detail))
        }
    }
}

/// The engine, which shows everything that any server had acknowledged when the request came.
pub(crate) struct Current(pub(crate) Arc<Engine>);

impl Current {
    pub(crate) async fn of(request: &HttpRequest) -> Result<Self, Problem> {
        let engine = engine_of(request);
        up_to_date(&engine).await?;
        Ok(Current(engine))
    }
}

impl Deref for Current {
    type Target = Arc<Engine>;

    fn deref(&self) -> &Arc<Engine> {
        &self.0
    }
}

impl FromRequest for Current {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        Box::pin(async move { Current::of(&request).await })
    }
}

/// May there be more of a match than is known here, so that what the request asks for could be different?
fn may_have_moved(request: &HttpRequest, slot: &Slot) -> bool {
    if matches!(slot.status(), Status::Finished | Status::Abandoned) {
        return false;
    }
    // A view of the past is what it was; only for another viewer it matters whether the match is finished now.
    let parameter = |text: &str| text.strip_prefix("at=").and_then(|at| at.parse::<u64>().ok());
    let at = parameter(request.query_string());
    !(request.path().ends_with("/view") && at.is_some_and(|at| at < slot.version()))
}

/// The match that the path names, and who asks: reads of private matches are refused here.
pub(crate) struct Access {
    pub(crate) engine: Arc<Engine>,
    pub(crate) slot: Arc<Slot>,
    pub(crate) caller: Caller,
}

/// Of which match a request was, and who asked: for the log.
pub(crate) struct Seen {
    pub(crate) id: MatchId,
    pub(crate) caller: Caller,
}

impl FromRequest for Access {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        let request = request.clone();
        // Of those that name a match, only commands take a key; one that is tried stores nothing.
        let is_keyed = request.headers().contains_key(IDEMPOTENCY_KEY)
            && request.match_pattern().is_some_and(|pattern| pattern.ends_with("/commands"))
            && !is_tried(&request);
        let read = async move {
            let engine = engine_of(&request);
            let id = request.match_info().get("id").and_then(|id| id.parse::<MatchId>().ok());
            let id =
                id.ok_or_else(|| Problem::new("not_found", "there is no match with this id"))?;
            let slot = loaded(&engine, id).await?;
            if may_have_moved(&request, &slot) {
                up_to_date(&engine).await?;
            }
            let caller = caller(&request, &engine, &slot).await?;
            request.extensions_mut().insert(Seen { id, caller });
            slot.may_read(caller)?;
            Ok(Access { engine, slot, caller })
        };
        Box::pin(async move {
            read.await
                .map_err(|problem: Problem| if is_keyed { problem.with_key() } else { problem })
        })
    }
}

thread_local! {
    /// The turns of this worker to read what is in no memory. Its threads are its own, too: should that take long, some are left for others.
    static TURNS: Arc<Semaphore> = Arc::new(Semaphore::new(READERS));
}

/// Reads from a store that may be a database, when it is the request's turn. The turn ends with the reading, also where nobody waits for it.
async fn in_turn<T: Send + 'static>(
    engine: &Arc<Engine>,
    read: impl FnOnce(&Engine) -> Result<T, Error> + Send + 'static,
) -> Result<T, Problem> {
    let turn = if engine.is_shared() {
        let turn = timeout(UP_TO_DATE, TURNS.with(Arc::clone).acquire_owned()).await;
        let gone = |_| Problem::new("unavailable", "the database does not answer");
        turn.map_err(gone)?.ok()
    } else {
        None
    };
    let engine = Arc::clone(engine);
    let done = meter::reading(move || {
        let done = read(&engine);
        drop(turn);
        done
    });
    Ok(done.await??)
}

/// The match, read if it is not in memory.
pub(crate) async fn loaded(engine: &Arc<Engine>, id: MatchId) -> Result<Arc<Slot>, Problem> {
    match engine.resident(id) {
        Some(slot) => Ok(slot),
        None if engine.is_shared() => in_turn(engine, move |engine| engine.load(id)).await,
        None => {
            // A long match takes a while: others need the threads, too.
            let own = meter::load_turn().await;
            let turn = TURNS.with(Arc::clone).acquire_owned().await.ok();
            let load = move |engine: &Engine| {
                let slot = engine.load(id);
                drop((own, turn));
                slot
            };
            in_turn(engine, load).await
        }
    }
}

pub(crate) fn engine_of(request: &HttpRequest) -> Arc<Engine> {
    let data = request.app_data::<Data<Engine>>().expect("every app is built with an engine");
    Arc::clone(data)
}

async fn caller(
    request: &HttpRequest,
    engine: &Arc<Engine>,
    slot: &Slot,
) -> Result<Caller, Problem> {
    let Some(value) = request.headers().get(header::AUTHORIZATION) else {
        return Ok(Caller::Stranger);
    };
    let token = value
        .to_str()
        .ok()
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("Bearer"))
        .map(|(_, token)| token.trim_start())
        .and_then(Bytes32::from_hex);
    let token = token.ok_or(Error::TokenInvalid)?;
    if let Some(caller) = slot.caller(token) {
        return Ok(caller);
    }
    let known = if engine.is_shared() {
        // It may have been given out by another server, a moment ago.
        up_to_date(engine).await?;
        if let Some(caller) = slot.caller(token) {
            return Ok(caller);
        }
        // A database that does not answer must not keep a worker.
        in_turn(engine, move |engine| engine.match_of_token(token)).await?
    } else {
        engine.match_of_token(token)?
    };
    match known {
        Some(_) => Err(Error::NotYours("this token belongs to another match").into()),
        None => Err(Error::TokenInvalid.into()),
    }
}

/// A JSON body of at most [`BODY_MAX`] bytes.
pub(crate) struct Body<T> {
    pub(crate) value: T,
    /// SHA-256 of the bytes.
    pub(crate) hash: Bytes32,
}

impl<T: DeserializeOwned + 'static> FromRequest for Body<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (is_json, acceptable) = (is_json(request), acceptable(request));
        let mut payload = payload.take();
        Box::pin(async move {
            is_json?;
            let bytes = read(&mut payload, acceptable?).await?;
            Ok(Body { value: parse(&bytes)?, hash: Bytes32::hash(&[&bytes]) })
        })
    }
}

/// A JSON body, or none at all.
pub(crate) struct MaybeBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default + 'static> FromRequest for MaybeBody<T> {
    type Error = Problem;
    type Future = Pin<Box<dyn Future<Output = Result<Self, Problem>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let (is_json, acceptable) = (is_json(request), acceptable(request));
        let mut payload = payload.take();
        Box::pin(async move {
            let bytes = read(&mut payload, acceptable?).await?;
            if bytes.is_empty() {
                return Ok(MaybeBody(T::default()));
            }
            is_json?;
            Ok(MaybeBody(parse(&bytes)?))
        })
    }
}

fn is_json(request: &HttpRequest) -> Result<(), Problem> {
    if request.content_type().eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(Problem::new("unsupported_media_type", "the body must be application/json"))
}

/// A body is sent as it is: a small one that unpacks to gigabytes would be paid by the server. One that says itself that it is too large is not
/// waited for. Returns how long it is where the framework takes it to be endless: the request asks for WebSocket.
fn acceptable(request: &HttpRequest) -> Result<Option<usize>, Problem> {
    let value = |name| request.headers().get(name);
    if value(header::CONTENT_ENCODING)
        .is_some_and(|coding| !coding.as_bytes().eq_ignore_ascii_case(b"identity"))
    {
        let detail = "a body must be sent without Content-Encoding";
        return Err(Problem::new("unsupported_media_type", detail));
    }
    let length =
        value(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    if length.is_some_and(|length| length > BODY_MAX) {
        return Err(too_large());
    }
    let mut protocols = request.headers().get_all(header::UPGRADE);
    let endless = protocols.any(|name| name.as_bytes().eq_ignore_ascii_case(b"websocket"))
        && value(header::TRANSFER_ENCODING).is_none();
    Ok(endless.then(|| length.unwrap_or(0)))
}

fn too_large() -> Problem {
    Problem::new("too_large", format!("a body may have at most {BODY_MAX} bytes"))
}

/// The value of a body, which is an object. What is wrong is told with its place.
fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let mut track = serde_path_to_error::Track::new();
    let tracked = serde_path_to_error::Deserializer::new(&mut reader, &mut track);
    let read: Result<T, serde_json::Error> = kernel::object(tracked);
    let value = read.map_err(|error| {
        let place = track.path();
        let place: String = place.iter().map(step).collect();
        malformed(Wrong::of(&error, bytes, &place))
    })?;
    reader.end().map_err(|error| malformed(Wrong::of(&error, bytes, "")))?;
    Ok(value)
}

fn malformed(wrong: Wrong) -> Problem {
    Problem::malformed(&wrong.pointer, wrong.detail)
}

/// A step of a JSON pointer.
fn step(segment: &Segment) -> String {
    match segment {
        Segment::Seq { index } => format!("/{index}"),
        Segment::Map { key } => format!("/{}", kernel::step(key)),
        Segment::Enum { variant: _ } | Segment::Unknown => String::new(),
    }
}

/// A body that comes in drop by drop would hold its connection for ever.
async fn read(payload: &mut Payload, length: Option<usize>) -> Result<Vec<u8>, Problem> {
    timeout(BODY_TIME, read_all(payload, length)).await.map_err(|_| {
        let seconds = BODY_TIME.as_secs();
        let detail = format!("the body did not arrive within {seconds} seconds");
        Problem::new("request_timeout", detail)
    })?
}

async fn read_all(payload: &mut Payload, length: Option<usize>) -> Result<Vec<u8>, Problem> {
    let mut bytes = Vec::new();
    while length.is_none_or(|length| bytes.len() < length)
        && let Some(chunk) = payload.next().await
    {
        // Why exactly, the framework does not say.
        let chunk = chunk.map_err(|_| {
            Problem::malformed("", "the body was cut off, or its chunks are malformed")
        })?;
        if bytes.len() + chunk.len() > BODY_MAX {
            return Err(too_large());
        }
        meter::hold_request(bytes.len(), chunk.len(), BODY_MAX)?;
        bytes.extend_from_slice(&chunk);
    }
    bytes.truncate(length.unwrap_or(BODY_MAX));
    Ok(bytes)
}

const IDEMPOTENCY_KEY: &str = "Idempotency-Key";

/// The shortest idempotency key of a command, which is good only with the token of the seat,
pub(crate) const OF_COMMAND: usize = 1;
/// and that of an opening: whoever knows it gets the tokens, so it must not be guessed.
pub(crate) const OF_OPENING: usize = 20;

/// The header Idempotency-Key, if there is one, of at least so many characters.
pub(crate) fn idempotency_key(
    request: &HttpRequest,
    least: usize,
) -> Result<Option<String>, Problem> {
    let Some(value) = once(request.headers(), IDEMPOTENCY_KEY)? else { return Ok(None) };
    let key = value.to_str().ok().filter(|key| (least..=255).contains(&key.len()));
    let key = key.ok_or_else(|| {
        let detail =
            format!("this idempotency key must have {least} to 255 ASCII characters: use a UUID");
        Problem::malformed(IDEMPOTENCY_KEY, detail)
    })?;
    Ok(Some(key.to_owned()))
}

/// The parameter `viewer`: a seat's number or `spectator`.
///
/// # Errors
/// If it is neither.
pub fn viewer(text: Option<&str>) -> Result<Option<Viewer>, Problem> {
    match text {
        None => Ok(None),
        Some("spectator") => Ok(Some(Viewer::Spectator)),
        // One form for each number: `+1` and `01` are none.
        Some(number) => match number.parse::<u8>() {
            Ok(seat) if seat.to_string() == number => Ok(Some(Viewer::Seat(Seat(seat)))),
            Ok(_) | Err(_) => Err(Problem::malformed(
                "viewer",
                "a viewer must be the number of a seat, or spectator",
            )),
        },
    }
}

/// A parameter that names some of `known`, with commas between them.
pub(crate) fn named(
    name: &str,
    text: Option<&str>,
    known: &[&'static str],
) -> Result<Vec<&'static str>, Problem> {
    let parts = text.into_iter().flat_map(|text| text.split(','));
    let found = parts.map(|part| known.iter().find(|known| **known == part).copied());
    let found = found.collect::<Option<_>>();
    found.ok_or_else(|| {
        let detail = format!("{name} takes names separated by commas: {}", known.join(", "));
        Problem::malformed(name, detail)
    })
}

/// The parameter `limit`: 1 to 1000, default 100.
pub(crate) fn limit(limit: Option<u64>) -> Result<usize, Problem> {
    match limit {
        None => Ok(100),
        Some(limit @ 1..=1000) => Ok(usize::try_from(limit).expect("at most 1000")),
        Some(_) => Err(Problem::malformed("limit", "a limit must be a number from 1 to 1000")),
    }
}

/// The parameter `after` of a list: the `next` of the page before.
pub(crate) fn place<T: FromStr>(after: Option<String>) -> Result<Option<T>, Problem> {
    let place = after.map(|after| after.parse()).transpose();
    place.map_err(|_| Problem::malformed("after", "after must be the `next` of another page"))
}

/// Cuts a page out of a list that was asked for one item more than that: it ends early where its items are large. Returns the page's
/// `next`, made from its last item.
pub(crate) fn cut<T: Serialize>(
    items: &mut Vec<T>,
    most: usize,
    next: impl FnOnce(&T) -> String,
) -> Option<String> {
    let mut bytes = 0;
    let fits = |item: &&T| {
        let fits = bytes < PAGE_BYTES;
        bytes += kernel::json_bytes(item);
        fits
    };
    let most = items.iter().take(most).take_while(fits).count();
    let more = items.len() > most;
    items.truncate(most);
    items.last().filter(|_| more).map(next)
}

/// The parameter `after` of a log.
pub(crate) fn after(after: Option<u64>) -> Result<u64, Problem> {
    position("after", after.unwrap_or(0))
}

/// The version that the client expects: by the body, or by the header If-Match.
pub(crate) fn expected_version(
    request: &HttpRequest,
    body: Option<u64>,
) -> Result<Option<u64>, Problem> {
    let Some(value) = once(request.headers(), "If-Match")? else { return Ok(body) };
    let tag = value.to_str().unwrap_or_default().trim();
    if tag == "*" {
        return Ok(body);
    }
    // A proxy that compresses makes tags weak; the version in them is as good as before.
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let tag = tag.strip_prefix('"').map_or(Some(tag), |rest| rest.strip_suffix('"'));
    let version = tag.and_then(|tag| tag.split('.').next()?.parse().ok());
    match (version, body) {
        (None, _) => Err(Problem::malformed("If-Match", "If-Match takes the ETag of a view")),
        (Some(version), Some(body)) if version != body => {
            Err(Problem::malformed("If-Match", "If-Match and expected_version differ"))
        }
        (version, _) => Ok(version),
    }
}

//! Live: server-sent events.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::http::header;
use actix_web::rt::task::{JoinError, JoinHandle};
use actix_web::web::{Bytes, Data};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, get, rt};
use engine::{Engine, Error, LastShown, Slot, StreamEntry};
use futures_util::stream;
use journal::Status;
use kernel::Viewer;
use serde::Deserialize;
use tokio::sync::watch;
use utoipa::{IntoParams, ToSchema};

use crate::fields::Fields;
use crate::limit::{Bodiless, HeldStream, Limits};
use crate::meter;
use crate::metrics::{Metrics, OpenStream};
use crate::parameters::Query;
use crate::problem::{Problem, internal};
use crate::request::{Access, after, viewer};
use crate::tasks::{at_once, block};

const HEARTBEAT: Bytes = Bytes::from_static(b": heartbeat\n\n");

/// How many heartbeats a client may let what it was sent lie unread.
pub(crate) const PATIENCE: u32 = 4;

/// What streams need of the server: how often to send a sign of life, and when to end.
pub(crate) struct Streams {
    pub(crate) heartbeat: Duration,
    pub(crate) shutdown: watch::Receiver<bool>,
}

/// One message of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "it documents the messages of a stream")]
struct StreamMessage {
    /// The last version of the commit.
    id: String,
    /// The commit as the viewer sees it, JSON in one line.
    #[schema(content_media_type = "application/json")]
    data: String,
}

/// From where, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// Only commits after this version. The header Last-Event-ID takes precedence.
    #[param(default = 0)]
    after: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. Default: the caller.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// Fields of commits, separated by commas. If given, `recorded_at`, `sealed`, `prev_hash` and `hash` are left out unless named; without it all
    /// are sent.
    fields: Option<String>,
    /// Whether each commit also has a `patch`.
    patch: Option<bool>,
    /// Whether each commit also has the `moves` of the pieces.
    moves: Option<bool>,
}

/// Watch live
///
/// Server-sent events: each message has the last version of a commit as `id` and the commit, as the viewer sees it, as `data`. The stream begins with
/// the commits after `after`, continues live, and ends when the match is over; after that the response is 204. A comment keeps the connection open,
/// by default every 15 seconds. A client that reads nothing for 30 seconds, or as long as the operator sets, is disconnected, and can resume with its
/// last id. A client that is still connected, but has read nothing for the time of four comments, gets a last comment that names the Last-Event-ID.
#[utoipa::path(
    operation_id = "getStream",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "version_unknown", "unavailable", "damaged"
    ]))),
    params(
        ("id" = String, Path, format = Uuid, description = "The id of the match"),
        StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, pattern = "^[0-9]+$", description = "The id of the last message received"),
    ),
    responses(
        (status = 200, description = "Messages", body = StreamMessage, content_type = "text/event-stream"),
        (status = 204, description = "The match is over and everything has been sent"),
    ),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/stream")]
pub(crate) async fn get_stream(
    request: HttpRequest,
    access: Access,
    query: Query<StreamQuery>,
    streams: Data<Streams>,
    metrics: Data<Metrics>,
    limits: Data<Limits>,
) -> Result<HttpResponse, Problem> {
    let StreamQuery { after, viewer: asked, fields, patch, moves } = query.into_inner();
    let fields = Fields::of(fields.as_deref())?;
    let after = self::after(after)?;
    let after = last_event_id(&request)?.unwrap_or(after);
    let asked = viewer(asked.as_deref())?;
    let Access { engine, slot, caller } = access;
    // Watch first, then look: nothing that happens in between is missed.
    let changes = slot.watch();
    let viewer = slot.viewer(caller, asked)?;
    let (current, status) = slot.standing();
    if after > current {
        let detail = format!("there is no version {after} yet: the match is at {current}");
        return Err(engine::Error::VersionUnknown { detail, current }.into());
    }
    if is_over(status) && after == current {
        return Ok(HttpResponse::NoContent().finish());
    }
    if request.extensions().contains::<Bodiless>() {
        // Who asks for the headers gets no stream.
        return Ok(events().finish());
    }
    let held = limits.hold_stream(&request)?;
    let start = (Arc::clone(&engine), Arc::clone(&slot));
    let commit = meter::quick(move || start.0.commit_before(&start.1, after)).await??;
    let shown = if patch == Some(true) {
        let is_at_hand = after == 0 || engine.has_at_hand(&slot, Some(after));
        let start = (Arc::clone(&engine), Arc::clone(&slot));
        let look = move || start.0.last_shown(&start.1, after);
        Some(if is_at_hand { at_once(look).await? } else { block(look).await? })
    } else {
        None
    };
    let live = Live {
        fields,
        moves: moves == Some(true),
        shown,
        engine,
        slot,
        viewer,
        commit,
        changes,
        heartbeat: streams.heartbeat,
        shutdown: streams.shutdown.clone(),
        reading: None,
        due: VecDeque::new(),
        sent: after,
        taken: Instant::now(),
        cut_off: false,
        _open: metrics.open_stream(),
        _held: held,
    };
    let first = stream::iter([Ok(Bytes::from_static(b"retry: 2000\n\n"))]);
    let rest = stream::unfold(live, |mut live| async move {
        let bytes = live.next().await?;
        live.taken = Instant::now();
        Some((bytes, live))
    });
    Ok(events().streaming(stream::StreamExt::chain(first, rest)))
}

/// How much of its budget an address may have overdrawn while patches and moves are sent to it at once.
const OWED: Duration = Duration::from_secs(1);

/// The head of a stream.
fn events() -> HttpResponseBuilder {
    let mut response = HttpResponse::Ok();
    response
        .content_type("text/event-stream")
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .insert_header((header::CONTENT_ENCODING, "identity"))
        .insert_header(("X-Accel-Buffering", "no"));
    response
}

fn last_event_id(request: &HttpRequest) -> Result<Option<u64>, Problem> {
    const NAME: &str = "Last-Event-ID";
    let Some(value) = request.headers().get(NAME) else {
        return Ok(None);
    };
    let id = value.to_str().ok().and_then(|id| id.parse().ok());
    id.map(Some)
        .ok_or_else(|| Problem::malformed(NAME, "Last-Event-ID must be the id of a message"))
}

fn is_over(status: Status) -> bool {
    matches!(status, Status::Finished | Status::Abandoned)
}

/// A client that watches. It is asked for the next message only when the one before was taken: a client that does not read
/// costs one page of commits. When it reads on after too long, it is cut off, and gets the rest from the store when it comes back.
struct Live {
    fields: Fields,
    /// With the moves of the pieces.
    moves: bool,
    /// With patches: what they go on from.
    shown: Option<LastShown>,
    engine: Arc<Engine>,
    slot: Arc<Slot>,
    viewer: Viewer,
    commit: u64,
    changes: watch::Receiver<u64>,
    heartbeat: Duration,
    shutdown: watch::Receiver<bool>,
    /// What is behind, until it was read.
    reading: Option<CatchUp>,
    due: VecDeque<StreamEntry>,
    /// The version of the last message.
    sent: u64,
    /// When the last message was taken.
    taken: Instant,
    cut_off: bool,
    _open: OpenStream,
    _held: HeldStream,
}

impl Live {
    async fn next(&mut self) -> Option<Result<Bytes, Problem>> {
        if self.cut_off {
            return None;
        }
        if self.taken.elapsed() > self.heartbeat * PATIENCE {
            self.cut_off = true;
            let last = self.sent;
            let comment = format!(": too slow, cut off: resume with Last-Event-ID: {last}\n\n");
            return Some(Ok(Bytes::from(comment)));
        }
        loop {
            if let Some(entry) = self.due.pop_front() {
                self.commit = entry.commit;
                self.sent = entry.version;
                return Some(Ok(self.message(entry)));
            }
            // The rest comes from the next server, after the Last-Event-ID.
            if *self.shutdown.borrow() && self.is_behind() {
                return None;
            }
            let over = is_over(self.slot.status());
            // What was begun is waited for, also where it could be read at once by now: else it would be sent once more later.
            let read = if self.reading.is_some() || self.is_behind() {
                let mut reading = self.reading.take().unwrap_or_else(|| self.catch_up());
                // No longer than a client waits for a sign of life.
                tokio::select! {
                    read = &mut reading.0 => self.caught_up(read),
                    _ = self.shutdown.changed() => return None,
                    () = rt::time::sleep(self.heartbeat) => {
                        self.reading = Some(reading);
                        return Some(Ok(HEARTBEAT));
                    }
                }
            } else {
                self.read().await
            };
            match read {
                Ok(entries) => self.due.extend(entries),
                Err(problem) => return Some(Err(problem)),
            }
            if !self.due.is_empty() {
                continue;
            }
            if over || *self.shutdown.borrow() {
                return None;
            }
            tokio::select! {
                _ = self.changes.changed() => {}
                _ = self.shutdown.changed() => {}
                () = rt::time::sleep(self.heartbeat) => return Some(Ok(HEARTBEAT)),
            }
        }
    }

    /// Is there more to be sent than the latest commit? What is live is sent at once; what was before waits for its turn, and until all is paid.
    /// So does what is computed for this stream alone, once its address owes much, and what takes long: the moves of pieces that are not known yet.
    fn is_behind(&self) -> bool {
        let due = self.slot.commit().saturating_sub(self.commit);
        let owes = || (self.moves || self.shown.is_some()) && meter::debt() > OWED;
        let takes_long = || self.moves && !self.engine.has_pieces_at_hand(&self.slot);
        due > 1 || due == 1 && (owes() || takes_long())
    }

    fn message(&self, entry: StreamEntry) -> Bytes {
        let StreamEntry { commit: _, version, json, patch } = entry;
        let data = self.fields.cut(&json);
        let (data, end) = match &patch {
            None => (data.get(), String::new()),
            Some(patch) => (&data.get()[..data.get().len() - 1], format!(",\"patch\":{patch}}}")),
        };
        Bytes::from(format!("id: {version}\ndata: {data}{end}\n\n"))
    }

    /// What is to be read: the commits after the last one that was sent.
    fn rest(&self) -> Rest {
        Rest {
            engine: Arc::clone(&self.engine),
            slot: Arc::clone(&self.slot),
            viewer: self.viewer,
            commit: self.commit,
            shown: self.shown.clone(),
            moves: self.moves,
        }
    }

    /// The commits after the last one that was sent: the latest ones, from memory where they are there.
    async fn read(&mut self) -> Result<Vec<StreamEntry>, Problem> {
        if self.slot.commit() <= self.commit {
            // What comes from now on wakes the stream again.
            return Ok(Vec::new());
        }
        if self.shown.is_none() && !self.moves {
            let recent = self.engine.latest(&self.slot, self.viewer, self.commit)?;
            if !recent.is_empty() {
                return Ok(recent);
            }
        }
        let rest = self.rest();
        let (entries, shown) = at_once(move || rest.read()).await?;
        self.shown = shown;
        Ok(entries)
    }

    /// Begins to read what is behind.
    fn catch_up(&self) -> CatchUp {
        let rest = self.rest();
        let read = async move {
            let turn = meter::paid_turn().await;
            meter::in_turn(turn, move || rest.read()).await?.map_err(Problem::from)
        };
        CatchUp(rt::spawn(meter::inherited(read)))
    }

    /// What was behind is read.
    fn caught_up(
        &mut self,
        read: Result<Result<Page, Problem>, JoinError>,
    ) -> Result<Vec<StreamEntry>, Problem> {
        let (entries, shown) = read.map_err(|cause| internal(&cause))??;
        self.shown = shown;
        Ok(entries)
    }
}

/// Some commits, and what is shown after them where there are patches.
type Page = (Vec<StreamEntry>, Option<LastShown>);

/// The commits after one, as they are to be read for a viewer.
struct Rest {
    engine: Arc<Engine>,
    slot: Arc<Slot>,
    viewer: Viewer,
    commit: u64,
    shown: Option<LastShown>,
    moves: bool,
}

impl Rest {
    /// The next ones, with all that is wanted of them: the latest from memory, more of them from the store.
    fn read(self) -> Result<Page, Error> {
        let Rest { engine, slot, viewer, commit, mut shown, moves } = self;
        let mut entries = if let Some(last) = shown.take() {
            let (entries, next) = engine.patched_page(&slot, viewer, commit, last)?;
            shown = Some(next);
            entries
        } else {
            engine.latest(&slot, viewer, commit)?
        };
        if entries.is_empty() && shown.is_none() {
            entries = engine.stream_page(&slot, viewer, commit)?;
        }
        if moves {
            entries = engine.stream_moves(&slot, entries)?;
        }
        Ok((entries, shown))
    }
}

/// Reads what is behind, when it is its turn and all is paid. It is a task of its own: it keeps its place while signs of life are sent, and uses its
/// turn at once, also while the client reads nothing. It ends with the stream.
struct CatchUp(JoinHandle<Result<Page, Problem>>);

impl Drop for CatchUp {
    fn drop(&mut self) {
        self.0.abort();
    }
}

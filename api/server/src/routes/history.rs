//! The logs of a match, every frame, and its positions.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, get};
use engine::{EventEntry, Frame};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::{at_version, seen, text};
use crate::commits::CommitPage;
use crate::fields::Fields;
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{Access, after, limit, named, viewer};
use crate::tasks::block;

/// A page of events.
#[derive(Serialize, ToSchema)]
struct EventPage {
    /// The game that is played.
    game: &'static str,
    /// The events, in order.
    items: Vec<EventEntry>,
    /// The parameter `after` for the next page; null on the last page.
    next: Option<String>,
}

/// Which part of a log, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LogQuery {
    /// Only entries after this commit (in the log by commit) or this version (in the log by event).
    #[param(default = 0)]
    after: Option<u64>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. Default: the caller, and everything when the match is finished.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
}

/// Which part of the log by commit, as whom, and what of it.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct CommitsQuery {
    /// Only entries after this commit (in the log by commit) or this version (in the log by event).
    #[param(default = 0)]
    after: Option<u64>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. Default: the caller, and everything when the match is finished.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
    /// Which fields, with commas; see "What has changed" of the contract. Not in the document: with it all fields are there.
    #[param(ignore)]
    fields: Option<String>,
    /// What to include in addition to the commits: `moves` of pieces.
    #[param(pattern = "^moves$")]
    include: Option<String>,
}

/// Which frames, and as whom.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ReplayQuery {
    /// The first version. Default: 1.
    #[param(minimum = 1)]
    from: Option<u64>,
    /// The last version. Default: the latest.
    #[param(minimum = 1)]
    to: Option<u64>,
    /// The viewer: the number of a seat, or `spectator`. Default: the caller.
    #[param(pattern = "^([0-7]|spectator)$")]
    viewer: Option<String>,
}

/// At which version.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PositionQuery {
    /// The version. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
}

/// List commits
///
/// The log of the match by commit, with the hashes that prove it. Redacted for the caller until the match is finished.
#[utoipa::path(
    operation_id = "listCommits",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), CommitsQuery),
    responses((status = 200, description = "A page of commits", body = CommitPage)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/commits")]
pub(crate) async fn list_commits(
    request: HttpRequest,
    access: Access,
    query: Query<CommitsQuery>,
) -> Result<HttpResponse, Problem> {
    let CommitsQuery { after, limit: most, viewer: asked, fields, include } = query.into_inner();
    let fields = Fields::of(fields.as_deref())?;
    let moves = !named("include", include.as_deref(), &["moves"])?.is_empty();
    let (after, most, asked) = (self::after(after)?, limit(most)?, viewer(asked.as_deref())?);
    let Access { engine, slot, caller } = access;
    let (version, status) = slot.standing();
    let game = slot.game().info().id;
    let page = block(move || {
        let page = engine.commits(&slot, caller, asked, after, most)?;
        let (items, next) = if moves { engine.page_with_moves(&slot, after, page)? } else { page };
        Ok((items.iter().map(|commit| fields.cut(commit).into_owned()).collect(), next))
    });
    let page = CommitPage::new(game, page.await?);
    Ok(at_version(&request, version, status == journal::Status::Finished, text(&page)))
}

/// List events
///
/// The log of the match by event. Redacted for the caller until the match is finished.
#[utoipa::path(
    operation_id = "listEvents",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), LogQuery),
    responses((status = 200, description = "A page of events", body = EventPage)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/events")]
pub(crate) async fn list_events(
    request: HttpRequest,
    access: Access,
    query: Query<LogQuery>,
) -> Result<HttpResponse, Problem> {
    let LogQuery { after, limit: most, viewer: asked } = query.into_inner();
    let (after, most, asked) = (self::after(after)?, limit(most)?, viewer(asked.as_deref())?);
    let Access { engine, slot, caller } = access;
    let (version, status) = slot.standing();
    let game = slot.game().info().id;
    let (items, next) = block(move || engine.events(&slot, caller, asked, after, most)).await?;
    let page = EventPage { game, items, next: next.map(|next| next.to_string()) };
    Ok(at_version(&request, version, status == journal::Status::Finished, text(&page)))
}

/// Replay
///
/// Every frame as a JSON line: the event, and what the viewer sees after it.
#[utoipa::path(
    operation_id = "getReplay",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), ReplayQuery),
    responses((status = 200, description = "JSON lines, each a frame", body = Frame, content_type = "application/x-ndjson")),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/replay")]
pub(crate) async fn get_replay(
    access: Access,
    query: Query<ReplayQuery>,
) -> Result<HttpResponse, Problem> {
    let ReplayQuery { from, to, viewer: asked } = query.into_inner();
    let asked = viewer(asked.as_deref())?;
    let Access { engine, slot, caller } = access;
    let replay = block(move || engine.replay(&slot, caller, asked, from, to)).await?;
    let lines = stream::unfold(Some(replay), |replay| async move {
        let mut replay = replay?;
        let read = move || {
            let lines = replay.next_lines()?;
            Ok((lines, replay))
        };
        match block(read).await {
            Ok((Some(lines), replay)) => Some((Ok(Bytes::from(lines)), Some(replay))),
            Ok((None, _)) => None,
            // The status was sent long ago: an answer that is cut off is the only way to say that something went wrong.
            Err(problem) => Some((Err(problem), None)),
        }
    });
    Ok(HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "private, no-cache"))
        .insert_header((header::VARY, "Authorization"))
        .content_type("application/x-ndjson")
        .streaming(lines))
}

/// Get the position
///
/// The complete position at any version, hidden parts included. Only when the match is finished.
#[utoipa::path(
    operation_id = "getPosition",
    tag = "history",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), PositionQuery),
    responses((status = 200, description = "The position", body = engine::by_game::Position)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/position")]
pub(crate) async fn get_position(
    request: HttpRequest,
    access: Access,
    query: Query<PositionQuery>,
) -> Result<HttpResponse, Problem> {
    let PositionQuery { at } = query.into_inner();
    let (engine, slot) = (access.engine, Arc::clone(&access.slot));
    Ok(seen(&request, block(move || engine.position_at(&slot, at)).await?))
}

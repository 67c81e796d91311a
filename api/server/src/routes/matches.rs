//! Opening, listing and closing matches; taking seats.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use engine::{
    BranchRequest, Engine, Filter, JoinRequest, MatchInfo, MatchSummary, OpenRequest, Opened,
    Prepared, SeedTicket,
};
use journal::{Bytes32, MatchId, Status, looked_for};
use kernel::Seat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::{json, tag_of, tagged, text};
use crate::forgotten::Begun;
use crate::limit::Limits;
use crate::meter::pay_for_kept;
use crate::parameters::{NoQuery, Query};
use crate::problem::Problem;
use crate::request::{
    Access, Body, Current, MaybeBody, OF_OPENING, cut, idempotency_key, limit, place,
};
use crate::tasks::{at_once, block, to_the_end};

/// A page of matches.
#[derive(Serialize, ToSchema)]
struct MatchPage {
    /// The matches, the newest first. There may be fewer than asked for, or none, although there is a next page.
    #[schema(value_type = Vec<MatchSummary>)]
    items: Vec<Arc<MatchSummary>>,
    /// The number of damaged matches, which are not listed, and of feed positions whose match is not known. `GET /v1/damaged` names them.
    damaged: u64,
    /// The parameter `after` for the next page; null on the last page, and only there.
    next: Option<String>,
}

/// A seat was taken.
#[derive(Serialize, ToSchema)]
struct SeatTaken {
    /// The token of the seat; it is shown only this once.
    #[schema(value_type = String, pattern = "^[0-9a-f]{64}$")]
    seat_token: Bytes32,
}

/// Which matches to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    /// Only matches of this game.
    game: Option<String>,
    /// Only matches with this status.
    status: Option<Status>,
    /// Only matches with a player of exactly this name.
    player: Option<String>,
    /// Where the page begins: `next` of the previous page.
    after: Option<String>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Draw a seed
///
/// The server draws the seed of a match, and commits to it before anything is known of the match. `POST /v1/matches` with the ticket and a nonce of
/// your own opens a match with exactly this seed, so neither side alone chooses what is drawn.
#[utoipa::path(
    operation_id = "drawSeed",
    tag = "matches",
    extensions(("x-problems" = json!(["unavailable", "outcome_unknown", "damaged"]))),
    responses((status = 201, description = "The ticket", body = SeedTicket))
)]
#[post("/v1/seeds")]
pub(crate) async fn draw_seed(
    engine: Data<Engine>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let ticket = to_the_end(async move { engine.ticket().await }).await?;
    pay_for_kept(0);
    let mut response = HttpResponse::Created();
    response.insert_header((header::CACHE_CONTROL, "no-store")).content_type("application/json");
    Ok(response.body(text(&ticket)))
}

/// Open a match
///
/// Carries out the setup, or starts from a position. The tokens in the response are shown once, or, to whoever repeats the request with
/// the same `Idempotency-Key`, for 24 hours. The server keeps their hashes, and for those 24 hours the tokens encrypted by that key.
#[utoipa::path(
    operation_id = "openMatch",
    tag = "matches",
    extensions(("x-problems" = json!([
        "not_found", "idempotency_conflict", "ticket_used", "too_large",
        "unsupported_media_type", "invalid_options", "invalid_position", "illegal_command",
        "chance_outcome", "not_reached", "unavailable", "outcome_unknown", "damaged", "quota_reached"
    ]))),
    params(("Idempotency-Key" = Option<String>, Header, min_length = 20, max_length = 255, description = "A key for safe retries: the same key with the same body within 24 hours gets the first answer again, tokens included. Use a UUID, so that nobody can guess it")),
    request_body = OpenRequest,
    responses((status = 201, description = "The match was opened", body = Opened,
        headers(("Location" = String, description = "The path of the match"))))
)]
#[post("/v1/matches")]
pub(crate) async fn open_match(
    request: HttpRequest,
    engine: Data<Engine>,
    limits: Data<Limits>,
    body: Body<OpenRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let key = idempotency_key(&request, OF_OPENING)?;
    let opener = Some(limits.opener(&request));
    let Body { value, hash } = body;
    // Before anything is decided: it may come out otherwise another time.
    if let Some(key) = &key
        && let Some(before) = engine.opened_before(key, hash).await?
    {
        return Ok(created(&before));
    }
    let opening = if value.sandbox.is_some() {
        let stage = Arc::clone(&engine);
        match block(move || stage.rehearse(value)).await {
            Ok(prepared) => Opening::Rehearsed(prepared),
            Err(problem) => {
                // With another seed it may have come out well, in the same request, which is being stored.
                let Some(key) = &key else { return Err(problem) };
                let before = engine.opened_by_now(key, hash).await?.ok_or(problem)?;
                return Ok(created(&before));
            }
        }
    } else {
        Opening::Asked(value)
    };
    let played = match &opening {
        Opening::Asked(_) => 0,
        Opening::Rehearsed(prepared) => prepared.commits_played(),
    };
    let opening = async move {
        let key = key.as_deref().map(|key| (key, hash));
        match opening {
            Opening::Asked(request) => engine.open(request, key, opener).await,
            Opening::Rehearsed(prepared) => engine.open_prepared(prepared, key, opener).await,
        }
    };
    Ok(kept(&to_the_end(opening).await?, played))
}

/// A match that is asked for, and one of which everything is decided.
enum Opening {
    Asked(OpenRequest),
    Rehearsed(Prepared),
}

/// The answer that a match was opened now, and so many commits played beside the one that opens it: they are paid for.
fn kept(opened: &Opened, played: usize) -> HttpResponse {
    pay_for_kept(u32::try_from(played).unwrap_or(u32::MAX));
    created(opened)
}

/// The answer that a match was opened, perhaps by the same request before.
fn created(opened: &Opened) -> HttpResponse {
    HttpResponse::Created()
        .insert_header((header::LOCATION, format!("/v1/matches/{}", opened.r#match)))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("application/json")
        .body(text(opened))
}

/// List matches
///
/// The newest first. Private matches are not listed, and damaged ones are only counted. 503 after the start of a large store, until every match is known.
#[utoipa::path(
    operation_id = "listMatches",
    tag = "matches",
    extensions(("x-problems" = json!(["unavailable"]))),
    params(ListQuery),
    responses((status = 200, description = "A page of matches", body = MatchPage))
)]
#[get("/v1/matches")]
pub(crate) async fn list_matches(
    Current(engine): Current,
    query: Query<ListQuery>,
) -> Result<HttpResponse, Problem> {
    let ListQuery { game, status, player, after, limit: most } = query.into_inner();
    let most = limit(most)?;
    let after: Option<MatchId> = place(after)?;
    let filter = Filter { game, status, player: player.as_deref().map(looked_for) };
    let own = Arc::clone(&engine);
    let listed = at_once(move || {
        let begun = Begun::now(&own);
        Ok::<_, engine::Error>((own.list(&filter, after, most + 1)?, own.damaged_count(), begun))
    });
    let ((mut items, go_on), damaged, begun) = listed.await?;
    begun.unforgotten(&engine)?;
    let place = |last: &Arc<MatchSummary>| last.r#match.to_string();
    let next = cut(&mut items, most, place).or(go_on.map(|last| last.to_string()));
    Ok(json(&MatchPage { items, damaged, next }))
}

/// Get a match
///
/// What everybody may know about the match. The seed and the standing are shown when it is finished.
#[utoipa::path(
    operation_id = "getMatch",
    tag = "matches",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "unavailable",
        "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match")),
    responses((status = 200, description = "The match", body = MatchInfo)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}")]
pub(crate) async fn get_match(
    request: HttpRequest,
    access: Access,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let info = text(&access.engine.info(&access.slot)?.told(access.caller));
    Ok(tagged(&request, &tag_of(&info), false, "application/json", info))
}

/// Take an open seat
///
/// The response has the seat's token, which is shown only this once. When the last open seat is taken, the match starts. A commit of the match
/// records who sits there (`SeatTaken`), so streams of the match show it.
#[utoipa::path(
    operation_id = "takeSeat",
    tag = "matches",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "seat_taken",
        "match_finished", "too_large", "unsupported_media_type", "unavailable",
        "outcome_unknown", "damaged", "quota_reached"
    ]))),
    params(
        ("id" = String, Path, format = Uuid, description = "The id of the match"),
        ("seat" = u8, Path, maximum = 7, description = "The number of the seat"),
    ),
    request_body(content = Option<JoinRequest>, description = "The body may be left out"),
    responses((status = 201, description = "The seat was taken", body = SeatTaken)),
    security((), ("token" = []))
)]
#[post("/v1/matches/{id}/seats/{seat}")]
pub(crate) async fn take_seat(
    request: HttpRequest,
    access: Access,
    limits: Data<Limits>,
    path: Path<(String, String)>,
    body: MaybeBody<JoinRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let joiner = Some(limits.opener(&request));
    let seat = path
        .1
        .parse()
        .map_err(|_| Problem::new("not_found", "there is no seat with this number"))?;
    let Access { engine, slot, caller: _ } = access;
    let taking = async move { engine.take_seat(&slot, Seat(seat), body.0, joiner).await };
    let seat_token = to_the_end(taking).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((header::CACHE_CONTROL, "no-store")).content_type("application/json");
    Ok(response.body(text(&SeatTaken { seat_token })))
}

/// Close a match
///
/// The owner gives up the match: it is abandoned, and accepts no more commands. What was hidden stays hidden. The last commit of the
/// match says so (`MatchClosed`).
#[utoipa::path(
    operation_id = "closeMatch",
    tag = "matches",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "match_finished",
        "unavailable", "outcome_unknown", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match")),
    responses((status = 200, description = "The match is closed", body = MatchInfo)),
    security(("token" = []))
)]
#[post("/v1/matches/{id}/close")]
pub(crate) async fn close_match(
    access: Access,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let closing = async move {
        let Access { engine, slot, caller } = access;
        engine.close(&slot, caller).await?;
        Ok(engine.info(&slot)?.told(caller))
    };
    Ok(json(&to_the_end(closing).await?))
}

/// Branch off a match
///
/// Opens a new match that starts from the position at a version of a finished match.
#[utoipa::path(
    operation_id = "createBranch",
    tag = "matches",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found", "too_large",
        "unsupported_media_type", "invalid_options", "invalid_position", "version_unknown",
        "unavailable", "outcome_unknown", "damaged", "quota_reached"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the finished match")),
    request_body = BranchRequest,
    responses((status = 201, description = "The new match", body = Opened,
        headers(("Location" = String, description = "The path of the new match")))),
    security((), ("token" = []))
)]
#[post("/v1/matches/{id}/branches")]
pub(crate) async fn create_branch(
    request: HttpRequest,
    access: Access,
    limits: Data<Limits>,
    body: Body<BranchRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let opener = Some(limits.opener(&request));
    let branching = async move { access.engine.branch(&access.slot, body.value, opener).await };
    Ok(kept(&to_the_end(branching).await?, 0))
}

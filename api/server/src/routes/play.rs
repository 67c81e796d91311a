//! Acting.

use std::sync::Arc;

use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, post};
use engine::{Accepted, Caller, Done, DryRun, Engine, Slot, Submission, Telling, seat_of};
use kernel::Words;
use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{json, text};
use crate::commits::CommitPage;
use crate::parameters::{NoQuery, Query};
use crate::problem::Problem;
use crate::request::{
    Access, Body, MaybeBody, OF_COMMAND, expected_version, idempotency_key, named,
};
use crate::routes::legal::{spoken, words};
use crate::tasks::{at_once, block, to_the_end};

/// A command, with the version for which it was chosen.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct CommandRequest {
    /// One of the legal commands; with `dry_run` also half of one.
    #[schema(value_type = engine::by_game::Command)]
    command: Box<RawValue>,
    /// The version that the client has seen. If the match is at another version, the command is refused with 409.
    expected_version: Option<u64>,
}

/// A request to take back the latest command.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct TakeBackRequest {
    /// The version that the client has seen. If the match is at another version, the request is refused with 409.
    expected_version: Option<u64>,
}

/// How to submit.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct SubmitQuery {
    /// Only answer what would happen, up to the first event that is drawn by chance or reveals something hidden. Nothing is stored, and the
    /// status is 200. Half a command is answered with the legal commands that complete it, and with the rules that forbid the other ways.
    dry_run: Option<bool>,
    /// What to include in addition to the view, separated by commas: `events`, `moves` of pieces, `legal_commands`, and the `spots` and `labels` of
    /// these. `view` may be named.
    #[param(
        pattern = "^(events|moves|legal_commands|spots|labels|view)(,(events|moves|legal_commands|spots|labels|view))*$"
    )]
    include: Option<String>,
    /// The language of the labels, as in the list of legal commands.
    lang: Option<String>,
}

/// What may be told of a command.
const INCLUDED: &[&str] = &["events", "moves", "legal_commands", "spots", "labels", "view"];

fn telling(include: Option<&str>) -> Result<Telling, Problem> {
    let named = named("include", include, INCLUDED)?;
    let [events, moves, legal, spots, labels] =
        ["events", "moves", "legal_commands", "spots", "labels"].map(|name| named.contains(&name));
    Ok(Telling { events, legal_commands: legal || spots || labels, spots, labels, moves })
}

/// Submit a command
///
/// The response is sent once the commit is on disk. With `include` it also contains the outcome of the command, so that a turn takes only one
/// request. A refused command changes nothing. If the match is past the expected version, the problem contains the commits that the caller has
/// missed.
#[utoipa::path(
    operation_id = "submitCommand",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "version_conflict",
        "not_active_seat", "match_finished", "match_not_started", "idempotency_conflict",
        "too_large", "unsupported_media_type", "illegal_command", "unavailable",
        "outcome_unknown", "damaged"
    ]))),
    params(
        ("id" = String, Path, format = Uuid, description = "The id of the match"),
        SubmitQuery,
        ("Idempotency-Key" = Option<String>, Header, min_length = 1, max_length = 255, description = "A key for safe retries: the same key with the same body within 24 hours gets the first answer again"),
        ("If-Match" = Option<String>, Header, description = "The ETag of a view, or a version in quotes: the same as expected_version"),
    ),
    request_body = CommandRequest,
    responses(
        (status = 201, description = "The commit is on disk", body = Accepted,
            headers(("ETag" = String, description = "The new version, for If-Match"))),
        (status = 200, description = "With `dry_run`: what would happen", body = DryRun),
    ),
    security(("token" = []))
)]
#[post("/v1/matches/{id}/commands")]
pub(crate) async fn submit_command(
    request: HttpRequest,
    access: Access,
    query: Query<SubmitQuery>,
    body: Body<CommandRequest>,
) -> Result<HttpResponse, Problem> {
    let Access { engine, slot, caller } = access;
    // Who asks comes before what is wrong with the rest.
    seat_of(caller)?;
    let SubmitQuery { dry_run, include, lang } = query.into_inner();
    let telling = telling(include.as_deref())?;
    let expected = expected_version(&request, body.value.expected_version)?;
    let missed = Missed::of(&engine, &slot, caller);
    if dry_run == Some(true) {
        if include.is_some() {
            let detail = "a dry run always has its events and the view, and takes no include";
            return Err(Problem::malformed("include", detail));
        }
        return match tried(engine, slot, caller, body.value.command, expected).await {
            Ok(run) => Ok(json(&run)),
            Err(problem) => Err(missed.with(problem, expected).await),
        };
    }
    let key = idempotency_key(&request, OF_COMMAND)?;
    let words = words(&request, &slot, lang, telling.spots || telling.labels);
    let told = (Arc::clone(&engine), Arc::clone(&slot), words);
    let submitting = async move {
        let submission = Submission {
            command: &body.value.command,
            expected,
            key: key.as_deref().map(|key| (key, body.hash)),
        };
        engine.submit(&slot, caller, submission).await
    };
    match to_the_end(submitting).await {
        Ok(done) => accepted(done, told, telling).await,
        Err(problem) => Err(missed.with(problem, expected).await),
    }
}

/// What a command would do. Half a command is tried in thousands of ways, and waits for its turn.
async fn tried(
    engine: Arc<Engine>,
    slot: Arc<Slot>,
    caller: Caller,
    command: Box<RawValue>,
    expected: Option<u64>,
) -> Result<DryRun, Problem> {
    let (own, of, whole) = (Arc::clone(&engine), Arc::clone(&slot), command.clone());
    match at_once(move || own.try_out(&of, caller, &whole, expected)).await? {
        Some(run) => Ok(run),
        None => block(move || engine.complete(&slot, caller, &command, expected)).await,
    }
}

/// Take back
///
/// Takes back the caller's latest command, if the match allows it, nobody has acted since, and the command neither drew by chance nor
/// revealed anything hidden.
#[utoipa::path(
    operation_id = "takeBack",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "not_found", "version_conflict",
        "match_finished", "too_large", "unsupported_media_type", "illegal_command",
        "unavailable", "outcome_unknown", "damaged"
    ]))),
    params(
        ("id" = String, Path, format = Uuid, description = "The id of the match"),
        ("If-Match" = Option<String>, Header, description = "The ETag of a view, or a version in quotes: the same as expected_version"),
    ),
    request_body(content = Option<TakeBackRequest>, description = "The body may be left out"),
    responses((status = 201, description = "The command is taken back", body = Accepted,
        headers(("ETag" = String, description = "The new version, for If-Match")))),
    security(("token" = []))
)]
#[post("/v1/matches/{id}/take-back")]
pub(crate) async fn take_back(
    request: HttpRequest,
    access: Access,
    body: MaybeBody<TakeBackRequest>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let Access { engine, slot, caller } = access;
    seat_of(caller)?;
    let expected = expected_version(&request, body.0.expected_version)?;
    let missed = Missed::of(&engine, &slot, caller);
    let told = (Arc::clone(&engine), Arc::clone(&slot), None);
    let taking_back = async move { engine.take_back(&slot, caller, expected).await };
    match to_the_end(taking_back).await {
        Ok(done) => accepted(done, told, Telling::default()).await,
        Err(problem) => Err(missed.with(problem, expected).await),
    }
}

/// Adds to a conflict of versions what the caller has missed.
struct Missed {
    engine: Arc<Engine>,
    slot: Arc<Slot>,
    caller: Caller,
}

impl Missed {
    fn of(engine: &Arc<Engine>, slot: &Arc<Slot>, caller: Caller) -> Self {
        Missed { engine: Arc::clone(engine), slot: Arc::clone(slot), caller }
    }

    async fn with(self, problem: Problem, expected: Option<u64>) -> Problem {
        let Missed { engine, slot, caller } = self;
        match (problem.code, expected, problem.current_version) {
            ("version_conflict", Some(expected), Some(current)) if expected < current => {
                let game = slot.game().info().id;
                let missed = at_once(move || engine.missed(&slot, caller, expected, current)).await;
                Problem {
                    missed: missed.ok().map(|page| Box::new(CommitPage::new(game, page))),
                    ..problem
                }
            }
            _ => problem,
        }
    }
}

async fn accepted(
    done: Done,
    (engine, slot, words): (Arc<Engine>, Arc<Slot>, Option<Arc<Words>>),
    telling: Telling,
) -> Result<HttpResponse, Problem> {
    let language = words.as_ref().map(|words| words.language.clone());
    let is_at_hand = !telling.moves || engine.has_pieces_at_hand(&slot);
    let told = if telling.legal_commands || telling.moves {
        let tell = move || engine.told(&slot, &done, telling, words.as_deref());
        let told = if is_at_hand { at_once(tell).await } else { block(tell).await };
        // The command is stored, whatever cannot be told of it: a retry with its key is told.
        told.map_err(Problem::with_key)?
    } else {
        done.told(&slot, telling, None)?
    };
    let mut answer = HttpResponse::Created()
        .insert_header((header::ETAG, format!("\"{}\"", told.version)))
        .content_type("application/json")
        .body(text(&told));
    let language = language.filter(|_| telling.labels);
    language.iter().for_each(|language| spoken(&mut answer, language));
    Ok(answer)
}

//! The legal commands, and what a person needs to choose one.

use std::sync::Arc;

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse, get};
use engine::{Legal, Slot};
use kernel::{Seat, Words};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{at_version, text};
use crate::language::{header_of, wished};
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{Access, named};
use crate::routes::words::Lexicons;
use crate::tasks::{at_once, block};

/// All legal commands.
#[derive(Serialize, ToSchema)]
struct CommandPage {
    /// The game that is played.
    game: &'static str,
    /// The seat to act, at an older version the one that was to act then; null at the end of a match that is finished or closed.
    active_seat: Option<Seat>,
    /// The commands, each ready to be sent back.
    #[schema(value_type = Vec<engine::by_game::Command>)]
    items: Box<RawValue>,
    /// Always null: the list is complete.
    next: Option<String>,
    /// With `include=spots`, for each command in the order of `items`: the values of `data-spot` in `board.svg` that it names, in the order
    /// in which a person would click. Commands with the same spots have different labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    spots: Option<Vec<Vec<String>>>,
    /// With `include=labels`, for each command in the order of `items`: the command in words, in the language of `Content-Language`.
    #[serde(skip_serializing_if = "Option::is_none")]
    labels: Option<Vec<String>>,
    /// With `include=points`, for each command in the order of `items`: the points that it is sure to bring the seat at once, as far as
    /// the seat can know: up to the first event that is drawn by chance or that reveals something hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<Vec<i64>>,
}

/// At which version, and what is listed beside the commands.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LegalQuery {
    /// The version, which must be the end of a commit. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// What to include in addition to the commands, separated by commas: `spots`, `labels`, `points`.
    #[param(pattern = "^(spots|labels|points)(,(spots|labels|points))*$")]
    include: Option<String>,
    /// The language of the labels, such as `de`. Default: the best match for `Accept-Language`. English if the game does not have that language.
    lang: Option<String>,
}

/// What may be listed beside the commands.
const INCLUDED: [&str; 3] = ["spots", "labels", "points"];

/// The words for whoever asks, if it needs some.
pub(crate) fn words(
    request: &HttpRequest,
    slot: &Slot,
    lang: Option<String>,
    is_needed: bool,
) -> Option<Arc<Words>> {
    let lexicons = request.app_data::<Data<Lexicons>>().filter(|_| is_needed)?;
    let lexicon = lexicons.of(slot.game().info().id).ok()?;
    Some(Arc::clone(lexicon.of(&wished(request, lang))))
}

/// Says in which language an answer is.
pub(crate) fn spoken(answer: &mut HttpResponse, language: &str) {
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_LANGUAGE, header_of(language));
    headers.insert(header::VARY, HeaderValue::from_static("Authorization, Accept-Language"));
}

/// List the legal commands
///
/// All commands of the caller that would be accepted now, each once; none while another seat is to act. In a finished match they are listed for
/// everybody, at any version that is the end of a commit. With `include=spots,labels` a client needs no knowledge of the game: a click on a spot of
/// `board.svg` keeps only the commands that name it, and labels distinguish commands that name the same spots.
#[utoipa::path(
    operation_id = "listLegalCommands",
    tag = "play",
    extensions(("x-problems" = json!([
        "token_required", "token_invalid", "not_yours", "hidden", "not_found",
        "too_large", "version_unknown", "unavailable", "damaged"
    ]))),
    params(("id" = String, Path, format = Uuid, description = "The id of the match"), LegalQuery),
    responses((status = 200, description = "The legal commands", body = CommandPage)),
    security((), ("token" = []))
)]
#[get("/v1/matches/{id}/legal-commands")]
pub(crate) async fn list_legal_commands(
    request: HttpRequest,
    access: Access,
    query: Query<LegalQuery>,
) -> Result<HttpResponse, Problem> {
    let LegalQuery { at, include, lang } = query.into_inner();
    let named = named("include", include.as_deref(), &INCLUDED)?;
    let [spots, labels, points] = INCLUDED.map(|name| named.contains(&name));
    let Access { engine, slot, caller } = access;
    let words = words(&request, &slot, lang, spots || labels);
    let (game, language) =
        (slot.game().info().id, words.as_ref().map(|words| words.language.clone()));
    // Who is to act asks this every turn, and waits for nobody's work; trying out each command is work.
    let is_quick = !points && engine.has_at_hand(&slot, at);
    let list = move || engine.legal_commands(&slot, caller, at, words.as_deref(), points);
    let legal = if is_quick && at.is_none() && language.is_none() {
        list()?
    } else if is_quick {
        at_once(list).await?
    } else {
        block(list).await?
    };
    let Legal { seen, active_seat, choices, points: gains } = legal;
    let (places, told) = choices.into_iter().map(|choice| (choice.spots, choice.label)).unzip();
    let page = CommandPage {
        game,
        active_seat,
        items: seen.json,
        next: None,
        spots: spots.then_some(places),
        labels: labels.then_some(told),
        points: points.then_some(gains),
    };
    let language = language.filter(|_| labels);
    let mut answer = at_version(&request, seen.version, seen.fixed, text(&page));
    language.iter().for_each(|language| spoken(&mut answer, language));
    Ok(answer)
}

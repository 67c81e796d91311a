//! The legal commands, and what a person needs to choose one.

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Query;
use actix_web::{HttpRequest, HttpResponse, get};
use kernel::Words;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::{IntoParams, ToSchema};

use crate::answer::{tagged, text};
use crate::language::wished;
use crate::problem::Problem;
use crate::request::{Access, block};

/// All legal commands.
#[derive(Serialize, ToSchema)]
struct CommandPage {
    /// The game that is played.
    game: &'static str,
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
}

/// At which version, and what is listed beside the commands.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct LegalQuery {
    /// The version, which must be the end of a commit. Default: the latest.
    #[param(minimum = 1)]
    at: Option<u64>,
    /// What to list beside the commands: `spots`, `labels`, or both with a comma between them.
    #[param(pattern = "^(spots(,labels)?|labels(,spots)?)$")]
    include: Option<String>,
    /// The language of the labels, `de`; otherwise the best of `Accept-Language`. English for whom the game does not speak.
    lang: Option<String>,
}

/// What is listed beside the commands.
#[derive(Default)]
struct Included {
    spots: bool,
    labels: bool,
}

impl Included {
    fn of(include: Option<&str>) -> Result<Self, Problem> {
        let mut included = Included::default();
        for part in include.into_iter().flat_map(|include| include.split(',')) {
            match part {
                "spots" => included.spots = true,
                "labels" => included.labels = true,
                _ => {
                    return Err(Problem::malformed("include", "include may name spots and labels"));
                }
            }
        }
        Ok(included)
    }
}

/// List the legal commands
///
/// All commands that would be accepted now, each once. In a running match only for the seat that is to act; in a finished match for
/// everybody, at any version that is the end of a commit. With `include=spots,labels` a client needs no knowledge of the game: a click
/// on a spot of `board.svg` leaves the commands that name it, and labels tell those apart that name the same spots.
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
    let Included { spots, labels } = Included::of(include.as_deref())?;
    let Access { engine, slot, caller } = access;
    let info = slot.game().info();
    let wished = wished(&request, lang);
    let wished: Vec<&str> = wished.iter().map(String::as_str).collect();
    let words = (spots || labels).then(|| Words::of(info, &wished));
    let language = words.as_ref().map_or("en", |words| words.language);
    let (legal, choices) = match (at, &words) {
        (None, None) => engine.legal_commands(&slot, caller, None, None)?,
        (at, _) => block(move || engine.legal_commands(&slot, caller, at, words.as_ref())).await?,
    };
    let (places, told) = choices.into_iter().map(|choice| (choice.spots, choice.label)).unzip();
    let page = CommandPage {
        game: info.id,
        items: legal.json,
        next: None,
        spots: spots.then_some(places),
        labels: labels.then_some(told),
    };
    let mut tag = legal.version.to_string();
    if spots {
        tag += ".spots";
    }
    if labels {
        tag = tag + "." + language;
    }
    if legal.fixed {
        tag += ".final";
    }
    let mut answer = tagged(&request, &tag, legal.fixed, "application/json", text(&page));
    if labels {
        let headers = answer.headers_mut();
        headers.insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language));
        headers.insert(header::VARY, HeaderValue::from_static("Authorization, Accept-Language"));
    }
    Ok(answer)
}

//! The catalogue, fresh start positions, and what-if analysis.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get, post};
use engine::{Analysed, AnalysisRequest, Engine, PositionRequest, StartPosition};
use kernel::{AnyGame, Edition, EditionText, Rule};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answer::json;
use crate::document::Document;
use crate::problem::{Problem, internal};
use crate::request::{Body, block};

/// A game in the catalogue.
#[derive(Serialize, ToSchema)]
struct GameSummary {
    /// The id of the game, as in paths.
    id: &'static str,
    /// The title.
    title: &'static str,
    /// A description in one or two sentences.
    text: &'static str,
    /// The minimum number of seats.
    seats_min: u8,
    /// The maximum number of seats.
    seats_max: u8,
}

/// The catalogue.
#[derive(Serialize, ToSchema)]
struct GamePage {
    /// The games.
    items: Vec<GameSummary>,
    /// Always null: the list is short.
    next: Option<String>,
}

/// A game, with everything that a client needs to know about it.
#[derive(Serialize, ToSchema)]
struct GameInfo<'a> {
    /// The id of the game, as in paths.
    id: &'static str,
    /// The title.
    title: &'static str,
    /// A description in one or two sentences.
    text: &'static str,
    /// The minimum number of seats.
    seats_min: u8,
    /// The maximum number of seats.
    seats_max: u8,
    /// The edition of its rules by which a match is played that asks for none: the newest.
    edition: Edition,
    /// All editions, oldest first. A match keeps the one that it was opened under.
    editions: Vec<EditionInfo>,
    /// JSON Schemas (2020-12) of options, position, command, event, event_view, view and place.
    #[schema(value_type = Object)]
    schemas: &'a RawValue,
    /// The printed data.
    #[schema(value_type = engine::by_game::PrintedData)]
    data: Box<RawValue>,
    /// The rules by number: those of the game, then those of the platform (`M-`), which hold in every game.
    rules: Vec<RuleText>,
}

/// An edition of a game's rules.
#[derive(Serialize, ToSchema)]
struct EditionInfo {
    /// The number.
    edition: Edition,
    /// Since when it is there.
    #[schema(format = Date)]
    date: &'static str,
    /// The rules that are not as in the edition before it, with what changed.
    changes: Vec<RuleText>,
}

/// A rule of a game.
#[derive(Serialize, ToSchema)]
struct RuleText {
    /// The number of the rule, as quoted in refusals.
    rule: String,
    /// The text of the rule, in a sentence.
    text: String,
}

fn summary(game: &dyn AnyGame) -> GameSummary {
    let info = game.info();
    let (seats_min, seats_max) = (*info.seats.start(), *info.seats.end());
    GameSummary { id: info.id, title: info.title, text: info.text, seats_min, seats_max }
}

/// List the games
///
/// Every game that this server can host.
#[utoipa::path(operation_id = "listGames", tag = "games", responses((status = 200, description = "The catalogue", body = GamePage)))]
#[get("/v1/games")]
pub(crate) async fn list_games(engine: Data<Engine>) -> HttpResponse {
    let items = engine.games().iter().map(|game| summary(*game)).collect();
    json(&GamePage { items, next: None })
}

/// Get one game
///
/// Its printed data, its rules by number, and JSON Schemas of everything that the API exchanges.
#[utoipa::path(
    operation_id = "getGame",
    tag = "games",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game")),
    responses((status = 200, description = "The game", body = GameInfo))
)]
#[get("/v1/games/{game}")]
pub(crate) async fn get_game(
    engine: Data<Engine>,
    document: Data<Document>,
    game: Path<String>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&game)?;
    let GameSummary { id, title, text, seats_min, seats_max } = summary(game);
    let change =
        |(rule, text): &(Rule, &str)| RuleText { rule: rule.to_string(), text: (*text).to_owned() };
    let info = game.info();
    let editions = info.editions().map(|(edition, EditionText { date, changes })| EditionInfo {
        edition,
        date,
        changes: changes.iter().map(change).collect(),
    });
    let (edition, editions) = (info.newest(), editions.collect());
    let rules = journal::rules::of(game)
        .into_iter()
        .map(|r| RuleText { rule: r.rule, text: r.text })
        .collect();
    let schemas = document.schemas.get(id);
    let schemas = schemas.ok_or_else(|| internal(&"the document has no schemas of the game"))?;
    Ok(json(&GameInfo {
        id,
        title,
        text,
        seats_min,
        seats_max,
        edition,
        editions,
        schemas,
        data: game.data(),
        rules,
    }))
}

/// Create a start position
///
/// Carries out the game's setup and returns the position. Nothing is stored.
#[utoipa::path(
    operation_id = "createPosition",
    tag = "analysis",
    extensions(("x-problems" = json!([
        "not_found", "too_large", "unsupported_media_type", "invalid_options",
        "chance_outcome"
    ]))),
    params(("game" = String, Path, description = "The id of the game")),
    request_body = PositionRequest,
    responses((status = 200, description = "The position", body = StartPosition))
)]
#[post("/v1/games/{game}/positions")]
pub(crate) async fn create_position(
    engine: Data<Engine>,
    game: Path<String>,
    body: Body<PositionRequest>,
) -> Result<HttpResponse, Problem> {
    let start = block(move || engine.start_position(&game, body.value)).await?;
    Ok(json(&start))
}

/// Analyse a position
///
/// Carries out commands on any position, with outcomes of chance that are given or drawn from a seed. Nothing is stored. At most 500
/// commands.
#[utoipa::path(
    operation_id = "analyse",
    tag = "analysis",
    extensions(("x-problems" = json!([
        "not_found", "too_large", "unsupported_media_type", "invalid_position",
        "invalid_options", "illegal_command", "chance_outcome"
    ]))),
    params(("game" = String, Path, description = "The id of the game")),
    request_body = AnalysisRequest,
    responses((status = 200, description = "The result of the commands", body = Analysed))
)]
#[post("/v1/games/{game}/analysis")]
pub(crate) async fn analyse(
    engine: Data<Engine>,
    game: Path<String>,
    body: Body<AnalysisRequest>,
) -> Result<HttpResponse, Problem> {
    let analysed = block(move || engine.analyse(&game, body.value)).await?;
    Ok(json(&analysed))
}

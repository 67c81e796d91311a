//! The catalogue, fresh start positions, and what-if analysis.

use actix_web::web::{Data, Path};
use actix_web::{HttpRequest, HttpResponse, get, post};
use engine::{Analysed, AnalysisRequest, Engine, PositionRequest, StartPosition};
use kernel::{AnyGame, Edition, EditionText, Rule, Words};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answer::json;
use crate::document::Document;
use crate::language::wished;
use crate::parameters::{NoQuery, Query};
use crate::problem::{Problem, internal};
use crate::request::Body;
use crate::routes::legal::spoken;
use crate::routes::words::Lexicons;
use crate::tasks::block;

/// A game in the catalogue.
#[derive(Serialize, ToSchema)]
struct GameSummary {
    /// The id of the game, as in paths.
    id: &'static str,
    /// The title.
    title: String,
    /// A description in one or two sentences.
    text: String,
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
    /// Always null: the list is complete.
    next: Option<String>,
}

/// A game, with everything that a client needs to know about it.
#[derive(Serialize, ToSchema)]
struct GameInfo<'a> {
    /// The id of the game, as in paths.
    id: &'static str,
    /// The title.
    title: String,
    /// A description in one or two sentences.
    text: String,
    /// The minimum number of seats.
    seats_min: u8,
    /// The maximum number of seats.
    seats_max: u8,
    /// The edition of the rules that is used when a request names none: the newest.
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
    /// The date on which it was introduced.
    #[schema(format = Date)]
    date: &'static str,
    /// The rules that differ from the previous edition, with what changed.
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

fn summary(game: &dyn AnyGame, words: &Words) -> GameSummary {
    let info = game.info();
    let (seats_min, seats_max) = (*info.seats.start(), *info.seats.end());
    let said = |name, otherwise: &str| {
        words.table().get(name).and_then(Value::as_str).unwrap_or(otherwise).to_owned()
    };
    let (title, text) = (said("title", info.title), said("text", info.text));
    GameSummary { id: info.id, title, text, seats_min, seats_max }
}

/// List the games
///
/// All games that this server can host, in the language that best matches `Accept-Language`.
#[utoipa::path(operation_id = "listGames", tag = "games", responses((status = 200, description = "The catalogue", body = GamePage)))]
#[get("/v1/games")]
pub(crate) async fn list_games(
    request: HttpRequest,
    engine: Data<Engine>,
    lexicons: Data<Lexicons>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let wished = wished(&request, None);
    let (mut items, mut languages) = (Vec::new(), Vec::new());
    for game in engine.games() {
        let words = lexicons.of(game.info().id)?.of(&wished);
        // Not every game has every language.
        if !languages.contains(&words.language) {
            languages.push(words.language.clone());
        }
        items.push(summary(*game, words));
    }
    let mut answer = json(&GamePage { items, next: None });
    spoken(&mut answer, &languages.join(", "));
    Ok(answer)
}

/// Get one game
///
/// Its printed data, its rules by number, and JSON Schemas of everything of the game that the API exchanges (events of the platform, such as
/// `TableOpened`, are in OpenAPI). Title, text and rules are in the language that best matches `Accept-Language`.
#[utoipa::path(
    operation_id = "getGame",
    tag = "games",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game")),
    responses((status = 200, description = "The game", body = GameInfo))
)]
#[get("/v1/games/{game}")]
pub(crate) async fn get_game(
    request: HttpRequest,
    lexicons: Data<Lexicons>,
    engine: Data<Engine>,
    document: Data<Document>,
    game: Path<String>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&game)?;
    let words = lexicons.of(game.info().id)?.of(&wished(&request, None));
    let GameSummary { id, title, text, seats_min, seats_max } = summary(game, words);
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
        .map(|kernel::RuleText { rule, text }| {
            let said = words.entry(&["rules", &rule]).and_then(Value::as_str);
            RuleText { text: said.map_or(text, str::to_owned), rule }
        })
        .collect();
    let schemas = document.schemas.get(id);
    let schemas = schemas.ok_or_else(|| internal(&"the document has no schemas of the game"))?;
    let mut answer = json(&GameInfo {
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
    });
    spoken(&mut answer, &words.language);
    Ok(answer)
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
    _: Query<NoQuery>,
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
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let analysed = block(move || engine.analyse(&game, body.value)).await?;
    Ok(json(&analysed))
}

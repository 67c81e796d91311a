//! Positions to try a client on.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use engine::Engine;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answer::json;
use crate::problem::{Problem, internal};

/// A position of real play.
#[derive(Serialize, Deserialize, ToSchema)]
struct Fixture<'a> {
    /// Of which situation it is.
    name: &'a str,
    /// The position.
    #[serde(borrow)]
    #[schema(value_type = engine::by_game::Position)]
    position: &'a RawValue,
}

/// The fixtures of a game.
#[derive(Serialize, ToSchema)]
struct FixturePage<'a> {
    /// One for each situation.
    items: Vec<Fixture<'a>>,
    /// Always null: the list is short.
    next: Option<String>,
}

/// List the fixtures
///
/// A position of real play for each phase, decision and kind of end, to open, draw or analyse.
#[utoipa::path(
    operation_id = "listFixtures",
    tag = "games",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game")),
    responses((status = 200, description = "The fixtures", body = FixturePage))
)]
#[get("/v1/games/{game}/fixtures")]
pub(crate) async fn list_fixtures(
    engine: Data<Engine>,
    game: Path<String>,
) -> Result<HttpResponse, Problem> {
    let items = serde_json::from_str(engine.game(&game)?.info().fixtures);
    let items: Vec<Fixture<'_>> = items.map_err(|error| internal(&error))?;
    Ok(json(&FixturePage { items, next: None }))
}

//! Positions to try a client on.

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use engine::Engine;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::answer::json;
use crate::parameters::{NoQuery, Query};
use crate::problem::{Problem, internal};

/// A position of real play.
#[derive(Serialize, Deserialize, ToSchema)]
struct Fixture<'a> {
    /// The name of the situation.
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
    /// Always null: the list is complete.
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
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    Ok(json(&FixturePage { items: of_game(&engine, &game)?, next: None }))
}

fn of_game<'a>(engine: &Engine, game: &str) -> Result<Vec<Fixture<'a>>, Problem> {
    let items = serde_json::from_str(engine.game(game)?.info().fixtures);
    items.map_err(|error| internal(&error))
}

/// The position of the fixture with this name. Without a name it is the last one: the end of a match, where much lies on the table.
pub(super) fn position(
    engine: &Engine,
    game: &str,
    name: Option<&str>,
) -> Result<Box<RawValue>, Problem> {
    let mut fixtures = of_game(engine, game)?.into_iter();
    let found = match name {
        Some(name) => fixtures.find(|fixture| fixture.name == name),
        None => fixtures.next_back(),
    };
    let missing = || Problem::new("not_found", "there is no fixture of this name".to_owned());
    Ok(found.ok_or_else(missing)?.position.to_owned())
}

//! Statistics of games and players.

use std::sync::Arc;

use actix_web::web::{Data, Path, Query};
use actix_web::{HttpResponse, get};
use archive::{GameStats, PlayerStats, Projection, Reach, Shown};
use engine::{Engine, RefusalStats};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::json;
use crate::problem::Problem;
use crate::request::limit;

/// The statistics of a game, and the refusals since the server started.
#[derive(Serialize, ToSchema)]
struct StatsAnswer {
    /// Of all finished matches.
    finished: GameStats,
    /// Refused commands, counted apart: they are no part of any match.
    refusals: RefusalStats,
}

/// A page of players.
#[derive(Serialize, ToSchema)]
struct PlayerPage {
    items: Vec<PlayerStats>,
    /// How many matches of the store are damaged and left out; `GET /v1/damaged` names them.
    damaged: u64,
    /// For the parameter `after` of the next page; null on the last one.
    next: Option<String>,
    /// The feed position up to which matches are counted.
    position: u64,
    /// The end of the feed when this was asked for.
    feed_end: u64,
    /// Are all matches counted that had ended then? If not, ask again later: the rest is being counted.
    complete: bool,
}

impl PlayerPage {
    fn new(items: Vec<PlayerStats>, next: Option<String>, damaged: u64, reach: Reach) -> Self {
        let Reach { position, feed_end, complete } = reach;
        PlayerPage { items, damaged, next, position, feed_end, complete }
    }
}

/// The statistics, and how far they go.
fn counted(engine: &Engine, shown: &Shown) -> (Arc<Projection>, Reach) {
    let feed_end = engine.position();
    let projection = shown.get();
    let reach = Reach::new(projection.position(), feed_end);
    (projection, reach)
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PageQuery {
    /// Where the page begins: `next` of the page before.
    #[param(default = 0)]
    after: Option<u32>,
    /// How many, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Statistics of a game
///
/// Lengths, points and ranks of all finished matches, by seat, by number of seats and by option, with 95 % confidence intervals; how often the
/// start seat wins, by number of seats and by option; points by reason, rule and what was counted; refused commands by rule. `position` tells how far in the feed they go, a second or so behind, and
/// `complete` whether that was its end (`feed_end`): while they are counted anew it is false.
#[utoipa::path(
    operation_id = "getGameStats",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game")),
    responses((status = 200, description = "The statistics", body = StatsAnswer))
)]
#[get("/v1/stats/{game}")]
pub(crate) async fn get_game_stats(
    engine: Data<Engine>,
    shown: Data<Shown>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let refusals = engine.refusals(&path)?;
    let (projection, reach) = counted(&engine, &shown);
    let finished = projection.game(&path, reach.feed_end);
    Ok(json(&StatsAnswer { finished, refusals }))
}

/// Players of a game
///
/// By the names that were given in public matches, the strongest first. Names are not checked: anybody may give any.
#[utoipa::path(
    operation_id = "listGamePlayers",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found"]))),
    params(("game" = String, Path, description = "The id of the game"), PageQuery),
    responses((status = 200, description = "A page of players", body = PlayerPage))
)]
#[get("/v1/stats/{game}/players")]
pub(crate) async fn list_game_players(
    engine: Data<Engine>,
    shown: Data<Shown>,
    path: Path<String>,
    query: Query<PageQuery>,
) -> Result<HttpResponse, Problem> {
    engine.game(&path)?;
    let PageQuery { after, limit: most } = query.into_inner();
    let most = limit(most)?;
    let after = usize::try_from(after.unwrap_or(0)).unwrap_or(usize::MAX);
    let (projection, reach) = counted(&engine, &shown);
    let mut items = projection.players_of(&path, after, most + 1);
    let next = (items.len() > most).then(|| (after + most).to_string());
    items.truncate(most);
    Ok(json(&PlayerPage::new(items, next, projection.damaged(), reach)))
}

/// A player
///
/// Results and strength in each game, by the name that was given in public matches. While the statistics are counted anew, a name that was not
/// found yet is a 503, not a 404.
#[utoipa::path(
    operation_id = "getPlayer",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("name" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "Results by game", body = PlayerPage))
)]
#[get("/v1/players/{name}")]
pub(crate) async fn get_player(
    engine: Data<Engine>,
    shown: Data<Shown>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let (projection, reach) = counted(&engine, &shown);
    let items = projection.player(&path);
    if items.is_empty() && !shown.has_counted_the_past() {
        let detail = "no match that is counted yet has a player of this name; the statistics are being counted anew";
        return Err(Problem::new("unavailable", detail));
    }
    if items.is_empty() {
        let detail = "no finished public match has a player of this name";
        return Err(Problem::new("not_found", detail));
    }
    Ok(json(&PlayerPage::new(items, None, projection.damaged(), reach)))
}

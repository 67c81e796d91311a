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
use crate::request::{Current, cut, limit};

/// The statistics of a game, and the refusals since the server started.
#[derive(Serialize, ToSchema)]
struct StatsAnswer {
    /// The statistics of all finished public matches.
    finished: GameStats,
    /// Refused commands. They are counted separately, since they are not part of any match.
    refusals: RefusalStats,
}

/// A page of players.
#[derive(Serialize, ToSchema)]
struct PlayerPage {
    items: Vec<PlayerStats>,
    /// The number of matches in the store that are damaged and left out; `GET /v1/damaged` names them.
    damaged: u64,
    /// The parameter `after` for the next page; null on the last page.
    next: Option<String>,
    /// The feed position up to which matches are counted.
    position: u64,
    /// The end of the feed at the time of the request.
    feed_end: u64,
    /// Whether all matches that had ended by then are counted. If not, retry later: the rest is being counted.
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
    /// Where the page begins: `next` of the previous page.
    #[param(default = 0)]
    after: Option<u32>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Get the statistics of a game
///
/// Lengths, points and ranks of all finished public matches, by seat, by number of seats and by option, with 95 % confidence intervals; how often
/// the start seat wins, by number of seats and by option; points by reason, rule and what was counted; refused commands by rule. `position`
/// says how far in the feed they go, about a second behind, and `complete` whether that was its end (`feed_end`); it is false while they
/// are being counted anew.
#[utoipa::path(
    operation_id = "getGameStats",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game")),
    responses((status = 200, description = "The statistics", body = StatsAnswer))
)]
#[get("/v1/stats/{game}")]
pub(crate) async fn get_game_stats(
    engine: Current,
    shown: Data<Shown>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let refusals = engine.refusals(&path)?;
    let (projection, reach) = counted(&engine, &shown);
    let finished = projection.game(&path, reach.feed_end);
    Ok(json(&StatsAnswer { finished, refusals }))
}

/// List the players of a game
///
/// By the names given in public matches, the strongest first. Names are not verified: anybody may use any name.
#[utoipa::path(
    operation_id = "listGamePlayers",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game"), PageQuery),
    responses((status = 200, description = "A page of players", body = PlayerPage))
)]
#[get("/v1/stats/{game}/players")]
pub(crate) async fn list_game_players(
    engine: Current,
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
    let next = cut(&mut items, most, |_| String::new()).map(|_| (after + items.len()).to_string());
    Ok(json(&PlayerPage::new(items, next, projection.damaged(), reach)))
}

/// Get a player
///
/// Results and rating in each game, by the name given in public matches. While the statistics are being counted anew, a name that has not
/// been found yet is a 503, not a 404.
#[utoipa::path(
    operation_id = "getPlayer",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("name" = String, Path, description = "The name, percent-encoded")),
    responses((status = 200, description = "Results by game", body = PlayerPage))
)]
#[get("/v1/players/{name}")]
pub(crate) async fn get_player(
    engine: Current,
    shown: Data<Shown>,
    path: Path<String>,
) -> Result<HttpResponse, Problem> {
    let (projection, reach) = counted(&engine, &shown);
    let items = projection.player(&path);
    if items.is_empty() && !shown.has_counted_the_past() {
        let detail = "no match that has been counted so far has a player with this name; the statistics are being counted anew";
        return Err(Problem::new("unavailable", detail));
    }
    if items.is_empty() {
        let detail = "no finished public match has a player with this name";
        return Err(Problem::new("not_found", detail));
    }
    Ok(json(&PlayerPage::new(items, None, projection.damaged(), reach)))
}

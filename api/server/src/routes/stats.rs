//! Statistics of games and players.

use std::sync::Arc;

use actix_web::web::{Data, Path};
use actix_web::{HttpResponse, get};
use archive::{Asked, GameStats, PlayerStats, Population, Projection, Reach, Shown, Unasked};
use engine::{Engine, RefusalStats};
use journal::looked_for;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::json;
use crate::forgotten::Begun;
use crate::meter;
use crate::parameters::{NoQuery, Query};
use crate::problem::Problem;
use crate::request::{Current, cut, limit};

/// The statistics of a game, and the refusals since the server started.
#[derive(Serialize, ToSchema)]
struct StatsAnswer {
    /// The statistics of the finished public matches that were asked for.
    finished: GameStats,
    /// Commands that a rule refused in public matches, without sandboxes and dry runs, since this server started, whatever the parameters are. They
    /// are counted separately, since they are not part of any match.
    refusals: RefusalStats,
}

/// A page of players.
#[derive(Serialize, ToSchema)]
struct PlayerPage {
    items: Vec<PlayerStats>,
    /// Which players are listed: `people`, `bots`, or `all` for both. The figures of a player count all matches from the game's own setup that the
    /// player was in, no matter who else played.
    players: &'static str,
    /// The number of damaged matches, and of feed positions whose match is not known, that are left out. `GET /v1/damaged` names them.
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
    fn new(
        items: Vec<PlayerStats>,
        which: Population,
        next: Option<String>,
        damaged: u64,
        reach: Reach,
    ) -> Self {
        let Reach { position, feed_end, complete } = reach;
        let players = which.name();
        PlayerPage { items, players, damaged, next, position, feed_end, complete }
    }
}

/// The statistics, and how far they go. Whoever waits for a turn asks when it has come: what was counted before may have a name that is forgotten
/// by then.
fn counted(engine: &Engine, shown: &Shown) -> (Arc<Projection>, Reach, Begun) {
    let begun = Begun::now(engine);
    let feed_end = engine.position();
    let projection = shown.get(begun.0);
    let reach = Reach::new(projection.position(), feed_end);
    (projection, reach, begun)
}

/// Which matches, and how they are grouped.
#[derive(IntoParams)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "it documents what `Asked` reads")]
pub(crate) struct StatsQuery {
    /// Only matches of `people` alone, of `bots` alone, of both (`mixed`), or `all`. Default: `people`; `all` with `bot`, and if `group_by` names
    /// `bot` or `players`.
    #[param(pattern = "^(people|bots|mixed|all)$")]
    players: Option<String>,
    /// Only matches with this number of seats.
    #[param(minimum = 1, maximum = 64)]
    seats: Option<u64>,
    /// Only matches under this edition of the rules.
    #[param(minimum = 1)]
    edition: Option<u32>,
    /// Only matches in which this bot plays, in any version or in one: `greedy`, `greedy@1`. Points and wins are then those of its seats.
    #[param(pattern = "^(random|greedy)(@[1-9][0-9]{0,8})?$")]
    bot: Option<String>,
    /// Only matches in which a person of exactly this name plays. Points and wins are then those of this person's seats.
    #[param(min_length = 1)]
    player: Option<String>,
    /// Only matches that ended at this time or later: a day (`2026-11-23`), or a time in UTC (`2026-11-23T18:00:00Z`).
    from: Option<String>,
    /// Only matches that ended before this time.
    until: Option<String>,
    /// Only matches that began from a position (`true`), from the game's own setup (`false`), or `all`. Default: `false`; `all` with `branched`, and
    /// if `group_by` names `loaded` or `branched`.
    #[param(pattern = "^(true|false|all)$")]
    loaded: Option<String>,
    /// Only matches that branched off from another one (`true`), only those that did not (`false`), or `all`. A branch begins from a position.
    #[param(pattern = "^(true|false|all)$")]
    branched: Option<String>,
    /// Only matches with these options: `option.NAME=VALUE` for each, as in `option.light=true`. A value is JSON; the quotes of a string may be left out.
    #[param(style = Form, explode, value_type = Option<std::collections::BTreeMap<String, String>>)]
    options: Option<String>,
    /// Up to three names, separated by commas: `players`, `seats`, `edition`, `bot`, `player`, `loaded`, `branched`, `day`, `month`, `year`,
    /// `option.NAME`. A match is in the group of each player, and of each bot, that plays in it.
    group_by: Option<String>,
    /// The maximum number of groups, 1 to 1000: the groups with the most matches are returned.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Which page of which players.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct PlayersQuery {
    /// Which players to list: `people`, `bots`, or `all`. Default: `people`.
    #[param(pattern = "^(people|bots|all)$")]
    players: Option<String>,
    /// Where the page begins: `next` of the previous page.
    #[param(default = 0)]
    after: Option<u32>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Get the statistics of a game
///
/// Lengths, points and wins of finished public matches, with 95 % confidence intervals, computed per match: by seat, by number of seats, by option,
/// and by what `group_by` names; how often the start seat wins; points by reason, rule and what was counted; refused commands by rule. Without
/// parameters, only matches that people alone played from the game's own setup are included: `players` and `asked` in the answer say which players
/// and matches are. If no match fits, figures are null. An unknown parameter is a 400. `position` says how far in the feed the statistics go, about a
/// second behind, and `complete` whether that was its end (`feed_end`); it is false while they are being recounted. docs/statistics.md has every
/// formula.
#[utoipa::path(
    operation_id = "getGameStats",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game"), StatsQuery),
    responses((status = 200, description = "The statistics", body = StatsAnswer))
)]
#[get("/v1/stats/{game}")]
pub(crate) async fn get_game_stats(
    engine: Current,
    shown: Data<Shown>,
    path: Path<String>,
    query: Query<Vec<(String, String)>>,
) -> Result<HttpResponse, Problem> {
    let refusals = engine.refusals(&path)?;
    let game = engine.game(&path)?;
    let own = Arc::clone(&engine);
    let finished = meter::work(move || {
        let (projection, reach, begun) = counted(&own, &shown);
        let asked = Asked::of(game, query.into_inner())?;
        Ok((projection.game(game.info().id, &asked, reach.feed_end), begun))
    });
    let finished = finished.await?;
    let (finished, begun) =
        finished.map_err(|wrong: Unasked| Problem::malformed(&wrong.name, wrong.detail()))?;
    begun.unforgotten(&engine)?;
    Ok(json(&StatsAnswer { finished, refusals }))
}

/// List the players of a game
///
/// The strongest players first: people by the names given in public matches, bots by their kind and the version of their play. Names are not
/// verified: anybody may use any name except those of bots.
#[utoipa::path(
    operation_id = "listGamePlayers",
    tag = "stats",
    extensions(("x-problems" = json!(["not_found", "unavailable"]))),
    params(("game" = String, Path, description = "The id of the game"), PlayersQuery),
    responses((status = 200, description = "A page of players", body = PlayerPage))
)]
#[get("/v1/stats/{game}/players")]
pub(crate) async fn list_game_players(
    engine: Current,
    shown: Data<Shown>,
    path: Path<String>,
    query: Query<PlayersQuery>,
) -> Result<HttpResponse, Problem> {
    let game = engine.game(&path)?.info().id;
    let PlayersQuery { players, after, limit: most } = query.into_inner();
    let which = match players.as_deref() {
        None | Some("people") => Population::People,
        Some("bots") => Population::Bots,
        Some("all") => Population::All,
        Some(_) => return Err(Problem::malformed("players", "players are people, bots or all")),
    };
    let most = limit(most)?;
    let after = usize::try_from(after.unwrap_or(0)).unwrap_or(usize::MAX);
    let own = Arc::clone(&engine);
    let found = meter::work(move || {
        let (projection, reach, begun) = counted(&own, &shown);
        let items = projection.players_of(game, which, after, most + 1);
        (items, projection.damaged(), reach, begun)
    });
    let (mut items, damaged, reach, begun) = found.await?;
    begun.unforgotten(&engine)?;
    let next = cut(&mut items, most, |_| String::new()).map(|_| (after + items.len()).to_string());
    Ok(json(&PlayerPage::new(items, which, next, damaged, reach)))
}

/// Get a player
///
/// Results and rating, in each game, of the person with this name, as it was given in public matches, and of a bot with this name: `played_by`
/// distinguishes them. While the statistics are being recounted, a name that has not been found yet is a 503, not a 404.
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
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let (own, name) = (Arc::clone(&engine), looked_for(&path));
    let found = meter::work(move || {
        let (projection, reach, begun) = counted(&own, &shown);
        let items = projection.player(&name);
        let has_the_past = shown.has_the_past(&projection, begun.0);
        (items, projection.damaged(), reach, has_the_past, begun)
    });
    let (items, damaged, reach, has_the_past, begun) = found.await?;
    begun.unforgotten(&engine)?;
    if items.is_empty() && !has_the_past {
        let detail = "no match that has been counted so far has a player with this name; the statistics are being counted anew";
        return Err(Problem::new("unavailable", detail));
    }
    if items.is_empty() {
        let detail = "no finished public match has a player with this name";
        return Err(Problem::new("not_found", detail));
    }
    Ok(json(&PlayerPage::new(items, Population::All, None, damaged, reach)))
}

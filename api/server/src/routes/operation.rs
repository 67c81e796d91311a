//! Health, and the document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use archive::Shown;
use engine::Engine;
use flood::Flood;
use journal::{Damaged, Place, Trouble};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::answer::json;
use crate::document::Document;
use crate::lately::{AtHand, Behind, Found, Lately};
use crate::metrics::Metrics;
use crate::parameters::Query;
use crate::problem::Problem;
use crate::request::{cut, limit, place};
use crate::routes::query::Queries;
use crate::routes::stream::Streams;

/// The health of the server.
#[derive(Serialize, ToSchema)]
struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// The readiness of the server.
#[derive(Serialize, ToSchema)]
struct Readiness {
    /// Always `ok`.
    status: &'static str,
    /// The number of damaged matches, and of feed positions whose match is not known, that are set aside. All other matches are served.
    damaged: u64,
    /// The data derived from the feed that lacks commits older than five seconds: `list`, `statistics` or `tables`, with the number of commits that
    /// it lacks. `tables` is also here, whatever the age of the commits, while SQL is refused because the tables are being rebuilt. Absent if nothing
    /// is that far behind.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    behind: BTreeMap<&'static str, u64>,
}

/// What is behind for less long is not told in public: while people play, something always is.
const LATE_SECONDS: u64 = 5;

/// A page of what is damaged.
#[derive(Serialize, ToSchema)]
struct DamagedPage {
    /// The total number of entries set aside.
    damaged: u64,
    items: Vec<Damaged>,
    /// The parameter `after` for the next page; null on the last page.
    next: Option<String>,
}

/// Which page.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DamagedQuery {
    /// Where the page begins: `next` of the previous page.
    after: Option<String>,
    /// The maximum number of items, 1 to 1000.
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: Option<u64>,
}

/// Is the process alive?
///
/// Checks nothing else.
#[utoipa::path(operation_id = "getHealth", tag = "operation", responses((status = 200, description = "The process is alive", body = Health)))]
#[get("/healthz")]
pub(crate) async fn healthz() -> HttpResponse {
    json(&Health { status: "ok" })
}

/// Is the server ready?
///
/// 503 if the store refuses writes, if a thread of the server has ended by a panic, or while the server is stopping. Damaged matches are counted, but do not make the server unready.
#[utoipa::path(operation_id = "getReadiness", tag = "operation", extensions(("x-problems" = json!(["unavailable"]))), responses((status = 200, description = "The server is ready", body = Readiness)))]
#[get("/readyz")]
pub(crate) async fn readyz(
    engine: Data<Engine>,
    streams: Data<Streams>,
    shown: Data<Shown>,
    metrics: Data<Metrics>,
    queries: Data<Queries>,
    lately: Data<Lately>,
) -> Result<HttpResponse, Problem> {
    ready(engine.known_trouble(), &engine, &streams, &metrics)?;
    let damaged = engine.damaged_count();
    // That writes or SQL are refused is told at once: whoever was refused looks here why.
    let is_sql_refused = queries.are_refused(engine.forgettings());
    let at_hand = AtHand { verdict: engine.verdict(), is_sql_refused };
    let tables = if is_sql_refused { 0 } else { metrics.tables_position() };
    let tables = queries.are_kept().then_some(tables);
    let looked = engine.clone();
    let found = lately.found(at_hand, move || look(&looked, &shown, tables, is_sql_refused));
    let Found { trouble, behind } = found.await?;
    ready(trouble, &engine, &streams, &metrics)?;
    Ok(json(&Readiness { status: "ok", damaged, behind }))
}

/// Looks whether the store takes writes, and what is behind. `tables` is the position of those that are kept.
fn look(engine: &Engine, shown: &Shown, tables: Option<u64>, is_sql_refused: bool) -> Found {
    if let Some(trouble) = engine.trouble() {
        return Found { trouble: Some(trouble), behind: Behind::new() };
    }
    let counted = shown.get(engine.forgettings()).position();
    let reached = [("list", engine.list_position()), ("statistics", counted)];
    let tables = tables.map(|position| ("tables", position));
    let end = engine.position();
    let late = |(name, position): &(&str, u64)| {
        let is_told = is_sql_refused && *name == "tables";
        *position < end && (is_told || engine.age_after(*position) > LATE_SECONDS)
    };
    let late = reached.into_iter().chain(tables).filter(late);
    let behind = late.map(|(name, position)| (name, end - position)).collect();
    Found { trouble: None, behind }
}

/// Whether the server takes writes, of which this is known, does all that it is to do beside the requests, and goes on.
pub(crate) fn ready(
    trouble: Option<Trouble>,
    engine: &Engine,
    streams: &Streams,
    metrics: &Metrics,
) -> Result<(), Problem> {
    if let Some(trouble) = trouble {
        // That there is a newer program is logged when it is found.
        if !matches!(trouble, Trouble::Outdated(_)) {
            TROUBLE.line(
                |more| tracing::error!(error = %trouble, more, "the store accepts no writes"),
            );
        }
        return Err(Problem::new("unavailable", reason(&trouble)));
    }
    let lost = metrics.lost_threads(engine);
    if !lost.is_empty() {
        let lost = lost.join(", ");
        let detail = format!(
            "a thread of the server has ended by a panic ({lost}), and nobody does its work until the server is restarted; see the log"
        );
        return Err(Problem::new("unavailable", detail));
    }
    if *streams.shutdown.borrow() {
        return Err(Problem::new("unavailable", "the server is stopping"));
    }
    Ok(())
}

/// List what is damaged
///
/// What the server has found damaged since it started, and has set aside: matches that cannot be read or are not what their game decides, and feed
/// positions whose match is unknown. All other matches are served. A private match is named only by its id, which gives no access.
#[utoipa::path(
    operation_id = "listDamaged",
    tag = "operation",
    params(DamagedQuery),
    responses((status = 200, description = "A page of what is damaged", body = DamagedPage))
)]
#[get("/v1/damaged")]
pub(crate) async fn list_damaged(
    engine: Data<Engine>,
    query: Query<DamagedQuery>,
) -> Result<HttpResponse, Problem> {
    let DamagedQuery { after, limit: most } = query.into_inner();
    let most = limit(most)?;
    let after: Option<Place> = place(after)?;
    let mut items = engine.damaged_after(after, most + 1);
    let next = cut(&mut items, most, |last| last.place().cursor());
    Ok(json(&DamagedPage { damaged: engine.damaged_count(), items, next }))
}

static TROUBLE: Flood = Flood::new();

/// Why the store accepts no writes, without the details that belong in the log.
fn reason(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::Failed(_) => {
            "a write to the disk failed: the store accepts no more until the server is restarted; see the log"
        }
        Trouble::Unreadable(_) => {
            "a part of the store cannot be read: it accepts no writes; see the log, and run `muninn verify` to list what is damaged"
        }
        Trouble::Gone(_) => {
            "the folder of the store was removed or replaced while the server is running: it accepts no writes; see the log"
        }
        Trouble::Unreachable(_) => {
            "the database of the store cannot be used: it accepts no writes until the database answers again; see the log"
        }
        Trouble::Refusing(_) => {
            "the database of the store refuses writes: its disk may be full, or the store locked; each write is still tried; see the log"
        }
        Trouble::Outdated(_) => {
            "a newer program writes to the same store: this server writes no more, and must be replaced by that program; see the log"
        }
        Trouble::Replaced(_) => {
            "the database of the store was restored or made anew while this server was running: it ends, and must be started again; see the log"
        }
        Trouble::Full => "the disk is full: the store accepts no writes until there is space again",
    }
}

/// Get the AsyncAPI document
///
/// The AsyncAPI 3.0 document of the event stream and of the line-by-line responses, made from the same schemas.
#[utoipa::path(
    operation_id = "getAsyncapi",
    tag = "operation",
    responses((status = 200, description = "The document", body = Object, content_type = "application/json"))
)]
#[get("/asyncapi.json")]
pub(crate) async fn asyncapi_json(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(String::clone(&document.asyncapi))
}

/// Which document.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DocumentQuery {
    /// The id of a game: only its types. Default: those of all games.
    game: Option<String>,
}

/// Get this document
///
/// OpenAPI 3.1.
#[utoipa::path(
    operation_id = "getOpenapi",
    tag = "operation",
    extensions(("x-problems" = json!(["not_found"]))),
    params(DocumentQuery),
    responses((status = 200, description = "The document", body = Object, content_type = "application/json"))
)]
#[get("/openapi.json")]
pub(crate) async fn openapi_json(
    document: Data<Document>,
    query: Query<DocumentQuery>,
) -> Result<HttpResponse, Problem> {
    let json = match &query.into_inner().game {
        None => LazyLock::force(&document.json),
        Some(game) => {
            let of = document.of_games.iter().find(|of| of.id == game);
            let missing = || Problem::new("not_found", "there is no such game");
            LazyLock::force(&of.ok_or_else(missing)?.json)
        }
    };
    Ok(HttpResponse::Ok().content_type("application/json").body(json.clone()))
}

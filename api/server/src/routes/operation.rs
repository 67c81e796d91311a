//! Health, metrics, and the document.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use engine::{Engine, Trouble};
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::flood::Flood;
use crate::metrics::Metrics;
use crate::openapi::Document;
use crate::problem::Problem;
use crate::routes::stream::Streams;

/// The server is well.
#[derive(Serialize, ToSchema)]
struct Health {
    /// `ok`
    status: &'static str,
}

/// Is the process alive?
///
/// Looks at nothing else.
#[utoipa::path(operation_id = "getHealth", tag = "operation", responses((status = 200, description = "It is", body = Health)))]
#[get("/healthz")]
pub(crate) async fn healthz() -> HttpResponse {
    json(&Health { status: "ok" })
}

/// Does the server take requests?
///
/// 503 when the store refuses writes, or while the server stops.
#[utoipa::path(operation_id = "getReadiness", tag = "operation", responses((status = 200, description = "It does", body = Health)))]
#[get("/readyz")]
pub(crate) async fn readyz(
    engine: Data<Engine>,
    streams: Data<Streams>,
) -> Result<HttpResponse, Problem> {
    if let Some(trouble) = engine.trouble() {
        TROUBLE.line(|more| tracing::error!(error = %trouble, more, "the store takes no writes"));
        return Err(Problem::new("unavailable", reason(&trouble)));
    }
    if *streams.shutdown.borrow() {
        return Err(Problem::new("unavailable", "the server is stopping"));
    }
    Ok(json(&Health { status: "ok" }))
}

static TROUBLE: Flood = Flood::new();

/// Why the store takes no writes, without what only the log may tell.
fn reason(trouble: &Trouble) -> &'static str {
    match trouble {
        Trouble::Failed(_) => {
            "a write failed at the disk: the store takes no more until the server is restarted; see the log"
        }
        Trouble::Unreadable(_) => {
            "a part of the store cannot be read: it takes no writes; see the log, and let `muninn verify` list what is damaged"
        }
        Trouble::Gone(_) => {
            "the folder of the store was removed or replaced while the server runs: it takes no writes; see the log"
        }
        Trouble::Full => "the disk is full: the store takes no writes until there is space again",
    }
}

/// Read the metrics
///
/// Prometheus text: requests and their times by route, matches, open streams, the feed position, the position up to which statistics count,
/// accepted commands of bots by game and bot.
#[utoipa::path(
    operation_id = "getMetrics",
    tag = "operation",
    responses((status = 200, description = "Prometheus text", body = String, content_type = "text/plain"))
)]
#[get("/metrics")]
pub(crate) async fn metrics(engine: Data<Engine>, metrics: Data<Metrics>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .body(metrics.text(&engine))
}

/// Get the document of the streams
///
/// AsyncAPI 3.0: what the server sends live and line by line, made from the same schemas.
#[utoipa::path(
    operation_id = "getAsyncapi",
    tag = "operation",
    responses((status = 200, description = "The document", body = Object, content_type = "application/json"))
)]
#[get("/asyncapi.json")]
pub(crate) async fn asyncapi_json(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.asyncapi.clone())
}

/// Get this document
///
/// OpenAPI 3.1.
#[utoipa::path(
    operation_id = "getOpenapi",
    tag = "operation",
    responses((status = 200, description = "The document", body = Object, content_type = "application/json"))
)]
#[get("/openapi.json")]
pub(crate) async fn openapi_json(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok().content_type("application/json").body(document.json.clone())
}

//! Health, metrics, and the document.

use actix_web::web::Data;
use actix_web::{HttpResponse, get};
use engine::Engine;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
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
    if !engine.healthy() {
        return Err(Problem::new(
            "unavailable",
            "a write failed at the disk: the store takes no more until the server is restarted; see the log",
        ));
    }
    if !engine.has_space() {
        return Err(Problem::new(
            "unavailable",
            "the disk is full: the store takes no writes until there is space again",
        ));
    }
    if *streams.shutdown.borrow() {
        return Err(Problem::new("unavailable", "the server is stopping"));
    }
    Ok(json(&Health { status: "ok" }))
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

//! Around every request: its id, its log line, its metrics; and every error becomes a problem.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, StatusCode, Uri};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpRequest, HttpResponse, ResponseError};
use engine::{Caller, Engine};
use journal::{Bytes32, MatchId};
use tracing::{Instrument, Span};
use uuid::{Builder, Uuid};

use crate::document::{Document, may_store};
use crate::language::{header_of, wished};
use crate::limit::Bodiless;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::request::Seen;
use crate::request_id;
use crate::routes::words::Lexicons;
use crate::trace;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What Swagger UI loads: its own files, pictures in its styles, and this server.
const DOCS_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
    connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// Answers smaller than this are not worth compressing.
const COMPRESS_MIN: u64 = 1024;

/// What a request counts as whose client gives up before it is answered: no answer has it, and other servers count so, too.
const GAVE_UP: u16 = 499;

/// The middleware.
pub(crate) async fn observe(
    mut request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let start = Instant::now();
    let id = id_of(request.headers());
    let method = request.method().clone();
    if method == Method::HEAD {
        // The connection leaves the body of an answer to HEAD out by itself.
        request.head_mut().method = Method::GET;
        request.extensions_mut().insert(Bodiless);
    }
    let span = trace::begin(&id, &method, request.headers());
    let metrics = request.app_data::<Data<Metrics>>().cloned();
    let mut asked = Asked {
        id: &id,
        method: &method,
        span: &span,
        metrics: metrics.as_deref(),
        start,
        unanswered: Some((request.app_data::<Data<Document>>().cloned(), request.uri().clone())),
    };
    let handled = request_id::with(&id, next.call(request)).instrument(span.clone());
    let response = handled.await;
    asked.unanswered = None;
    let mut response = as_problem(response?.map_into_boxed_body(), &id);
    let route = response.request().match_pattern().unwrap_or_else(|| "unknown".to_owned());
    let of = response.request().extensions().get().map(|Seen { id, caller }| (*id, *caller));
    asked.end(of, &route, response.status().as_u16());
    if let Some(metrics) = &metrics
        && let Some(problem) = response.response().extensions().get::<Problem>()
    {
        metrics.problem(problem.code);
        if let Some(limit) = problem.limit {
            metrics.limit_hit(limit);
        }
    }
    set_headers(&mut response, &id);
    Ok(response)
}

/// A request that is being handled. Where its client gives up, or its handler panics, this is dropped before there is an answer.
struct Asked<'a> {
    id: &'a str,
    method: &'a Method,
    span: &'a Span,
    metrics: Option<&'a Arc<Metrics>>,
    start: Instant,
    /// Which route it was: nobody else knows where it ends without an answer.
    unanswered: Option<(Option<Data<Document>>, Uri)>,
}

impl Asked<'_> {
    /// Its line, its span and its metrics: of which match it was, and who asked, where it was so far that this is known.
    fn end(&self, of: Option<(MatchId, Caller)>, route: &str, status: u16) {
        let Asked { id, method, span, metrics, start, unanswered: _ } = self;
        let time = start.elapsed();
        let seat = of.and_then(|(_, caller)| match caller {
            Caller::Seat(seat) => Some(seat.0),
            Caller::Owner | Caller::Stranger => None,
        });
        tracing::debug!(
            request.id = id, http.method = %method, http.route = route, http.status = status,
            match.id = of.map(|(id, _)| tracing::field::display(id)), seat,
            duration_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX), "request"
        );
        trace::end(span, of, method, route, status);
        if let Some(metrics) = metrics {
            metrics.request(method.as_str(), route, status, time);
        }
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        let Some((document, uri)) = self.unanswered.take() else { return };
        let route = document.as_ref().and_then(|document| document.template(uri.path()));
        let status = if thread::panicking() { 500 } else { GAVE_UP };
        self.end(None, route.unwrap_or("unknown"), status);
    }
}

/// The client's own id for the request if it is acceptable, otherwise a new one.
fn id_of(headers: &HeaderMap) -> String {
    let decent = |id: &&str| {
        (1..=64).contains(&id.len())
            && id.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    let own = headers.get(REQUEST_ID).and_then(|id| id.to_str().ok()).filter(decent);
    own.map_or_else(new_id, str::to_owned)
}

/// Unique among all runs of the server. It asks the operating system for randomness only once, and what it gives out does not tell how many
/// others there were in between.
fn new_id() -> String {
    static RUN: LazyLock<[u8; 16]> = LazyLock::new(|| Uuid::now_v7().into_bytes());
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let Bytes32(hash) = Bytes32::hash(&[&*RUN, &count.to_be_bytes()]);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let millis = u64::try_from(now.as_millis()).unwrap_or_default();
    let random = hash.first_chunk().copied().unwrap_or_default();
    Builder::from_unix_timestamp_millis(millis, &random).into_uuid().to_string()
}

/// Every error is a problem: our own get the id of the request, those of the framework are replaced.
fn as_problem(response: ServiceResponse<BoxBody>, id: &str) -> ServiceResponse<BoxBody> {
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return with_media_type(response);
    }
    let damaged = || {
        let problem = response.response().extensions();
        problem.get::<Problem>().is_some_and(|problem| problem.code == "damaged")
    };
    if (status == StatusCode::INTERNAL_SERVER_ERROR || damaged())
        && let Some(engine) = response.request().app_data::<Data<Engine>>()
        && !engine.healthy()
    {
        // What the engine was about to change when the disk failed cannot be read before the next start; it is not lost.
        let problem = if may_store(response.request()) {
            // It may be stored by now, or was when it came with the same key before.
            Problem::outcome_unknown()
        } else {
            let detail = "the disk failed: some of what is stored cannot be read until the server is restarted";
            Problem::new("unavailable", detail)
        };
        return as_problem(response.into_response(problem.error_response()), id);
    }
    let problem = response.response().extensions().get::<Problem>().cloned();
    let mut problem = problem.unwrap_or_else(|| Problem::of_status(status));
    let language = response
        .request()
        .app_data::<Data<Lexicons>>()
        .and_then(|lexicons| lexicons.explain(&mut problem, &wished(response.request(), None)));
    if problem.status == 422 || problem.status == 409 {
        tracing::debug!(request.id = id, code = problem.code, rule = problem.rule, "refused");
    }
    let type_ = HeaderValue::from_static("application/problem+json");
    let body = problem.body(id);
    response.map_body(|head, _| {
        head.headers_mut().insert(header::CONTENT_TYPE, type_);
        head.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        if let Some(language) = language {
            head.headers_mut().insert(header::CONTENT_LANGUAGE, header_of(&language));
        }
        BoxBody::new(body)
    })
}

/// A response without a body, of work that was not done, still says of which type the body would be.
fn with_media_type(mut response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    let request = response.request();
    // A view since a version is a patch.
    let is_known = !request.query_string().contains("since=");
    let is_bodiless = request.extensions().contains::<Bodiless>();
    let document = request.app_data::<Data<Document>>();
    let document = document.filter(|_| is_bodiless && is_known).cloned();
    let media_type = document.as_ref().and_then(|document| document.media_type(request.path()));
    let media_type = media_type.and_then(|media_type| HeaderValue::from_str(media_type).ok());
    if let Some(media_type) = media_type
        && !response.headers().contains_key(header::CONTENT_TYPE)
    {
        response.headers_mut().insert(header::CONTENT_TYPE, media_type);
    }
    response
}

fn set_headers(response: &mut ServiceResponse<BoxBody>, id: &str) {
    let small =
        matches!(response.response().body().size(), BodySize::Sized(size) if size < COMPRESS_MIN);
    let is_docs = response.request().path().starts_with("/docs");
    let is_unchanged = response.status() == StatusCode::NOT_MODIFIED;
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    // A page of ours says itself what it may load.
    if !headers.contains_key(header::CONTENT_SECURITY_POLICY) {
        let policy =
            if is_docs { DOCS_POLICY } else { "default-src 'none'; frame-ancestors 'none'" };
        headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    }
    if small && !headers.contains_key(header::CONTENT_ENCODING) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("identity"));
    }
    // What is compressed says so afterwards; the answer that stands for it has no body, and is passed over there.
    if is_unchanged {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
}

/// What no route takes: the methods of the path for OPTIONS, 405 with them, or 404.
pub(crate) async fn unknown(
    request: HttpRequest,
    document: Data<Document>,
) -> Result<HttpResponse, Problem> {
    refuse_unknown(&request, document.methods(request.path()))
}

/// The same where these are the methods that the path takes, if there is such a path.
pub(crate) fn refuse_unknown(
    request: &HttpRequest,
    methods: Option<&[Method]>,
) -> Result<HttpResponse, Problem> {
    match methods {
        Some(methods) if !methods.contains(request.method()) => {
            let mut allow: Vec<&str> = methods.iter().map(Method::as_str).collect();
            if methods.contains(&Method::GET) {
                allow.push("HEAD");
            }
            allow.push("OPTIONS");
            let allow = allow.join(", ");
            if request.method() == Method::OPTIONS {
                return Ok(HttpResponse::NoContent()
                    .insert_header((header::ALLOW, allow))
                    .finish());
            }
            let detail = format!("{} is not allowed here, only {allow}", request.method());
            Err(Problem::new("method_not_allowed", detail).header("Allow", allow))
        }
        Some(_) | None => Err(Problem::new("not_found", format!("there is no {}", request.path()))),
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::StatusCode;

    use crate::problem::Problem;

    #[test]
    fn every_status_of_the_framework_has_a_code() {
        for status in 400..600 {
            let status = StatusCode::from_u16(status).unwrap();
            assert!(!Problem::of_status(status).code.is_empty());
        }
    }
}

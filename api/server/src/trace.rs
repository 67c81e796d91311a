//! The span of a request, for traces. Without the feature `otel` nobody takes it, and it costs a look at a flag.
//!
//! What is in it is the same as in the line of the log; no path and no query, for those may have what the client wants to keep secret.

use std::future::Future;

use actix_web::http::Method;
use actix_web::http::header::HeaderMap;
use engine::Caller;
use journal::MatchId;
use tracing::Span;
use tracing::field::{Empty, display};

/// The span of a request that begins. It continues the trace that the header `traceparent` names, if there is one.
pub(crate) fn begin(id: &str, method: &Method, headers: &HeaderMap) -> Span {
    let span = tracing::info_span!(
        target: "otel", "request",
        otel.kind = "server", otel.status_code = Empty,
        request.id = id, http.request.method = %method, http.route = Empty,
        http.response.status_code = Empty, match.id = Empty, seat = Empty,
    );
    continued(&span, headers);
    span
}

/// What is known of a request at its end: of which match it was, and who asked, too.
pub(crate) fn end(
    span: &Span,
    of: Option<(MatchId, Caller)>,
    method: &Method,
    route: &str,
    status: u16,
) {
    if span.is_disabled() {
        return;
    }
    name(span, format!("{method} {route}"));
    span.record("http.route", route);
    // Other integers become text on their way.
    span.record("http.response.status_code", i64::from(status));
    if status >= 500 {
        span.record("otel.status_code", "ERROR");
    }
    if let Some((id, caller)) = of {
        span.record("match.id", display(id));
        if let Caller::Seat(seat) = caller {
            span.record("seat", i64::from(seat.0));
        }
    }
}

#[cfg(not(feature = "otel"))]
fn continued(_: &Span, _: &HeaderMap) {}

#[cfg(not(feature = "otel"))]
fn name(_: &Span, _: String) {}

/// Names a span whose route is known only when it was found.
#[cfg(feature = "otel")]
fn name(span: &Span, name: String) {
    use opentelemetry::trace::TraceContextExt;
    use tracing_opentelemetry::OpenTelemetrySpanExt;

    span.context().span().update_name(name);
}

#[cfg(feature = "otel")]
fn continued(span: &Span, headers: &HeaderMap) {
    use tracing_opentelemetry::OpenTelemetrySpanExt;

    struct Headers<'a>(&'a HeaderMap);

    impl opentelemetry::propagation::Extractor for Headers<'_> {
        fn get(&self, name: &str) -> Option<&str> {
            self.0.get(name)?.to_str().ok()
        }

        fn keys(&self) -> Vec<&str> {
            self.0.keys().map(actix_web::http::header::HeaderName::as_str).collect()
        }
    }

    if !span.is_disabled() {
        let parent = opentelemetry::global::get_text_map_propagator(|propagator| {
            propagator.extract(&Headers(headers))
        });
        // It fails only for a span that was entered before.
        let _ = span.set_parent(parent);
    }
}

/// Work that goes on in a task of its own, in the span of its request.
#[cfg(not(feature = "otel"))]
pub(crate) fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    work
}

/// Work that goes on in a task of its own, in the span of its request.
#[cfg(feature = "otel")]
pub(crate) fn carried<T>(work: impl Future<Output = T>) -> impl Future<Output = T> {
    tracing::Instrument::in_current_span(work)
}

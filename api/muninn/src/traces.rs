//! Traces by OpenTelemetry: the spans with the target `otel`, sent to a collector by OTLP over HTTP.
//!
//! Only with the feature `otel`. Spans say which route, match and seat it was and how long it took; commands, events, tokens and queries are in none.

use std::env;
use std::future::{Future, ready};
use std::pin::Pin;
use std::time::Duration;

use flood::Flood;
use opentelemetry::KeyValue;
use opentelemetry::global;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{
    ExporterBuildError, Protocol, SpanExporter, WithExportConfig, WithHttpConfig,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::filter_fn;
use tracing_subscriber::registry::LookupSpan;
use ureq::Agent;

/// The variables of OpenTelemetry that say where the collector is.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"];
/// A collector that takes longer loses the spans.
const PATIENCE: Duration = Duration::from_secs(10);
/// More of a collector's response is not read.
const RESPONSE_BYTES: u64 = 1 << 20;

/// The address of a collector: without TLS, and without a password, for settings are shown.
pub(crate) fn endpoint(text: &str) -> Result<String, &'static str> {
    match text.strip_prefix("http://") {
        Some(rest) if !rest.is_empty() && !rest.contains('@') => Ok(text.to_owned()),
        Some(_) | None => Err("expected an address such as http://127.0.0.1:4318"),
    }
}

/// Traces under way, if there is a collector; what waits is sent when this is dropped.
pub(crate) struct Traces(Option<SdkTracerProvider>);

impl Traces {
    /// Sends spans to the collector at this address, or at the one that the variables of OpenTelemetry name.
    ///
    /// # Errors
    /// If the address is none.
    pub(crate) fn start(endpoint: Option<&str>) -> Result<Self, ExporterBuildError> {
        if endpoint.is_none() && ENDPOINTS.iter().all(|name| env::var_os(name).is_none()) {
            return Ok(Traces(None));
        }
        let agent = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .timeout_global(Some(PATIENCE))
            .build();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Client(agent.into()))
            .with_protocol(Protocol::HttpBinary);
        let exporter = match endpoint {
            Some(endpoint) => {
                exporter.with_endpoint(format!("{}/v1/traces", endpoint.trim_end_matches('/')))
            }
            None => exporter,
        };
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let mut resource = Resource::builder().with_attribute(version);
        if env::var_os("OTEL_SERVICE_NAME").is_none() {
            resource = resource.with_service_name("muninn");
        }
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter.build()?)
            .with_resource(resource.build())
            .build();
        global::set_text_map_propagator(TraceContextPropagator::new());
        Ok(Traces(Some(provider)))
    }

    /// Is there a collector?
    pub(crate) fn are_taken(&self) -> bool {
        self.0.is_some()
    }

    /// What takes the spans; nothing else gets there.
    pub(crate) fn layer<S>(&self) -> Option<impl Layer<S> + use<S>>
    where
        S: Subscriber + for<'a> LookupSpan<'a>,
    {
        let tracer = self.0.as_ref()?.tracer("muninn");
        let layer = tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false);
        Some(layer.with_filter(filter_fn(|metadata| metadata.target() == "otel")))
    }
}

impl Drop for Traces {
    fn drop(&mut self) {
        // What the collector does not take now is lost with the process.
        let _ = self.0.as_ref().map(SdkTracerProvider::shutdown);
    }
}

/// Sends a batch; called by the thread that the exporter has for it.
#[derive(Debug)]
struct Client(Agent);

impl Client {
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let (parts, body) = request.into_parts();
        let response = self.0.run(Request::from_parts(parts, body.to_vec()))?;
        let (parts, body) = response.into_parts();
        let body = body.into_with_config().limit(RESPONSE_BYTES).read_to_vec()?;
        if !parts.status.is_success() {
            return Err(format!("the collector responds with {}", parts.status).into());
        }
        Ok(Response::from_parts(parts, body.into()))
    }
}

static UNSENT: Flood = Flood::new();

impl HttpClient for Client {
    fn send_bytes<'a, 'b>(
        &'a self,
        request: Request<Bytes>,
    ) -> Pin<Box<dyn Future<Output = Result<Response<Bytes>, HttpError>> + Send + 'b>>
    where
        'a: 'b,
        Self: 'b,
    {
        let sent = self.send(request).inspect_err(|error| {
            UNSENT.line(|more| tracing::warn!(%error, more, "traces were not sent"));
        });
        Box::pin(ready(sent))
    }
}

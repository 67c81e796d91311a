//! The operator's door: a listener of its own, which only this machine reaches, for whoever runs the server.
//!
//! None of its routes is on the public port, nor in the public document. It asks for no token: who may open the socket, or is on this
//! machine, is the operator. A page in a browser on this machine is not, so requests that come from one are refused.

mod backup;
mod listen;
mod pieces;
mod routes;
mod verify;

use std::io;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{Server, ServerHandle, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, header};
use actix_web::middleware::{Next, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App as Router, Error, HttpRequest, HttpResponse, HttpServer, ResponseError};
use archive::Shown;
use engine::Engine;
use serde_json::Value;
use tables::Sql;
use tokio::sync::{Semaphore, watch};

pub use self::listen::Listen;
use self::listen::Listener;
pub use self::routes::SetLog;
use crate::chunked;
use crate::metrics::Metrics;
use crate::observe::{observe, refuse_unknown};
use crate::problem::Problem;
use crate::routes::stream::Streams;

/// What stands behind the operator's door.
pub struct Door {
    /// The matches.
    pub engine: Arc<Engine>,
    /// The statistics as they are shown now.
    pub shown: Arc<Shown>,
    /// The file of the statistics.
    pub statistics: PathBuf,
    /// The tables for SQL, if they are kept.
    pub tables: Option<Arc<Sql>>,
    /// The counters.
    pub metrics: Arc<Metrics>,
    /// The settings of the server by the names of their flags, without secrets, `log` and `operator-listen`.
    pub settings: Value,
    /// What is logged, and how to change that.
    pub log: (String, SetLog),
    /// Turns true when the server stops.
    pub stopping: watch::Receiver<bool>,
    /// How long an archive or a verification may wait for a client that reads nothing of it.
    pub patience: Duration,
}

/// A door that is open as long as [`OpenDoor::server`] is awaited.
pub struct OpenDoor {
    /// Where it is, as a client names it: `http://127.0.0.1:9090`, or `unix:/run/muninn.sock`.
    pub addresses: Vec<String>,
    /// It runs until it is stopped.
    pub server: Server,
    /// Stops it.
    pub handle: ServerHandle,
}

impl Door {
    /// Opens the door, at one place or several.
    ///
    /// # Errors
    /// If an address or a path is not to be had, with that place.
    pub fn open(self, places: &[Listen]) -> Result<OpenDoor, (Listen, io::Error)> {
        let Door {
            engine,
            shown,
            statistics,
            tables,
            metrics,
            mut settings,
            log: (log, set_log),
            stopping,
            patience,
        } = self;
        let mut bound = Vec::new();
        for place in places {
            let failed = |error| (place.clone(), error);
            let listener = place.listen().map_err(failed)?;
            bound.push((listener.place().map_err(failed)?, listener));
        }
        settings["operator-listen"] = bound.iter().map(|(place, _)| place.to_string()).collect();
        let engine = Data::from(engine);
        let turns = Arc::new(Semaphore::new(routes::LOOKS));
        let projections = Data::new(routes::Projections { shown, statistics, tables, turns });
        // Not as `Metrics`: what the operator asks is no request of a client.
        let metrics = Data::new(routes::Counters(metrics));
        let settings = Data::new(routes::Settings { settings, log: Mutex::new(log), set_log });
        let streams = Data::new(Streams { heartbeat: Duration::ZERO, shutdown: stopping });
        let backups = Data::new(backup::Backups::new(patience));
        let verifying = Data::new(verify::Verifying::new(patience));
        let server = HttpServer::new(move || {
            Router::new()
                .app_data(backups.clone())
                .app_data(engine.clone())
                .app_data(projections.clone())
                .app_data(metrics.clone())
                .app_data(settings.clone())
                .app_data(streams.clone())
                .app_data(verifying.clone())
                .wrap(from_fn(no_pages))
                .wrap(from_fn(observe))
                .wrap(from_fn(chunked::end))
                .configure(routes::register)
                .default_service(web::to(unknown))
        });
        let server = server.workers(1).worker_max_blocking_threads(8).shutdown_timeout(1);
        let mut server = server.disable_signals().tcp_nodelay(true).on_connect(pieces::Cut::keep);
        let mut addresses = Vec::new();
        for (place, listener) in bound {
            let (more, address) = match listener {
                Listener::Tcp(listener) => (server.listen(listener), format!("http://{place}")),
                #[cfg(unix)]
                Listener::Unix(listener, _) => (server.listen_uds(listener), place.to_string()),
            };
            server = more.map_err(|error| (place, error))?;
            addresses.push(address);
        }
        let server = server.run();
        Ok(OpenDoor { addresses, handle: server.handle(), server })
    }
}

/// A browser sends any page's requests to this machine too: with an origin, or to a name that the page's owner lets point here.
async fn no_pages(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let headers = request.headers();
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    let wrong = ["origin", "sec-fetch-site"].into_iter().find(|name| headers.contains_key(*name));
    if let Some(wrong) = wrong.or((!host.is_some_and(is_local)).then_some("host")) {
        let detail = "the operator's door is not for web pages: use another program, with the host localhost";
        return Ok(request.into_response(Problem::malformed(wrong, detail).error_response()));
    }
    Ok(next.call(request).await?.map_into_boxed_body())
}

/// Does a Host header name this machine itself?
fn is_local(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

async fn unknown(request: HttpRequest) -> Result<HttpResponse, Problem> {
    let fits = |path: &&(&str, Method)| crate::document::fits(path.0, request.path());
    let methods: Vec<Method> =
        routes::PATHS.iter().filter(fits).map(|(_, method)| method.clone()).collect();
    refuse_unknown(&request, (!methods.is_empty()).then_some(&methods))
}

#[cfg(test)]
mod tests {
    #[test]
    fn only_names_of_this_machine_are_local() {
        for host in
            ["localhost", "localhost:9090", "127.0.0.1:9090", "127.1.2.3", "[::1]:9090", "[::1]"]
        {
            assert!(super::is_local(host), "{host}");
        }
        for host in
            ["", "example.org", "example.org:9090", "10.0.0.1", "localhost.example.org", "[::2]:1"]
        {
            assert!(!super::is_local(host), "{host}");
        }
    }
}

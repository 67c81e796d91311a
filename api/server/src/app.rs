//! A server over HTTP: what it is made of, and how it is bound to a port.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use actix_cors::Cors;
use actix_web::dev::{Server, ServerHandle};
use actix_web::http::KeepAlive;
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data};
use actix_web::{App as Router, HttpServer};
use archive::Shown;
use canvas::Picture;
use engine::Engine;
use kernel::Lexicon;
use page::Page;
use tables::{Catalogue, Sql};
use tokio::sync::watch;
use utoipa_actix_web::AppExt;

use crate::chunked;
use crate::connections::{Connections, Doorkeeper};
use crate::docs;
use crate::document::Document;
use crate::headers::shorten;
use crate::lately::Lately;
use crate::limit::{Limits, Rates, limit};
use crate::metrics::Metrics;
use crate::observe::{observe, unknown};
use crate::routes::query::Queries;
use crate::routes::reports::Reports;
use crate::routes::tables::Tables;
use crate::routes::words::Lexicons;
use crate::routes::{self, pictures::Pictures, stream::Streams};
use crate::threads;

/// So long a proxy may leave a connection idle. Each that `deploy/` has closes its own before: a request that meets the end of a connection may be
/// lost, or not.
const KEPT_FOR_PROXIES: Duration = Duration::from_secs(75);

/// What a server is made of.
pub struct App {
    /// The matches.
    pub engine: Arc<Engine>,
    /// The statistics as they are shown now.
    pub shown: Arc<Shown>,
    /// What the server tells of itself.
    pub document: Document,
    /// How the games are drawn.
    pub pictures: &'static [&'static Picture],
    /// The words of each game.
    pub words: BTreeMap<&'static str, Lexicon>,
    /// The page for people at `/watch` and `/play`, if there is one.
    pub page: Option<Page>,
    /// The tables that answer SQL, and what an answer may take; none where nobody may ask.
    pub sql: Option<(Arc<Sql>, tables::Limits)>,
    /// A folder for what waits to be sent: nothing is left there.
    pub scratch: PathBuf,
    /// The rate limits.
    pub rates: Rates,
    /// The limits of connections.
    pub connections: Connections,
    /// How often a live stream gives a sign of life.
    pub heartbeat: Duration,
    /// The counters.
    pub metrics: Arc<Metrics>,
}

/// A server that is bound to its port and serves as long as [`Bound::server`] is awaited.
pub struct Bound {
    /// Where it listens.
    pub address: SocketAddr,
    /// It runs until it is stopped.
    pub server: Server,
    /// Stops it.
    pub stop: Stop,
}

/// Stops a server: streams end, running requests are answered.
#[derive(Clone)]
pub struct Stop {
    shutdown: watch::Sender<bool>,
    handle: ServerHandle,
}

impl App {
    /// Binds the port. `workers` threads serve requests, one for each core if it is 0.
    ///
    /// # Errors
    /// If the port is not to be had.
    pub fn bind(self, listen: SocketAddr, workers: usize) -> io::Result<Bound> {
        let App { engine, shown, document, pictures, words, page, sql, scratch, .. } = self;
        let App { rates, connections, heartbeat, metrics, .. } = self;
        let games = engine.games();
        let is_shared = engine.is_shared();
        let engine = Data::from(engine);
        let shown = Data::from(shown);
        let documents = docs::offered(&document);
        let document = Data::new(document);
        let page = page.map(Data::new);
        let pictures = Data::new(Pictures(pictures));
        let lexicons = Data::new(Lexicons(words));
        let metrics = Data::from(metrics);
        let (shutdown, stopping) = watch::channel(false);
        let streams = Data::new(Streams { heartbeat, shutdown: stopping });
        let doorkeeper = Doorkeeper::new(connections, Arc::clone(&metrics));
        let limits = Data::new(Limits::new(&rates));
        let tables = Data::new(Tables::new(Catalogue::new(games), sql.clone(), scratch));
        let queries = Data::new(Queries::new(sql));
        let reports = Data::new(Reports::new());
        let lately = Data::new(Lately::default());
        let kept = if rates.trusted_proxies == 0 {
            KeepAlive::default()
        } else {
            KeepAlive::Timeout(KEPT_FOR_PROXIES)
        };
        let server = HttpServer::new(move || {
            let (app, _) = Router::new()
                .app_data(engine.clone())
                .app_data(shown.clone())
                .app_data(document.clone())
                .app_data(pictures.clone())
                .app_data(lexicons.clone())
                .app_data(metrics.clone())
                .app_data(streams.clone())
                .app_data(limits.clone())
                .app_data(tables.clone())
                .app_data(queries.clone())
                .app_data(reports.clone())
                .app_data(lately.clone())
                .wrap(from_fn(limit))
                .wrap(cors())
                .wrap(from_fn(observe))
                .wrap(Compress::default())
                .wrap(from_fn(shorten))
                .wrap(from_fn(chunked::hold))
                .wrap(from_fn(chunked::end))
                .into_utoipa_app()
                .configure(routes::register)
                .split_for_parts();
            let app = match &page {
                Some(page) => app
                    .app_data(page.clone())
                    .configure(routes::pages::register)
                    .configure(routes::embed::register),
                None => app,
            };
            app.configure(routes::problems::register)
                .configure(|config| docs::register(config, documents.clone()))
                .default_service(web::to(unknown))
        });
        let server = if workers == 0 { server } else { server.workers(workers) };
        let server = server
            .on_connect(move |connection, kept| doorkeeper.meet(connection, kept))
            // Who closes a connection does not wait for its answer: what is computed for it ends.
            .h1_allow_half_closed(false)
            .keep_alive(kept)
            // An answer in pieces, and each message of a stream, goes out at once: else it waits up to 40 ms for the client's word that it has the piece before.
            .tcp_nodelay(true)
            .worker_max_blocking_threads(threads::of_worker(threads::cores(), is_shared))
            .shutdown_timeout(10)
            .disable_signals()
            .bind(listen)?;
        let address = *server.addrs().first().expect("a server that is bound has an address");
        let server = server.run();
        let stop = Stop { shutdown, handle: server.handle() };
        Ok(Bound { address, server, stop })
    }
}

impl Stop {
    /// Ends the streams, answers what is running, and returns when all is done.
    pub async fn gracefully(self) {
        self.stopping();
        self.handle.stop(true).await;
    }

    /// Tells everybody who watches that the server stops.
    pub fn stopping(&self) {
        self.shutdown.send_replace(true);
    }

    /// Turns true when the server stops.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<bool> {
        self.shutdown.subscribe()
    }
}

/// Any page may use the API: tokens travel in a header that the page itself sets, never in cookies.
fn cors() -> Cors {
    Cors::default()
        .allow_any_origin()
        .send_wildcard()
        .allowed_methods(["GET", "HEAD", "POST", "OPTIONS"])
        .allowed_headers([
            "Authorization",
            "Content-Type",
            "Idempotency-Key",
            "If-Match",
            "If-None-Match",
            "Last-Event-ID",
            "X-Request-Id",
        ])
        .expose_headers([
            "Complete",
            "Damaged",
            "ETag",
            "Feed-End",
            "Feed-Position",
            "Link",
            "Location",
            "RateLimit",
            "RateLimit-Policy",
            "Retry-After",
            "Truncated",
            "X-Request-Id",
        ])
        .max_age(86_400)
}

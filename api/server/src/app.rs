//! A running server: what `main` and the tests start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use actix_cors::Cors;
use actix_web::dev::{Server, ServerHandle};
use actix_web::middleware::{Compress, from_fn};
use actix_web::web::{self, Data, QueryConfig};
use actix_web::{App, HttpServer};
use archive::Shown;
use canvas::Picture;
use engine::{Config, Engine};
use journal::OpenError;
use kernel::AnyGame;
use page::Page;
use tables::{Catalogue, Sql};
use tokio::sync::watch;
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::{Config as SwaggerConfig, SwaggerUi};

use crate::bots;
use crate::config::{OnOff, ServeArgs};
use crate::limit::{Limits, limit};
use crate::metrics::Metrics;
use crate::observe::{observe, unknown};
use crate::openapi::Document;
use crate::problem::Problem;
use crate::routes::query::Queries;
use crate::routes::tables::Tables;
use crate::routes::{self, pictures::Pictures, stream::Streams};
use crate::{filling, statistics};

/// How many threads of each worker read the store. Reads are short; each thread keeps a few MiB for itself once it has worked,
/// and the framework would start hundreds.
const BLOCKING_THREADS: usize = 4;

/// A server that is bound to its port and not yet run.
pub struct Muninn {
    /// Where it listens.
    pub address: SocketAddr,
    engine: Arc<Engine>,
    shown: Arc<Shown>,
    metrics: Arc<Metrics>,
    statistics: PathBuf,
    sql: Option<Arc<Sql>>,
    server: Server,
    stop: Stop,
}

/// Stops a server: streams end, running requests are answered.
#[derive(Clone)]
pub struct Stop {
    shutdown: watch::Sender<bool>,
    handle: ServerHandle,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The store did not open.
    #[error(transparent)]
    Start(#[from] OpenError),
    /// The port is not to be had.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address asked for.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

impl Muninn {
    /// Opens the store and binds the port.
    ///
    /// # Errors
    /// If the store does not open, or the port is not to be had.
    pub fn build(
        args: &ServeArgs,
        games: &'static [&'static dyn AnyGame],
        pictures: &'static [&'static dyn Picture],
    ) -> Result<Self, BuildError> {
        let config = Config {
            matches_in_memory: args.matches_in_memory,
            cache_bytes: args.cache_mib << 20,
            bot_pause: args.bot_pause,
        };
        let engine = Data::from(Arc::new(Engine::start(&args.data, games, &config)?));
        let shown = Data::new(Shown::new(engine.position()));
        let counted = shown.clone().into_inner();
        let players = engine.clone().into_inner();
        let document = Data::new(Document::new(games));
        let files = Data::new(Page::new(pictures));
        let pictures = Data::new(Pictures(pictures));
        let metrics = Data::new(Metrics::new());
        let counters = metrics.clone().into_inner();
        let (shutdown, stopping) = watch::channel(false);
        let streams = Data::new(Streams { heartbeat: args.heartbeat, shutdown: stopping });
        let limits = Data::new(Limits::new(&args.limits, args.listen));
        let catalogue = Catalogue::new(games);
        let sql = (args.sql.query == OnOff::On)
            .then(|| Arc::new(Sql::beside(&args.data, catalogue.clone())));
        let queries = Data::new(Queries::new(sql.clone(), &args.sql));
        let tables = Data::new(Tables::new(catalogue));
        let pages = args.pages == OnOff::On;
        let server = HttpServer::new(move || {
            let (app, _) = App::new()
                .app_data(engine.clone())
                .app_data(shown.clone())
                .app_data(document.clone())
                .app_data(pictures.clone())
                .app_data(metrics.clone())
                .app_data(streams.clone())
                .app_data(limits.clone())
                .app_data(tables.clone())
                .app_data(queries.clone())
                .app_data(
                    QueryConfig::default().error_handler(|error, _| malformed_query(&error).into()),
                )
                .wrap(from_fn(limit))
                .wrap(cors())
                .wrap(from_fn(observe))
                .wrap(Compress::default())
                .into_utoipa_app()
                .configure(routes::register)
                .split_for_parts();
            let swagger = SwaggerConfig::from("/openapi.json").display_request_duration(true);
            let app = if pages {
                app.app_data(files.clone()).configure(routes::pages::register)
            } else {
                app
            };
            app.configure(routes::problems::register)
                .service(SwaggerUi::new("/docs/{_:.*}").config(swagger))
                .service(web::redirect("/docs", "/docs/"))
                .default_service(web::to(unknown))
        });
        let server = if args.workers == 0 { server } else { server.workers(args.workers) };
        let listen = |source| BuildError::Listen { address: args.listen, source };
        let server = server
            .worker_max_blocking_threads(BLOCKING_THREADS)
            .shutdown_timeout(10)
            .disable_signals()
            .bind(args.listen)
            .map_err(listen)?;
        let address = *server.addrs().first().expect("a server that is bound has an address");
        let server = server.run();
        let stop = Stop { shutdown, handle: server.handle() };
        Ok(Muninn {
            address,
            engine: players,
            shown: counted,
            metrics: counters,
            statistics: statistics::file_in(&args.data),
            sql,
            server,
            stop,
        })
    }

    /// What stops the server.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.stop.clone()
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// If a worker cannot be started.
    pub async fn run(self) -> io::Result<()> {
        let Muninn { address: _, engine, shown, metrics, statistics, sql, server, stop } = self;
        let sql = sql.map(|sql| {
            filling::start(&engine, sql, Arc::clone(&metrics), stop.shutdown.subscribe())
        });
        let counting = statistics::start(
            Arc::clone(&engine),
            shown,
            statistics,
            Arc::clone(&metrics),
            stop.shutdown.subscribe(),
        );
        let bots = bots::start(engine, metrics, stop.shutdown.subscribe());
        let served = server.await;
        stop.shutdown.send_replace(true);
        let threads = [(bots, "bots"), (counting, "statistics")].into_iter();
        for (thread, what) in threads.chain(sql.map(|thread| (thread, "tables"))) {
            let panicked = |_| io::Error::other(format!("the thread of the {what} panicked"));
            thread.join().map_err(panicked)?;
        }
        served
    }
}

impl Stop {
    /// Ends the streams, answers what is running, and returns when all is done.
    pub async fn gracefully(self) {
        self.shutdown.send_replace(true);
        self.handle.stop(true).await;
    }
}

fn malformed_query(error: &actix_web::error::QueryPayloadError) -> Problem {
    Problem::malformed("query", error.to_string())
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

//! A running server, and the threads beside it: what `main` and the tests start.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use actix_web::rt;
use archive::Shown;
use canvas::Picture;
use engine::{Config, Engine, IdleEnds};
use journal::{OpenError, Trouble};
use kernel::AnyGame;
use server::{App, Bound, Door, Listen, Metrics, OpenDoor, Stop};
use tables::{Catalogue, Sql};

use crate::background::Background;
use crate::config::{OnOff, ServeArgs};
use crate::words::{BadWords, page, words};
use crate::{bots, demo, filling, idle, keys, log, projections, replaced, settings, statistics};

/// A server that is bound to its port and not yet run.
pub struct Muninn {
    /// Where it listens.
    pub address: SocketAddr,
    engine: Arc<Engine>,
    shown: Arc<Shown>,
    metrics: Arc<Metrics>,
    statistics: PathBuf,
    sql: Option<Arc<Sql>>,
    /// The tables of an earlier query, where none are kept.
    unkept: Option<Sql>,
    bound: Bound,
    idle: IdleEnds,
    demo: bool,
    open_door: Option<OpenDoor>,
    /// Where the operator's door is, if it is open.
    pub doors: Vec<String>,
}

/// Why a server did not start.
#[derive(Debug, thiserror::Error)]
pub enum BuildError {
    /// The store did not open.
    #[error(transparent)]
    Start(#[from] OpenError),
    /// The words cannot be used.
    #[error(transparent)]
    Words(#[from] BadWords),
    /// The port cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The requested address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The operator's door cannot be opened.
    #[error("cannot open the operator's door at {listen}: {source}")]
    Door {
        /// Where it should be.
        listen: Listen,
        /// Why.
        source: io::Error,
    },
}

impl Muninn {
    /// Opens the store and binds the port.
    ///
    /// # Errors
    /// If the store does not open, or the port cannot be bound.
    pub fn build(
        args: &ServeArgs,
        games: &'static [&'static dyn AnyGame],
        pictures: &'static [&'static Picture],
    ) -> Result<Self, BuildError> {
        let config = Config {
            matches_bytes: (args.matches_mib as usize) << 20,
            cache_bytes: args.cache_mib << 20,
            bot_pause: args.bot_pause,
            quotas: args.limits.quotas(),
        };
        let engine = Arc::new(Engine::start_at(&args.home(), &args.data, games, &config)?);
        let shown = Arc::new(Shown::new(engine.position()));
        let metrics = Arc::new(Metrics::default());
        let sql = args.sql.limits().map(|limits| {
            let program = args.sql.query_program.clone();
            (Arc::new(Sql::beside(&args.data, Catalogue::new(games), program)), limits)
        });
        if args.wait_for_projections {
            let tables = sql.as_ref().map(|(sql, _)| &**sql);
            projections::wait(&engine, &shown, &args.data, tables, &metrics);
        }
        let on = args.pages == OnOff::On;
        let app = App {
            engine: Arc::clone(&engine),
            shown: Arc::clone(&shown),
            document: openapi::document(games, Some(openapi::RECORDED)),
            pictures,
            words: words(games, args.words.as_deref())?,
            page: on.then(|| page(args.words.as_deref())).transpose()?,
            sql: sql.clone(),
            scratch: args.data.clone(),
            rates: args.limits.rates(),
            connections: args.limits.connections(),
            heartbeat: args.heartbeat,
            metrics: Arc::clone(&metrics),
        };
        let listen = |source| BuildError::Listen { address: args.listen, source };
        let bound = app.bind(args.listen, args.workers).map_err(listen)?;
        let open_door = (!args.operator_listen.is_empty()).then(|| {
            let door = Door {
                engine: Arc::clone(&engine),
                shown: Arc::clone(&shown),
                statistics: statistics::file_in(&args.data),
                tables: sql.as_ref().map(|(sql, _)| Arc::clone(sql)),
                metrics: Arc::clone(&metrics),
                settings: settings::effective(args, bound.address),
                log: (args.log.clone(), log::set()),
                stopping: bound.stop.watch(),
                patience: args.limits.send_timeout,
            };
            let failed = |(listen, source)| BuildError::Door { listen, source };
            door.open(&args.operator_listen).map_err(failed)
        });
        let open_door = open_door.transpose()?;
        Ok(Muninn {
            doors: open_door.iter().flat_map(|door| door.addresses.clone()).collect(),
            open_door,
            address: bound.address,
            engine,
            shown,
            metrics,
            statistics: statistics::file_in(&args.data),
            unkept: sql.is_none().then(|| Sql::beside(&args.data, Catalogue::new(games), None)),
            sql: sql.map(|(sql, _)| sql),
            bound,
            idle: args.limits.idle(),
            demo: args.demo,
        })
    }

    /// What stops the server.
    #[must_use]
    pub fn stop(&self) -> Stop {
        self.bound.stop.clone()
    }

    /// Serves until it is stopped.
    ///
    /// # Errors
    /// If a worker or a thread beside them cannot be started, or one of these panicked, or the database gets another store.
    pub async fn run(self) -> io::Result<()> {
        let Muninn {
            address: _,
            engine,
            shown,
            metrics,
            statistics,
            sql,
            unkept,
            bound,
            idle,
            demo,
            open_door,
            doors: _,
        } = self;
        let Bound { address: _, server, stop } = bound;
        let mut background = Background::new(Arc::clone(&metrics));
        let (beside, of) = (&mut background, || Arc::clone(&engine));
        let counted = Arc::clone(&metrics);
        statistics::start(beside, of(), shown, statistics, unkept, counted, stop.watch())?;
        keys::start(beside, of(), stop.watch())?;
        idle::start(beside, of(), idle, stop.watch())?;
        if let Some(sql) = sql {
            filling::start(beside, of(), sql, Arc::clone(&metrics), stop.watch())?;
        }
        if engine.is_shared() {
            replaced::start(beside, of(), stop.clone())?;
        }
        if demo {
            demo::start(beside, of(), stop.watch())?;
        }
        bots::start(beside, of(), metrics, stop.watch())?;
        let door = open_door.map(|door| (door.handle, rt::spawn(door.server)));
        let served = server.await;
        stop.stopping();
        if let Some((handle, served)) = door {
            handle.stop(false).await;
            served.await.map_err(io::Error::other)??;
        }
        let ended = background.end();
        engine.save_list();
        ended?;
        served?;
        engine.replaced().map_or(Ok(()), |why| Err(io::Error::other(Trouble::Replaced(why))))
    }
}

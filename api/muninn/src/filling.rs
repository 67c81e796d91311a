//! The tables for SQL, kept up with the feed beside the server.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use archive::Archive;
use engine::Engine;
use server::{Metrics, Rebuilt};
use tables::{Sql, SqlError};
use tokio::sync::watch;

use crate::background::{Background, is_over};

/// How often to look for matches that have ended.
const LOOK: Duration = Duration::from_secs(1);
/// How long to wait after the file could not be written.
const AGAIN: Duration = Duration::from_secs(10);
/// How often what was left out is tried again.
const MEND: Duration = Duration::from_secs(60);

/// Starts the thread that fills; it ends when `shutdown` says so. From here on nobody is answered from tables that may have a forgotten name.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    sql: Arc<Sql>,
    metrics: Arc<Metrics>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    sql.refuse_older(&Archive::new(engine.journal()));
    background.start("tables", move || async move {
        keep(&engine, &sql, &metrics, shutdown).await;
    })
}

async fn keep(engine: &Engine, sql: &Sql, metrics: &Metrics, mut shutdown: watch::Receiver<bool>) {
    let mut filled = None;
    // Those of the start, too: what is there may be from before them.
    let mut forgettings = 0;
    let (mut tried, mut damaged) = (Instant::now(), 0);
    // Then nothing is wrong with what is thrown away.
    let mut has_forgotten = false;
    let archive = Archive::new(engine.journal());
    while !*shutdown.borrow() {
        if forgettings != engine.forgettings() {
            forgettings = engine.forgettings();
            metrics.filled(0);
            sql.begin_again(forgettings);
            has_forgotten = true;
        }
        let position = engine.position();
        let mut wait = LOOK;
        let again = damaged > 0 && tried.elapsed() > MEND;
        let is_due = again || sql.is_suspect();
        if !is_due && filled != Some(position) && sql.goes_on(&archive, position) {
            filled = Some(position);
            metrics.filled(position);
        }
        if is_due || filled != Some(position) {
            // Half of the time is left to others.
            let mut start = Instant::now();
            let over = || *shutdown.borrow() || forgettings != engine.forgettings();
            let rest = || {
                if !over() {
                    thread::sleep(start.elapsed());
                }
                start = Instant::now();
                over()
            };
            match fill(engine, sql, metrics, has_forgotten, rest) {
                // Names were forgotten meanwhile: it begins again.
                Ok(()) if forgettings != engine.forgettings() => continue,
                Ok(()) => {
                    has_forgotten = false;
                    filled = Some(position);
                    metrics.filled(position);
                    (tried, damaged) = (Instant::now(), engine.damaged_count());
                }
                // It is made anew.
                Err(SqlError::Damaged { what: _, path: _, differs: _ }) => has_forgotten = false,
                Err(error) => {
                    tracing::warn!(%error, "the tables for SQL cannot be kept up to date");
                    wait = AGAIN;
                }
            }
        }
        if is_over(&mut shutdown, wait).await {
            return;
        }
    }
}

/// Makes sure that the file is whole, and adds what ended since, until `over` says that it is enough. If a name was forgotten, the file is made anew
/// without anything being wrong with it.
pub(crate) fn fill(
    engine: &Engine,
    sql: &Sql,
    metrics: &Metrics,
    has_forgotten: bool,
    mut over: impl FnMut() -> bool,
) -> Result<(), SqlError> {
    let archive = Archive::new(engine.journal());
    let prepared = sql.prepare(&archive)?;
    if let Some(why) = &prepared.unfit {
        let file = sql.path().display();
        if has_forgotten {
            tracing::info!(%file, %why, "the tables for SQL are being filled anew");
        } else {
            tracing::warn!(%file, %why, "the tables for SQL are being filled anew");
            metrics.rebuilt(Rebuilt::Tables);
        }
    }
    metrics.filled(prepared.position());
    prepared.refresh(1, &mut |position, _| {
        metrics.filled(position);
        if over() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
}

//! What is derived from the feed, brought up to date before the server listens.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use archive::{Archive, Shown};
use engine::Engine;
use journal::Damaged;
use server::Metrics;
use tables::Sql;

use crate::{filling, statistics};

/// How often to look whether the list is complete.
const LOOK: Duration = Duration::from_millis(20);
/// How often a database that does not answer is asked again.
const AGAIN: Duration = Duration::from_secs(1);
/// How often it is said how far the list is.
const TELL: Duration = Duration::from_secs(5);

/// Returns when the list of matches, the statistics and the tables have every commit. What cannot be written is said in the log, and not waited for.
pub(crate) fn wait(
    engine: &Engine,
    shown: &Shown,
    data: &Path,
    tables: Option<&Sql>,
    metrics: &Metrics,
) {
    let start = Instant::now();
    let archive = Archive::new(engine.journal());
    // Whatever is damaged is set aside, logged there, and mended later.
    let file = statistics::file_in(data);
    let mut tries = 0;
    let (mut projection, unfit) = loop {
        match statistics::try_read(&file, &archive, &mut tries) {
            Ok(read) => break read,
            Err(error) => tracing::warn!(%error, "waiting for the statistics of before"),
        }
        thread::sleep(AGAIN);
    };
    if let Some(why) = unfit {
        tracing::warn!(file = %file.display(), %why, "the statistics are being counted anew");
        metrics.rebuilt(server::Rebuilt::Statistics);
    }
    projection.mend(&archive);
    let is_away = |damaged: Vec<Damaged>| damaged.iter().any(Damaged::is_away);
    while is_away(projection.go_on(&archive, engine.position(), &mut |_| true)) {
        tracing::warn!("waiting for the database");
        thread::sleep(AGAIN);
    }
    statistics::save(&projection, &file);
    shown.set(projection);
    let filled = tables.map(|sql| filling::fill(engine, sql, metrics, false, || false));
    match filled {
        Some(Ok(())) => metrics.filled(engine.position()),
        Some(Err(error)) => tracing::warn!(%error, "the tables for SQL cannot be filled"),
        None => {}
    }
    let mut told = Instant::now();
    while !engine.is_listed() {
        thread::sleep(LOOK);
        if told.elapsed() > TELL {
            let (position, end) = (engine.list_position(), engine.position());
            tracing::info!(position, end, "waiting for the list of matches");
            told = Instant::now();
        }
    }
    let seconds = start.elapsed().as_secs();
    tracing::info!(
        seconds,
        position = engine.position(),
        "list, statistics and tables are up to date"
    );
}

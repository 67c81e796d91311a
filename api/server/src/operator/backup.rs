//! The whole store as an archive, while it is played in.

use std::io::{BufWriter, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use archive::portable::{Failed, Manifest, back_up};
use engine::Engine;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::operator::pieces::Pieces;
use crate::priority::step_back_or_say;
use crate::problem::{Problem, internal};
use crate::request::MaybeBody;

/// So many bytes are sent at once.
const PIECE: usize = 1 << 16;

/// One backup at a time: it takes a core.
pub(super) struct Backups {
    turn: Arc<Semaphore>,
    /// How long it may wait for a client that reads nothing of it.
    patience: Duration,
}

impl Backups {
    pub(super) fn new(patience: Duration) -> Self {
        Backups { turn: Arc::new(Semaphore::new(1)), patience }
    }
}

/// What to write.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The manifest of an earlier archive: only what came after it.
    since: Option<Manifest>,
}

/// Sends an archive. What is wrong at its beginning is a problem; later only the answer can be cut off, and the archive has no end.
pub(super) async fn backup(
    engine: Data<Engine>,
    backups: Data<Backups>,
    request: HttpRequest,
    body: MaybeBody<Wanted>,
) -> Result<HttpResponse, Problem> {
    let slot = Arc::clone(&backups.turn).try_acquire_owned();
    let slot = slot.map_err(|_| Problem::new("unavailable", "a backup is running already"))?;
    let (pieces, mut receiver) = Pieces::new(&request, 8, backups.patience);
    let work = thread::Builder::new().name("backup".to_owned());
    let since = body.0.since;
    work.spawn(move || write(&engine, since.as_ref(), pieces, slot))
        .map_err(|error| internal(&error))?;
    let first = receiver.recv().await.transpose()?;
    let pieces = stream::unfold((first, receiver), |(first, mut receiver)| async move {
        let piece = match first {
            Some(first) => Ok(first),
            None => receiver.recv().await?,
        };
        Some((piece, (None, receiver)))
    });
    Ok(HttpResponse::Ok().content_type("application/zstd").streaming(pieces))
}

fn write(engine: &Engine, since: Option<&Manifest>, pieces: Pieces, _slot: OwnedSemaphorePermit) {
    let (sender, is_cut) = (pieces.sender.clone(), Arc::clone(&pieces.is_cut));
    let out = BufWriter::with_capacity(PIECE, pieces);
    let journal = engine.journal();
    let written = back_up(journal.store(), since, out, step_back_or_say, &mut |_, _| {});
    let written = written.map(|(manifest, mut out)| out.flush().map(|()| manifest));
    let failed = match written {
        Ok(Ok(Manifest { position, commits, .. })) => {
            return tracing::info!(position, commits, "the operator has made a backup");
        }
        Ok(Err(error)) => internal(&error),
        Err(Failed::Unfit(what)) => {
            // Where something was sent before, nobody else hears of it.
            tracing::warn!(error = %what, "the operator's backup was given up");
            Problem::malformed("/since", what)
        }
        Err(error) => internal(&with_causes(&error)),
    };
    if is_cut.load(Ordering::Relaxed) {
        return;
    }
    // The client may have gone; then nobody waits.
    drop(sender.blocking_send(Err(failed)));
}

/// An error and what caused it, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

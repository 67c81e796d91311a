//! The whole store as an archive, while it is played in.

use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use std::thread;

use actix_web::HttpResponse;
use actix_web::web::{Bytes, Data};
use archive::portable::{Failed, Manifest, back_up};
use engine::Engine;
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::priority::step_back_or_say;
use crate::problem::{Problem, internal};
use crate::request::Body;

/// So many bytes are sent at once.
const PIECE: usize = 1 << 16;

/// One backup at a time: it takes a core.
pub(super) struct Backups(Arc<Semaphore>);

impl Default for Backups {
    fn default() -> Self {
        Backups(Arc::new(Semaphore::new(1)))
    }
}

/// What to write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The manifest of an earlier archive: only what came after it.
    since: Option<Manifest>,
}

type Piece = Result<Bytes, Problem>;

/// What is written goes to the client, piece by piece.
struct Pieces(mpsc::Sender<Piece>);

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = Ok(Bytes::copy_from_slice(bytes));
        self.0.blocking_send(piece).map_err(|_| io::Error::other("the client has gone"))?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Sends an archive. What is wrong at its beginning is a problem; later only the answer can be cut off, and the archive has no end.
pub(super) async fn backup(
    engine: Data<Engine>,
    backups: Data<Backups>,
    body: Body<Wanted>,
) -> Result<HttpResponse, Problem> {
    let slot = Arc::clone(&backups.0).try_acquire_owned();
    let slot = slot.map_err(|_| Problem::new("unavailable", "a backup is running already"))?;
    let (sender, mut receiver) = mpsc::channel(8);
    let work = thread::Builder::new().name("backup".to_owned());
    let since = body.value.since;
    work.spawn(move || write(&engine, since.as_ref(), sender, slot))
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

fn write(
    engine: &Engine,
    since: Option<&Manifest>,
    sender: mpsc::Sender<Piece>,
    _slot: OwnedSemaphorePermit,
) {
    let out = BufWriter::with_capacity(PIECE, Pieces(sender.clone()));
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
    // The client may have gone; then nobody waits.
    drop(sender.blocking_send(Err(failed)));
}

/// An error and what caused it, in one line.
fn with_causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(error.source(), |cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

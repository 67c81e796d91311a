//! The whole store as an archive, while it is played in.

use std::any::Any;
use std::io::{self, BufWriter, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::dev::Extensions;
use actix_web::rt::net::TcpStream;
#[cfg(unix)]
use actix_web::rt::net::UnixStream;
use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, HttpResponse};
use archive::portable::{Failed, Manifest, back_up};
use engine::Engine;
use futures_util::stream;
use serde::Deserialize;
use socket2::{SockRef, Socket};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};

use crate::priority::step_back_or_say;
use crate::problem::{Problem, internal};
use crate::request::MaybeBody;

/// So many bytes are sent at once.
const PIECE: usize = 1 << 16;

/// A client that has not taken all so far is looked at again after this.
const LOOK: Duration = Duration::from_millis(5);

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

/// Cuts off the client of a connection, whatever it does.
#[derive(Clone)]
pub(super) struct Cut(Arc<Socket>);

impl Cut {
    /// Keeps with each connection what cuts it off.
    pub(super) fn keep(connection: &dyn Any, kept: &mut Extensions) {
        let tcp = connection.downcast_ref::<TcpStream>().map(SockRef::from);
        #[cfg(unix)]
        let socket = tcp.or_else(|| connection.downcast_ref::<UnixStream>().map(SockRef::from));
        #[cfg(not(unix))]
        let socket = tcp;
        // Without it a backup is given up all the same, and its connection lasts as long as its client.
        if let Some(Ok(socket)) = socket.map(|socket| socket.try_clone()) {
            kept.insert(Cut(Arc::new(socket)));
        }
    }

    fn off(&self) {
        // It may have gone by itself.
        drop(self.0.shutdown(Shutdown::Both));
    }
}

/// What to write.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    /// The manifest of an earlier archive: only what came after it.
    since: Option<Manifest>,
}

type Piece = Result<Bytes, Problem>;

/// What is written goes to the client, piece by piece.
struct Pieces {
    sender: mpsc::Sender<Piece>,
    patience: Duration,
    cut: Option<Cut>,
    /// It has read nothing for so long that nothing more is sent.
    is_cut: Arc<AtomicBool>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut piece = Ok(Bytes::copy_from_slice(bytes));
        let since = Instant::now();
        while !self.is_cut.load(Ordering::Relaxed) {
            piece = match self.sender.try_send(piece) {
                Ok(()) => return Ok(bytes.len()),
                Err(TrySendError::Closed(_)) => {
                    return Err(io::Error::other("the client has gone"));
                }
                Err(TrySendError::Full(piece)) => piece,
            };
            if since.elapsed() > self.patience {
                self.is_cut.store(true, Ordering::Relaxed);
                self.cut.iter().for_each(Cut::off);
            }
            thread::sleep(LOOK);
        }
        let seconds = self.patience.as_secs();
        Err(io::Error::other(format!("the client has read nothing for {seconds} s")))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
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
    let (sender, mut receiver) = mpsc::channel(8);
    let work = thread::Builder::new().name("backup".to_owned());
    let (since, patience) = (body.0.since, backups.patience);
    let cut = request.conn_data::<Cut>().cloned();
    let pieces = Pieces { sender, patience, cut, is_cut: Arc::default() };
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

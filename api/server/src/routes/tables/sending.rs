//! Tables on their way to clients: few at once, and none for a client that does not read.

use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak};
use std::time::{Duration, Instant};

use actix_web::web::{Bytes, Data};
use actix_web::{HttpRequest, rt};
use flood::Flood;
use futures_util::stream::{self, Stream, StreamExt};
use tables::{Catalogue, DownloadError, Limits, Pieces, Sql};
use tokio::sync::watch;

use crate::address::Address;
use crate::forgotten::Begun;
use crate::limit::lock;
use crate::meter;
use crate::metrics::Limit;
use crate::problem::{Problem, internal};
use crate::request::engine_of;
use crate::routes::stream::{PATIENCE, Streams};

/// How many tables are sent at once. Each takes some megabytes of memory, and some of the disk.
const AT_ONCE: usize = 4;
/// And how many of them to one address.
const AT_ONCE_TO: usize = 2;

/// The tables of a server.
pub(crate) struct Tables {
    /// The tables with the columns of hashes.
    hashed: Arc<Catalogue>,
    /// The same without.
    bare: Arc<Catalogue>,
    /// The file of the tables for SQL, where it is kept, and what a query over it may take.
    pub(super) sql: Option<(Arc<Sql>, Limits)>,
    /// Where files wait until they are sent.
    pub(super) scratch: PathBuf,
    sent: Arc<Mutex<Vec<Option<Address>>>>,
}

/// The place of a table that is being sent; it is free again when this is gone.
struct Slot {
    to: Option<Address>,
    sent: Arc<Mutex<Vec<Option<Address>>>>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut sent = lock(&self.sent);
        if let Some(at) = sent.iter().position(|to| *to == self.to) {
            sent.swap_remove(at);
        }
    }
}

impl Tables {
    pub(crate) fn new(
        catalogue: Catalogue,
        sql: Option<(Arc<Sql>, Limits)>,
        scratch: PathBuf,
    ) -> Self {
        let bare = Arc::new(catalogue.clone().without_hashes());
        Tables { hashed: Arc::new(catalogue), bare, sql, scratch, sent: Arc::default() }
    }

    /// The tables with the columns of hashes, or without.
    pub(super) fn catalogue_of(&self, hashes: bool) -> Arc<Catalogue> {
        Arc::clone(if hashes { &self.hashed } else { &self.bare })
    }

    /// Takes a place for whoever asks.
    ///
    /// # Errors
    /// If there is none, or none for this address.
    fn slot(&self) -> Result<Slot, Problem> {
        let to = meter::address();
        let mut sent = lock(&self.sent);
        if sent.iter().filter(|known| **known == to).count() >= AT_ONCE_TO {
            let detail = format!(
                "{AT_ONCE_TO} downloads of tables to this address are running, which is the limit"
            );
            return Err(Problem::new("rate_limited", detail).of_limit(Limit::Downloads));
        }
        if sent.len() >= AT_ONCE {
            let detail = format!("{AT_ONCE} downloads of tables are running, which is the limit");
            return Err(Problem::new("unavailable", detail).of_limit(Limit::Downloads));
        }
        sent.push(to);
        Ok(Slot { to, sent: Arc::clone(&self.sent) })
    }
}

/// Begins to send what `open` makes of the tables, and says how much is damaged and left out. What is wrong at its beginning is a problem;
/// later only the answer can be cut off.
pub(super) async fn begin(
    request: &HttpRequest,
    open: impl FnOnce(&Tables) -> Result<Box<dyn Pieces>, Problem>,
) -> Result<(u64, impl Stream<Item = Result<Bytes, Problem>> + 'static), Problem> {
    let engine = engine_of(request);
    // `open` looks already which rows are there.
    let begun = Begun::now(&engine);
    let tables = data::<Tables>(request).into_inner();
    let streams = data::<Streams>(request);
    let slot = tables.slot()?;
    let pieces = open(&tables)?;
    let sending = Sending { waiting: Arc::default(), shutdown: streams.shutdown.clone() };
    sending.wait(pieces, slot);
    let first = sending.piece().await?;
    let damaged = sending.seal()?;
    begun.unforgotten(&engine)?;
    let patience = streams.heartbeat * PATIENCE;
    rt::spawn(give_up(Arc::downgrade(&sending.waiting), patience));
    let rest = stream::unfold(Some(sending), |sending| async move {
        let sending = sending?;
        let piece = sending.piece().await.transpose()?;
        // The status was sent long ago: an answer that is cut off is the only way to say that something went wrong.
        let next = piece.is_ok().then_some(sending);
        Some((piece, next))
    });
    Ok((damaged, StreamExt::chain(stream::iter(first.map(Ok)), rest)))
}

fn data<T: 'static>(request: &HttpRequest) -> Data<T> {
    let data = request.app_data::<Data<T>>();
    Data::clone(data.expect("every app is built with it"))
}

/// A table that is being sent to one client.
struct Sending {
    waiting: Arc<Mutex<Option<Waiting>>>,
    shutdown: watch::Receiver<bool>,
}

/// What lies between two pieces. It is gone while there is work on it, and when it was given up.
struct Waiting {
    pieces: Box<dyn Pieces>,
    slot: Slot,
    /// Since when nobody has asked for the next piece.
    since: Option<Instant>,
}

impl Sending {
    fn wait(&self, pieces: Box<dyn Pieces>, slot: Slot) {
        *lock(&self.waiting) = Some(Waiting { pieces, slot, since: Some(Instant::now()) });
    }

    /// What is left out is counted: from now on it is no more.
    fn seal(&self) -> Result<u64, Problem> {
        let sealed = lock(&self.waiting).as_mut().map(|waiting| waiting.pieces.seal());
        sealed.ok_or_else(|| Problem::new("unavailable", "the client did not read what was sent"))
    }

    /// The next bytes; `None` at the end.
    async fn piece(&self) -> Result<Option<Bytes>, Problem> {
        loop {
            // Who waits for a turn reads.
            if let Some(waiting) = lock(&self.waiting).as_mut() {
                waiting.since = None;
            }
            // Where nothing comes of the work, no body holds it up.
            let turn = meter::paid_turn().await;
            let waiting = lock(&self.waiting).take();
            let Some(Waiting { mut pieces, slot, since: _ }) = waiting else {
                return Err(Problem::new("unavailable", "the client did not read what was sent"));
            };
            if *self.shutdown.borrow() {
                return Err(Problem::new("unavailable", "the server is stopping"));
            }
            // The place is taken while there is work on it, also where the client has gone.
            let slice = meter::in_turn(turn, move || {
                let piece = pieces.next_piece();
                (piece, pieces.elsewhere(), pieces, slot)
            });
            let (piece, elsewhere, pieces, slot) = slice.await?;
            meter::pay_for(elsewhere);
            let piece = piece.map_err(problem)?;
            self.wait(pieces, slot);
            // In a body that is sent in chunks, one of no bytes is the end.
            if piece.as_ref().is_none_or(|bytes| !bytes.is_empty()) {
                return Ok(piece.map(Bytes::from));
            }
        }
    }
}

/// Drops a table whose client has not read for so long, so that others get its place.
async fn give_up(waiting: Weak<Mutex<Option<Waiting>>>, patience: Duration) {
    while let Some(waiting) = waiting.upgrade() {
        let is_over = |since: Instant| since.elapsed() > patience;
        lock(&waiting).take_if(|waiting| waiting.since.is_some_and(is_over));
        drop(waiting);
        rt::time::sleep(patience / 2).await;
    }
}

static CUT_OFF: Flood = Flood::new();
static FULL: Flood = Flood::new();

fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn problem(error: DownloadError) -> Problem {
    match error {
        DownloadError::Damaged(damaged) => {
            CUT_OFF.line(|more| tracing::error!(%damaged, more, "a table was cut off"));
            Problem::new("damaged", damaged.told())
        }
        DownloadError::Away(_) => {
            Problem::new("unavailable", "the store does not answer; nothing was left out")
        }
        DownloadError::Io(error) if is_full(&error) => {
            FULL.line(|more| tracing::error!(%error, more, "the disk has no space for tables"));
            Problem::new("unavailable", "the disk has no space for tables that wait to be sent")
        }
        DownloadError::Io(error) => internal(&error),
    }
}

//! Work beside the server, each in a thread of its own.

use std::io;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::rt;
use futures_util::FutureExt;
use server::Metrics;
use tokio::sync::watch;

/// The threads beside a server. One that ends by a panic is told by the server from then on, and is an error when it stops.
pub(crate) struct Background {
    metrics: Arc<Metrics>,
    threads: Vec<JoinHandle<()>>,
}

/// Tells of its thread should that panic.
struct Watched {
    name: &'static str,
    metrics: Arc<Metrics>,
}

impl Drop for Watched {
    fn drop(&mut self) {
        if thread::panicking() {
            self.metrics.thread_lost(self.name);
        }
    }
}

impl Background {
    /// There are none yet.
    pub(crate) fn new(metrics: Arc<Metrics>) -> Self {
        Background { metrics, threads: Vec::new() }
    }

    /// Starts a thread that ends with what `work` begins.
    ///
    /// # Errors
    /// If the system gives no thread.
    pub(crate) fn start<W: Future<Output = ()>>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> W + Send + 'static,
    ) -> io::Result<()> {
        let watched = Watched { name, metrics: Arc::clone(&self.metrics) };
        let run = move || {
            let _watched = watched;
            rt::System::new().block_on(work());
        };
        let none = |error: io::Error| {
            io::Error::new(error.kind(), format!("no thread for the {name}: {error}"))
        };
        let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
        self.threads.push(thread.map_err(none)?);
        Ok(())
    }

    /// Waits until all of them have ended.
    ///
    /// # Errors
    /// If one has panicked.
    pub(crate) fn end(self) -> io::Result<()> {
        let mut ended = Ok(());
        for thread in self.threads {
            let name = thread.thread().name().unwrap_or_default().to_owned();
            if thread.join().is_err() {
                ended = Err(io::Error::other(format!("the thread of the {name} panicked")));
            }
        }
        ended
    }
}

/// What comes of a part of the work, such as that of one match; nothing if it panics, which is in the log then. Who shares something with it finds
/// that whole: what a lock guards is replaced in one step.
pub(crate) async fn caught<T>(work: impl Future<Output = T>) -> Option<T> {
    AssertUnwindSafe(work).catch_unwind().await.ok()
}

/// Waits; says whether the server stops.
pub(crate) async fn is_over(shutdown: &mut watch::Receiver<bool>, wait: Duration) -> bool {
    let stops = shutdown.wait_for(|stops| *stops);
    // Nobody can stop a server that is gone.
    rt::time::timeout(wait, stops).await.is_ok()
}

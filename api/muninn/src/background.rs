//! Work beside the server, each in a thread of its own.

use std::io;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use actix_web::rt;
use tokio::sync::watch;

/// Starts a thread that ends with what `work` begins.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start<W: Future<Output = ()>>(
    name: &str,
    work: impl FnOnce() -> W + Send + 'static,
) -> io::Result<JoinHandle<()>> {
    let run = move || rt::System::new().block_on(work());
    let thread = thread::Builder::new().name(name.to_owned()).spawn(run);
    thread
        .map_err(|error| io::Error::new(error.kind(), format!("no thread for the {name}: {error}")))
}

/// Waits; says whether the server stops.
pub(crate) async fn is_over(shutdown: &mut watch::Receiver<bool>, wait: Duration) -> bool {
    let stops = shutdown.wait_for(|stops| *stops);
    // Nobody can stop a server that is gone.
    rt::time::timeout(wait, stops).await.is_ok()
}

//! Notes of idempotency keys that are remembered no longer are removed: a page now and then, so that whoever plays does not notice.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use engine::Engine;
use flood::Flood;
use tokio::sync::watch;

use crate::background::{Background, is_over};
use crate::clock::Clock;

/// From one page to the next.
const PAUSE: Duration = Duration::from_millis(50);
/// From one round to the next.
const ROUND: Duration = Duration::from_secs(600);

/// Where the disk fails, nothing can be removed, again and again.
static IDLE: Flood = Flood::new();

/// Starts the thread; it ends when `shutdown` says so.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    let clock = Clock::new("the removal of old idempotency keys");
    background.start("keys", move || async move { forget(&engine, clock, shutdown).await })
}

async fn forget(engine: &Engine, mut clock: Clock, mut shutdown: watch::Receiver<bool>) {
    let mut after = None;
    while !*shutdown.borrow() {
        after = if clock.is_far_ahead() {
            None
        } else {
            engine.forget_keys(after).await.unwrap_or_else(|error| {
                IDLE.line(|more| tracing::warn!(%error, more, "old idempotency keys stay for now"));
                None
            })
        };
        let wait = if after.is_some() { PAUSE } else { ROUND };
        if is_over(&mut shutdown, wait).await {
            return;
        }
    }
}

//! A server ends when its database gets another store than the one that was opened: what it has in memory is of one that is gone, or of a part of
//! the new one. Started again, it derives everything anew.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt;
use engine::Engine;
use server::Stop;

use crate::background::Background;

/// How often to look.
const LOOK: Duration = Duration::from_millis(250);

/// Starts the thread that looks; it ends when the server stops.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    stop: Stop,
) -> io::Result<()> {
    background.start("store watch", move || async move { watch(&engine, stop).await })
}

async fn watch(engine: &Engine, stop: Stop) {
    let mut shutdown = stop.watch();
    while !*shutdown.borrow() {
        if let Some(why) = engine.replaced() {
            tracing::error!(why, "the database has another store now: this server ends");
            return stop.gracefully().await;
        }
        tokio::select! {
            () = rt::time::sleep(LOOK) => {}
            gone = shutdown.changed() => if gone.is_err() { return },
        }
    }
}

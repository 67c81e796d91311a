//! The server's players: one thread that plays for all bots, one move at a time, and rests as long as it worked.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use actix_web::rt;
use engine::{BotDue, Engine};
use flood::Flood;
use server::Metrics;
use tokio::sync::watch;

use crate::background;

/// How long to wait for news where no bot is due.
const LONG: Duration = Duration::from_secs(3600);

/// Where the disk fails, no bot can act, again and again.
static IDLE: Flood = Flood::new();

/// Starts the thread; it ends when `shutdown` says so.
pub(crate) fn start(
    engine: Arc<Engine>,
    metrics: Arc<Metrics>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<JoinHandle<()>> {
    background::start("bots", move || async move { play(&engine, &metrics, shutdown).await })
}

async fn play(engine: &Engine, metrics: &Metrics, mut shutdown: watch::Receiver<bool>) {
    while !*shutdown.borrow() {
        let (wait, rest) = match engine.next_bot() {
            BotDue::Now(id) => {
                let start = Instant::now();
                match engine.play_bot(id).await {
                    Ok(Some((game, bot))) => metrics.bot_command(game, bot),
                    Ok(None) => {}
                    Err(error) => IDLE.line(|more| {
                        tracing::error!(match.id = %id, %error, more, "a bot could not act");
                    }),
                }
                // Whatever the bots have to think about, half of a core is left.
                (start.elapsed(), true)
            }
            BotDue::In(wait) => (wait, false),
            BotDue::Never => (LONG, false),
        };
        tokio::select! {
            () = rt::time::sleep(wait) => {}
            () = engine.bots_changed(), if !rest => {}
            // Nobody can stop a server that is gone.
            gone = shutdown.changed() => if gone.is_err() { return },
        }
    }
}

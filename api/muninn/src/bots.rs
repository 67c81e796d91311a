//! The server's players: one thread that plays for all bots, one move at a time, and rests as long as it worked, a second at most.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use engine::{BotDue, Engine};
use flood::Flood;
use server::Metrics;
use tokio::sync::watch;

use crate::background::{Background, caught};

/// How long to wait for news where no bot is due.
const LONG: Duration = Duration::from_secs(3600);
/// The longest rest. No bot thinks that long: what took longer waited for the store.
const REST: Duration = Duration::from_secs(1);

/// Where the disk fails, no bot can act, again and again.
static IDLE: Flood = Flood::new();
/// A game that panics may do so in many matches.
static PANICKED: Flood = Flood::new();

/// Starts the thread; it ends when `shutdown` says so.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    metrics: Arc<Metrics>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    background.start("bots", move || async move { play(&engine, &metrics, shutdown).await })
}

async fn play(engine: &Engine, metrics: &Metrics, mut shutdown: watch::Receiver<bool>) {
    // A bot that could not act for a panic could not the next time either.
    let mut left_alone = HashSet::new();
    while !*shutdown.borrow() {
        let (wait, rest) = match engine.next_bot() {
            BotDue::Now(id) if left_alone.contains(&id) => continue,
            BotDue::Now(id) => {
                let start = Instant::now();
                match caught(engine.play_bot(id)).await {
                    Some(Ok(Some((game, bot)))) => metrics.bot_command(game, bot),
                    Some(Ok(None)) => {}
                    Some(Err(error)) => IDLE.line(|more| {
                        tracing::error!(match.id = %id, %error, more, "a bot could not act");
                    }),
                    None => {
                        left_alone.insert(id);
                        PANICKED.line(|more| {
                            tracing::error!(
                                match.id = %id, more,
                                "a bot was to act, and there was a panic: no bot acts in this match until a restart"
                            );
                        });
                    }
                }
                // Whatever the bots have to think about, half of a core is left.
                (start.elapsed().min(REST), true)
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

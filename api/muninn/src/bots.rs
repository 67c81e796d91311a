//! The server's players: one thread that plays for all bots, and rests as long as it worked. Moves that wait for the store do so together.

use std::collections::HashSet;
use std::future::ready;
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use actix_web::rt;
use engine::{BotDue, Engine, Error};
use flood::Flood;
use futures_util::stream::{FuturesUnordered, StreamExt};
use journal::{Bot, MatchId};
use server::{Metrics, processor_time};
use tokio::sync::watch;

use crate::background::{Background, caught};

/// How long to wait for news where no bot is due.
const LONG: Duration = Duration::from_secs(3600);
/// The longest rest after a move.
const REST: Duration = Duration::from_secs(1);
/// Shorter rests are taken together: timers are no finer.
const SHORT: Duration = Duration::from_millis(2);
/// So many moves wait for the store at once.
const TOGETHER: usize = 16;

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

/// What became of the move in a match: nothing, if there was a panic.
type Played = (MatchId, Option<Result<Option<(&'static str, Bot)>, Error>>);

async fn play(engine: &Engine, metrics: &Metrics, mut shutdown: watch::Receiver<bool>) {
    // A bot that could not act for a panic could not the next time either.
    let mut left_alone = HashSet::new();
    let begin = |id| async move { (id, caught(engine.play_bot(id)).await) };
    let mut playing = FuturesUnordered::new();
    let mut rested = Instant::now();
    while !*shutdown.borrow() {
        let rest = rested.saturating_duration_since(Instant::now());
        // How long to wait, whether a move has begun, and whether news count.
        let (wait, has_begun, listens) = if playing.len() >= TOGETHER {
            (LONG, false, false)
        } else if rest > SHORT {
            (rest, false, false)
        } else {
            match engine.next_bot() {
                BotDue::Now(id) if left_alone.contains(&id) => continue,
                BotDue::Now(id) => {
                    playing.push(begin(id));
                    (LONG, true, false)
                }
                BotDue::In(wait) => (wait, false, true),
                BotDue::Never => (LONG, false, true),
            }
        };
        let before = processor_time();
        let played = tokio::select! {
            // First the moves: one that has just begun goes on until it waits for the store.
            biased;
            Some(played) = playing.next(), if !playing.is_empty() => Some(played),
            // Nobody can stop a server that is gone.
            gone = shutdown.changed() => if gone.is_err() { break } else { None },
            () = ready(()), if has_begun => None,
            () = engine.bots_changed(), if listens => None,
            () = rt::time::sleep(wait) => None,
        };
        if let Some(played) = played {
            tell(played, metrics, &mut left_alone);
        }
        // Whatever the bots have to think about, half of a core is left.
        let worked = processor_time().saturating_sub(before);
        rested = rested.max(Instant::now()) + worked.min(REST);
    }
    // What was begun is done.
    while let Some(played) = playing.next().await {
        tell(played, metrics, &mut left_alone);
    }
}

fn tell((id, played): Played, metrics: &Metrics, left_alone: &mut HashSet<MatchId>) {
    match played {
        Some(Ok(Some((game, bot)))) => metrics.bot_command(game, bot),
        Some(Ok(None)) => {}
        Some(Err(error)) => IDLE.line(|more| {
            tracing::error!(match.id = %id, %error, more, "a bot could not act");
        }),
        None => {
            left_alone.insert(id);
            metrics.left_alone(left_alone.len());
            PANICKED.line(|more| {
                tracing::error!(
                    match.id = %id, more,
                    "a bot was to act, and there was a panic: no bot acts in this match until a restart"
                );
            });
        }
    }
}

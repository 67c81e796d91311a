//! Matches that nobody has touched for a long time are closed: few at a time, so that whoever plays does not notice.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use engine::{Engine, IdleEnds};
use flood::Flood;
use tokio::sync::watch;

use crate::background::{Background, caught, is_over};
use crate::clock::Clock;

/// From one match, or one page of the list, to the next.
const PAUSE: Duration = Duration::from_millis(200);
/// From one round to the next, at most; where matches end after a shorter time, rounds are shorter too.
const ROUND: Duration = Duration::from_secs(60);

/// After months without a server there are many.
static CLOSED: Flood = Flood::new();
/// Where the disk fails, no match can be closed, again and again.
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
    ends: IdleEnds,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    let clock = Clock::new("the closing of idle matches");
    background.start("idle matches", move || async move {
        rounds(&engine, &ends, clock, shutdown).await;
    })
}

async fn rounds(
    engine: &Engine,
    ends: &IdleEnds,
    mut clock: Clock,
    mut shutdown: watch::Receiver<bool>,
) {
    let least = [ends.open, ends.running].into_iter().flatten().min().unwrap_or(ROUND);
    let round = (least / 4).clamp(PAUSE, ROUND);
    // A match that could not be closed for a panic could not the next time either.
    let mut left_alone = HashSet::new();
    loop {
        engine.recount();
        let mut after = None;
        loop {
            let (idle, next) = engine.idle(ends, after);
            // These may be idle by that clock alone, and nobody opens again what was closed.
            if clock.is_far_ahead() {
                break;
            }
            for id in idle {
                if left_alone.contains(&id) {
                    continue;
                }
                match caught(engine.close_idle(id, ends)).await {
                    Some(Ok(true)) => {
                        CLOSED.line(|more| {
                            tracing::info!(match.id = %id, more, "a match that nobody touched was closed");
                        });
                    }
                    Some(Ok(false)) => {}
                    Some(Err(error)) => IDLE.line(|more| {
                        tracing::warn!(match.id = %id, %error, more, "an idle match stays for now");
                    }),
                    None => {
                        left_alone.insert(id);
                        PANICKED.line(|more| {
                            tracing::error!(
                                match.id = %id, more,
                                "an idle match was to be closed, and there was a panic: it stays until a restart"
                            );
                        });
                    }
                }
                if is_over(&mut shutdown, PAUSE).await {
                    return;
                }
            }
            after = next;
            if is_over(&mut shutdown, PAUSE).await {
                return;
            }
            if after.is_none() {
                break;
            }
        }
        if is_over(&mut shutdown, round).await {
            return;
        }
    }
}

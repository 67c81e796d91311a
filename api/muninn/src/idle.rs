//! Matches that nobody has touched for a long time are closed: few at a time, so that whoever plays does not notice.

use std::io;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use engine::{Engine, IdleEnds};
use flood::Flood;
use tokio::sync::watch;

use crate::background::{self, is_over};

/// From one match, or one page of the list, to the next.
const PAUSE: Duration = Duration::from_millis(200);
/// From one round to the next, at most; where matches end after a shorter time, rounds are shorter too.
const ROUND: Duration = Duration::from_secs(60);

/// After months without a server there are many.
static CLOSED: Flood = Flood::new();
/// Where the disk fails, no match can be closed, again and again.
static IDLE: Flood = Flood::new();

/// Starts the thread; it ends when `shutdown` says so.
pub(crate) fn start(
    engine: Arc<Engine>,
    ends: IdleEnds,
    shutdown: watch::Receiver<bool>,
) -> io::Result<JoinHandle<()>> {
    background::start("idle matches", move || async move { rounds(&engine, &ends, shutdown).await })
}

async fn rounds(engine: &Engine, ends: &IdleEnds, mut shutdown: watch::Receiver<bool>) {
    let least = [ends.open, ends.running].into_iter().flatten().min().unwrap_or(ROUND);
    let round = (least / 4).clamp(PAUSE, ROUND);
    loop {
        engine.recount();
        let mut after = None;
        loop {
            let (idle, next) = engine.idle(ends, after);
            for id in idle {
                match engine.close_idle(id, ends).await {
                    Ok(true) => {
                        CLOSED.line(|more| {
                            tracing::info!(match.id = %id, more, "a match that nobody touched was closed");
                        });
                    }
                    Ok(false) => {}
                    Err(error) => IDLE.line(|more| {
                        tracing::warn!(match.id = %id, %error, more, "an idle match stays for now");
                    }),
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

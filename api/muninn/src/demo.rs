//! `--demo`: of each game there is always a match that bots play. It is a sandbox, so it counts in no statistic.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use engine::{Engine, Error, Filter, MatchSummary, OpenRequest, SandboxRequest, SeatRequest};
use flood::Flood;
use journal::Status;
use kernel::AnyGame;
use tokio::sync::watch;

use crate::background::{Background, is_over};

/// From one look at the matches to the next: so long the end of one is shown.
const ROUND: Duration = Duration::from_secs(10);

/// Who plays, by seat; by the first name the match is known again after a restart.
const PLAYERS: [&str; 3] = ["Hugin (demo)", "Munin (demo)", "Sleipnir (demo)"];

/// Where the disk fails, no match can be opened, again and again.
static FAILED: Flood = Flood::new();

/// Starts the thread; it ends when `shutdown` says so.
///
/// # Errors
/// If the system gives no thread.
pub(crate) fn start(
    background: &mut Background,
    engine: Arc<Engine>,
    shutdown: watch::Receiver<bool>,
) -> io::Result<()> {
    background.start("demo", move || async move { rounds(&engine, shutdown).await })
}

async fn rounds(engine: &Engine, mut shutdown: watch::Receiver<bool>) {
    loop {
        for game in engine.games() {
            if let Err(error) = keep(engine, *game).await {
                let game = game.info().id;
                FAILED.line(|more| tracing::warn!(game, %error, more, "no match to show"));
            }
        }
        if is_over(&mut shutdown, ROUND).await {
            return;
        }
    }
}

/// Opens a match of the game unless one is running.
async fn keep(engine: &Engine, game: &dyn AnyGame) -> Result<(), Error> {
    let info = game.info();
    let filter = Filter {
        game: Some(info.id.to_owned()),
        status: Some(Status::Running),
        player: Some(PLAYERS[0].to_owned()),
    };
    // Somebody else may call themselves so.
    let shown = |listed: &MatchSummary| {
        listed.sandbox && listed.seats.iter().all(|seat| seat.bot.is_some())
    };
    if engine.list(&filter, None, 100)?.0.iter().any(|listed| shown(listed)) {
        return Ok(());
    }
    let (least, most) = (usize::from(*info.seats.start()), usize::from(*info.seats.end()));
    let seat = |number: usize| SeatRequest {
        name: PLAYERS.get(number).map(|name| (*name).to_owned()),
        open: None,
        bot: Some("greedy".to_owned()),
    };
    let request = OpenRequest {
        game: info.id.to_owned(),
        seats: (0..PLAYERS.len().clamp(least, most)).map(seat).collect(),
        sandbox: Some(SandboxRequest::default()),
        ..OpenRequest::default()
    };
    let opened = engine.open(request, None, None).await?;
    tracing::info!(game = info.id, match.id = %opened.r#match, "bots play a match to be watched");
    Ok(())
}

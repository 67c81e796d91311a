//! Full matches without people, on several threads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use actix_web::rt;
use engine::{Engine, Report, Simulation};
use indicatif::ProgressBar;
use journal::Bot;
use kernel::{AnyGame, Refusal};

/// How many matches are under way at a time where they are kept: they share the waiting for the disk.
const AT_A_TIME: usize = 64;

/// Plays all matches inside the process. The result does not depend on the number of threads.
///
/// # Errors
/// If the game is not played with so many seats.
pub(crate) fn in_process(
    simulation: &Simulation,
    game: &dyn AnyGame,
    threads: usize,
    progress: &ProgressBar,
) -> Result<Report, Refusal> {
    const TELL: Duration = Duration::from_millis(100);
    let next = AtomicU64::new(0);
    let play = || {
        let mut report = Report::default();
        let (mut told, mut at) = (0, Instant::now());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= simulation.matches {
                progress.inc(report.matches - told);
                return Ok(report);
            }
            report.add(&simulation.run(game, number)?);
            if at.elapsed() > TELL {
                progress.inc(report.matches - told);
                (told, at) = (report.matches, Instant::now());
            }
        }
    };
    together(threads, play)
}

/// Plays all matches in a store.
///
/// # Errors
/// Those of opening and submitting.
pub(crate) fn kept(
    engine: &Arc<Engine>,
    simulation: &Simulation,
    threads: usize,
    progress: &ProgressBar,
) -> Result<Report, engine::Error> {
    let next = Arc::new(AtomicU64::new(0));
    let simulation = Arc::new(simulation.clone());
    let play = || {
        let player = || {
            let (engine, simulation, next) =
                (Arc::clone(engine), Arc::clone(&simulation), Arc::clone(&next));
            let progress = progress.clone();
            rt::spawn(async move {
                let mut report = Report::default();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= simulation.matches {
                        return Ok::<_, engine::Error>(report);
                    }
                    report.add(&engine.play_kept(&simulation, number).await?);
                    progress.inc(1);
                }
            })
        };
        rt::System::new().block_on(async {
            let players: Vec<_> = (0..AT_A_TIME.div_ceil(threads)).map(|_| player()).collect();
            let mut report = Report::default();
            for player in players {
                report.add(&player.await.expect("a player does not panic")?);
            }
            Ok(report)
        })
    };
    together(threads, play)
}

/// Does the same work on each thread, and adds what they report.
fn together<E: Send>(
    threads: usize,
    play: impl Fn() -> Result<Report, E> + Sync,
) -> Result<Report, E> {
    let start = Instant::now();
    let mut report = Report::default();
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&play)).collect();
        for thread in threads {
            report.add(&thread.join().expect("a player does not panic")?);
        }
        Ok(())
    })?;
    report.time = start.elapsed();
    Ok(report)
}

/// What was played, for people: the rates, and how the seats did.
pub(crate) fn told(report: &Report, bots: &[Bot]) -> String {
    let Report { matches, commands, events, first, points, time } = report;
    let seconds = time.as_secs_f64().max(f64::MIN_POSITIVE);
    let rate = |count: u64| count as f64 / seconds;
    let mut text = format!(
        "{matches} matches, {commands} commands, {events} events in {seconds:.2} s: {:.0} matches/s, {:.0} commands/s\n",
        rate(*matches),
        rate(*commands),
    );
    let bots = bots.iter().cycle();
    for (seat, ((first, points), bot)) in first.iter().zip(points).zip(bots).enumerate() {
        let each = *matches as f64;
        text.push_str(&format!(
            "seat {seat}, {bot}: first in {:.1} %, {:.2} points on average\n",
            100.0 * *first as f64 / each,
            *points as f64 / each,
        ));
    }
    text
}

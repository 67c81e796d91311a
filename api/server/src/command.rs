//! What the commands do. Standard output is for results, standard error for everything else.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use actix_web::rt;
use engine::{Config, Engine, Report, Simulation, Verified};
use indicatif::{ProgressBar, ProgressStyle};
use kernel::AnyGame;
use picture::Picture;
use tracing_subscriber::EnvFilter;

use crate::config::{Cli, Command, LogFormat, ServeArgs, SimulateArgs, VerifyArgs};
use crate::export::export;
use crate::{Document, Muninn};

pub(crate) type Games = &'static [&'static dyn AnyGame];
type Pictures = &'static [&'static dyn Picture];

/// The exit code for wrong usage.
const USAGE: u8 = 2;

/// Runs a command of the command line.
#[must_use]
pub fn run(cli: Cli, games: Games, pictures: Pictures) -> ExitCode {
    let done = match cli.command {
        Command::Serve(args) => serve(&args, games, pictures),
        Command::Simulate(args) => simulate(&args, games),
        Command::Verify(args) => verify(&args, games),
        Command::Export(args) => export(&args, games),
        Command::Openapi => print(&Document::new(games).json),
        Command::Asyncapi => print(&Document::new(games).asyncapi),
    };
    done.unwrap_or_else(|failure| {
        // Nobody is left to tell if standard error is closed.
        let _ = writeln!(io::stderr(), "error: {}", failure.message);
        ExitCode::from(failure.code)
    })
}

pub(crate) struct Failure {
    message: String,
    code: u8,
}

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Self {
        let mut message = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message = format!("{message}: {cause}");
            source = cause.source();
        }
        Failure { message, code: 1 }
    }
}

pub(crate) fn usage(message: impl Into<String>) -> Failure {
    Failure {
        message: message.into(),
        code: USAGE,
    }
}

pub(crate) fn print(text: &str) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(ExitCode::SUCCESS)
}

fn serve(args: &ServeArgs, games: Games, pictures: Pictures) -> Result<ExitCode, Failure> {
    let filter = EnvFilter::try_new(&args.log)
        .map_err(|error| usage(format!("--log {}: {error}", args.log)))?;
    let lines = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(io::stderr);
    match args.log_format {
        LogFormat::Human => lines.with_ansi(io::stderr().is_terminal()).init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
    rt::System::new().block_on(async {
        let server = Muninn::build(args, games, pictures)?;
        print(&format!("listening on http://{}\n", server.address))?;
        tracing::info!(address = %server.address, data = %args.data.display(), "serving");
        let stop = server.stop();
        rt::spawn(async move {
            wait_for_signal().await;
            tracing::info!("stopping");
            stop.gracefully().await;
        });
        server.run().await?;
        tracing::info!("stopped");
        Ok(ExitCode::SUCCESS)
    })
}

/// Resolves at the first SIGINT or SIGTERM.
async fn wait_for_signal() {
    #[cfg(unix)]
    {
        use rt::signal::unix::{SignalKind, signal};
        let mut terminate =
            signal(SignalKind::terminate()).expect("a handler for SIGTERM can be set");
        tokio::select! {
            _ = rt::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
    }
    #[cfg(not(unix))]
    {
        let _ = rt::signal::ctrl_c().await;
    }
}

fn bar(length: u64, unit: &str) -> ProgressBar {
    let style = format!("{{bar:40}} {{human_pos}}/{{human_len}} {unit}, {{per_sec}}, {{eta}} left");
    let style = ProgressStyle::with_template(&style).expect("the template is valid");
    ProgressBar::new(length).with_style(style)
}

fn simulate(args: &SimulateArgs, games: Games) -> Result<ExitCode, Failure> {
    let SimulateArgs {
        game: id,
        seats,
        matches,
        seed,
        keep,
    } = args.clone();
    let game = games.iter().copied().find(|game| game.info().id == id);
    let known: Vec<&str> = games.iter().map(|game| game.info().id).collect();
    let game = game.ok_or_else(|| usage(format!("--game {id}: there are {}", known.join(", "))))?;
    let range = &game.info().seats;
    let seats = seats.unwrap_or_else(|| usize::from(*range.start()));
    if !u8::try_from(seats).is_ok_and(|seats| range.contains(&seats)) {
        return Err(usage(format!(
            "--seats {seats}: {id} is played with {} to {}",
            range.start(),
            range.end()
        )));
    }
    let simulation = Simulation {
        game: id,
        seats,
        matches,
        seed,
    };
    let progress = bar(matches, "matches");
    let report = match keep {
        None => simulation.run(game, &mut |done| progress.set_position(done))?,
        Some(folder) => {
            let engine = Arc::new(Engine::start(&folder, games, &Config::default())?);
            rt::System::new().block_on(keep_all(engine, simulation, &progress))?
        }
    };
    progress.finish_and_clear();
    let Report {
        matches,
        commands,
        events,
        time,
    } = report;
    let seconds = time.as_secs_f64().max(f64::MIN_POSITIVE);
    let rate = |count: u64| count as f64 / seconds;
    print(&format!(
        "{matches} matches, {commands} commands, {events} events in {seconds:.2} s: {:.0} matches/s, {:.0} commands/s\n",
        rate(matches),
        rate(commands),
    ))
}

/// Plays the matches of a simulation in a store, many at a time: they share the waiting for the disk.
async fn keep_all(
    engine: Arc<Engine>,
    simulation: Simulation,
    progress: &ProgressBar,
) -> Result<Report, engine::Error> {
    const AT_A_TIME: u64 = 64;
    let start = Instant::now();
    let next = Arc::new(AtomicU64::new(0));
    let simulation = Arc::new(simulation);
    let mut players = Vec::new();
    for _ in 0..AT_A_TIME.min(simulation.matches) {
        let (engine, simulation, next, progress) = (
            Arc::clone(&engine),
            Arc::clone(&simulation),
            Arc::clone(&next),
            progress.clone(),
        );
        players.push(rt::spawn(async move {
            let mut report = Report::default();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= simulation.matches {
                    return Ok::<_, engine::Error>(report);
                }
                let (commands, events) = engine.play_kept(&simulation, number).await?;
                report.matches += 1;
                report.commands += commands;
                report.events += events;
                progress.inc(1);
            }
        }));
    }
    let mut report = Report::default();
    for player in players {
        let part = player.await.expect("a player does not panic")?;
        report.matches += part.matches;
        report.commands += part.commands;
        report.events += part.events;
    }
    report.time = start.elapsed();
    Ok(report)
}

fn verify(args: &VerifyArgs, games: Games) -> Result<ExitCode, Failure> {
    if !args.data.is_dir() {
        return Err(usage(format!(
            "--data {}: there is no such folder",
            args.data.display()
        )));
    }
    let progress = ProgressBar::new_spinner();
    progress.enable_steady_tick(Duration::from_millis(200));
    let verified = Verified::run(&args.data, games, &mut |matches| {
        progress.set_message(format!("{matches} matches"));
    })?;
    progress.finish_and_clear();
    let Verified {
        matches,
        commits,
        events,
        findings,
    } = verified;
    let mut text = String::new();
    for finding in &findings {
        let place = finding
            .r#match
            .map_or_else(|| "store".to_owned(), |id| format!("match {id}"));
        let commit = finding
            .commit
            .map_or_else(String::new, |commit| format!(", commit {commit}"));
        text.push_str(&format!("{place}{commit}: {}\n", finding.what));
    }
    let found = if findings.is_empty() {
        "nothing differs".to_owned()
    } else {
        format!("{} findings", findings.len())
    };
    text.push_str(&format!(
        "{matches} matches, {commits} commits, {events} events: {found}\n"
    ));
    print(&text)?;
    Ok(if findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(1)
    })
}

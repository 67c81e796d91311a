//! What the commands do. Standard output is for results, standard error for everything else.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

use actix_web::rt;
use archive::portable::replace_file;
use archive::{Finding, Verified};
use clap::CommandFactory;
use clap_complete::Shell;
#[cfg(unix)]
use rustix::process::{Resource, getrlimit};
use server::step_back;
use tables::sql::{RUN_QUERY, run_query};

use crate::audit::audit;
use crate::backup::{backup, repair, restore, scratch_folder};
use crate::config::{Cli, Command, MigrateArgs, ServeArgs, VerifyArgs};
use crate::draw::{DrawError, PictureArgs, draw};
use crate::export::export;
use crate::failure::{Failure, note, of_file, print, tell_done, tell_found, usage};
use crate::games::{Games, Pictures};
use crate::health::health;
use crate::import::import;
use crate::kit::kit;
use crate::made::{as_before, made_for};
use crate::place::stored;
use crate::progress::spinner;
use crate::query::query;
use crate::report::report;
use crate::serve::{BuildError, Muninn};
use crate::simulate::simulate;
use crate::stats::stats;
#[cfg(feature = "otel")]
use crate::traces::Traces;
use crate::{file, log, panics, signals};

/// Runs what a command line says; the first argument is the name of the program.
#[must_use]
pub fn run(args: &[OsString], games: Games, pictures: Pictures) -> ExitCode {
    panics::in_one_line();
    let queried = match args {
        [_, first, file] if *first == *RUN_QUERY => Some(file),
        _ => None,
    };
    let _ = survive(queried.is_some());
    if let Some(file) = queried {
        // Where the system does not let it give way, it is still bounded in time and memory.
        let done = run_query(Path::new(file), || drop(step_back()));
        // Whoever started it has noticed if nothing came out of it.
        return if done.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    }
    let read = file::parse(args).and_then(|cli| made_for(&cli.command).map(|()| cli));
    let done = read.and_then(|cli| match cli.command {
        Command::Serve(args) => serve(&args, games, pictures),
        Command::Migrate(args) => migrate(&args),
        Command::Simulate(args) => simulate(&args, games),
        Command::Stats(args) => stats(&args, games),
        Command::Report(args) => report(&args, games),
        Command::Verify(args) => verify(&args, games),
        Command::Audit(args) => audit(&args, games),
        Command::Backup(args) => backup(&args),
        Command::Restore(args) => restore(&args),
        Command::Import(args) => import(&args, games),
        Command::Repair(args) => repair(&args, games),
        Command::Export(args) => export(&args, games),
        Command::Picture(args) => picture(&args, games, pictures),
        Command::Query(args) => query(&args, games),
        Command::Openapi => print(&openapi::document(games, Some(openapi::RECORDED)).json),
        Command::Asyncapi => print(&openapi::document(games, Some(openapi::RECORDED)).asyncapi),
        Command::Kit(args) => kit(&args, games, pictures),
        Command::Health(args) => health(&args),
        Command::Completions { shell } => completions(shell),
        Command::Man { out } => man(&out),
    });
    done.unwrap_or_else(|failure| {
        if !failure.message.is_empty() {
            note(&format!("error: {}", failure.message));
        }
        ExitCode::from(failure.code)
    })
}

/// A file that may not grow further is an error of the write that meets the limit, and not the end of the process. A query is ended by its server
/// alone, which answers it before it stops: Ctrl-C and many service managers tell both to end. Where the system gives nothing to hear signals by, it
/// stays as it is.
fn survive(is_query: bool) -> io::Result<()> {
    #[cfg(unix)]
    rt::Runtime::new()?.block_on(async {
        use rt::signal::unix::{SignalKind, signal};
        let limits = SignalKind::from_raw(rustix::process::Signal::XFSZ.as_raw());
        let ends = [SignalKind::interrupt(), SignalKind::terminate()];
        let ends = ends.into_iter().filter(|_| is_query);
        // Who listens once is never ended by it again.
        ends.chain([limits]).try_for_each(|kind| signal(kind).map(drop))
    })?;
    #[cfg(not(unix))]
    let _ = is_query;
    Ok(())
}

/// Words that cannot be used are a wrong setting: another try would not help.
fn not_built(error: BuildError) -> Failure {
    let is_setting = matches!(error, BuildError::Words(_));
    let failure = Failure::from(error);
    if is_setting { usage(failure.message) } else { failure }
}

/// Files that a server has open before anybody comes, and each of its workers, with some that are open for a moment.
const FILES: u64 = 64;
const FILES_OF_WORKER: u64 = 8;

/// Refuses to begin where the system does not let a server open what it needs: it would fail somewhere in the middle.
fn need_files(workers: usize) -> Result<(), Failure> {
    let workers =
        if workers == 0 { available_parallelism().map_or(1, usize::from) } else { workers };
    let needed = FILES + FILES_OF_WORKER * workers as u64;
    #[cfg(unix)]
    if let Some(limit) = getrlimit(Resource::Nofile).current.filter(|limit| *limit < needed) {
        let message = format!(
            "the system lets this process open {limit} files, but a server with {workers} workers needs {needed}, plus one for each connection: \
             raise `ulimit -n` or LimitNOFILE="
        );
        return Err(Failure { message, code: 1 });
    }
    #[cfg(not(unix))]
    let _ = needed;
    Ok(())
}

fn serve(args: &ServeArgs, games: Games, pictures: Pictures) -> Result<ExitCode, Failure> {
    need_files(args.workers)?;
    #[cfg(feature = "otel")]
    let traces = Traces::start(args.otlp.as_deref())
        .map_err(|error| usage(format!("where traces go: {error}")))?;
    #[cfg(feature = "otel")]
    let log = log::start(&args.log, args.log_format, &traces);
    #[cfg(not(feature = "otel"))]
    let log = log::start(&args.log, args.log_format);
    log.map_err(|error| usage(format!("--log {}: {error}", args.log)))?;
    let serving = signals::hear()?;
    rt::System::new().block_on(async {
        let server = Muninn::build(args, games, pictures).map_err(not_built)?;
        // Before anybody can know that it serves: a signal from then on is a graceful stop.
        drop(serving.set(server.stop()));
        announce(&format!("listening on http://{}\n", server.address));
        for door in &server.doors {
            announce(&format!("operator's door on {door}\n"));
        }
        if let Err(error) = tell_manager() {
            tracing::warn!(%error, "the service manager could not be told that the server is ready");
        }
        tracing::info!(address = %server.address, data = %args.data.display(), store = %args.home(), "serving");
        server.run().await?;
        tracing::info!("stopped");
        Ok(ExitCode::SUCCESS)
    })
}

/// Says on standard output where the server listens. It serves though nobody reads that.
fn announce(line: &str) {
    if let Err(failure) = print(line) {
        let why = if failure.is_enough() { "nobody reads it" } else { failure.message.as_str() };
        tracing::warn!(why, said = line.trim_end(), "standard output cannot be written");
    }
}

fn migrate(args: &MigrateArgs) -> Result<ExitCode, Failure> {
    let applied = args.store.migrate()?;
    let what = match applied.as_slice() {
        [] => "is up to date".to_owned(),
        [.., last] => format!("migrated to schema {last}"),
    };
    Ok(tell_done(&format!("{}: {what}\n", args.store)))
}

/// Tells the service manager that the server is ready, if one waits for that: systemd does with `Type=notify`.
fn tell_manager() -> io::Result<()> {
    #[cfg(unix)]
    if let Some(socket) = std::env::var_os("NOTIFY_SOCKET") {
        std::os::unix::net::UnixDatagram::unbound()?.send_to(b"READY=1", socket)?;
    }
    Ok(())
}

fn completions(shell: Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "muninn", &mut script);
    print(&String::from_utf8(script)?)
}

fn man(out: &Path) -> Result<ExitCode, Failure> {
    fs::create_dir_all(out).map_err(of_file(out))?;
    clap_mangen::generate_to(Cli::command(), out).map_err(of_file(out))?;
    Ok(ExitCode::SUCCESS)
}

fn picture(args: &PictureArgs, games: Games, pictures: Pictures) -> Result<ExitCode, Failure> {
    stored(&args.data)?;
    let drawn = draw(args, games, pictures).map_err(|error| match error {
        DrawError::Usage(message) => usage(message),
        DrawError::Start(_) | DrawError::Read(_) | DrawError::Draw(_) | DrawError::Words(_) => {
            Failure::from(error)
        }
    })?;
    match &args.output {
        None => print(&drawn),
        Some(file) => {
            as_before();
            replace_file(file, drawn.as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn verify(args: &VerifyArgs, games: Games) -> Result<ExitCode, Failure> {
    let home = args.store.known()?;
    let progress = spinner();
    let scratch = scratch_folder(args.scratch.as_ref())?;
    let verified = Verified::run(&home, &scratch, games, &mut |matches| {
        progress.set_message(format!("{matches} matches"));
    })?;
    progress.finish_and_clear();
    let Verified { matches, commits, events, findings, otherwise } = verified;
    let line = |finding: &Finding, what: &str| {
        let place = finding.r#match.map_or_else(|| "store".to_owned(), |id| format!("match {id}"));
        let commit = finding.commit.map_or_else(String::new, |commit| format!(", commit {commit}"));
        format!("{place}{commit}: {what}{}\n", finding.what)
    };
    let mut text: String = findings.iter().map(|finding| line(finding, "")).collect();
    let would = "its hashes fit, but it would go otherwise under these rules: ";
    text.extend(otherwise.iter().map(|finding| line(finding, would)));
    let mut found = if findings.is_empty() {
        "nothing differs".to_owned()
    } else {
        format!("{} findings", findings.len())
    };
    if !otherwise.is_empty() {
        found = format!("{found}, {} matches would go otherwise", otherwise.len());
    }
    text.push_str(&format!("{matches} matches, {commits} commits, {events} events: {found}\n"));
    let code = match (findings.is_empty(), otherwise.is_empty()) {
        (true, true) => ExitCode::SUCCESS,
        (true, false) => ExitCode::from(3),
        (false, _) => ExitCode::from(1),
    };
    tell_found(&text, code)
}

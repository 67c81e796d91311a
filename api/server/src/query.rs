//! `muninn query`: SQL over the finished matches of a store.

use std::io::{self, IsTerminal, Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use engine::{Archive, StartError};
use indicatif::ProgressBar;
use tables::{Answer, Catalogue, Format, Limits, QueryError, Sql};

use crate::command::{Failure, Games, print, usage};

/// Examples for the command line.
pub(crate) const HELP: &str = "\
The tables are those of `muninn export`. They are kept in tables.sqlite in the folder of the store, and brought up to date first, unless a
server has the store open: then they are as the last query left them.

Examples:
  muninn query --data ./data 'SELECT game, count(*) AS matches FROM matches GROUP BY game'
  muninn query --data ./data 'SELECT reason, avg(points) FROM awards GROUP BY reason' --format csv > points.csv
  muninn query --data ./data < question.sql
  muninn query --data ./data \"SELECT name FROM sqlite_master WHERE type = 'view'\"     every table";

/// What to ask.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    /// The folder of the store
    #[arg(long, env = "MUNINN_DATA")]
    pub data: PathBuf,
    /// One SELECT statement; read from standard input if it is left out
    pub sql: Option<String>,
    /// How the answer is written
    #[arg(long, env = "MUNINN_FORMAT", default_value = "table", value_parser = formats())]
    pub format: String,
    /// How many rows, at most; what is left out is said
    #[arg(long, env = "MUNINN_LIMIT", default_value_t = 100_000)]
    pub limit: usize,
    /// Seconds that the query may take
    #[arg(long, env = "MUNINN_TIMEOUT", default_value_t = 600)]
    pub timeout: u64,
}

fn formats() -> PossibleValuesParser {
    let formats = Format::ALL.map(Format::name).into_iter();
    PossibleValuesParser::new(["table"].into_iter().chain(formats).collect::<Vec<_>>())
}

pub(crate) fn query(args: &QueryArgs, games: Games) -> Result<ExitCode, Failure> {
    let data = &args.data;
    if !data.is_dir() {
        let data = data.display();
        return Err(usage(format!("--data {data}: there is no such folder")));
    }
    let sql = match &args.sql {
        Some(sql) => sql.clone(),
        None if io::stdin().is_terminal() => return Err(usage("expected a SELECT statement")),
        None => {
            let mut sql = String::new();
            io::stdin().read_to_string(&mut sql)?;
            sql
        }
    };
    let tables = Sql::beside(data, Catalogue::new(games));
    refresh(args, games, &tables)?;
    let limits = Limits {
        time: Duration::from_secs(args.timeout),
        rows: args.limit,
        bytes: 1 << 30,
        memory: 512 << 20,
        files: true,
    };
    let answer = tables.query(&sql, &limits).map_err(|error| match error {
        QueryError::Wrong { what, at: Some(at) } => usage(format!("{what}, at byte {at}")),
        error @ (QueryError::Wrong { .. } | QueryError::Forbidden(_)) => usage(error.to_string()),
        error @ (QueryError::TooMuch(_) | QueryError::NotReady | QueryError::Failed(_)) => {
            error.into()
        }
    })?;
    write(&answer, &args.format)?;
    let mut notes = io::stderr().lock();
    if answer.truncated {
        writeln!(notes, "note: only the first {} rows; --limit allows more", answer.rows.len())?;
    }
    if answer.damaged > 0 {
        let damaged = answer.damaged;
        writeln!(notes, "note: {damaged} damaged matches are left out: SELECT * FROM damaged")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn refresh(args: &QueryArgs, games: Games, tables: &Sql) -> Result<(), Failure> {
    const CACHE: u64 = 64 << 20;
    let archive = match Archive::open(&args.data, games, CACHE) {
        Ok(archive) => archive,
        Err(StartError::Open(error)) if tables.position().is_some() => {
            let position = tables.position().unwrap_or(0);
            let mut notes = io::stderr().lock();
            writeln!(notes, "note: {error}; the tables are as of feed position {position}")?;
            return Ok(());
        }
        Err(error) => return Err(error.into()),
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    let threads = available_parallelism().map_or(1, usize::from);
    let end = archive.position();
    let refreshed = tables.refresh(&archive, threads, &mut |position, matches| {
        bar.set_message(format!(
            "filling the tables: {matches} matches, {position} of {end} commits"
        ));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    Ok(refreshed?)
}

fn write(answer: &Answer, format: &str) -> Result<(), Failure> {
    let Some(format) = Format::ALL.into_iter().find(|known| known.name() == format) else {
        return print(&answer.lines()).map(drop);
    };
    let mut bytes = answer.write(format, Vec::new())?;
    let mut out = io::stdout().lock();
    out.write_all(&bytes)?;
    bytes.clear();
    Ok(out.flush()?)
}

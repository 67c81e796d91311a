//! `muninn query`: SQL over the finished matches of a store.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::ExitCode;
use std::thread::{self, Scope, ScopedJoinHandle, available_parallelism};
use std::time::Duration;

use archive::{Archive, Reach};
use clap::Args;
use clap::builder::PossibleValuesParser;
use journal::{Address, OpenError};
use serde_json::value::RawValue;
use tables::sql::{Asked, Asker, Prepared, asker, schema_lines};
use tables::{Answer, Catalogue, Format, Limits, Parameter, QueryError, Question, Shape, Sql};

use crate::failure::{Failure, note, print, usage, write};
use crate::games::Games;
use crate::place::{at, stored};
use crate::progress::spinner;

/// Bytes of cache that the store gets.
const CACHE: u64 = 64 << 20;

/// Examples for the command line.
pub(crate) const HELP: &str = "\
The tables are those of `muninn export`. They are kept in tables.sqlite in the folder of the store, and are updated before the query. If a
server has the store open, they are not updated: they are then as the last query left them.

Examples:
  muninn query --data ./data 'SELECT game, count(*) AS matches FROM matches GROUP BY game'
  muninn query --data ./data 'SELECT reason, avg(points) FROM awards GROUP BY reason' --format csv > points.csv
  muninn query --data ./data --param game=voluspa 'SELECT median(final_points) FROM seats WHERE game = :game'
  muninn query --data ./data < question.sql
  muninn query --schema                                                              every table and column";

/// Arguments of `muninn query`.
#[derive(Clone, Debug, Args)]
pub struct QueryArgs {
    /// The folder of the store. With --store, a folder for the tables, which the next query continues
    #[arg(long, env = "MUNINN_DATA", required_unless_present = "schema")]
    pub data: Option<PathBuf>,
    /// The database of the store, if the store is not a folder; servers may use it meanwhile
    #[arg(long, env = "MUNINN_STORE", value_name = "POSTGRES-URL", hide_env_values = true)]
    pub store: Option<Address>,
    /// Describe the tables and their columns
    #[arg(long, conflicts_with = "sql")]
    pub schema: bool,
    /// One SELECT statement; by default it is read from standard input
    pub sql: Option<String>,
    /// The value of a parameter of the statement: --param game=voluspa for :game. Numbers, true, false and null are read as JSON; a JSON string is a text, as in --param 'n="null"', and so is anything else
    #[arg(long = "param", env = "MUNINN_PARAM", value_name = "NAME=VALUE", value_delimiter = None)]
    pub parameters: Vec<String>,
    /// The format of the result
    #[arg(long, env = "MUNINN_FORMAT", default_value = "table", value_parser = formats())]
    pub format: String,
    /// Maximum number of rows; a note says if rows were left out
    #[arg(long, env = "MUNINN_LIMIT", default_value_t = 100_000)]
    pub limit: usize,
    /// Seconds the query may take
    #[arg(long, env = "MUNINN_TIMEOUT", default_value_t = 600)]
    pub timeout: u64,
}

fn formats() -> PossibleValuesParser {
    let formats = Format::ALL.map(Format::name).into_iter();
    PossibleValuesParser::new(["table"].into_iter().chain(formats).collect::<Vec<_>>())
}

pub(crate) fn query(args: &QueryArgs, games: Games) -> Result<ExitCode, Failure> {
    let Some(data) = args.data.as_ref().filter(|_| !args.schema) else {
        return print(&schema_lines(&Catalogue::new(games).without_hashes()));
    };
    let home = at(data, args.store.as_ref());
    if args.store.is_none() {
        stored(data)?;
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
    let question = Question { sql, parameters: values(&args.parameters)?, span: None };
    let tables = Sql::beside(data, Catalogue::new(games), None);
    let limits = Limits {
        time: Duration::from_secs(args.timeout),
        rows: args.limit,
        bytes: 1 << 30,
        memory: 512 << 20,
        files: true,
        gives_way: false,
    };
    let format = Format::ALL.into_iter().find(|known| known.name() == args.format);
    let shape = format.map_or(Shape::Lines, Shape::File);
    let ask = |asked| tables.query(&question, shape, &limits, asked);
    // What it finds while the file is mended must not count for those who mend it.
    let as_they_are = Sql::beside(data, Catalogue::new(games), None);
    let ask_early = |asked| as_they_are.query(&question, shape, &limits, asked);
    let answer = thread::scope(|scope| {
        let early = Early::begin(scope, &tables, &ask_early);
        let opened =
            home.beside(data).and_then(|lock| Ok((Archive::open(&home, games, CACHE)?, lock)));
        match opened {
            Ok((archive, _lock)) => fresh(&archive, &tables, early, &ask),
            Err(error @ OpenError::Locked { .. }) => as_it_is(early, &ask, error),
            Err(error) => Err(error.into()),
        }
    })?;
    write(&answer.body)?;
    if answer.truncated {
        note(&cut(answer.rows, args.limit));
    }
    if answer.damaged > 0 {
        let left_out = journal::left_out(answer.damaged);
        note(&format!("note: {left_out}; see SELECT * FROM damaged"));
    }
    Ok(ExitCode::SUCCESS)
}

/// That there were more rows, and what brings them: fewer than were asked for are cut off by their bytes.
fn cut(rows: usize, limit: usize) -> String {
    let more = if rows < limit {
        "an answer takes 1 GiB at most, so ask for less at once"
    } else {
        "use --limit to get more"
    };
    format!("note: these are only the first {rows} rows; {more}")
}

/// The values of parameters: `name=value`, where the value is a scalar as JSON has it, or text.
fn values(given: &[String]) -> Result<BTreeMap<String, Parameter>, Failure> {
    let mut values = BTreeMap::new();
    for text in given {
        let unfit = || usage(format!("--param {text}: expected NAME=VALUE, each name once"));
        let (name, value) = text.split_once('=').ok_or_else(unfit)?;
        let scalar = match serde_json::from_str(value) {
            Ok(value) => Parameter::of(&value),
            // It is written as JSON, and has no value.
            Err(_) if serde_json::from_str::<&RawValue>(value).is_ok() => {
                return Err(usage(format!("--param {text}: there is no such number or text")));
            }
            Err(_) => None,
        };
        let value = scalar.unwrap_or_else(|| Parameter::Text(value.to_owned()));
        if values.insert(name.to_owned(), value).is_some() || name.is_empty() {
            return Err(unfit());
        }
    }
    Ok(values)
}

type Ask<'a> = &'a (dyn Fn(Asked) -> Result<Answer, QueryError> + Sync);

/// Asks, and waits until the end.
fn now(ask: Ask<'_>) -> Result<Answer, QueryError> {
    let (_asker, asked) = asker();
    ask(asked)
}

/// The query, asked of the tables as they are while the store is opened and the tables are compared: mostly there is nothing to add to them.
/// It ends when this is dropped.
struct Early<'scope> {
    /// Which state of the tables it was asked of, or an earlier one.
    generation: u64,
    asker: Asker,
    thread: ScopedJoinHandle<'scope, Result<Answer, QueryError>>,
}

impl<'scope> Early<'scope> {
    fn begin<'env>(
        scope: &'scope Scope<'scope, 'env>,
        tables: &Sql,
        ask: Ask<'env>,
    ) -> Option<Self> {
        let generation = tables.generation()?;
        let (asker, asked) = asker();
        Some(Early { generation, asker, thread: scope.spawn(move || ask(asked)) })
    }

    fn answer(self) -> Result<Answer, QueryError> {
        let Early { generation: _, asker: _asker, thread } = self;
        thread.join().expect("a query does not panic")
    }

    /// What was answered, if it holds for these tables. After anything else the tables are asked themselves: it may have come of what was
    /// done to them meanwhile.
    fn of(self, tables: &Sql) -> Option<Answer> {
        if tables.generation() == Some(self.generation) { self.answer().ok() } else { None }
    }
}

/// Answers from tables that are brought up to the end of the feed first. What is found damaged only now is made anew, once.
fn fresh(
    archive: &Archive,
    tables: &Sql,
    early: Option<Early<'_>>,
    ask: Ask<'_>,
) -> Result<Answer, Failure> {
    let prepared = tables.prepare(archive)?;
    // What is answered from less is of no use.
    let early = early.filter(|_| !prepared.is_behind());
    refresh(prepared, archive, tables)?;
    let answer = match early.and_then(|early| early.of(tables)).map_or_else(|| now(ask), Ok) {
        Err(QueryError::Damaged(_)) => {
            refresh(tables.prepare(archive)?, archive, tables)?;
            now(ask)
        }
        answer => answer,
    };
    let answer = answer.map_err(failure)?;
    let Reach { position, feed_end, complete } = Reach::new(answer.position, archive.position());
    note(&match complete {
        true => format!("note: complete up to feed position {position}"),
        false => format!("note: not complete: up to feed position {position} of {feed_end}"),
    });
    Ok(answer)
}

/// Answers from tables that nobody can fill now, since a server has the store.
fn as_it_is(early: Option<Early<'_>>, ask: Ask<'_>, locked: OpenError) -> Result<Answer, Failure> {
    let answer = match early.map_or_else(|| now(ask), Early::answer) {
        Ok(answer) => answer,
        Err(QueryError::NotReady) => return Err(locked.into()),
        Err(error) => return Err(failure(error)),
    };
    let position = answer.position;
    note(&format!(
        "note: {locked}; the tables are as of feed position {position}, and may be incomplete"
    ));
    Ok(answer)
}

fn failure(error: QueryError) -> Failure {
    match error {
        QueryError::Wrong { what, at: Some(at) } => usage(format!("{what}, at byte {at}")),
        error @ (QueryError::Wrong { .. } | QueryError::Forbidden(_)) => usage(error.to_string()),
        error @ (QueryError::TooMuch(_)
        | QueryError::NotReady
        | QueryError::Damaged(_)
        | QueryError::Unread(_)
        | QueryError::Failed(_)
        | QueryError::HungUp) => error.into(),
    }
}

fn refresh(prepared: Prepared<'_>, archive: &Archive, tables: &Sql) -> Result<(), Failure> {
    if let Some(why) = &prepared.unfit {
        note(&format!("note: {} is being filled anew: {why}", tables.path().display()));
    }
    let bar = spinner();
    let threads = available_parallelism().map_or(1, usize::from);
    let end = archive.position();
    let refreshed = prepared.refresh(threads, &mut |position, matches| {
        bar.set_message(format!(
            "filling the tables: {matches} matches, {position} of {end} commits"
        ));
        ControlFlow::Continue(())
    });
    bar.finish_and_clear();
    Ok(refreshed?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_named_only_if_it_cuts_the_answer() {
        assert_eq!(cut(3, 3), "note: these are only the first 3 rows; use --limit to get more");
        let large = cut(7_000_000, 9_000_000);
        assert!(large.contains("only the first 7000000 rows"), "{large}");
        assert!(large.contains("1 GiB") && !large.contains("--limit"), "{large}");
    }
}

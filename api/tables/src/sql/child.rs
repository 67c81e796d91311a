//! The process that a query runs in, from inside: it does what its parent tells it, and ends with it.

use std::io::{self, BufRead, BufReader, Stdin, Write};
use std::path::Path;
use std::{process, thread};

use derived::{Trouble, meta, open};
use rusqlite::Connection;

use super::process::{GO, Head, Job, LOOK, Report};
use super::question::Question;
use super::select::select;
use super::terms::QueryError;

/// Runs one query over the file at this path, as it is told by standard input; one that gives way calls `give_way` before it reads. It returns
/// only where nobody tells it anything.
///
/// # Errors
/// If its input or output is closed too early.
pub fn run_query(path: &Path, give_way: impl FnOnce()) -> io::Result<()> {
    let mut input = BufReader::new(io::stdin());
    let job: Job = serde_json::from_str(&line(&mut input)?)?;
    if job.limits.gives_way {
        give_way();
    }
    let mut held = None;
    loop {
        match line(&mut input)?.trim_end() {
            LOOK => {
                // What was read before is let go first.
                held = None;
                let report = look(path, &job.question, &mut held);
                let report = report.unwrap_or_else(|trouble| match trouble {
                    Trouble::Damaged(differs) => Report::Damaged(differs),
                    Trouble::Unread(why) => Report::Unread(why),
                });
                say(&report, &[])?;
            }
            GO => break,
            _ => return Ok(()),
        }
    }
    // Whoever asked, or the whole server, may be gone in the midst of a step.
    thread::spawn(move || {
        while line(&mut input).is_ok_and(|line| !line.is_empty()) {}
        process::exit(0)
    });
    let Some(db) = &mut held else { return Ok(()) };
    match answer(db, &job) {
        Ok((head, body)) => say(&Report::Answered(head), &body)?,
        Err(error) => say(&Report::Refused(error), &[])?,
    }
    loop {
        // The parent compares the file: what was read must not change meanwhile.
        thread::park();
    }
}

fn line(input: &mut BufReader<Stdin>) -> io::Result<String> {
    let mut line = String::new();
    input.read_line(&mut line)?;
    Ok(line)
}

fn say(report: &Report, body: &[u8]) -> io::Result<()> {
    let mut output = io::stdout().lock();
    serde_json::to_writer(&mut output, report)?;
    output.write_all(b"\n")?;
    output.write_all(body)?;
    output.flush()
}

/// Begins to read.
fn look(
    path: &Path,
    question: &Question,
    held: &mut Option<Connection>,
) -> Result<Report, Trouble> {
    let db = held.insert(open(path)?);
    db.execute_batch("BEGIN")?;
    let number = |key| {
        let value: Option<i64> = meta(db, key)?;
        let value = value.and_then(|value| u64::try_from(value).ok());
        value.ok_or_else(|| Trouble::Damaged(format!("it has no {key}")))
    };
    let (generation, position) = (number("generation")?, number("position")?);
    let bound = |at: u64| i64::try_from(at).unwrap_or(i64::MAX);
    let bounds = question.span.as_ref().map(|span| [span.start, span.end].map(bound));
    let count = "SELECT count(*) FROM damaged WHERE feed_position > ? AND feed_position <= ?";
    let bounds = bounds.unwrap_or([i64::MIN, i64::MAX]);
    let damaged: i64 = db.query_row(count, bounds, |row| row.get(0))?;
    let damaged = u64::try_from(damaged).unwrap_or(0);
    Ok(Report::Begun { generation, position, damaged })
}

fn answer(db: &mut Connection, job: &Job) -> Result<(Head, Vec<u8>), QueryError> {
    let Job { question, shape, limits } = job;
    let selected = select(db, question, limits)?;
    let written = selected.write(*shape);
    let body = written.map_err(|error| QueryError::Failed(error.to_string()))?;
    let (rows, truncated) = (selected.rows.len(), selected.truncated);
    let columns = selected.columns;
    Ok((Head { columns, rows, truncated, bytes: body.len() }, body))
}

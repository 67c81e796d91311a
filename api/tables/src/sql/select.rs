//! A query: read only, with bounds on time, memory and rows.

use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Row, ffi};

use super::answer::{Selected, Value};
use super::functions::{self, FULL, Room};
use super::question::{MOST, Question};
use super::terms::{LONGEST, Limits, ONE, QueryError};

/// So many steps of the engine lie between two looks at the clock.
const STEPS: i32 = 5_000;

const READ_ONLY: &str = "only SELECT over the tables is allowed";

/// Selects what fits. A query that takes too long is interrupted between two steps; who asked ends one whose steps are long.
pub(super) fn select(
    db: &mut Connection,
    question: &Question,
    limits: &Limits,
) -> Result<Selected, QueryError> {
    let denied = Arc::new(OnceLock::new());
    bound(db, limits, &denied).map_err(|error| QueryError::Failed(error.to_string()))?;
    let unfit = OnceLock::new();
    rows(db, question, limits, &unfit).map_err(|error| match (denied.get(), unfit.get()) {
        (Some(what), _) => QueryError::Forbidden(String::clone(what)),
        (None, Some(what)) => QueryError::Wrong { what: String::clone(what), at: None },
        (None, None) => explained(&error, limits),
    })
}

fn bound(
    db: &mut Connection,
    limits: &Limits,
    denied: &Arc<OnceLock<String>>,
) -> rusqlite::Result<()> {
    // A quarter is for what functions keep.
    let room = limits.memory / 4;
    let memory = limits.memory - room;
    functions::add(db, &Room::new(room))?;
    let store = if limits.files { "FILE" } else { "MEMORY" };
    db.execute_batch(&format!(
        "PRAGMA hard_heap_limit = {memory}; PRAGMA temp_store = {store}; PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;"
    ))?;
    for (limit, value) in [
        (Limit::SQLITE_LIMIT_LENGTH, 1 << 20),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, 2 * LONGEST as i32),
        (Limit::SQLITE_LIMIT_COLUMN, 500),
        (Limit::SQLITE_LIMIT_EXPR_DEPTH, 200),
        (Limit::SQLITE_LIMIT_COMPOUND_SELECT, 50),
        (Limit::SQLITE_LIMIT_FUNCTION_ARG, 100),
        (Limit::SQLITE_LIMIT_ATTACHED, 0),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100),
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, MOST),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        db.set_limit(limit, value)?;
    }
    let (start, time) = (Instant::now(), limits.time);
    db.progress_handler(STEPS, Some(move || start.elapsed() > time))?;
    let denied = Arc::clone(denied);
    db.authorizer(Some(move |context: AuthContext<'_>| match authorize(&context.action) {
        Ok(()) => Authorization::Allow,
        Err(why) => {
            denied.get_or_init(|| why);
            Authorization::Deny
        }
    }))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named here, and what will be added, is denied"
)]
fn authorize(action: &AuthAction<'_>) -> Result<(), String> {
    match action {
        AuthAction::Select | AuthAction::Recursive => Ok(()),
        AuthAction::Read { table_name, column_name: _ } => {
            let name = table_name.to_ascii_lowercase();
            let is_own = ["dbstat", "meta"].contains(&name.as_str());
            if is_own || ["sqlite_", "pragma_"].iter().any(|own| name.starts_with(own)) {
                return Err(format!(
                    "{name} is not one of the tables: GET /v1/query/schema and muninn query --schema list them"
                ));
            }
            Ok(())
        }
        AuthAction::Function { function_name } => {
            let name = function_name.to_ascii_lowercase();
            let denied = ["load_extension", "fts", "rtree", "sqlite_"];
            if denied.iter().any(|denied| name.starts_with(denied)) {
                return Err(format!("the function {name} is not allowed"));
            }
            Ok(())
        }
        _ => Err(READ_ONLY.to_owned()),
    }
}

fn rows(
    db: &Connection,
    question: &Question,
    limits: &Limits,
    unfit: &OnceLock<String>,
) -> rusqlite::Result<Selected> {
    let mut statement = db.prepare(&question.sql)?;
    if !statement.readonly() || statement.is_explain() != 0 {
        return Err(engine(ffi::SQLITE_READONLY));
    }
    if let Some(what) = question.bind(&mut statement)? {
        unfit.get_or_init(|| what);
        return Err(engine(ffi::SQLITE_MISUSE));
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut bytes: usize = columns.iter().map(|name| cost(name)).sum();
    if bytes > limits.bytes {
        return Err(engine(ffi::SQLITE_NOMEM));
    }
    let mut selected = Selected { columns, rows: Vec::new(), truncated: false };
    let mut rows = statement.raw_query();
    while let Some(row) = rows.next()? {
        // A row of values at their longest must not be held at once.
        let row = values(row, selected.columns.len(), limits.bytes.saturating_sub(bytes))?;
        let Some((row, more)) = row.filter(|_| selected.rows.len() < limits.rows) else {
            selected.truncated = true;
            break;
        };
        bytes += more;
        selected.rows.push(row);
    }
    Ok(selected)
}

/// A row, and how many bytes it takes; none if they are more than `most`.
fn values(
    row: &Row<'_>,
    columns: usize,
    most: usize,
) -> rusqlite::Result<Option<(Vec<Value>, usize)>> {
    let (mut values, mut bytes) = (Vec::with_capacity(columns), 64);
    for column in 0..columns {
        let value = match row.get_ref(column)? {
            ValueRef::Null => Value::Null,
            ValueRef::Integer(value) => Value::Int(value),
            // JSON has no other numbers, and all formats say the same.
            ValueRef::Real(value) if value.is_finite() => Value::Real(value),
            ValueRef::Real(_) => Value::Null,
            ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Value::Text(hex(bytes)),
        };
        bytes += match &value {
            Value::Null | Value::Int(_) | Value::Real(_) => 32,
            Value::Text(text) => cost(text),
        };
        if bytes > most {
            return Ok(None);
        }
        values.push(value);
    }
    Ok(Some((values, bytes)))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |number: u8| char::from_digit(u32::from(number), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// How many bytes a text takes, here and in JSON: there a control character is six.
fn cost(text: &str) -> usize {
    let escaped = text.bytes().filter(|byte| *byte < b' ').count() * 5;
    let quoted = text.bytes().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    48 + text.len() + escaped + quoted
}

fn engine(code: i32) -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(ffi::Error::new(code), None)
}

/// What the engine's error means for who asked.
fn explained(error: &rusqlite::Error, limits: &Limits) -> QueryError {
    // The tables are views.
    if message(error).starts_with("cannot modify ") {
        return QueryError::Forbidden(READ_ONLY.to_owned());
    }
    if let rusqlite::Error::SqlInputError { error: _, msg, sql: _, offset } = error {
        return QueryError::Wrong { what: msg.clone(), at: usize::try_from(*offset).ok() };
    }
    match error.sqlite_error_code() {
        Some(ErrorCode::OperationInterrupted) => QueryError::too_long(limits),
        Some(ErrorCode::OutOfMemory) => {
            let memory = limits.memory >> 20;
            QueryError::TooMuch(format!("the query needs more than {memory} MiB of memory"))
        }
        Some(ErrorCode::TooBig) => QueryError::TooMuch("a value is longer than 1 MiB".to_owned()),
        Some(ErrorCode::DiskFull) => QueryError::TooMuch(
            "the query needs more space for sorting than is available".to_owned(),
        ),
        Some(ErrorCode::ReadOnly) => QueryError::Forbidden(READ_ONLY.to_owned()),
        // Nothing but space and comments.
        Some(ErrorCode::ApiMisuse) => QueryError::Wrong { what: ONE.to_owned(), at: None },
        Some(ErrorCode::Unknown) if message(error) == FULL => {
            let memory = limits.memory >> 20;
            QueryError::TooMuch(format!("the query needs more than {memory} MiB of memory: {FULL}"))
        }
        Some(ErrorCode::Unknown | ErrorCode::TypeMismatch | ErrorCode::ParameterOutOfRange) => {
            QueryError::Wrong { what: message(error), at: None }
        }
        // The file is compared with its checksums then. Where they are right, it could only not be read at that moment.
        Some(
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::DatabaseBusy
            | ErrorCode::DatabaseCorrupt
            | ErrorCode::NotADatabase,
        ) => QueryError::Unread(error.to_string()),
        _ => QueryError::Failed(error.to_string()),
    }
}

fn message(error: &rusqlite::Error) -> String {
    if let rusqlite::Error::SqliteFailure(_, Some(message))
    | rusqlite::Error::SqlInputError { msg: message, .. } = error
    {
        return message.clone();
    }
    error.to_string()
}

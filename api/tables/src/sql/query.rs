//! A query: read only, with bounds on time, memory and rows.

use std::time::{Duration, Instant};

use derived::{Known, Stamp, Sums, Trouble, meta, open};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode, Row, ffi};
use serde::Serialize;

use super::file::Sql;
use super::statement::is_one;

/// The longest query, in bytes.
const LONGEST: usize = 20_000;
/// So many steps of the engine lie between two looks at the clock.
const STEPS: i32 = 5_000;

/// So long after the end of a transaction its checksums are there.
const SETTLED: Duration = Duration::from_secs(2);

const ONE: &str = "expected one SELECT statement";

/// What a query may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long it may run.
    pub time: Duration,
    /// How many rows it may answer with; what is more is left out, and the answer says so.
    pub rows: usize,
    /// How many bytes of values it may answer with; the same.
    pub bytes: usize,
    /// How many bytes of memory all queries of this process may take together.
    pub memory: usize,
    /// May what does not fit into memory be sorted in files? Their size is bounded by time alone.
    pub files: bool,
}

/// A value of an answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Value {
    /// There is none.
    Null,
    /// An integer.
    Int(i64),
    /// A floating point number.
    Real(f64),
    /// Text.
    Text(String),
}

/// The result of a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
    /// Were there more rows than the limits allow?
    pub truncated: bool,
    /// The feed position up to which the tables were filled.
    pub position: u64,
    /// The number of matches that are damaged and left out; they are in the table `damaged`.
    pub damaged: u64,
    /// How long it took.
    pub time: Duration,
}

/// Why a query was not answered.
#[derive(Debug, thiserror::Error)]
pub enum QueryError {
    /// It is no SQL that these tables understand.
    #[error("{what}")]
    Wrong {
        /// What is wrong.
        what: String,
        /// At which byte.
        at: Option<usize>,
    },
    /// It would do more than read tables.
    #[error("{0}")]
    Forbidden(String),
    /// It takes too much.
    #[error("{0}")]
    TooMuch(String),
    /// The tables are not there yet.
    #[error("the tables are not filled yet")]
    NotReady,
    /// The file does not match its checksums. It is made anew when it is next prepared.
    #[error("the tables are damaged: {0}")]
    Damaged(String),
    /// The file cannot be read now, though nothing says that it is damaged.
    #[error("the tables cannot be read now: {0}")]
    Unread(String),
    /// The file could not be read.
    #[error("the tables could not be read: {0}")]
    Failed(rusqlite::Error),
}

/// The file as it was after one transaction, and the checksums of that moment.
struct Snapshot {
    db: Connection,
    sums: Sums,
    position: u64,
    damaged: u64,
    /// Which file it is, of those that were made one after the other.
    anew: u64,
}

impl Sql {
    /// Answers a query from a file that matches its checksums: it is compared with them after the rows are read, and before they are
    /// returned. A large file is not compared for each answer, but when it looks different, and periodically by the process that fills it.
    ///
    /// # Errors
    /// As [`QueryError`] says.
    pub fn query(&self, sql: &str, limits: &Limits) -> Result<Answer, QueryError> {
        if sql.len() > LONGEST {
            let what = format!("the query is longer than {LONGEST} bytes");
            return Err(QueryError::TooMuch(what));
        }
        if !is_one(sql) || sql.contains('\0') {
            let what = ONE.to_owned();
            return Err(QueryError::Wrong { what, at: None });
        }
        let mut snapshot = self.snapshot()?;
        let start = Instant::now();
        let rows =
            bound(&mut snapshot.db, limits, start).map_err(QueryError::Failed).and_then(|()| {
                let selected = select(&snapshot.db, sql, limits);
                selected.map_err(|error| explained(error, limits, start.elapsed()))
            });
        let time = start.elapsed();
        // A damaged file may also have been the reason of a refusal.
        self.check(&snapshot, matches!(rows, Err(QueryError::Failed(_))))?;
        let Snapshot { db: _, sums: _, position, damaged, anew: _ } = snapshot;
        let (columns, rows, truncated) = rows?;
        Ok(Answer { columns, rows, truncated, position, damaged, time })
    }

    /// Begins to read. Whoever fills may just have ended a transaction and be writing its checksums: in this process that is waited for, of
    /// another one it takes moments.
    fn snapshot(&self) -> Result<Snapshot, QueryError> {
        let start = Instant::now();
        loop {
            let state = self.file.state();
            if let Some(damaged) = &state.damaged {
                return Err(QueryError::Damaged(damaged.clone()));
            }
            if !self.path().exists() {
                return Err(QueryError::NotReady);
            }
            let (anew, read) = (state.anew, self.read(state.anew));
            drop(state);
            match read {
                Ok(snapshot) => return Ok(snapshot),
                Err(_) if start.elapsed() < SETTLED => std::thread::sleep(SETTLED / 50),
                Err(trouble) => return Err(self.told(trouble, anew)),
            }
        }
    }

    fn read(&self, anew: u64) -> Result<Snapshot, Trouble> {
        let db = open(self.path())?;
        db.execute_batch("BEGIN")?;
        let number = |key| {
            let value: Option<i64> = meta(&db, key)?;
            let value = value.and_then(|value| u64::try_from(value).ok());
            value.ok_or_else(|| Trouble::Damaged(format!("it has no {key}")))
        };
        let (generation, position) = (number("generation")?, number("position")?);
        let count = "SELECT count(DISTINCT coalesce(match_id, position)) FROM damaged";
        let damaged: i64 = db.query_row(count, [], |row| row.get(0))?;
        let sums = Sums::read(self.path())?;
        if sums.generation != generation {
            return Err(Trouble::Damaged("its checksums are of another state".to_owned()));
        }
        let damaged = u64::try_from(damaged).unwrap_or(0);
        Ok(Snapshot { db, sums, position, damaged, anew })
    }

    /// Compares the file with its checksums, unless that takes long and it was done lately; always if `doubted`.
    fn check(&self, snapshot: &Snapshot, doubted: bool) -> Result<(), QueryError> {
        let stamp = Stamp::of(self.path());
        let known = self.file.state().known.clone().filter(|known| known.stamp == stamp);
        if !doubted && known.is_some_and(|known| known.is_trusted()) {
            return Ok(());
        }
        let at = Instant::now();
        let checked = snapshot.sums.check(self.path());
        checked.map_err(|trouble| self.told(trouble, snapshot.anew))?;
        let mut state = self.file.state();
        if Stamp::of(self.path()) == stamp {
            state.known = Some(Known { stamp, at, took: at.elapsed() });
        }
        Ok(())
    }

    /// Nothing more is answered from a file that is damaged.
    fn told(&self, trouble: Trouble, anew: u64) -> QueryError {
        match trouble {
            Trouble::Damaged(differs) => {
                self.file.state().found_damaged(&differs, anew);
                QueryError::Damaged(differs)
            }
            Trouble::Unread(why) => QueryError::Unread(why),
        }
    }
}

fn bound(db: &mut Connection, limits: &Limits, start: Instant) -> rusqlite::Result<()> {
    let memory = limits.memory;
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
        (Limit::SQLITE_LIMIT_VARIABLE_NUMBER, 0),
        (Limit::SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
        db.set_limit(limit, value)?;
    }
    let time = limits.time;
    db.progress_handler(STEPS, Some(move || start.elapsed() > time))?;
    db.authorizer(Some(|context: AuthContext<'_>| authorize(&context.action)))
}

#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "what is not named here, and what will be added, is denied"
)]
fn authorize(action: &AuthAction<'_>) -> Authorization {
    match action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
            Authorization::Allow
        }
        AuthAction::Function { function_name } => {
            let function = function_name.to_ascii_lowercase();
            let denied = ["load_extension", "fts3_tokenizer", "fts5", "sqlite_log"];
            if denied.contains(&function.as_str()) {
                Authorization::Deny
            } else {
                Authorization::Allow
            }
        }
        _ => Authorization::Deny,
    }
}

type Selected = (Vec<String>, Vec<Vec<Value>>, bool);

fn select(db: &Connection, sql: &str, limits: &Limits) -> rusqlite::Result<Selected> {
    let mut statement = db.prepare(sql)?;
    if !statement.readonly() {
        let refused = ffi::Error::new(ffi::SQLITE_READONLY);
        return Err(rusqlite::Error::SqliteFailure(refused, None));
    }
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let (mut found, mut bytes) = (Vec::new(), 0);
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let row = values(row, columns.len())?;
        bytes += row.iter().map(Value::bytes).sum::<usize>();
        if found.len() >= limits.rows || bytes > limits.bytes {
            return Ok((columns, found, true));
        }
        found.push(row);
    }
    Ok((columns, found, false))
}

fn values(row: &Row<'_>, columns: usize) -> rusqlite::Result<Vec<Value>> {
    (0..columns)
        .map(|column| {
            Ok(match row.get_ref(column)? {
                ValueRef::Null => Value::Null,
                ValueRef::Integer(value) => Value::Int(value),
                ValueRef::Real(value) => Value::Real(value),
                ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
                ValueRef::Blob(bytes) => {
                    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
                    Value::Text(digits.collect())
                }
            })
        })
        .collect()
}

impl Value {
    fn bytes(&self) -> usize {
        match self {
            Value::Null | Value::Int(_) | Value::Real(_) => 16,
            Value::Text(text) => 32 + text.len(),
        }
    }
}

/// What the engine's error means for who asked.
fn explained(error: rusqlite::Error, limits: &Limits, time: Duration) -> QueryError {
    let code = error.sqlite_error_code();
    let memory = limits.memory >> 20;
    if let rusqlite::Error::SqlInputError { error: _, msg, sql: _, offset } = &error
        && code != Some(ErrorCode::AuthorizationForStatementDenied)
    {
        return QueryError::Wrong { what: msg.clone(), at: usize::try_from(*offset).ok() };
    }
    match code {
        Some(ErrorCode::OperationInterrupted) => QueryError::TooMuch(format!(
            "the query took longer than {} s",
            limits.time.as_secs_f64()
        )),
        Some(ErrorCode::OutOfMemory) => {
            QueryError::TooMuch(format!("the query needs more than {memory} MiB of memory"))
        }
        Some(ErrorCode::TooBig) => QueryError::TooMuch("a value is longer than 1 MiB".to_owned()),
        Some(ErrorCode::DiskFull) => QueryError::TooMuch(
            "the query needs more space for sorting than is available".to_owned(),
        ),
        Some(ErrorCode::AuthorizationForStatementDenied | ErrorCode::ReadOnly) => {
            QueryError::Forbidden("only SELECT over the tables is allowed".to_owned())
        }
        // Nothing but space and comments.
        Some(ErrorCode::ApiMisuse) => QueryError::Wrong { what: ONE.to_owned(), at: None },
        Some(ErrorCode::Unknown) => QueryError::Wrong { what: message(&error), at: None },
        _ if time > limits.time => QueryError::TooMuch("the query took too long".to_owned()),
        _ => QueryError::Failed(error),
    }
}

fn message(error: &rusqlite::Error) -> String {
    if let rusqlite::Error::SqliteFailure(_, Some(message)) = error {
        return message.clone();
    }
    error.to_string()
}

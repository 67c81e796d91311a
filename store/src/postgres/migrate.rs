//! The schema: which one there must be, and how it comes about.

use tokio_postgres::Row;

use crate::error::OpenError;
use crate::postgres::database::{Database, column};
use crate::postgres::making::MAKING;
use crate::postgres::session::{Failure, Session};

/// The plain SQL of `store/migrations`, in its order. What was released never changes.
const MIGRATIONS: &[&str] = &[
    include_str!("../../migrations/0001_begin.sql"),
    include_str!("../../migrations/0002_marks.sql"),
];
/// The schema of this program: so many migrations.
pub(crate) const SCHEMA: i32 = 2;
/// The format of the records.
const FORMAT: i32 = 1;

const UNFINISHED: &str = "its store is being restored, or a restoration was cut off: then remove it (DROP SCHEMA muninn CASCADE), and run `muninn migrate`";

/// A table is not waited for that long: all that servers ask meanwhile would wait behind it.
const IN_TURN: &str = "SET statement_timeout = 0; SET lock_timeout = 0; SELECT pg_advisory_lock(7827); SET lock_timeout = '10s'";

const FIND: &str = "SELECT to_regclass('muninn.store') IS NOT NULL";
const STATE: &str = "SELECT schema, format, position, identity::text FROM muninn.store";

/// A store as it was found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) schema: i32,
    pub(crate) position: u64,
    /// What tells it from every other.
    pub(crate) identity: String,
}

/// Whether this program may use the store that is there; returns how it was found.
pub(crate) fn check(database: &Database) -> Result<Found, OpenError> {
    let name = || crate::postgres::session::name(database.config());
    let unmigrated = || OpenError::Unmigrated { database: name(), wanted: SCHEMA };
    let Some((schema, format, position, identity)) = state(database)? else {
        return Err(unmigrated());
    };
    if format != FORMAT {
        return Err(OpenError::Version { found: format.to_string() });
    }
    if let Some(what) = newer_schema(schema) {
        return Err(database.unfit(what));
    }
    if schema == MAKING {
        return Err(database.unfit(UNFINISHED));
    }
    if schema < SCHEMA {
        return Err(unmigrated());
    }
    Ok(Found { schema, position: u64::try_from(position).unwrap_or(0), identity })
}

/// Why this program does not know a schema, if a newer one does.
pub(crate) fn newer_schema(schema: i32) -> Option<String> {
    (schema > SCHEMA).then(|| format!("its schema is {schema}, and this program knows {SCHEMA}"))
}

/// The same of a format of the records.
pub(crate) fn newer_format(format: i32) -> Option<String> {
    (format > FORMAT).then(|| format!("its format is {format}, and this program knows {FORMAT}"))
}

/// The one row of the store, if there is one.
async fn rows(session: &mut Session) -> Result<Vec<Row>, Failure> {
    let found = session.ask(FIND, &[]).await?;
    let is_there = found.first().is_some_and(|row| column(row, 0).unwrap_or(false));
    if is_there { session.ask(STATE, &[]).await } else { Ok(Vec::new()) }
}

/// Schema, format, position and identity of the store, if there is one.
fn state(database: &Database) -> Result<Option<(i32, i32, i64, String)>, OpenError> {
    let config = database.config().clone();
    let asked = database.run(async move {
        let mut session = Session::begin(&config).await?;
        rows(&mut session).await
    });
    let rows = asked.map_err(|failure| database.error(failure))?;
    let read = |row| Ok((column(row, 0)?, column(row, 1)?, column(row, 2)?, column(row, 3)?));
    let read = rows.first().map(read).transpose();
    read.map_err(|error: crate::error::ReadError| OpenError::Damaged(error.to_string()))
}

/// Applies what is missing, each migration in one transaction.
pub(crate) fn apply(database: &Database) -> Result<Vec<i32>, OpenError> {
    let config = database.config().clone();
    let applied = database.run(async move {
        let mut session = Session::begin(&config).await?;
        // Two that migrate at once come one after the other, however long the first takes.
        session.execute_for_long(IN_TURN).await?;
        let mut applied = Vec::new();
        let rows = rows(&mut session).await?;
        let schema: i32 = rows.first().map_or(Ok(0), |row| column(row, 0))?;
        let format = rows.first().map_or(Ok(FORMAT), |row| column(row, 1))?;
        if schema == MAKING {
            return Err(Failure::Refused(UNFINISHED.to_owned()));
        }
        // A server of this program is refused there, too.
        if let Some(newer) = newer_schema(schema).or_else(|| newer_format(format)) {
            return Err(Failure::Refused(newer));
        }
        for (sql, number) in MIGRATIONS.iter().zip(1..).filter(|(_, number)| *number > schema) {
            // Whoever writes holds the store's row first, and so does a migration: neither waits for the other in a circle.
            let hold = if number > 1 { "SELECT FROM muninn.store FOR UPDATE;" } else { "" };
            let whole =
                format!("BEGIN; {hold} {sql}; UPDATE muninn.store SET schema = {number}; COMMIT");
            session.commit(&whole).await?;
            applied.push(number);
        }
        Ok(applied)
    });
    applied.map_err(|failure| database.error(failure))
}

//! A store in the making: no server opens it, and none that has it open writes into it, until all of it is there.

use crate::error::OpenError;
use crate::postgres::database::Database;
use crate::postgres::migrate::SCHEMA;
use crate::postgres::session::{Session, Value};

/// Its schema meanwhile, which no program has: a server that finds it is refused.
pub(crate) const MAKING: i32 = -1;

/// Whoever appends holds the lock of this row: then nothing is under way.
const LOCK: &str = "BEGIN; SELECT FROM muninn.store FOR UPDATE";
const TAKE: &str = "UPDATE muninn.store SET schema = $1 WHERE schema = $2 AND position = 0 AND NOT EXISTS (SELECT FROM muninn.commits)
    AND NOT EXISTS (SELECT FROM muninn.headers) AND NOT EXISTS (SELECT FROM muninn.notes) RETURNING schema";
const GIVE: &str = "UPDATE muninn.store SET schema = $2 WHERE schema = $1 RETURNING schema";
const EMPTY: &str = "BEGIN; TRUNCATE muninn.commits, muninn.headers, muninn.notes; UPDATE muninn.store SET position = 0";

/// Takes an empty store.
pub(crate) fn begin(database: &Database) -> Result<(), OpenError> {
    change(database, LOCK, TAKE, "its store is not empty; choose another one")
}

/// All is there: servers may open it.
pub(crate) fn end(database: &Database) -> Result<(), OpenError> {
    change(database, "BEGIN", GIVE, "its store was changed meanwhile")
}

/// Empties it again.
pub(crate) fn undo(database: &Database) -> Result<(), OpenError> {
    change(database, EMPTY, GIVE, "its store was changed meanwhile")
}

/// Changes the schema of the one row in a transaction that begins so.
fn change(
    database: &Database,
    begin: &'static str,
    sql: &'static str,
    otherwise: &'static str,
) -> Result<(), OpenError> {
    let config = database.config().clone();
    let changed = database.run(async move {
        let mut session = Session::begin(&config).await?;
        session.execute(begin).await?;
        let values: Vec<Value> = vec![Box::new(MAKING), Box::new(SCHEMA)];
        let rows = session.ask(sql, &values).await?;
        session.execute("COMMIT").await?;
        Ok(!rows.is_empty())
    });
    match changed.map_err(|failure| database.error(failure))? {
        true => Ok(()),
        false => Err(database.unfit(otherwise)),
    }
}

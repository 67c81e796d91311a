//! A store in the making: no server opens it, and none that has it open writes into it, until all of it is there.

use std::thread;
use std::time::{Duration, Instant};

use crate::error::OpenError;
use crate::postgres::database::{Database, column};
use crate::postgres::lease::SERVED;
use crate::postgres::migrate::{Found, SCHEMA};
use crate::postgres::session::{Failure, Session, Value};

/// Its schema meanwhile, which no program has: a server that finds it is refused.
pub(crate) const MAKING: i32 = -1;

/// Whoever appends holds the lock of this row: then nothing is under way.
const LOCK: &str = "BEGIN; SELECT FROM muninn.store FOR UPDATE";
/// Each server shares the lock of all: it would follow what is not all there. One that has not got it yet, or not again, learns from the new
/// identity that this is not the store that it opened, and neither is it that from which it derived anything.
const TAKE: &str = "UPDATE muninn.store SET schema = $1, identity = gen_random_uuid() WHERE pg_try_advisory_xact_lock(7828, 16) AND schema = $2 AND position = 0 AND NOT EXISTS (SELECT FROM muninn.commits)
    AND NOT EXISTS (SELECT FROM muninn.headers) AND NOT EXISTS (SELECT FROM muninn.notes) RETURNING identity::text";
const GIVE: &str = "UPDATE muninn.store SET schema = $2 WHERE schema = $1 AND identity = $3::text::uuid RETURNING identity::text";
/// Waits for who gives it at this moment.
const IS_GIVEN: &str =
    "SELECT schema = $1 FROM muninn.store WHERE identity = $2::text::uuid FOR UPDATE";
const EMPTY: &str = "TRUNCATE muninn.commits, muninn.headers, muninn.notes; UPDATE muninn.store SET position = 0; COMMIT";

const CHANGED: &str = "its store was changed meanwhile";

/// So long it is asked whether all is there, after the answer to that was lost: longer than a fail-over takes.
const UNTIL_UNKNOWN: Duration = Duration::from_secs(30);
/// Between two tries.
const PAUSE: Duration = Duration::from_millis(100);

/// A store that was taken. Another one may be in its place by now, which then is left alone.
pub(crate) struct Making {
    identity: String,
}

impl Making {
    /// Takes an empty store.
    pub(crate) fn begin(database: &Database) -> Result<Making, OpenError> {
        let taken = change(database, [LOCK, TAKE, "COMMIT"], None);
        let taken = taken.map_err(|failure| database.error(failure))?;
        if let Some(identity) = taken {
            return Ok(Making { identity });
        }
        let rows = database.read(SERVED, Vec::new());
        let used = rows.and_then(|rows| {
            let is_so = |at| rows.first().map_or(Ok(false), |row| column(row, at));
            Ok((is_so(0)?, is_so(1)?))
        });
        let used = used.map_err(|error| database.unfit(error.to_string()))?;
        Err(database.unfit(match used {
            (true, _) => "a server uses it; stop all servers first",
            (false, true) => "another process has it for itself; let it end first",
            (false, false) => "its store is not empty; choose another one",
        }))
    }

    /// How it is found by who fills it.
    pub(crate) fn found(&self) -> Found {
        Found { schema: MAKING, position: 0, identity: self.identity.clone() }
    }

    /// All is there: servers may open it.
    pub(crate) fn end(&self, database: &Database) -> Result<(), OpenError> {
        match self.give(database, "COMMIT") {
            Ok(Some(_)) => Ok(()),
            Ok(None) => Err(database.unfit(CHANGED)),
            Err(Failure::Lost(_)) if self.is_given(database) => Ok(()),
            Err(failure) => Err(database.error(failure)),
        }
    }

    /// Empties it again.
    pub(crate) fn undo(&self, database: &Database) -> Result<(), OpenError> {
        let given = self.give(database, EMPTY).map_err(|failure| database.error(failure))?;
        given.map(drop).ok_or_else(|| database.unfit(CHANGED))
    }

    /// Gives it back in a transaction that ends so.
    fn give(&self, database: &Database, end: &'static str) -> Result<Option<String>, Failure> {
        change(database, ["BEGIN", GIVE, end], Some(self.identity.clone()))
    }

    /// Whether it was given back although the answer to that was lost.
    fn is_given(&self, database: &Database) -> bool {
        let start = Instant::now();
        loop {
            let values: Vec<Value> = vec![Box::new(SCHEMA), Box::new(self.identity.clone())];
            match database.read(IS_GIVEN, values) {
                Ok(rows) => return rows.first().is_some_and(|row| column(row, 0).unwrap_or(false)),
                Err(_) if start.elapsed() > UNTIL_UNKNOWN => return false,
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}

/// Changes the schema of the one row in a transaction: how it begins, the change, and how it ends. Without that row nothing is done, and
/// `None` is returned; otherwise the identity of the store.
fn change(
    database: &Database,
    [begin, sql, end]: [&'static str; 3],
    identity: Option<String>,
) -> Result<Option<String>, Failure> {
    let config = database.config().clone();
    database.run(async move {
        let mut session = Session::begin(&config).await?;
        session.execute(begin).await?;
        let mut values: Vec<Value> = vec![Box::new(MAKING), Box::new(SCHEMA)];
        values.extend(identity.map(|identity| Box::new(identity) as Value));
        let rows = session.ask(sql, &values).await?;
        let Some(row) = rows.first() else {
            session.execute("ROLLBACK").await?;
            return Ok(None);
        };
        let identity = column(row, 0)?;
        session.execute_for_long(end).await?;
        Ok(Some(identity))
    })
}

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
const TAKE: &str = "UPDATE muninn.store SET schema = $1, identity = $3::text::uuid WHERE pg_try_advisory_xact_lock(7828, 16) AND schema = $2 AND position = 0 AND NOT EXISTS (SELECT FROM muninn.commits)
    AND NOT EXISTS (SELECT FROM muninn.headers) AND NOT EXISTS (SELECT FROM muninn.notes) RETURNING true";
const GIVE: &str = "UPDATE muninn.store SET schema = $2 WHERE schema = $1 AND identity = $3::text::uuid RETURNING true";
/// Waits for who takes or gives it at this moment, and compares what is there then.
const IS_NOW: &str =
    "SELECT schema = $1 AND identity = $2::text::uuid FROM muninn.store FOR UPDATE";
/// Known before it is written: so it can be looked for when the answer to that is lost.
const DRAW: &str = "SELECT gen_random_uuid()::text";
const EMPTY: &str = "TRUNCATE muninn.commits, muninn.headers, muninn.notes; UPDATE muninn.store SET position = 0; COMMIT";

const CHANGED: &str = "its store was changed meanwhile";

/// So long it is asked what became of a commit whose answer was lost: longer than a fail-over takes.
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
        let drawn = database.read(DRAW, Vec::new());
        let identity =
            drawn.and_then(|rows| rows.first().map_or(Ok(String::new()), |row| column(row, 0)));
        let identity = identity.map_err(|error| database.unfit(error.to_string()))?;
        let making = Making { identity };
        match making.change(database, [LOCK, TAKE, "COMMIT"]) {
            Ok(true) => return Ok(making),
            Ok(false) => {}
            Err(Failure::Lost(_)) if making.is_now(database, MAKING) => return Ok(making),
            Err(failure) => return Err(database.error(failure)),
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
        match self.change(database, ["BEGIN", GIVE, "COMMIT"]) {
            Ok(true) => Ok(()),
            Ok(false) => Err(database.unfit(CHANGED)),
            Err(Failure::Lost(_)) if self.is_now(database, SCHEMA) => Ok(()),
            Err(failure) => Err(database.error(failure)),
        }
    }

    /// Empties it again.
    pub(crate) fn undo(&self, database: &Database) -> Result<(), OpenError> {
        match self.change(database, ["BEGIN", GIVE, EMPTY]) {
            Ok(true) => Ok(()),
            Ok(false) => Err(database.unfit(CHANGED)),
            Err(failure) => Err(database.error(failure)),
        }
    }

    /// Whether it has this schema and is the one that was taken, although the answer to that was lost.
    fn is_now(&self, database: &Database, schema: i32) -> bool {
        let start = Instant::now();
        loop {
            let values: Vec<Value> = vec![Box::new(schema), Box::new(self.identity.clone())];
            match database.read(IS_NOW, values) {
                Ok(rows) => return rows.first().is_some_and(|row| column(row, 0).unwrap_or(false)),
                Err(_) if start.elapsed() > UNTIL_UNKNOWN => return false,
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }

    /// Changes the one row in a transaction: how it begins, the change, and how it ends. Without a row that fits nothing is done, and it is
    /// false.
    fn change(
        &self,
        database: &Database,
        [begin, sql, end]: [&'static str; 3],
    ) -> Result<bool, Failure> {
        let (config, identity) = (database.config().clone(), self.identity.clone());
        database.run(async move {
            let mut session = Session::begin(&config).await?;
            session.execute(begin).await?;
            let values: Vec<Value> = vec![Box::new(MAKING), Box::new(SCHEMA), Box::new(identity)];
            if session.ask(sql, &values).await?.is_empty() {
                session.execute("ROLLBACK").await?;
                return Ok(false);
            }
            session.commit(end).await?;
            Ok(true)
        })
    }
}

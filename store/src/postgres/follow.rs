//! What others commit: the position that is known here, a session that listens for newer ones, and one that asks for the newest.

use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::{sleep, timeout};
use tokio_postgres::Row;

use crate::error::ReadError;
use crate::postgres::database::{Pool, column, natural};
use crate::postgres::making::MAKING;
use crate::postgres::migrate::{Found, newer_format, newer_schema};
use crate::postgres::session::{Access, Failure, Session};

/// A read index. Where standbys may be promoted, the question is a commit as well: a primary that was deposed cannot answer it.
const INDEX: &str = "SELECT position, CASE WHEN current_setting('synchronous_standby_names') <> ''
    THEN pg_logical_emit_message(true, 'muninn', 'read') END, schema, identity::text FROM muninn.store";
const STATE: &str = "SELECT position, format, schema, identity::text FROM muninn.store";

/// How long a question may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the listener asks as well, since a connection may die without a word.
const POLL: Duration = Duration::from_millis(500);
/// A position that nobody asked for so long is asked for all the same, so that it is known whether a quorum answers.
const IDLE: Duration = Duration::from_secs(5);
/// From one try to connect to the next.
const PAUSE: Duration = Duration::from_millis(100);

/// What is known here: the last position, what only a newer program knows, and whether it is the store that was opened.
#[derive(Debug)]
pub(crate) struct Known {
    position: Mutex<u64>,
    moved: Condvar,
    newer: Mutex<Newer>,
    /// That of the store that was opened.
    identity: String,
    /// Whether it was opened while it is in the making, by who makes it.
    makes: bool,
    /// Why the store that is there now is another one, from when that was seen on.
    replaced: OnceLock<String>,
}

/// What a newer program has made of the store.
#[derive(Debug, Default)]
struct Newer {
    /// Its schema, as the store says it now: who appends is asked for it as well.
    schema: Option<String>,
    /// The format of its records, as the store says it now.
    format: Option<String>,
    /// Something that it has written, which stays.
    written: Option<String>,
}

impl Known {
    pub(crate) fn new(Found { schema, position, identity }: Found) -> Known {
        Known {
            position: Mutex::new(position),
            moved: Condvar::new(),
            newer: Mutex::default(),
            identity,
            makes: schema == MAKING,
            replaced: OnceLock::new(),
        }
    }

    /// What tells the store that was opened from every other.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    /// Compares the store that is there with the one that was opened, by the columns of its schema and its identity. A restoration gives its store
    /// a new one before it writes anything: so who had it open sees nothing of what is not all there.
    fn compare(&self, row: &Row, schema: usize) -> Result<(), Failure> {
        let is_making = column::<i32>(row, schema)? == MAKING;
        let identity: String = column(row, schema + 1)?;
        if is_making && !self.makes {
            self.replaced.get_or_init(|| "its store is being restored".to_owned());
        } else if identity != self.identity {
            self.replaced.get_or_init(|| "its store was restored or made anew".to_owned());
        }
        self.replaced().map_or(Ok(()), |why| Err(Failure::Refused(why)))
    }

    /// Why the store that is there now is not the one that was opened, if that was seen. It stays so.
    pub(crate) fn replaced(&self) -> Option<String> {
        self.replaced.get().cloned()
    }

    fn newer(&self) -> MutexGuard<'_, Newer> {
        self.newer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the store says of its schema, if this program does not know it.
    pub(crate) fn schema(&self, newer: Option<String>) {
        self.newer().schema = newer;
    }

    /// What the store says of its format, if this program does not know it.
    fn format(&self, newer: Option<String>) {
        self.newer().format = newer;
    }

    /// A newer program has written this.
    pub(crate) fn written(&self, what: &str) {
        self.newer().written.get_or_insert_with(|| what.to_owned());
    }

    /// Why nothing is handed to the database, which would take it, if that is so.
    pub(crate) fn refused(&self) -> Option<String> {
        let Newer { schema: _, format, written } = &*self.newer();
        format.as_ref().or(written.as_ref()).cloned()
    }

    /// Why this program is outdated, if it is.
    pub(crate) fn outdated(&self) -> Option<String> {
        let Newer { schema, format, written } = &*self.newer();
        schema.as_ref().or(format.as_ref()).or(written.as_ref()).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self) -> u64 {
        *self.lock()
    }

    /// A position was seen. One of another store says nothing of this one.
    pub(crate) fn learn(&self, seen: u64) {
        let mut position = self.lock();
        if seen > *position && self.replaced.get().is_none() {
            *position = seen;
            self.moved.notify_all();
        }
    }

    /// Blocks until a later position is known, or time is up.
    pub(crate) fn wait_beyond(&self, position: u64, most: Duration) -> u64 {
        let known = self.lock();
        let waited = self.moved.wait_timeout_while(known, most, |known| *known <= position);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

type Answer = oneshot::Sender<Result<u64, String>>;

/// Those who wait for the position of the database.
#[derive(Debug, Default)]
pub(crate) struct Questions {
    waiting: Mutex<Vec<Answer>>,
    asked: Notify,
}

impl Questions {
    fn lock(&self) -> MutexGuard<'_, Vec<Answer>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The position, asked for after this call began.
    pub(crate) async fn ask(&self) -> Result<u64, ReadError> {
        let (answer, answered) = oneshot::channel();
        self.lock().push(answer);
        self.asked.notify_one();
        let answer = answered.await.unwrap_or_else(|_| Err("it was closed".to_owned()));
        answer.map_err(ReadError::Database)
    }
}

/// Answers all who wait with one question, and then those who came meanwhile. Keeps in mind whether a quorum answers.
pub(crate) async fn answer(
    config: Access,
    pool: Arc<Pool>,
    questions: Arc<Questions>,
    known: Arc<Known>,
) {
    let mut session = None;
    loop {
        let is_idle = timeout(IDLE, questions.asked.notified()).await.is_err();
        let waiting = mem::take(&mut *questions.lock());
        if waiting.is_empty() && !is_idle {
            continue;
        }
        let asking = timeout(PATIENCE, index(&config, &pool, &known, &mut session)).await;
        let answer = asking.unwrap_or_else(|_| Err(Failure::Lost("it does not answer".to_owned())));
        pool.note(&answer);
        match &answer {
            Ok(position) => known.learn(*position),
            Err(_) => {
                // It may be that another server is the primary now: who reads begins anew as well.
                session = None;
                pool.begin_anew();
            }
        }
        let answer = answer.map_err(Failure::what);
        for waiting in waiting {
            // Whoever does not wait any more does not want it.
            drop(waiting.send(answer.clone()));
        }
    }
}

/// Asks in the session that there is, and where that has ended in a new one.
async fn index(
    config: &Access,
    pool: &Pool,
    known: &Known,
    session: &mut Option<Session>,
) -> Result<u64, Failure> {
    if let Some(mut kept) = session.take() {
        if let Ok(position) = asked(&mut kept, known).await {
            *session = Some(kept);
            return Ok(position);
        }
        pool.begin_anew();
    }
    let mut new = Session::begin(config).await?;
    let position = asked(&mut new, known).await?;
    *session = Some(new);
    Ok(position)
}

async fn asked(session: &mut Session, known: &Known) -> Result<u64, Failure> {
    let mut unanswered = session.unanswered();
    let row = row(session, INDEX).await;
    if !matches!(row, Err(Failure::Lost(_))) {
        unanswered.is_answered();
    }
    let row = row?;
    known.compare(&row, 2)?;
    Ok(natural(&row, 0)?)
}

/// The one row of the store.
async fn row(session: &mut Session, sql: &'static str) -> Result<Row, Failure> {
    let none = || Failure::Refused("the store has no position".to_owned());
    session.ask(sql, &[]).await?.pop().ok_or_else(none)
}

/// Learns how the store stands.
///
/// # Errors
/// If it cannot be asked, or another one is in its place.
pub(crate) async fn look(session: &mut Session, known: &Known) -> Result<(), Failure> {
    let row = row(session, STATE).await?;
    known.compare(&row, 2)?;
    known.format(newer_format(column(&row, 1)?));
    known.schema(newer_schema(column(&row, 2)?));
    known.learn(natural(&row, 0)?);
    Ok(())
}

/// Learns of each commit when it becomes visible, as long as the store is open and no other one is in its place. Whoever may connect can notify
/// anything, so a notification only says that it is time to ask.
pub(crate) async fn listen(config: Access, known: Arc<Known>) {
    let notified = Arc::new(Notify::new());
    while known.replaced().is_none() {
        let heard = Arc::clone(&notified);
        if let Ok(mut session) = Session::hearing(&config, move || heard.notify_one()).await
            && session.execute("LISTEN muninn").await.is_ok()
        {
            // First what was committed before it listened.
            while look(&mut session, &known).await.is_ok() {
                // When time is up it asks all the same.
                drop(timeout(POLL, notified.notified()).await);
            }
        }
        sleep(PAUSE).await;
    }
}

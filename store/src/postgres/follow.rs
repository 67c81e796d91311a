//! What others commit: the position that is known here, a session that listens for newer ones, and one that asks for the newest.

use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, oneshot};
use tokio::time::{sleep, timeout};

use crate::error::ReadError;
use crate::postgres::database::{Pool, natural};
use crate::postgres::session::{Access, Failure, Session};

/// A read index. Where standbys may be promoted, the question is a commit as well: a primary that was deposed cannot answer it.
const INDEX: &str = "SELECT position, CASE WHEN current_setting('synchronous_standby_names') <> ''
    THEN pg_logical_emit_message(true, 'muninn', 'read') END FROM muninn.store";
const POSITION: &str = "SELECT position FROM muninn.store";

/// How long a question may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the listener asks as well, since a connection may die without a word.
const POLL: Duration = Duration::from_millis(500);
/// From one try to connect to the next.
const PAUSE: Duration = Duration::from_millis(100);

/// The last position that is known here.
#[derive(Debug)]
pub(crate) struct Known {
    position: Mutex<u64>,
    moved: Condvar,
}

impl Known {
    pub(crate) fn new(position: u64) -> Known {
        Known { position: Mutex::new(position), moved: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, u64> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn get(&self) -> u64 {
        *self.lock()
    }

    /// A position was seen.
    pub(crate) fn learn(&self, seen: u64) {
        let mut position = self.lock();
        if seen > *position {
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

/// Answers all who wait with one question, and then those who came meanwhile.
pub(crate) async fn answer(
    config: Access,
    pool: Arc<Pool>,
    questions: Arc<Questions>,
    known: Arc<Known>,
) {
    let mut session = None;
    loop {
        questions.asked.notified().await;
        let waiting = mem::take(&mut *questions.lock());
        if waiting.is_empty() {
            continue;
        }
        let asking = timeout(PATIENCE, index(&config, &pool, &mut session)).await;
        let answer = asking.unwrap_or_else(|_| Err(Failure::Lost("it does not answer".to_owned())));
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
    session: &mut Option<Session>,
) -> Result<u64, Failure> {
    if let Some(mut kept) = session.take() {
        if let Ok(position) = position(&mut kept, INDEX).await {
            *session = Some(kept);
            return Ok(position);
        }
        pool.begin_anew();
    }
    let mut new = Session::begin(config).await?;
    let position = position(&mut new, INDEX).await?;
    *session = Some(new);
    Ok(position)
}

async fn position(session: &mut Session, sql: &'static str) -> Result<u64, Failure> {
    let rows = session.ask(sql, &[]).await?;
    let none = || Failure::Refused("the store has no position".to_owned());
    natural(rows.first().ok_or_else(none)?, 0).map_err(|error| Failure::Refused(error.to_string()))
}

/// Learns of each commit when it becomes visible, as long as the store is open. Whoever may connect can notify anything, so a notification
/// only says that it is time to ask.
pub(crate) async fn listen(config: Access, known: Arc<Known>) {
    let notified = Arc::new(Notify::new());
    loop {
        let heard = Arc::clone(&notified);
        if let Ok(mut session) = Session::hearing(&config, move || heard.notify_one()).await
            && session.execute("LISTEN muninn").await.is_ok()
        {
            // First what was committed before it listened.
            while let Ok(position) = position(&mut session, POSITION).await {
                known.learn(position);
                // When time is up it asks all the same.
                drop(timeout(POLL, notified.notified()).await);
            }
        }
        sleep(PAUSE).await;
    }
}

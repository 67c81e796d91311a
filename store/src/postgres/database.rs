//! The database: a runtime of its own for its sessions, a few of which answer readers. Callers block; they need no runtime, and may have one.

use std::future::Future;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use tokio::sync::Semaphore;
use tokio_postgres::Row;
use tokio_postgres::types::FromSqlOwned;

use crate::error::{OpenError, ReadError};
use crate::postgres::session::{self, Access, Failure, Session, Value};

/// So many sessions answer readers.
const READERS: usize = 6;
/// How long a reader waits for one.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a read is asked again, where a session ended under it.
const TRIES: usize = 3;

/// How often it is asked while it cannot be used.
const PROBE: Duration = Duration::from_millis(500);

const SIZE: &str = "SELECT sum(pg_total_relation_size(c.oid))::bigint FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'muninn' AND c.relkind = 'r'";
/// So long whoever asks for it waits.
const SIZE_PATIENCE: Duration = Duration::from_secs(1);

/// The database and its sessions.
pub(crate) struct Database {
    /// Always there, until drop takes it out.
    runtime: Option<Runtime>,
    pool: Arc<Pool>,
}

/// What the readers share.
pub(crate) struct Pool {
    config: Access,
    idle: Mutex<Vec<Session>>,
    /// How often all sessions were given up: those from before are not used again.
    begun: AtomicU64,
    free: Semaphore,
    /// Why it could not be used when it was asked last.
    trouble: Mutex<Option<String>>,
    /// How many bytes the store took when it told so last, and whether it is asked.
    bytes: AtomicU64,
    is_asked_bytes: AtomicBool,
}

impl Database {
    pub(crate) fn new(config: Access) -> Result<Database, OpenError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("store-postgres")
            .enable_io()
            .enable_time()
            .build()
            .map_err(|error| OpenError::Database {
                database: session::name(&config),
                what: error.to_string(),
            })?;
        let pool = Arc::new(Pool {
            config,
            idle: Mutex::default(),
            begun: AtomicU64::new(0),
            free: Semaphore::new(READERS),
            trouble: Mutex::default(),
            bytes: AtomicU64::new(0),
            is_asked_bytes: AtomicBool::new(false),
        });
        runtime.spawn(probe(Arc::clone(&pool)));
        Ok(Database { runtime: Some(runtime), pool })
    }

    pub(crate) fn config(&self) -> &Access {
        &self.pool.config
    }

    pub(crate) fn pool(&self) -> Arc<Pool> {
        Arc::clone(&self.pool)
    }

    /// Does it beside all else, until the store is closed.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        drop(self.runtime.as_ref().expect("only drop takes it out").spawn(work));
    }

    pub(crate) fn error(&self, failure: Failure) -> OpenError {
        OpenError::Database { database: session::name(self.config()), what: failure.what() }
    }

    /// It answers, and is not what was wanted.
    pub(crate) fn unfit(&self, what: impl Into<String>) -> OpenError {
        OpenError::Database { database: session::name(self.config()), what: what.into() }
    }

    /// Runs it to its end, on the threads of the runtime: the caller may be in another one, where only blocking is frowned upon.
    pub(crate) fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Failure>> + Send + 'static,
    ) -> Result<T, Failure> {
        let (answer, answered) = mpsc::sync_channel(1);
        let runtime = self.runtime.as_ref().expect("only drop takes it out");
        runtime.spawn(async move { answer.send(work.await) });
        let ended = |_| Err(Failure::Lost("its runtime ended".to_owned()));
        let result = answered.recv().unwrap_or_else(ended);
        self.pool.note(&result);
        result
    }

    /// Asks one of the sessions for readers. What is asked only reads.
    pub(crate) fn read(
        &self,
        sql: &'static str,
        values: Vec<Value>,
    ) -> Result<Vec<Row>, ReadError> {
        let pool = Arc::clone(&self.pool);
        let read = async move { pool.ask_often(sql, &values).await };
        self.run(read).map_err(|failure| {
            let is_damage = matches!(failure, Failure::Damaged(_));
            let error = if is_damage { ReadError::Damaged } else { ReadError::Database };
            error(failure.what())
        })
    }

    /// How many bytes the store takes, as it told last: where it hangs, nobody waits for it, and it is asked once.
    pub(crate) fn bytes(&self) -> u64 {
        let pool = Arc::clone(&self.pool);
        if self.trouble().is_none() && !pool.is_asked_bytes.swap(true, Ordering::AcqRel) {
            let (done, waiting) = mpsc::sync_channel(1);
            self.spawn(async move {
                let answer = pool.ask(SIZE, &[]).await;
                pool.note(&answer);
                if let Some(bytes) = answer.ok().and_then(|rows| natural(rows.first()?, 0).ok()) {
                    pool.bytes.store(bytes, Ordering::Relaxed);
                }
                pool.is_asked_bytes.store(false, Ordering::Release);
                // Who asked may wait no longer.
                done.try_send(()).ok();
            });
            waiting.recv_timeout(SIZE_PATIENCE).ok();
        }
        self.pool.bytes.load(Ordering::Relaxed)
    }

    /// Why it could not be used when it was asked last.
    pub(crate) fn trouble(&self) -> Option<String> {
        self.pool.trouble().clone()
    }
}

impl Pool {
    fn trouble(&self) -> MutexGuard<'_, Option<String>> {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Session>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A session that is there and open; forgets those that are not.
    fn found(&self) -> Option<Session> {
        let mut idle = self.idle();
        idle.retain(|session| !session.is_closed());
        idle.pop()
    }

    /// Gives up all sessions: those in use are not used again.
    pub(crate) fn begin_anew(&self) {
        let mut idle = self.idle();
        self.begun.fetch_add(1, Ordering::Relaxed);
        idle.clear();
    }

    /// Keeps in mind whether it could be used.
    pub(crate) fn note<T>(&self, result: &Result<T, Failure>) {
        *self.trouble() = match result {
            // It says nothing of the database.
            Err(Failure::Busy(_)) => return,
            Err(Failure::Lost(what)) => Some(what.clone()),
            Ok(_)
            | Err(
                Failure::Refused(_)
                | Failure::OtherSchema(_)
                | Failure::Damaged(_)
                | Failure::Odd(_),
            ) => None,
        };
    }

    /// Asks what may be done twice: so it is asked again where a session ends under it.
    pub(crate) async fn ask_often(
        &self,
        sql: &'static str,
        values: &[Value],
    ) -> Result<Vec<Row>, Failure> {
        let start = Instant::now();
        let mut tries = 1;
        loop {
            match self.ask(sql, values).await {
                // Where it hangs, to ask again would only make the caller wait.
                Err(Failure::Lost(_)) if tries < TRIES && start.elapsed() < PATIENCE => {
                    tries += 1;
                }
                answer => return answer,
            }
        }
    }

    async fn ask(&self, sql: &'static str, values: &[Value]) -> Result<Vec<Row>, Failure> {
        let busy = || Failure::Busy(format!("all {READERS} sessions are busy"));
        let waiting = tokio::time::timeout(PATIENCE, self.free.acquire());
        let begun = self.begun.load(Ordering::Relaxed);
        let _permit = waiting.await.map_err(|_| busy())?.map_err(|_| busy())?;
        let mut session = match self.found() {
            Some(session) => session,
            None => Session::begin(&self.config).await?,
        };
        let answer = session.read(sql, values).await;
        if matches!(answer, Err(Failure::Lost(_))) {
            // The others have probably ended with it, even if they do not know it yet.
            self.begin_anew();
            return answer;
        }
        let mut idle = self.idle();
        if self.begun.load(Ordering::Relaxed) == begun {
            idle.push(session);
        }
        drop(idle);
        answer
    }
}

/// Asks now and then while the database cannot be used, so that it is known when it can: perhaps nobody else asks meanwhile.
async fn probe(pool: Arc<Pool>) {
    loop {
        tokio::time::sleep(PROBE).await;
        if pool.trouble().is_some() {
            let answer = pool.ask("SELECT 1", &[]).await;
            pool.note(&answer);
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Not by its own drop, which panics where the store is dropped in asynchronous code.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

pub(crate) fn column<T: FromSqlOwned>(row: &Row, at: usize) -> Result<T, ReadError> {
    row.try_get(at).map_err(|error| ReadError::Damaged(session::said(&error)))
}

/// A number for the database, which has no larger ones.
pub(crate) fn big(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of the database.
pub(crate) fn natural(row: &Row, at: usize) -> Result<u64, ReadError> {
    let number: i64 = column(row, at)?;
    u64::try_from(number).map_err(|_| ReadError::Damaged(format!("{number} is below 0")))
}

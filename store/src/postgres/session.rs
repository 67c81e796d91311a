//! Sessions: one connection each, made ready before its first use, and what is told of it without a password.

use std::collections::HashMap;
use std::error::Error as _;
use std::future::{Future as _, poll_fn};
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;

use bytes::BytesMut;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};
use tokio_postgres::error::{DbError, Severity};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{AsyncMessage, CancelToken, Client, Config, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::error::{OpenError, ReadError};
use crate::postgres::password;
use crate::postgres::tls::Wanted;
use crate::stream::StreamId;

/// How long to wait for a connection, and for the answer to what was asked.
const CONNECT: Duration = Duration::from_secs(3);
const ANSWER: Duration = Duration::from_secs(15);

/// What every session begins with. The message in the log is a barrier: it is committed as any write, so a primary that was deposed and does
/// not know it yet cannot answer, and a standby refuses.
const BEGIN: &str = "SET statement_timeout = '10s'; SET idle_in_transaction_session_timeout = '10s'; SET lock_timeout = '10s';
    SET client_min_messages = warning;
    SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') IN ('off', 'local');
    SELECT pg_logical_emit_message(true, 'muninn', 'barrier')";

/// What `muninn.append` says to a program of another schema.
const OTHER_SCHEMA: &str = "MU001";

/// What a value for a statement must be, to be handed to another thread.
pub(crate) type Value = Box<dyn ToSql + Sync + Send>;

/// A page or an index is not what was written, or the disk does not give it out, or its file is gone. Who asks again gets the same answer.
const DAMAGE: [&str; 4] = ["XX001", "XX002", "58030", "58P01"];

/// An error of the database itself, and more than it can do: both may come from a row whose length is not what was written, where pages have no
/// checksums, and from anything else.
const ODD: [&str; 2] = ["XX000", "54000"];

/// Whether the store is there, whatever becomes of what was asked of it.
const THERE: &str = "SELECT position FROM muninn.store";

/// Why the database did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It said no: nothing was done.
    Refused(String),
    /// It was not asked, for there was no session to be had: nothing was done.
    Busy(String),
    /// It said no, since the store has another schema than this program: nothing was done.
    OtherSchema(String),
    /// It said no, since a page of its files is not what was written: nothing was done.
    Damaged(String),
    /// It said no by an error that may be of what it read, or of itself: nothing was done.
    Odd(String),
    /// No connection, or it ended, or no answer in time: whether anything was done is not known.
    Lost(String),
}

impl Failure {
    pub(crate) fn what(self) -> String {
        match self {
            Failure::Refused(what)
            | Failure::Busy(what)
            | Failure::OtherSchema(what)
            | Failure::Damaged(what)
            | Failure::Odd(what)
            | Failure::Lost(what) => what,
        }
    }

    fn of(error: &tokio_postgres::Error) -> Failure {
        // A session that is ended may have committed before; then the error is fatal.
        match error.as_db_error() {
            Some(refused) if refused.code().code() == OTHER_SCHEMA => {
                Failure::OtherSchema(refused.message().to_owned())
            }
            Some(refused) if refused.parsed_severity() == Some(Severity::Error) => {
                let code = refused.code().code();
                let failure: fn(String) -> Failure = if DAMAGE.contains(&code) {
                    Failure::Damaged
                } else if ODD.contains(&code) {
                    Failure::Odd
                } else {
                    Failure::Refused
                };
                failure(said(error))
            }
            Some(_) | None => Failure::Lost(said(error)),
        }
    }
}

/// It answered, and not what was asked for.
impl From<ReadError> for Failure {
    fn from(error: ReadError) -> Failure {
        Failure::Refused(error.to_string())
    }
}

/// May a message of the server say that a commit is not replicated? Any warning may, but that of a damaged page and that of transaction
/// numbers that run out.
fn may_be_of_a_commit(notice: &DbError) -> bool {
    let is_other =
        DAMAGE.contains(&notice.code().code()) || notice.routine() == Some("GetNewTransactionId");
    notice.parsed_severity() == Some(Severity::Warning) && !is_other
}

/// An error in one line. The server's own texts name users and tables, never a password.
pub(crate) fn said(error: &tokio_postgres::Error) -> String {
    match (error.as_db_error(), error.source()) {
        (Some(refused), _) => format!("{} ({})", refused.message(), refused.code().code()),
        (None, Some(source)) => format!("{error}: {source}"),
        (None, None) => error.to_string(),
    }
}

/// How a database is reached.
#[derive(Clone)]
pub(crate) struct Access {
    config: Config,
    tls: MakeRustlsConnect,
}

impl Deref for Access {
    type Target = Config;

    fn deref(&self) -> &Config {
        &self.config
    }
}

impl DerefMut for Access {
    fn deref_mut(&mut self) -> &mut Config {
        &mut self.config
    }
}

/// Looks whether an address can be understood, without looking at anything that it names. The error is what is wrong.
pub(crate) fn check(address: &str) -> Result<(), String> {
    let (_, wanted) = understood(address)?;
    wanted.understood()?;
    Ok(())
}

fn understood(address: &str) -> Result<(Config, Wanted), String> {
    // What is wrong is not quoted: it may be a part of a password with a sign that has a meaning here.
    let unclear = || {
        "its address cannot be understood (postgres://user:password@host:port/name, other signs in a password as %XX)"
            .to_owned()
    };
    // Others (`host=db sslmode=require`) would be parsed too, but what they say of TLS is not taken out of them.
    if !["postgres://", "postgresql://"].iter().any(|scheme| address.starts_with(scheme)) {
        return Err(unclear());
    }
    // What follows a second @ may be the rest of a password, and would be taken for a host or a name; a question mark hides the @ behind it.
    let place = address.split_once('?').map_or(address, |(place, _)| place);
    if place.matches('@').count() != usize::from(address.contains('@')) {
        return Err(unclear());
    }
    let (address, wanted) = Wanted::take(address);
    let config: Config = address.parse().map_err(|_| unclear())?;
    Ok((config, wanted))
}

/// Reads an address. A user that is missing is the one of this process, as for libpq and the driver; a password is looked for where libpq does.
pub(crate) fn config(address: &str) -> Result<Access, OpenError> {
    let unclear = |what| OpenError::Database { database: "the database".to_owned(), what };
    let (mut config, wanted) = understood(address).map_err(unclear)?;
    if config.get_user().is_none()
        && let Ok(user) = whoami::username()
    {
        config.user(user);
    }
    if config.get_hosts().is_empty() {
        // A certificate is checked by the name of the host, which then is its number.
        for host in config.get_hostaddrs().to_owned() {
            config.host(host.to_string());
        }
    }
    if config.get_password().is_none()
        && let Some(password) = password::find(&config)
    {
        config.password(password);
    }
    config.connect_timeout(CONNECT).tcp_user_timeout(ANSWER).keepalives_idle(ANSWER);
    config.target_session_attrs(TargetSessionAttrs::ReadWrite);
    let (mode, tls) =
        wanted.ready().map_err(|what| OpenError::Database { database: name(&config), what })?;
    // A number says where to connect to, whatever the host is.
    let is_here = config.get_hostaddrs().is_empty()
        && !config.get_hosts().iter().any(|host| matches!(host, Host::Tcp(_)));
    config.ssl_mode(if is_here { SslMode::Disable } else { mode });
    Ok(Access { config, tls })
}

/// Which database, without any secret.
pub(crate) fn name(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(host) => host.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts: Vec<String> = hosts.collect();
    let user = config.get_user().unwrap_or_default();
    let database = config.get_dbname().unwrap_or(user);
    format!("the database {database} at {}", hosts.join(","))
}

/// A connection that is ready.
pub(crate) struct Session {
    client: Client,
    statements: HashMap<&'static str, Statement>,
    /// The server has warned: what it committed may not be on the disks of a quorum.
    has_warned: Arc<AtomicBool>,
    cancel: Cancel,
    /// Ends with the connection.
    connection: JoinHandle<()>,
}

impl Session {
    /// Connects and commits a barrier. Runs on the store's own runtime.
    pub(crate) async fn begin(config: &Access) -> Result<Session, Failure> {
        Session::hearing(config, || {}).await
    }

    /// The same; `hear` is called when the server notifies anything.
    pub(crate) async fn hearing(
        config: &Access,
        hear: impl Fn() + Send + Sync + 'static,
    ) -> Result<Session, Failure> {
        let mut barrier = Unanswered { cancel: None };
        let opening = async {
            let (client, mut connection) = config.connect(config.tls.clone()).await?;
            let has_warned = Arc::new(AtomicBool::new(false));
            let warned = Arc::clone(&has_warned);
            let connection = tokio::spawn(async move {
                poll_fn(|context| {
                    loop {
                        match connection.poll_message(context) {
                            Poll::Ready(Some(Ok(AsyncMessage::Notice(notice)))) => {
                                if may_be_of_a_commit(&notice) {
                                    warned.store(true, Ordering::Release);
                                }
                            }
                            Poll::Ready(Some(Ok(AsyncMessage::Notification(_)))) => hear(),
                            Poll::Ready(Some(Ok(_))) => {}
                            Poll::Ready(Some(Err(_)) | None) => return Poll::Ready(()),
                            Poll::Pending => return Poll::Pending,
                        }
                    }
                })
                .await;
            });
            let cancel = (client.cancel_token(), config.tls.clone());
            barrier.cancel = Some(cancel.clone());
            let begun = client.batch_execute(BEGIN).await;
            barrier.is_answered();
            begun?;
            Ok(Session { client, statements: HashMap::new(), has_warned, cancel, connection })
        };
        if let Ok(opened) = tokio::time::timeout(CONNECT + ANSWER, opening).await {
            return opened.map_err(|error| Failure::of(&error));
        }
        // Whoever learns that it failed may end at once.
        if let Some(cancel) = barrier.cancel.take() {
            cancel_query(cancel).await;
        }
        Err(Failure::Lost("it does not answer".to_owned()))
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Is ready once, when the connection has ended.
    pub(crate) fn poll_ended(&mut self, context: &mut Context<'_>) -> Poll<()> {
        Pin::new(&mut self.connection).poll(context).map(drop)
    }

    /// Runs a statement, which is prepared once.
    pub(crate) async fn ask(
        &mut self,
        sql: &'static str,
        values: &[Value],
    ) -> Result<Vec<Row>, Failure> {
        let values: Vec<&(dyn ToSql + Sync)> =
            values.iter().map(|value| &**value as &(dyn ToSql + Sync)).collect();
        let asking = async {
            let statement = match self.statements.get(sql) {
                Some(statement) => statement.clone(),
                None => {
                    let statement = self.client.prepare(sql).await?;
                    self.statements.insert(sql, statement.clone());
                    statement
                }
            };
            self.client.query(&statement, &values).await
        };
        let answer = match tokio::time::timeout(ANSWER, asking).await {
            Ok(answer) => answer.map_err(|error| Failure::of(&error)),
            Err(_) => Err(Failure::Lost("it does not answer".to_owned())),
        };
        self.unwarned()?;
        answer
    }

    /// What was committed is on the disks of a quorum, unless the server has warned.
    fn unwarned(&self) -> Result<(), Failure> {
        if self.has_warned.load(Ordering::Acquire) {
            return Err(Failure::Lost("it warned that a commit may not be replicated".to_owned()));
        }
        Ok(())
    }

    /// The same for what only reads. An error that may be of what it reads is taken for that if it comes twice, and the session can read what else
    /// the store has.
    pub(crate) async fn read(
        &mut self,
        sql: &'static str,
        values: &[Value],
    ) -> Result<Vec<Row>, Failure> {
        let is_odd = |answer: &Result<_, Failure>| matches!(answer, Err(Failure::Odd(_)));
        let first = self.ask(sql, values).await;
        if !is_odd(&first) {
            return first;
        }
        let again = self.ask(sql, values).await;
        if !is_odd(&again) || self.ask(THERE, &[]).await.is_err() {
            return again;
        }
        again.map_err(|failure| Failure::Damaged(failure.what()))
    }

    /// Runs statements that answer nothing.
    pub(crate) async fn execute(&self, sql: &str) -> Result<(), Failure> {
        let executed = tokio::time::timeout(ANSWER, self.execute_for_long(sql)).await;
        executed.unwrap_or_else(|_| Err(Failure::Lost("it does not answer".to_owned())))
    }

    /// The same, however long it takes.
    pub(crate) async fn execute_for_long(&self, sql: &str) -> Result<(), Failure> {
        self.client.batch_execute(sql).await.map_err(|error| Failure::of(&error))
    }

    /// Runs statements of which the last one commits, however long they take.
    pub(crate) async fn commit(&self, sql: &str) -> Result<(), Failure> {
        self.execute_for_long(sql).await?;
        self.unwarned()
    }

    /// Runs statements that commit nothing: what the server warns of meanwhile says nothing of a commit.
    pub(crate) async fn execute_uncommitted(&self, sql: &str) -> Result<(), Failure> {
        let had_warned = self.has_warned.load(Ordering::Acquire);
        self.execute(sql).await?;
        self.has_warned.store(had_warned, Ordering::Release);
        Ok(())
    }

    /// What is asked from now on changes nothing: where it is given up before it is answered, it is cancelled.
    pub(crate) fn unanswered(&self) -> Unanswered {
        Unanswered { cancel: Some(self.cancel.clone()) }
    }
}

/// A question that changes nothing: the barrier of a session that begins, a read index. Where it is given up while it waits for its quorum, it is
/// cancelled: otherwise the database would keep the session until there is one, and each try would leave one more.
pub(crate) struct Unanswered {
    /// There while it is not answered.
    cancel: Option<Cancel>,
}

impl Unanswered {
    /// Whatever the answer is.
    pub(crate) fn is_answered(&mut self) {
        self.cancel = None;
    }
}

type Cancel = (CancelToken, MakeRustlsConnect);

/// Should it fail, the session ends when there is a quorum.
async fn cancel_query((token, tls): Cancel) {
    drop(tokio::time::timeout(CONNECT, token.cancel_query(tls)).await);
}

impl Drop for Unanswered {
    fn drop(&mut self) {
        let Some(cancel) = self.cancel.take() else { return };
        // The store may be closed, and its runtime with it.
        let cancelling = move || {
            let runtime = Builder::new_current_thread().enable_all().build();
            runtime.map(|runtime| runtime.block_on(cancel_query(cancel)))
        };
        drop(thread::Builder::new().name("store-cancel".to_owned()).spawn(cancelling));
    }
}

impl ToSql for StreamId {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        out.extend_from_slice(&self.0);
        Ok(IsNull::No)
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::UUID
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for StreamId {
    fn from_sql(
        _: &Type,
        raw: &'a [u8],
    ) -> Result<StreamId, Box<dyn std::error::Error + Sync + Send>> {
        Ok(StreamId(raw.try_into()?))
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::UUID
    }
}

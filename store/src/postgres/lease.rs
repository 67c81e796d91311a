//! Leases on the shares of the streams: advisory locks of a session, which end with it.
//!
//! Each server has a session for them. It holds a lock for every share that is its own, and one that all have together, by which they are
//! counted. Once a second it looks who holds what, gives back what is more than its part, and takes what nobody holds.
//!
//! Two do not believe that they hold the same share, but for the moment between the end of a session and the news of it. A server
//! believes what it was told for [`VALID`] only, from before it asked, and nothing once it hears that its session has ended; the database
//! ends a session that asks nothing for longer than that, and a new session takes nothing before what was told in others has expired. Each
//! look is a commit, so a primary that was deposed tells nothing.

use std::future::{Future as _, poll_fn};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::timeout;

use crate::error::ReadError;
use crate::lease::{Alone, Held, Leases, SHARES};
use crate::postgres::Postgres;
use crate::postgres::database::column;
use crate::postgres::follow::{self, Known};
use crate::postgres::session::{Access, Failure, Session};

/// How often it looks.
const LOOK: Duration = Duration::from_secs(1);
/// So long it counts what it was told.
const VALID: Duration = Duration::from_secs(3);

/// After `VALID` the database ends a session that is idle, be its server paused, cut off or without power. The lock that all have is number 16.
const BEGIN: &str =
    "SET idle_session_timeout = '4s'; SET statement_timeout = '3s'; SET tcp_user_timeout = '4s';
    SET tcp_keepalives_idle = 2; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 2;
    SELECT pg_advisory_lock_shared(7828, 16)";
/// How many servers there are, which shares are held, and which in this session.
const WHO: &str = "SELECT servers, taken, mine, pg_logical_emit_message(true, 'muninn', 'lease') FROM (
    SELECT count(*) FILTER (WHERE objid = 16) AS servers,
        coalesce(bit_or(1 << objid::integer) FILTER (WHERE objid < 16), 0) AS taken,
        coalesce(bit_or(1 << objid::integer) FILTER (WHERE objid < 16 AND pid = pg_backend_pid()), 0) AS mine
    FROM pg_locks WHERE locktype = 'advisory' AND classid = 7828 AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())) AS locks";
/// Whether there is a server, and whether somebody plays alone.
pub(crate) const SERVED: &str = "SELECT coalesce(bool_or(mode = 'ShareLock'), false), coalesce(bool_or(mode = 'ExclusiveLock'), false)
    FROM pg_locks WHERE locktype = 'advisory' AND classid = 7828 AND objid = 16 AND objsubid = 2 AND granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())";
/// Who plays alone in the store takes the lock that all servers share: none can begin with a share meanwhile.
const STAY: &str = "SET idle_session_timeout = 0";
const ALONE: &str = "SELECT pg_try_advisory_lock(7828, 16)";
const TAKE: &str =
    "SELECT share FROM unnest($1::integer[]) AS s (share) WHERE pg_try_advisory_lock(7828, share)";
const GIVE_BACK: &str =
    "SELECT pg_advisory_unlock(7828, share) FROM unnest($1::integer[]) AS s (share)";

impl Postgres {
    pub(crate) fn is_served(&self) -> Result<bool, ReadError> {
        let rows = self.rows(SERVED, Vec::new())?;
        rows.first().map_or(Ok(false), |row| column(row, 0))
    }

    pub(crate) fn alone(&self) -> Result<Option<Alone>, ReadError> {
        let config = self.shared.database.config().clone();
        let known = Arc::clone(&self.shared.known);
        let asked = self.shared.database.run(async move {
            let mut session = Session::begin(&config).await?;
            session.execute(STAY).await?;
            let rows = session.ask(ALONE, &[]).await?;
            let is_alone = rows.first().is_some_and(|row| column(row, 0).unwrap_or(false));
            // Before, a restoration could take the store. From now on none can.
            follow::look(&mut session, &known).await?;
            Ok(is_alone.then_some(session))
        });
        let session = asked.map_err(|failure| ReadError::Database(failure.what()))?;
        // The lock is the session's.
        Ok(session.map(|session| Alone::until(move || session.is_closed())))
    }

    pub(crate) fn leases(&self) -> Leases {
        let (leases, held, ended) = Leases::shared();
        let database = &self.shared.database;
        let known = Arc::clone(&self.shared.known);
        database.spawn(keep(database.config().clone(), known, held, ended));
        leases
    }
}

/// Keeps the leases until they are given back.
async fn keep(
    config: Access,
    known: Arc<Known>,
    held: Arc<Held>,
    mut ended: oneshot::Receiver<()>,
) {
    // Why a session failed is told by those that write and read.
    while in_session(&config, &known, &held, &mut ended).await.is_err() {
        held.hold(0, Instant::now(), Duration::ZERO);
        if timeout(LOOK, &mut ended).await.is_ok() {
            return;
        }
    }
}

/// Holds them in one session, until they are given back.
async fn in_session(
    config: &Access,
    known: &Known,
    held: &Held,
    ended: &mut oneshot::Receiver<()>,
) -> Result<(), Failure> {
    // What this program may not write, another one is to do.
    let outdated = || {
        let why = known.outdated().or_else(|| known.replaced());
        why.map_or(Ok(()), |why| Err(Failure::Refused(why)))
    };
    outdated()?;
    let mut session = Session::begin(config).await?;
    session.execute(BEGIN).await?;
    // While there was no session, a restoration could take the store. From now on none can.
    follow::look(&mut session, known).await?;
    let begun = Instant::now();
    loop {
        outdated()?;
        let looking = timeout(VALID, look(&mut session, held, begun)).await;
        looking.map_err(|_| lost("it does not answer"))??;
        // Nothing happens meanwhile, or they are given back, or the session ends and its locks are free.
        let over = poll_fn(|context| match Pin::new(&mut *ended).poll(context) {
            Poll::Ready(_) => Poll::Ready(Ok(())),
            Poll::Pending => session.poll_ended(context).map(|()| Err(lost("it ended a session"))),
        });
        if let Ok(over) = timeout(LOOK, over).await {
            return over;
        }
    }
}

fn lost(what: &str) -> Failure {
    Failure::Lost(what.to_owned())
}

async fn look(session: &mut Session, held: &Held, begun: Instant) -> Result<(), Failure> {
    let asked = Instant::now();
    let rows = session.ask(WHO, &[]).await?;
    let row = rows.first().ok_or_else(|| lost("it does not answer"))?;
    let servers = usize::try_from(column::<i64>(row, 0)?).unwrap_or(1);
    let taken: i32 = column(row, 1)?;
    let mut mine: i32 = column(row, 2)?;
    let part = SHARES.div_ceil(servers.max(1));
    let holds = mine.count_ones() as usize;
    let shares = |of: i32| (0..16).filter(move |share| of >> share & 1 == 1);
    let surplus: Vec<i32> = shares(mine).skip(part).collect();
    mine = surplus.iter().fold(mine, |mine, share| mine & !(1 << share));
    held.hold(mask(mine), asked, VALID);
    if !surplus.is_empty() {
        session.ask(GIVE_BACK, &[Box::new(surplus)]).await?;
    }
    let free: Vec<i32> = shares(!taken).take(part.saturating_sub(holds)).collect();
    if !free.is_empty() && begun.elapsed() >= VALID {
        for row in &session.ask(TAKE, &[Box::new(free)]).await? {
            mine |= 1 << column::<i32>(row, 0)?;
        }
        held.hold(mask(mine), asked, VALID);
    }
    Ok(())
}

fn mask(shares: i32) -> u16 {
    u16::try_from(shares).unwrap_or(0)
}

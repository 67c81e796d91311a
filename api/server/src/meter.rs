//! What a request uses is measured while it is handled, and paid by whoever asked.
//!
//! The middleware `limit` puts a [`Meter`] around each request. The time of the processor that its handler takes is measured, whether on a
//! worker or on a thread for [`work`], and that of its body too, if it is made while it is sent. A body whose payer has overdrawn waits
//! between two pieces.
//!
//! [`work`] waits for its turn: few at a time for one address, and on at most half of the cores for all, so that those who play always find
//! one. What they need themselves is done [`at_once`]; a query has turns of its own.

use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use actix_web::body::BodySize;
use actix_web::rt::time::sleep;
use rustix::time::{ClockId, clock_gettime};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::address::Address;
use crate::budget::{Budgets, UNIT};
use crate::metrics::Limit;
use crate::problem::Problem;
use crate::threads;
use crate::work::Work;

/// How much work of one address runs at the same time.
const TURNS: usize = 2;

/// Answers below this are not counted while they are held, and sent at once.
pub(crate) const SMALL: usize = 64 << 10;

/// Bodies of requests below this are not counted while they are held.
const SMALL_REQUEST: usize = 4 << 10;

/// What an answer that is made while it is sent holds: a part of it, and what compresses it.
const STREAMED: usize = 256 << 10;
const COMPRESSED: usize = 3 << 20;

/// Bodies of one address that are held, since they are not read or not sent to their end, have at most so many bytes,
const HELD_OF_ADDRESS: usize = 16 << 20;

/// and those of all addresses so many.
const HELD: usize = 128 << 20;

/// There is this room twice: for all bodies, and for the answers to what was stored that find none there.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    All,
    Stored,
}

/// The longest pause between two pieces of a body.
pub(crate) const PAUSE: Duration = Duration::from_secs(30);

tokio::task_local! {
    /// The meter of the request that is being handled.
    static METER: Arc<Meter>;
}

/// The budgets and turns of all who ask.
pub(crate) struct Accounts {
    pub(crate) by_address: Option<Budgets<Address>>,
    pub(crate) by_token: Option<Budgets<u64>>,
    turns: Arc<Semaphore>,
    turns_of: TurnsOf,
    /// Of those that wait for a match that is in no memory. They are few and short: long work is not waited for.
    loads_of: TurnsOf,
    /// Of queries: one of each address waits for the turn of all.
    queries_of: TurnsOf,
    /// Of what waits for nobody else's work: however much one address asks for at once, threads are left for others.
    short_of: TurnsOf,
    held: Mutex<[Held; 2]>,
}

/// The turns of each address. Those of addresses that have no work are forgotten.
struct TurnsOf {
    /// How many at the same time.
    most: usize,
    known: Mutex<HashMap<Address, Weak<Semaphore>>>,
}

impl TurnsOf {
    fn new(most: usize) -> Self {
        TurnsOf { most, known: Mutex::default() }
    }

    fn of(&self, address: Address) -> Arc<Semaphore> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = known.get(&address).and_then(Weak::upgrade) {
            return turns;
        }
        known.retain(|_, turns| turns.strong_count() > 0);
        let turns = Arc::new(Semaphore::new(self.most));
        known.insert(address, Arc::downgrade(&turns));
        turns
    }
}

/// The bytes of bodies that are held, by address and in all.
#[derive(Default)]
struct Held {
    of: HashMap<Address, usize>,
    all: usize,
}

impl Accounts {
    pub(crate) fn new(address: u32, token: u32) -> Self {
        let cores = threads::cores();
        Accounts {
            by_address: Budgets::new("address", address),
            by_token: Budgets::new("token", token),
            turns: Arc::new(Semaphore::new(threads::turns(cores))),
            turns_of: TurnsOf::new(TURNS),
            loads_of: TurnsOf::new(TURNS),
            queries_of: TurnsOf::new(1),
            short_of: TurnsOf::new(threads::short(cores)),
            held: Mutex::default(),
        }
    }
}

/// Measures one request.
pub(crate) struct Meter {
    pub(crate) accounts: Arc<Accounts>,
    pub(crate) address: Address,
    /// A hash of the token, if there is one.
    pub(crate) token: Option<u64>,
    /// Nobody reads the body: the request is HEAD.
    pub(crate) bodiless: bool,
    /// What was paid in advance and is not yet used up.
    pub(crate) advance: Mutex<f64>,
    /// How many bytes of bodies it holds in each room until it is dropped,
    pub(crate) held: [AtomicUsize; 2],
    /// and how many its own body has had so far.
    pub(crate) sent: AtomicUsize,
}

impl Meter {
    /// Pays for what was used.
    pub(crate) fn pay(&self, used: f64) {
        let mut advance = self.advance.lock().unwrap_or_else(PoisonError::into_inner);
        let paid = advance.min(used);
        *advance -= paid;
        drop(advance);
        let used = used - paid;
        if used <= 0.0 {
            return;
        }
        if let Some(budgets) = &self.accounts.by_address {
            budgets.pay(self.address, used);
        }
        if let (Some(budgets), Some(token)) = (&self.accounts.by_token, self.token) {
            budgets.pay(token, used);
        }
    }

    /// How long until neither budget is overdrawn.
    pub(crate) fn debt(&self) -> Duration {
        let by_address =
            self.accounts.by_address.as_ref().map(|budgets| budgets.debt(self.address));
        let by_token = self.accounts.by_token.as_ref().zip(self.token);
        let by_token = by_token.map(|(budgets, token)| budgets.debt(token));
        by_address.max(by_token).unwrap_or_default()
    }

    /// Pays for the time that a step takes.
    fn measure<T>(&self, step: impl FnOnce() -> T) -> T {
        let Accounts { by_address, by_token, .. } = &*self.accounts;
        if by_address.is_none() && by_token.is_none() {
            return step();
        }
        let start = processor_time();
        let done = step();
        self.pay_for(processor_time().saturating_sub(start));
        done
    }

    /// A step of the request, under its meter.
    pub(crate) fn under<T>(self: &Arc<Self>, step: impl FnOnce() -> T) -> T {
        METER.sync_scope(Arc::clone(self), || self.measure(step))
    }

    /// Pays for the time of a core.
    fn pay_for(&self, time: Duration) {
        self.pay(time.as_secs_f64() / UNIT.as_secs_f64());
    }

    /// Holds so many bytes of a body more, until the request is over.
    ///
    /// # Errors
    /// 429 if its address holds too much, or all do.
    pub(crate) fn hold(&self, bytes: usize) -> Result<(), Problem> {
        self.hold_in(Room::All, bytes)
    }

    fn hold_in(&self, room: Room, bytes: usize) -> Result<(), Problem> {
        let mut held = self.accounts.held.lock().unwrap_or_else(PoisonError::into_inner);
        let held = &mut held[room as usize];
        let own = held.of.get(&self.address).copied().unwrap_or_default() + bytes;
        let all = held.all + bytes;
        if own > HELD_OF_ADDRESS || all > HELD {
            let detail = format!(
                "bodies in transit may have {} MiB for one address, and {} MiB in all: read what was sent, then try again",
                HELD_OF_ADDRESS >> 20,
                HELD >> 20
            );
            return Err(Problem::new("rate_limited", detail).of_limit(Limit::Bodies));
        }
        held.of.insert(self.address, own);
        held.all = all;
        self.held[room as usize].fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Holds an answer: one that is sent in one piece, or a part of one that is made while it is sent. What is sent live is small.
    pub(crate) fn hold_answer(
        &self,
        room: Room,
        size: BodySize,
        live: bool,
    ) -> Result<(), Problem> {
        match size {
            BodySize::Sized(bytes) if bytes > SMALL as u64 && !self.bodiless => {
                self.hold_in(room, usize::try_from(bytes).unwrap_or(usize::MAX))
            }
            BodySize::Stream if !live && !self.bodiless => self.hold_in(room, STREAMED),
            BodySize::Sized(_) | BodySize::None | BodySize::Stream => Ok(()),
        }
    }

    /// May an answer that is made while it is sent be compressed meanwhile? What that takes is held, too, as long as there is room.
    pub(crate) fn may_compress(&self) -> bool {
        self.bodiless || self.hold(COMPRESSED).is_ok()
    }

    /// Waits until it is the request's turn.
    async fn turn(&self) -> Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)> {
        let own = self.accounts.turns_of.of(self.address).acquire_owned().await.ok()?;
        let all = Arc::clone(&self.accounts.turns).acquire_owned().await.ok()?;
        Some((own, all))
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        let bytes = self.held.each_mut().map(|bytes| *bytes.get_mut());
        if bytes == [0, 0] {
            return;
        }
        let mut held = self.accounts.held.lock().unwrap_or_else(PoisonError::into_inner);
        for (held, bytes) in held.iter_mut().zip(bytes) {
            held.all -= bytes;
            if let Some(own) = held.of.get_mut(&self.address) {
                *own -= bytes;
                if *own == 0 {
                    held.of.remove(&self.address);
                }
            }
        }
    }
}

/// The time that this thread has had a core.
#[must_use]
pub fn processor_time() -> Duration {
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Work at length, off the workers that serve requests, when it is its turn. For HEAD nothing is done: the answer has no body.
pub(crate) async fn work<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (work, done) = Work::of(work);
    let meter = METER.try_with(Arc::clone).ok();
    let permits = match meter.filter(|meter| !meter.bodiless) {
        Some(meter) => meter.turn().await,
        None => None,
    };
    in_turn_of(Turn { _permits: permits }, work).await?;
    Ok(done.take())
}

/// A turn for work at length; where nobody pays none is needed.
pub(crate) struct Turn {
    /// Given back when this is dropped.
    _permits: Option<(OwnedSemaphorePermit, OwnedSemaphorePermit)>,
}

/// Waits until it is the request's turn and all that its address has used is paid: for one slice of work that has many. It does not wait for ever.
pub(crate) async fn paid_turn() -> Turn {
    let Ok(meter) = METER.try_with(Arc::clone) else { return Turn { _permits: None } };
    let end = Instant::now() + PAUSE;
    loop {
        let debt = meter.debt().min(end.saturating_duration_since(Instant::now()));
        if !debt.is_zero() {
            sleep(debt).await;
        }
        let turn = meter.turn().await;
        // Others of its address may have been at work meanwhile.
        if meter.debt().is_zero() || Instant::now() >= end {
            return Turn { _permits: turn };
        }
    }
}

/// Waits until less than [`TURNS`] of the matches that its address has asked for are being read.
pub(crate) async fn load_turn() -> Option<OwnedSemaphorePermit> {
    own_turn(|accounts| &accounts.loads_of).await
}

/// Waits until no other query of its address waits or is answered: so nobody waits for more than one of another address.
pub(crate) async fn query_turn() -> Option<OwnedSemaphorePermit> {
    own_turn(|accounts| &accounts.queries_of).await
}

async fn own_turn(turns: fn(&Accounts) -> &TurnsOf) -> Option<OwnedSemaphorePermit> {
    let meter = METER.try_with(Arc::clone).ok()?;
    turns(&meter.accounts).of(meter.address).acquire_owned().await.ok()
}

/// Work for which the turn was waited for.
pub(crate) async fn in_turn<T: Send + 'static>(
    turn: Turn,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (work, done) = Work::of(work);
    in_turn_of(turn, work).await?;
    Ok(done.take())
}

/// The same, without waiting for the work of others: only for what its own address asks for at the same time.
pub(crate) async fn at_once<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    if METER.try_with(|meter| meter.bodiless).unwrap_or(false) {
        return Err(Problem::bodiless());
    }
    quick(work).await
}

/// The same, for HEAD too.
pub(crate) async fn quick<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let turn = own_turn(|accounts| &accounts.short_of).await;
    let (work, done) = Work::of(work);
    measured(METER.try_with(Arc::clone).ok(), work.holding(turn)).await?;
    Ok(done.take())
}

/// The same for what has a turn that others wait for, too: it must not wait for its own address meanwhile.
pub(crate) async fn reading<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let (work, done) = Work::of(work);
    measured(METER.try_with(Arc::clone).ok(), work).await?;
    Ok(done.take())
}

/// Work of another process: the time that it takes is paid, also by who does not wait for its end.
pub(crate) async fn elsewhere<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let meter = METER.try_with(Arc::clone).ok();
    let work = move || {
        let start = Instant::now();
        let done = work();
        if let Some(meter) = meter {
            meter.pay_for(start.elapsed());
        }
        done
    };
    let (work, done) = Work::of(work);
    work.run().await?;
    Ok(done.take())
}

async fn in_turn_of(turn: Turn, work: Work) -> Result<(), Problem> {
    let meter = METER.try_with(Arc::clone).ok();
    if meter.as_ref().is_some_and(|meter| meter.bodiless) {
        return Err(Problem::bodiless());
    }
    measured(meter, work.holding(turn)).await
}

async fn measured(meter: Option<Arc<Meter>>, work: Work) -> Result<(), Problem> {
    match meter {
        Some(meter) => work.within(move |work| meter.measure(work)).run().await,
        None => work.run().await,
    }
}

/// Pays for the time that another process has worked for the request that is being handled.
pub(crate) fn pay_for(time: Duration) {
    // Without a meter nobody pays.
    let _ = METER.try_with(|meter| meter.pay_for(time));
}

/// How long until what is being handled is paid; nothing where nobody pays.
pub(crate) fn debt() -> Duration {
    METER.try_with(|meter| meter.debt()).unwrap_or_default()
}

/// From which address the request comes that is being handled.
pub(crate) fn address() -> Option<Address> {
    METER.try_with(|meter| meter.address).ok()
}

/// Pays for what is kept on disk for ever: a match that was opened, a seed that was drawn; each of so many commits, as if it had been asked
/// for alone; and the request itself, where it is large.
pub(crate) fn pay_for_kept(commits: u32) {
    const KEPT: f64 = 9.0;
    const BYTES_OF_UNIT: f64 = 2048.0;
    // Without a meter nobody pays.
    let _ = METER.try_with(|meter| {
        let large = meter.sent.load(Ordering::Relaxed).saturating_sub(SMALL_REQUEST);
        meter.pay(KEPT + f64::from(commits) + large as f64 / BYTES_OF_UNIT);
    });
}

/// Holds the body of the request that is being handled until that is over, of which so many bytes have come and so many come now, of
/// `most` at most.
///
/// # Errors
/// 429 if its address holds too much, or all do.
pub(crate) fn hold_request(before: usize, more: usize, most: usize) -> Result<(), Problem> {
    let counted = |bytes: usize| match bytes {
        // There will be more: so it is refused before it takes much.
        bytes if bytes > SMALL => most,
        bytes if bytes > SMALL_REQUEST => bytes,
        _ => 0,
    };
    // Without a meter nobody pays.
    let _ = METER.try_with(|meter| meter.sent.store(before + more, Ordering::Relaxed));
    match counted(before + more) - counted(before) {
        0 => Ok(()),
        bytes => METER.try_with(|meter| meter.hold(bytes)).unwrap_or(Ok(())),
    }
}

/// Handles a request under its meter.
pub(crate) async fn metered<T>(meter: Arc<Meter>, handle: impl Future<Output = T>) -> T {
    let mut handle = std::pin::pin!(METER.scope(Arc::clone(&meter), handle));
    std::future::poll_fn(|cx| meter.measure(|| handle.as_mut().poll(cx))).await
}

/// What goes on even if the request is given up, under its meter.
pub(crate) fn inherited<T>(handle: impl Future<Output = T>) -> impl Future<Output = T> {
    let meter = METER.try_with(Arc::clone).ok();
    async move {
        match meter {
            Some(meter) => metered(meter, handle).await,
            None => handle.await,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn meter(accounts: &Arc<Accounts>, address: u8) -> Meter {
        Meter {
            accounts: Arc::clone(accounts),
            address: Address::of(Some(IpAddr::V4(Ipv4Addr::new(10, 0, 0, address)))),
            token: None,
            bodiless: false,
            advance: Mutex::new(1.0),
            held: Default::default(),
            sent: AtomicUsize::new(0),
        }
    }

    /// Answers to what was stored take nothing from the room that all bodies have.
    #[test]
    fn each_room_is_counted_for_itself() {
        let accounts = Arc::new(Accounts::new(0, 0));
        let holds = |meter: &Meter, room| meter.hold_in(room, HELD_OF_ADDRESS).is_ok();
        let addresses = u8::try_from(HELD / HELD_OF_ADDRESS).unwrap();
        let mut meters = Vec::new();
        for address in 0..addresses {
            let meter = meter(&accounts, address);
            assert!(holds(&meter, Room::Stored) && meter.hold_in(Room::Stored, 1).is_err());
            meters.push(meter);
        }
        assert!(meter(&accounts, addresses).hold_in(Room::Stored, 1).is_err(), "all are full");
        for meter in &meters {
            assert!(holds(meter, Room::All) && meter.hold(1).is_err());
        }
        assert!(meter(&accounts, addresses).hold(1).is_err(), "all are full");
        meters.pop();
        let next = meter(&accounts, addresses);
        assert!(holds(&next, Room::All) && holds(&next, Room::Stored), "it is given back");
    }
}

//! How much one may ask: a budget for each address and for each token, and how many streams an address may hold.
//!
//! Every request is paid by its address, whatever token it carries: a made-up token gives nobody a fresh budget.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpMessage, HttpRequest, ResponseError};
use engine::Opener;

use crate::address::Address;
use crate::budget::{BURST_SECONDS, Left};
use crate::document::may_store;
use crate::meter::{Accounts, Meter, Room, metered};
use crate::metrics::Limit;
use crate::paid;
use crate::problem::Problem;

const RATE_LIMIT: &str = "ratelimit";
const RATE_LIMIT_POLICY: &str = "ratelimit-policy";

/// A request whose answer has no body, although it is handled like GET.
pub(crate) struct Bodiless;

/// How much one may ask; 0 is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Units a second for each address, 5 seconds' worth at once. A request costs at least one unit; 5 ms of one core are one.
    pub address: u32,
    /// Units a second for each token, 5 seconds' worth at once.
    pub token: u32,
    /// Event streams that an address may hold open.
    pub streams: u32,
    /// How many reverse proxies stand in front, each adding to X-Forwarded-For; of 0 the header is not believed.
    pub trusted_proxies: usize,
}

/// All limits of a server.
pub(crate) struct Limits {
    trusted_proxies: usize,
    accounts: Arc<Accounts>,
    tokens: RandomState,
    streams_max: u32,
    streams: Arc<Mutex<HashMap<Address, u32>>>,
    /// Whether a proxy that nobody trusts was noticed.
    warned: AtomicBool,
}

impl Limits {
    pub(crate) fn new(rates: &Rates) -> Self {
        let Rates { address, token, streams, trusted_proxies } = *rates;
        Limits {
            trusted_proxies,
            accounts: Arc::new(Accounts::new(address, token)),
            tokens: RandomState::new(),
            streams_max: streams,
            streams: Arc::default(),
            warned: AtomicBool::new(false),
        }
    }

    /// Takes a request in: its meter, and what is left of the budgets of its address and its token.
    fn enter(&self, request: &HttpRequest) -> Result<(Arc<Meter>, Vec<Left>), Problem> {
        let address = Address::of_request(request, self.trusted_proxies);
        self.notice_proxy(request);
        let token = request.headers().get(header::AUTHORIZATION);
        // Of the token alone: the header can be written in several ways.
        let token = token.map(|token| {
            let mut words = token.as_bytes().split(u8::is_ascii_whitespace);
            self.tokens.hash_one(words.next_back().unwrap_or_default())
        });
        let mut left = Vec::new();
        if let Some(budgets) = &self.accounts.by_address {
            let refused = |wait| refusal(budgets.name, budgets.rate, wait, &[]);
            let entered = budgets.enter(address);
            left.push(entered.map_err(|wait| refused(wait).of_limit(Limit::Address))?);
        }
        if let (Some(budgets), Some(token)) = (&self.accounts.by_token, token) {
            let refused = |wait| refusal(budgets.name, budgets.rate, wait, &left);
            let entered = budgets.enter(token);
            let entered = entered.map_err(|wait| refused(wait).of_limit(Limit::Token));
            left.push(entered?);
        }
        let bodiless = request.extensions().get::<Bodiless>().is_some();
        let accounts = Arc::clone(&self.accounts);
        let meter = Meter {
            accounts,
            address,
            token,
            bodiless,
            advance: Mutex::new(1.0),
            held: Default::default(),
            sent: AtomicUsize::new(0),
        };
        Ok((Arc::new(meter), left))
    }

    /// Says once that there seems to be a proxy which the settings do not name: then all who come through it share one budget.
    fn notice_proxy(&self, request: &HttpRequest) {
        let names = [header::FORWARDED, header::X_FORWARDED_FOR];
        if self.trusted_proxies == 0
            && names.iter().any(|name| request.headers().contains_key(name))
            && !self.warned.swap(true, Ordering::Relaxed)
        {
            tracing::warn!(
                "a request says that it came through a proxy, but no proxy is trusted: all clients behind it share one limit; see --trusted-proxies"
            );
        }
    }

    /// For whom a match counts that this request opens or joins.
    pub(crate) fn opener(&self, request: &HttpRequest) -> Opener {
        Address::of_request(request, self.trusted_proxies).opener()
    }

    /// Counts a stream for its address as long as the answer lives.
    pub(crate) fn hold_stream(&self, request: &HttpRequest) -> Result<HeldStream, Problem> {
        let address = Address::of_request(request, self.trusted_proxies);
        let mut streams = lock(&self.streams);
        let held = streams.entry(address).or_default();
        if self.streams_max > 0 && *held >= self.streams_max {
            let detail = format!(
                "this address holds {held} streams open, which is the limit; close one first"
            );
            return Err(Problem::new("rate_limited", detail).of_limit(Limit::Streams));
        }
        *held += 1;
        drop(streams);
        Ok(HeldStream { address, streams: Arc::clone(&self.streams) })
    }
}

/// The headers that say what is left of budgets, and what they are.
fn told<'a>(left: impl Iterator<Item = &'a Left>) -> [(&'static str, String); 2] {
    let (left, policies): (Vec<_>, Vec<_>) = left.map(Left::items).unzip();
    [(RATE_LIMIT, left.join(", ")), (RATE_LIMIT_POLICY, policies.join(", "))]
}

/// The refusal of a request whose budget is used up, where so much is left of the others.
fn refusal(name: &'static str, rate: u32, wait: Duration, others: &[Left]) -> Problem {
    let detail = format!(
        "this {name} may use {rate} units a second, and {} at once; a request costs at least one, and more for processor time, bytes and what is kept",
        rate * BURST_SECONDS,
    );
    let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
    let used_up = Left { name, rate, units: 0 };
    let [(limit, left), (policy, policies)] = told(others.iter().chain([&used_up]));
    Problem::new("rate_limited", detail)
        .header("Retry-After", seconds.max(1).to_string())
        .header(limit, left)
        .header(policy, policies)
}

/// A stream that counts for its address.
pub(crate) struct HeldStream {
    address: Address,
    streams: Arc<Mutex<HashMap<Address, u32>>>,
}

impl Drop for HeldStream {
    fn drop(&mut self) {
        let mut streams = lock(&self.streams);
        if let Some(held) = streams.get_mut(&self.address) {
            *held -= 1;
            if *held == 0 {
                streams.remove(&self.address);
            }
        }
    }
}

/// The numbers behind a lock are whole after every step: a panic elsewhere does not spoil them.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The middleware: inside of CORS, the metrics and the request's id, so that they hold for refusals too.
pub(crate) async fn limit(
    limits: Data<Limits>,
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    // Who watches over the server must always get through.
    if matches!(request.path(), "/healthz" | "/readyz") {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let (meter, left) = match limits.enter(request.request()) {
        Ok(entered) => entered,
        Err(problem) => return Ok(request.into_response(problem.error_response())),
    };
    let response = metered(Arc::clone(&meter), next.call(request)).await?;
    let kind = response.headers().get(header::CONTENT_TYPE);
    let live = kind.is_some_and(|kind| kind == "text/event-stream");
    let size = response.response().body().size();
    let held = meter.hold_answer(Room::All, size, live).or_else(|problem| {
        if !response.status().is_success() || !may_store(response.request()) {
            return Err(problem);
        }
        // Whoever is told that nothing was stored does it again.
        meter.hold_answer(Room::Stored, size, live).map_err(|_| Problem::outcome_unknown())
    });
    let response = match held {
        Ok(()) => response.map_into_boxed_body(),
        Err(problem) => response.into_response(problem.error_response()),
    };
    let would_compress = !live
        && matches!(size, BodySize::Stream)
        && response.request().headers().contains_key(header::ACCEPT_ENCODING)
        && !response.headers().contains_key(header::CONTENT_ENCODING);
    let is_plain = would_compress && !meter.may_compress();
    let mut response = response.map_body(|_, body| paid::body(meter, body, live));
    if is_plain {
        response
            .headers_mut()
            .insert(header::CONTENT_ENCODING, HeaderValue::from_static("identity"));
    }
    for (name, items) in told(left.iter()) {
        if let Ok(value) = HeaderValue::from_str(&items)
            && !items.is_empty()
        {
            let name = HeaderName::from_static(name);
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}

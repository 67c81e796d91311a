//! How often one may ask: a bucket for each address and for each token, and how many streams an address may hold.
//!
//! Every request is charged to its address, whatever token it carries: a made-up token gives nobody a fresh budget. Buckets are kept for
//! a bounded number of addresses and tokens; the one that was used longest ago makes room, and had filled up again by then.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};
use std::net::{IpAddr, SocketAddr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::http::{Method, Uri};
use actix_web::middleware::Next;
use actix_web::web::Data;
use actix_web::{Error, HttpRequest, ResponseError};
use governor::clock::{Clock, MonotonicClock};
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::{Quota, RateLimiter};
use lru::LruCache;

use crate::metrics::Metrics;
use crate::problem::Problem;

/// What a bucket holds: so many seconds of its rate.
const BURST_SECONDS: u32 = 5;

/// How many addresses, and how many tokens, have a bucket. Each costs about 100 bytes.
const BUCKETS: NonZeroUsize = NonZeroUsize::new(1 << 15).expect("it is not zero");

/// What a request costs that opens a match, computes at length, or answers at length.
const HEAVY: u32 = 10;

const RATE_LIMIT: &str = "ratelimit";
const RATE_LIMIT_POLICY: &str = "ratelimit-policy";

/// How often one may ask; 0 is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rates {
    /// Requests a second for each address, 5 seconds' worth at once.
    pub address: u32,
    /// Requests a second for each token, 5 seconds' worth at once.
    pub token: u32,
    /// Event streams that an address may hold open.
    pub streams: u32,
    /// How many reverse proxies stand in front, each adding to X-Forwarded-For; of 0 the header is not believed.
    pub trusted_proxies: usize,
}

/// All limits of a server.
pub(crate) struct Limits {
    trusted_proxies: usize,
    by_address: Option<Policy<Address>>,
    by_token: Option<Policy<u64>>,
    tokens: RandomState,
    streams_max: u32,
    streams: Arc<Mutex<HashMap<Address, u32>>>,
    metrics: Arc<Metrics>,
}

impl Limits {
    pub(crate) fn new(rates: &Rates, metrics: Arc<Metrics>) -> Self {
        let Rates { address, token, streams, trusted_proxies } = *rates;
        Limits {
            trusted_proxies,
            by_address: Policy::new("address", address),
            by_token: Policy::new("token", token),
            tokens: RandomState::new(),
            streams_max: streams,
            streams: Arc::default(),
            metrics,
        }
    }

    /// Charges a request to its address and to its token. Returns what is left of each.
    fn charge(&self, request: &HttpRequest) -> Result<Vec<Left>, Problem> {
        let cost = cost(request.method(), request.uri());
        let mut left = Vec::new();
        if let Some(policy) = &self.by_address {
            let charged = policy.charge(&self.address(request), cost);
            left.push(charged.inspect_err(|_| self.metrics.limit_hit(policy.name))?);
        }
        if let Some(policy) = &self.by_token
            && let Some(token) = request.headers().get(header::AUTHORIZATION)
        {
            let charged = policy.charge(&self.tokens.hash_one(token.as_bytes()), cost);
            left.push(charged.inspect_err(|_| self.metrics.limit_hit(policy.name))?);
        }
        Ok(left)
    }

    /// Counts a stream for its address as long as the answer lives.
    pub(crate) fn hold_stream(&self, request: &HttpRequest) -> Result<HeldStream, Problem> {
        let address = self.address(request);
        let mut streams = lock(&self.streams);
        let held = streams.entry(address).or_default();
        if self.streams_max > 0 && *held >= self.streams_max {
            self.metrics.limit_hit("streams");
            let detail = format!(
                "this address holds {held} streams open, which is the limit; close one first"
            );
            return Err(Problem::new("rate_limited", detail));
        }
        *held += 1;
        drop(streams);
        Ok(HeldStream { address, streams: Arc::clone(&self.streams) })
    }

    /// Who asks: the peer of the connection, or whom the outermost trusted proxy says that it speaks for.
    fn address(&self, request: &HttpRequest) -> Address {
        let peer = request.peer_addr().map(|peer| peer.ip());
        let forwarded = forwarded(request.headers(), self.trusted_proxies);
        Address::of(forwarded.or(peer))
    }
}

/// An address that is counted for itself: of IPv6 the first half, since whoever has one address there has a whole network of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Address(u128);

impl Address {
    fn of(address: Option<IpAddr>) -> Self {
        match address.map(|address| address.to_canonical()) {
            Some(IpAddr::V4(address)) => Address(address.to_ipv6_mapped().to_bits()),
            Some(IpAddr::V6(address)) => Address(address.to_bits() >> 64 << 64),
            None => Address(0),
        }
    }
}

/// The address that the outermost of so many trusted proxies has seen. What stands before it, anybody may have written.
fn forwarded(headers: &HeaderMap, trusted: usize) -> Option<IpAddr> {
    let lines: Vec<&str> =
        headers.get_all(header::X_FORWARDED_FOR).filter_map(|line| line.to_str().ok()).collect();
    let entries: Vec<&str> = lines.iter().flat_map(|line| line.split(',')).collect();
    let entry = entries.iter().rev().nth(trusted.checked_sub(1)?)?.trim();
    let with_port = || entry.parse::<SocketAddr>().ok().map(|socket| socket.ip());
    entry.parse().ok().or_else(with_port)
}

/// The cost of a request, in units of a simple one.
fn cost(method: &Method, uri: &Uri) -> u32 {
    const LONG_ANSWERS: [&str; 6] = ["/replay", ".ndjson", "api.json", ".csv", ".parquet", ".tar"];
    const WORK: [&str; 5] = ["/v1/matches", "/branches", "/positions", "/analysis", "/query"];
    let of = |ends: &[&str]| ends.iter().any(|end| uri.path().ends_with(end));
    if of(&LONG_ANSWERS) || (method == Method::POST && of(&WORK)) { HEAVY } else { 1 }
}

/// What is left of a bucket after a request.
struct Left {
    name: &'static str,
    rate: u32,
    units: u32,
}

impl Left {
    /// The items of the headers RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
    fn items(&self) -> (String, String) {
        let Left { name, rate, units } = self;
        let most = rate * BURST_SECONDS;
        let full_in = (most - (*units).min(most)).div_ceil(*rate);
        let left = format!("\"{name}\";r={units};t={full_in}");
        (left, format!("\"{name}\";q={most};w={BURST_SECONDS}"))
    }
}

type Limiter<K> = RateLimiter<K, Buckets<K>, MonotonicClock, StateInformationMiddleware>;

/// One bucket for each key, all of the same size.
struct Policy<K: Hash + Eq + Clone> {
    name: &'static str,
    rate: u32,
    limiter: Limiter<K>,
}

impl<K: Hash + Eq + Clone> Policy<K> {
    /// A policy of `rate` requests a second; none for 0.
    fn new(name: &'static str, rate: u32) -> Option<Self> {
        // More than that is no limit that this machine would notice.
        let rate = NonZeroU32::new(rate.min(1_000_000))?;
        let burst = rate.saturating_mul(NonZeroU32::new(BURST_SECONDS)?);
        let quota = Quota::per_second(rate).allow_burst(burst);
        let buckets = Buckets(Mutex::new(LruCache::new(BUCKETS)));
        Some(Policy {
            name,
            rate: rate.get(),
            limiter: RateLimiter::new(quota, buckets, MonotonicClock),
        })
    }

    fn charge(&self, key: &K, cost: u32) -> Result<Left, Problem> {
        let Policy { name, rate, ref limiter } = *self;
        let cost = NonZeroU32::new(cost.min(rate * BURST_SECONDS)).unwrap_or(NonZeroU32::MIN);
        let fits = limiter.check_key_n(key, cost);
        match fits.expect("a cost is at most what a bucket holds") {
            Ok(snapshot) => Ok(Left { name, rate, units: snapshot.remaining_burst_capacity() }),
            Err(not_until) => {
                let wait = not_until.wait_time_from(limiter.clock().now());
                let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
                let detail = format!(
                    "this {name} may send {rate} requests a second, and {} at once; a request that opens or computes \
                     something or has a long response counts as {HEAVY}",
                    rate * BURST_SECONDS
                );
                let empty = Left { name, rate, units: 0 };
                let (left, policy) = empty.items();
                let problem = Problem::new("rate_limited", detail)
                    .header("Retry-After", seconds.max(1).to_string())
                    .header(RATE_LIMIT, left)
                    .header(RATE_LIMIT_POLICY, policy);
                Err(problem)
            }
        }
    }
}

/// The state of a bounded number of buckets.
struct Buckets<K: Hash + Eq>(Mutex<LruCache<K, Nanos>>);

impl<K: Hash + Eq + Clone> StateStore for Buckets<K> {
    type Key = K;

    fn measure_and_replace<T, F, E>(&self, key: &K, decide: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut buckets = lock(&self.0);
        let (answer, state) = decide(buckets.get(key).copied())?;
        buckets.put(key.clone(), state);
        Ok(answer)
    }
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
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
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
    let left = match limits.charge(request.request()) {
        Ok(left) => left,
        Err(problem) => return Ok(request.into_response(problem.error_response())),
    };
    let mut response = next.call(request).await?.map_into_boxed_body();
    let items = left.iter().map(Left::items);
    let (left, policies): (Vec<_>, Vec<_>) = items.unzip();
    for (name, items) in [(RATE_LIMIT, left), (RATE_LIMIT_POLICY, policies)] {
        if let Ok(value) = HeaderValue::from_str(&items.join(", "))
            && !items.is_empty()
        {
            let name = HeaderName::from_static(name);
            response.headers_mut().insert(name, value);
        }
    }
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    fn said(lines: &[&str], trusted: usize) -> Option<IpAddr> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::X_FORWARDED_FOR, HeaderValue::from_str(line).unwrap());
        }
        forwarded(&headers, trusted)
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let (a, b) = (Ipv4Addr::new(192, 0, 2, 1), Ipv4Addr::new(192, 0, 2, 2));
        assert_eq!(said(&["192.0.2.1"], 0), None);
        assert_eq!(said(&["203.0.113.9, 192.0.2.1"], 1), Some(a.into()));
        assert_eq!(said(&["203.0.113.9", "192.0.2.1"], 1), Some(a.into()));
        assert_eq!(said(&["9.9.9.9, 192.0.2.2, 192.0.2.1"], 2), Some(b.into()));
        assert_eq!(said(&["192.0.2.1:4711"], 1), Some(a.into()));
        let v6 = Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1);
        assert_eq!(said(&["[2001:db8::1]:4711"], 1), Some(v6.into()));
        assert_eq!(said(&["2001:db8::1"], 1), Some(v6.into()));
        for nonsense in ["", ",", "unknown", "192.0.2.1.5", "a, "] {
            assert_eq!(said(&[nonsense], 1), None, "{nonsense}");
        }
        assert_eq!(said(&[], 1), None);
        assert_eq!(said(&["192.0.2.1"], 2), None, "it came past the proxies");
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let of = |text: &str| Address::of(Some(text.parse().unwrap()));
        assert!(of("2001:db8::1") == of("2001:db8::ffff:1"));
        assert!(of("2001:db8::1") != of("2001:db8:0:1::1"));
        assert!(of("192.0.2.1") == of("::ffff:192.0.2.1"));
        assert!(of("192.0.2.1") != of("192.0.2.2"));
    }

    #[test]
    fn buckets_are_bounded() {
        let policy: Policy<u64> = Policy::new("token", 1).unwrap();
        for token in 0..100_000 {
            assert!(policy.charge(&token, 1).is_ok());
        }
        assert_eq!(lock(&policy.limiter.into_state_store().0).len(), 1 << 15);
    }
}

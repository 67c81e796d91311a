//! Budgets: what an address or a token has used, in units, and what it may use.
//!
//! A unit is 5 ms of one core. A budget fills at a rate of units a second, up to five seconds' worth. A request pays one unit in advance, and
//! what it has used beyond that when this is known; so a budget can be overdrawn. Whoever has overdrawn it waits until it is filled again.
//!
//! Budgets are kept for a bounded number of keys; the one that was used longest ago makes room.

use std::hash::Hash;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lru::LruCache;

/// What a budget holds: so many seconds of its rate.
pub(crate) const BURST_SECONDS: u32 = 5;

/// How many keys have a budget. Each costs about 100 bytes.
const KEYS: NonZeroUsize = NonZeroUsize::new(1 << 15).expect("it is not zero");

/// The work that a unit stands for.
pub(crate) const UNIT: Duration = Duration::from_millis(5);

/// One budget for each key, all of the same size.
pub(crate) struct Budgets<K: Hash + Eq> {
    pub(crate) name: &'static str,
    /// Units a second.
    pub(crate) rate: u32,
    kept: Mutex<LruCache<K, Budget>>,
}

/// The budget of one key.
#[derive(Clone, Copy)]
struct Budget {
    /// What was left at that time; negative if it is overdrawn.
    units: f64,
    at: Instant,
}

/// What is left of a budget, in units.
pub(crate) struct Left {
    pub(crate) name: &'static str,
    pub(crate) rate: u32,
    pub(crate) units: u32,
}

impl<K: Hash + Eq> Budgets<K> {
    /// Budgets of `rate` units a second; none for 0.
    pub(crate) fn new(name: &'static str, rate: u32) -> Option<Self> {
        // More than that is no limit that this machine would notice.
        let rate = rate.min(1_000_000);
        (rate > 0).then(|| Budgets { name, rate, kept: Mutex::new(LruCache::new(KEYS)) })
    }

    /// Takes one unit in advance; if there is none, says how long to wait for it.
    pub(crate) fn enter(&self, key: K) -> Result<Left, Duration> {
        self.change(key, |units| {
            if *units < 1.0 {
                return Err(self.time_for(1.0 - *units));
            }
            *units -= 1.0;
            // Rounded down: what is begun cannot be spent.
            Ok(Left { name: self.name, rate: self.rate, units: *units as u32 })
        })
    }

    /// Takes what was used, whether it is there or not.
    pub(crate) fn pay(&self, key: K, used: f64) {
        self.change(key, |units| *units -= used);
    }

    /// How long it takes until the budget is no longer overdrawn.
    pub(crate) fn debt(&self, key: K) -> Duration {
        self.change(key, |units| self.time_for(-*units))
    }

    fn time_for(&self, units: f64) -> Duration {
        Duration::from_secs_f64(units.max(0.0) / f64::from(self.rate))
    }

    fn change<T>(&self, key: K, change: impl FnOnce(&mut f64) -> T) -> T {
        let now = Instant::now();
        let most = f64::from(self.rate * BURST_SECONDS);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let budget = kept.get_or_insert_mut(key, || Budget { units: most, at: now });
        let filled = now.saturating_duration_since(budget.at).as_secs_f64() * f64::from(self.rate);
        budget.units = (budget.units + filled).min(most);
        budget.at = now;
        change(&mut budget.units)
    }
}

impl Left {
    /// The items of the headers RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers).
    pub(crate) fn items(&self) -> (String, String) {
        let Left { name, rate, units } = self;
        let most = rate * BURST_SECONDS;
        let full_in = (most - (*units).min(most)).div_ceil(*rate);
        (
            format!("\"{name}\";r={units};t={full_in}"),
            format!("\"{name}\";q={most};w={BURST_SECONDS}"),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_bounded() {
        let budgets: Budgets<u64> = Budgets::new("token", 1).unwrap();
        for token in 0..100_000 {
            assert!(budgets.enter(token).is_ok());
        }
        assert_eq!(budgets.kept.into_inner().unwrap().len(), 1 << 15);
    }

    #[test]
    fn who_has_overdrawn_waits() {
        let budgets: Budgets<u64> = Budgets::new("token", 10).unwrap();
        let begun = Instant::now();
        assert_eq!(budgets.enter(1).ok().map(|left| left.units), Some(49));
        budgets.pay(1, 149.0);
        let wait = budgets.enter(1).err().unwrap().as_secs_f64();
        // What passes meanwhile is paid off.
        let least = |seconds: f64| seconds - begun.elapsed().as_secs_f64();
        assert!((least(10.0)..10.2).contains(&wait), "{wait}");
        assert!(budgets.debt(1).as_secs_f64() > least(9.0));
        assert!(budgets.enter(2).is_ok(), "others do not wait");
    }
}

//! The store from outside: on a real disk, under a real kill, with real damage.

mod content;
mod engines;
mod open;
mod making;
mod child;
mod crash;
mod syscalls;
#[cfg(feature = "postgres")]
mod tls;
mod disk_full;
mod visible;
mod model;
mod notes;
mod damage;
mod snapshot;
mod check;
mod inspect;
mod salvage;
mod trouble;
#[cfg(feature = "postgres")]
mod lease;
#[cfg(feature = "postgres")]
mod odd;
#[cfg(feature = "postgres")]
mod postgres;
#[cfg(feature = "postgres")]
mod quorum;
#[cfg(feature = "postgres")]
mod replaced;

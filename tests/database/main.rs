//! The real program with its store in PostgreSQL: how it begins, and what it does while the database is away.
//!
//! Where PostgreSQL is not installed, every test says so and passes.

mod away;
mod busy;
mod hangs;
mod odd;
#[expect(dead_code, reason = "the tests of the store need more of it")]
#[path = "../../store/tests/it/cluster.rs"]
mod postgres;
mod refused;
mod unknown;

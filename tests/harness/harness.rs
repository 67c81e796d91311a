//! What the tests stand on: a server, clients, matches, and the proofs of the contract.

pub(crate) mod client;
pub(crate) mod http;
pub(crate) mod proof;
pub(crate) mod server;
pub(crate) mod stream;
pub(crate) mod table;

pub(crate) use client::{Client, Request};
pub(crate) use http::{Answer, Connection};
pub(crate) use server::muninn;
pub(crate) use table::{Dice, Table};

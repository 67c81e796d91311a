//! What the tests stand on: a server, the program as a process, clients, matches, and the proofs of the contract.

#![expect(missing_docs, reason = "a method that asks the server is named after what it asks for")]

pub mod client;
pub mod copies;
pub mod disk;
pub mod files;
pub mod frugal;
pub mod http;
pub mod preload;
pub mod process;
pub mod proof;
pub mod request;
pub mod rewritten;
pub mod said;
pub mod server;
pub mod stream;
pub mod table;
pub mod untested;
pub mod wait;

pub use client::Client;
pub use files::places;
pub use http::{Answer, Connection};
pub use request::Request;
pub use said::{Said, run, run_on, simulate};
pub use server::muninn;
pub use table::{Dice, Table, endless, unversioned};
pub use untested::not_tested;
pub use wait::{until, until_some};

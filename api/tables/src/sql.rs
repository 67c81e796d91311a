//! The tables in a SQLite file beside the store, kept up with the feed, and queries that can do no harm.
//!
//! The file is made from the store, and made anew when the tables have changed, or when it is not what its checksums tell. A table is a view over narrow rows: the ids of matches, times as
//! text, and whole events and commands are looked up only where a query asks for them.

mod answer;
mod file;
mod filling;
mod layout;
mod query;
mod statement;

pub use derived::FileError as SqlError;
pub use file::Sql;
pub use filling::Prepared;
pub use query::{Answer, Limits, QueryError, Value};

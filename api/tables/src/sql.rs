//! The tables in a SQLite file beside the store, kept up with the feed, and queries that can do no harm.
//!
//! The file is made from the store, and made anew when the tables have changed, or when it is not what its checksums tell. A table is a view over narrow rows: the ids of matches, times as
//! text, and whole events and commands are looked up only where a query asks for them.

mod answer;
mod child;
mod file;
mod filling;
mod functions;
mod layout;
mod moments;
mod process;
mod query;
mod question;
mod rows;
mod schema;
mod select;
mod sheet;
mod statement;
mod terms;
mod waiting;

pub use answer::Shape;
pub use child::run_query;
pub use derived::FileError as SqlError;
pub use file::Sql;
pub use filling::Prepared;
pub use process::{Asked, Asker, RUN_QUERY, asker};
pub use query::Answer;
pub use question::{Parameter, Question};
pub(crate) use rows::Stored;
pub use schema::schema_lines;
pub use terms::{Limits, QueryError};

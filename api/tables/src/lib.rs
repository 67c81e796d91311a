//! Finished matches as tables: what an analyst reads without writing a parser.
//!
//! Eight tables are the same for every game; each type of event of each game is a table of its own, with real columns made from the
//! JSON Schema of the event. They are written as Parquet, CSV or JSON lines, to a partitioned folder ([`export`]), piece by piece
//! ([`download`], [`bundle`]) or to anything that takes bytes ([`mod@write`]), and kept in a SQLite file for SQL ([`sql`]). No game is named here.
//!
//! Only finished matches: while a match goes on, or when it was closed before its end, its hidden parts stay hidden.

pub mod column;
pub mod batch;
mod in_commit;
mod key;
mod members;
mod row;
mod rows;
mod names;
mod wide;
pub mod catalogue;
pub mod dictionary;
mod parquet_file;
pub mod write;
mod part;
pub mod export;
pub mod download;
pub mod bundle;
mod read_ahead;
mod wanted;
pub mod sql;

pub use batch::{Batch, Cell};
pub use bundle::Bundle;
pub use catalogue::{Batches, Catalogue, VERSION};
pub use column::{Column, Kind, Table};
pub use dictionary::dictionary;
pub use download::{Download, DownloadError, Pieces, Selection};
pub use export::{Export, ExportError, Exported};
pub use names::WORDS;
pub use sql::{Answer, Limits, Parameter, Prepared, QueryError, Question, Shape, Sql, SqlError};
pub use wanted::Wanted;
pub use write::{Format, Writer};

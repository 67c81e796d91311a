//! SQLite files that are made from the store beside it, and made anew when they are not what their checksums tell, or are of another store.

mod error;
mod file;
mod held;
mod state;
mod sums;
mod wal;

pub use error::FileError;
pub use file::{Begun, Derived, Opened, Source, meta, open};
pub use held::Held;
pub use state::{Known, Locked, Stamp, State};
pub use sums::{Differs, Sums, Trouble};
pub use wal::PAGE;

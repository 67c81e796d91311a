//! The portable archive: a whole store as JSON lines in zstd, from which the same store can be made again.
//!
//! | line | what it has |
//! |---|---|
//! | first | `format`, the feed positions `after` which it begins and up to which it goes, what it `continues`, and the program that wrote it |
//! | commits | in order of position, each with its match, number, hashes and text as they are stored; number 1 with the header of the match |
//! | notes | in order of key: names, hashes of tokens, idempotency keys, tickets; each with the position at which it was written |
//! | last | the [`Manifest`]: counts, the last commit, a digest of the heads of all chains in it, and SHA-256 over all lines before |
//!
//! An archive that continues another one has the commits and notes since; it names the other by the SHA-256 in that one's manifest. Notes that
//! were written without a commit have the position of the commit before, so a few of them may be in both. A name that was forgotten since is a
//! note of its own kind that says of which match: then all names that are left of that match are in it, also those of before, and who restores
//! removes the others.
//!
//! It is written and read line after line; of each match no more than the head of its chain is kept in memory.
//! [docs/adr/0019-portable-archive.md](../../../../docs/adr/0019-portable-archive.md) says why it is so.

mod backup;
mod chains;
mod failed;
mod forgotten;
mod import;
mod line;
mod owner;
mod reader;
mod repair;
mod restore;
mod stop;
mod whole;

pub use backup::back_up;
pub use failed::Failed;
pub use import::{Imported, import, published};
pub use line::{Head, Manifest};
pub use reader::{manifest, manifest_in, verify};
pub use repair::{Repaired, SetAside, repair};
pub use restore::{Restored, restore};
pub use stop::Until;
pub use whole::{back_up_file, replace_file};

//! What to export.

use crate::wanted::Wanted;
use crate::write::Format;

/// Arguments of `muninn export`.
#[derive(Clone, Debug)]
pub struct Export {
    /// How the tables are written.
    pub format: Format,
    /// Which matches.
    pub wanted: Wanted,
    /// Only matches that ended after this feed position; without it, after the end of the export that the folder holds.
    pub since: Option<u64>,
    /// How many threads decide matches again, beside the one that writes.
    pub threads: usize,
}

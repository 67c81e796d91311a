//! How many threads a command may have.

use clap::builder::RangedU64ValueParser;

/// A number of threads: no more than the server takes, and than a machine has use for; 0 is one for each core.
pub(crate) fn threads() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(0..=512)
}

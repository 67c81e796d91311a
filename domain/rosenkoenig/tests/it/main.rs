//! One test binary: rule cases, conformance, counting sequences, an independent oracle, playthroughs, fuzz, printed data.

#![expect(
    clippy::unwrap_used,
    reason = "a test that stops here has failed, and its place says where"
)]

mod fixtures;
mod against_oracle;
mod cases;
mod conformance;
mod counting;
mod data;
mod fuzz;
mod hidden;
mod leaning;
mod oracle;
mod playthroughs;
mod schemas;

//! One test binary: rule cases, conformance, hidden faces, leanings, naive oracles, printed data, playthroughs, broken input.

#![expect(
    clippy::unwrap_used,
    reason = "a test that stops here has failed, and its place says where"
)]

mod fixtures;
mod cases;
mod conformance;
mod conservation;
mod data;
mod earlier;
mod fuzzing;
mod hidden;
mod leaning;
mod oracle;
mod playthroughs;

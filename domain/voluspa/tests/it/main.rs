//! Völuspá passes what every game must pass, and what its own rules say.

#![expect(
    clippy::unwrap_used,
    reason = "a test that stops here has failed, and its place says where"
)]

mod fixtures;
mod agreement;
mod cases;
mod chance;
mod conformance;
mod data;
mod ending;
mod fuzzing;
mod oracle;
mod playthroughs;
mod secrets;
mod spots;

//! The game against its specification: rule cases, conformance, independent oracles, data, broken input.

mod bot;
mod cases;
mod conformance;
mod conservation;
mod data;
mod fuzzing;
mod oracle;
mod playthroughs;

//! The rules of Copenhagen, held by cases, random matches, an independent oracle, and playthroughs that a person can read.

mod agreement;
mod cases;
mod conformance;
mod oracle;
mod strategy;

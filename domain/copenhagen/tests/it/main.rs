//! The rules of Copenhagen, held by cases, random matches, an independent oracle, and playthroughs that a person can read.

mod fixtures;
mod agreement;
mod cases;
mod conformance;
mod fuzz;
mod hidden;
mod oracle;
mod playthroughs;
mod positions;
mod printed;
mod shapes;
mod strategy;

//! One test binary: rule cases, conformance, counting sequences, an independent oracle, playthroughs, fuzz, printed data.

mod against_oracle;
mod cases;
mod conformance;
mod counting;
mod data;
mod fuzz;
mod hidden;
mod oracle;
mod playthroughs;

//! The rules of Copenhagen, held by cases, random matches, an independent oracle, and playthroughs that a person can read.

mod conformance;

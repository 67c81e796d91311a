//! The game against its specification: rule cases, conformance, independent oracles, data, broken input.

mod cases;

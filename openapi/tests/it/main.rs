//! The committed document is fresh, complete, and true to its own examples.

#![expect(clippy::unwrap_used, reason = "a test stops where something is not as it must be")]

mod document;
mod examples;
mod schemas;
mod streams;
mod unions;

//! The committed document is fresh, complete, and true to its own examples.

mod document;

mod examples;

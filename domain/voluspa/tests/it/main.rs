//! Völuspá passes what every game must pass, and what its own rules say.

mod cases;

mod conformance;

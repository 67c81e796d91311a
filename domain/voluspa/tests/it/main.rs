//! Völuspá passes what every game must pass, and what its own rules say.

mod agreement;

mod cases;

mod conformance;

mod fuzzing;

mod oracle;

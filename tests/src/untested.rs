//! What cannot be tested on this machine is said.

use std::env;
use std::io::{self, Write as _};

/// Says what is not tested and why, past the capture of the tests' output. Where `TESTS_NEED` names what is missing, the test fails.
#[track_caller]
pub fn not_tested(missing: &str, why: &str) {
    let needed = env::var("TESTS_NEED").unwrap_or_default();
    let is_needed = needed.split_whitespace().any(|one| one == missing);
    assert!(!is_needed, "NOT TESTED, though {missing} must be here: {why}");
    // Whoever closed it does not want to know.
    drop(io::stderr().write_all(format!("NOT TESTED: {why}\n").as_bytes()));
}

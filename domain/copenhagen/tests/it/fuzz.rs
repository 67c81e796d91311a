//! Broken and strange input. `FUZZ_ROUNDS=1000000 cargo test -p copenhagen fuzz` runs longer.

use std::path::Path;

use copenhagen::Copenhagen;

use crate::conformance::pieces_are_conserved;

/// The corpus is the positions of the cases and a file of commands.
#[test]
fn copenhagen_survives_the_fuzzer() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let found = testkit::fuzz::<Copenhagen>(&corpus, 3_000, 1, &|_, position| {
        pieces_are_conserved(position)
    });
    assert!(found.admitted > found.rounds / 10, "{found:?}");
    let rules =
        ["C-210", "C-301", "C-303", "C-404", "C-503", "C-504", "C-505", "C-506", "C-508", "C-510"];
    assert!(rules.iter().all(|rule| found.refused.contains_key(*rule)), "{found:?}");
}

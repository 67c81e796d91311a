//! Broken and strange positions and commands.

use std::path::Path;

use voluspa::Voluspa;

use crate::conformance::comes_out_of_the_box;

#[test]
fn the_fuzzer_finds_nothing() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let found =
        testkit::fuzz::<Voluspa>(&corpus, 1_500, 20, &|_, position| comes_out_of_the_box(position));
    assert!(found.admitted > found.rounds / 5, "most documents are broken: {found:?}");
    let rules = ["V-109", "V-201", "V-202", "V-203", "V-301", "V-303", "V-306", "V-311"];
    assert!(rules.iter().all(|rule| found.refused.contains_key(*rule)), "{found:?}");
}

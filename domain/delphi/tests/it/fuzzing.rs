//! Broken and strange input: loads, lists and decisions hold for whatever has the right types.

use std::path::Path;

use delphi::Delphi;
use testkit::fuzz;

use crate::conservation::{comes_out_of_the_box, keeps_the_pieces};

#[test]
fn the_game_survives_the_fuzzer() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    for seed in [2, 1] {
        let found = fuzz::<Delphi>(&corpus, 2_000, seed, &|before, position| {
            before.map_or_else(
                || comes_out_of_the_box(position),
                |before| keeps_the_pieces(before, position),
            );
        });
        assert!(found.admitted > found.rounds / 10, "{found:?}");
        for rule in ["D-131", "D-201", "D-203", "D-301", "D-311", "D-404", "D-410", "D-511"] {
            assert!(found.refused.contains_key(rule), "nothing was refused by {rule}: {found:?}");
        }
    }
}

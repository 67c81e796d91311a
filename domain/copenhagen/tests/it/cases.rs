//! The rule cases of `tests/cases`: worked examples and what is tricky, expected by hand from the text.

use std::path::Path;

use testkit::Cases;

fn cases() -> Cases {
    Cases::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"))
}

#[test]
fn the_cases_hold() {
    let held = cases().run(copenhagen::GAME);
    assert!(held >= 348, "{held} cases: some are not read");
}

#[test]
fn every_rule_has_a_case() {
    cases().check_rules(copenhagen::GAME, include_str!("../../RULES.md"));
}

//! The rule cases of `tests/cases`: worked examples and what is tricky, expected by hand from the text.

use std::path::Path;

use copenhagen::Copenhagen;
use kernel::Erased;
use testkit::Cases;

fn cases() -> Cases {
    Cases::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases"))
}

#[test]
fn the_cases_hold() {
    cases().run(&Erased::<Copenhagen>::NEW);
}

#[test]
fn every_rule_has_a_case() {
    cases().check_rules(&Erased::<Copenhagen>::NEW, include_str!("../../RULES.md"));
}

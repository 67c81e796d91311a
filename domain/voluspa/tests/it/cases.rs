//! The rule cases of `tests/cases`.

use kernel::Erased;
use testkit::Cases;
use voluspa::Voluspa;

fn cases() -> Cases {
    Cases::load(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
}

#[test]
fn the_rule_cases_hold() {
    cases().run(&Erased::<Voluspa>::NEW);
}

#[test]
fn every_rule_is_listed_and_quoted_by_a_case() {
    cases().check_rules(&Erased::<Voluspa>::NEW, include_str!("../../RULES.md"));
}

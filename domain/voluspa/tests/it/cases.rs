//! The rule cases of `tests/cases`.

use testkit::Cases;

fn cases() -> Cases {
    Cases::load(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
}

#[test]
fn the_rule_cases_hold() {
    let held = cases().run(voluspa::GAME);
    assert!(held >= 375, "{held} cases: some are not read");
}

#[test]
fn every_rule_is_listed_and_quoted_by_a_case() {
    cases().check_rules(voluspa::GAME, include_str!("../../RULES.md"));
}

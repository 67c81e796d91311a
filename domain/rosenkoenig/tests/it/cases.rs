//! The rule cases, and that every rule number has one.

use testkit::Cases;

fn load() -> Cases {
    Cases::load(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
}

#[test]
fn all_cases_hold() {
    let held = load().run(rosenkoenig::GAME);
    assert!(held >= 190, "{held} cases: some are not read");
}

#[test]
fn every_rule_number_is_listed_and_quoted_by_a_case() {
    load().check_rules(rosenkoenig::GAME, include_str!("../../RULES.md"));
}

//! The rule cases, and that every rule number has one.

use testkit::Cases;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases");

#[test]
fn all_rule_cases_hold() {
    let held = Cases::load(FOLDER).run(delphi::GAME);
    assert!(held >= 488, "{held} cases: some are not read");
}

#[test]
fn every_rule_is_listed_and_quoted_by_a_case() {
    Cases::load(FOLDER).check_rules(delphi::GAME, include_str!("../../RULES.md"));
}

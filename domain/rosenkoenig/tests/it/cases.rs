//! The rule cases, and that every rule number has one.

use kernel::Erased;
use rosenkoenig::Rosenkoenig;
use testkit::Cases;

fn load() -> Cases {
    Cases::load(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cases"))
}

#[test]
fn all_cases_hold() {
    load().run(&Erased::<Rosenkoenig>::NEW);
}

#[test]
fn every_rule_number_is_listed_and_quoted_by_a_case() {
    load().check_rules(&Erased::<Rosenkoenig>::NEW, include_str!("../../RULES.md"));
}

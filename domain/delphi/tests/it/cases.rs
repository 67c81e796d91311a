//! The rule cases of `tests/cases`, expected by hand from the text.

#[test]
fn the_cases_hold_and_quote_every_rule() {
    testkit::Cases::hold(delphi::GAME, env!("CARGO_MANIFEST_DIR"), 488, None);
}

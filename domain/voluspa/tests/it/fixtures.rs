//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p voluspa fixtures` makes them anew.

#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    let options = [r#"{"set": "saga_of_edda"}"#, r#"{"set": "in_the_order_of_the_gods"}"#];
    testkit::fixtures(voluspa::GAME, &options, &[&testkit::uniform, &testkit::greedy], path);
}

//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p rosenkoenig fixtures` makes them anew.

#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    testkit::fixtures(rosenkoenig::GAME, &["{}"], &[&testkit::uniform, &testkit::greedy], path);
}

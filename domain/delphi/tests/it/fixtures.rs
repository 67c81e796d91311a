//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p delphi fixtures` makes them anew.

#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    testkit::fixtures(delphi::GAME, &[r#"{"ships": "choice"}"#, "{}"], &[&testkit::greedy], path);
}

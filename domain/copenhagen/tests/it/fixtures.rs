//! A position of real play for each moment: `UPDATE_SNAPSHOTS=1 cargo test -p copenhagen fixtures` makes them anew.

use crate::strategy;

/// Only somebody who wants to build comes to twelve points.
#[test]
fn fixtures_are_of_real_play_and_of_every_moment() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/data/fixtures.json");
    testkit::fixtures(copenhagen::GAME, &["{}"], &[&testkit::uniform, &strategy::of_json], path);
}

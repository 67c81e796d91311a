//! The positions of the rule cases, for other tests.

use copenhagen::{Copenhagen, Position};
use kernel::Game;

/// Position E of the rules: seat 0 may pay with several abilities.
pub(crate) const E: &str = include_str!("../cases/e.json");
/// Two slots are empty, the deck has five cards and the end card.
pub(crate) const END: &str = include_str!("../cases/end.json");

/// All of them.
pub(crate) const ALL: [&str; 16] = [
    E,
    END,
    include_str!("../cases/chain.json"),
    include_str!("../cases/column.json"),
    include_str!("../cases/end_empty.json"),
    include_str!("../cases/finished.json"),
    include_str!("../cases/full.json"),
    include_str!("../cases/gap.json"),
    include_str!("../cases/lapse.json"),
    include_str!("../cases/lapse_coats.json"),
    include_str!("../cases/reshuffle.json"),
    include_str!("../cases/reshuffle_later.json"),
    include_str!("../cases/rows.json"),
    include_str!("../cases/three.json"),
    include_str!("../cases/tie.json"),
    include_str!("../cases/twelve.json"),
];

pub(crate) fn load(json: &str) -> Position {
    let form = serde_json::from_str(json).expect("a position's JSON");
    Copenhagen::admit(form).expect("a well-formed position")
}

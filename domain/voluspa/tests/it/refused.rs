//! Refusals by the same rule say which of its reasons it is.

use kernel::{Draft, Game};
use testkit::Dice;
use voluspa::{Command, Tile, Voluspa};

use crate::awards::table;

#[test]
fn a_discard_is_refused_for_the_boost_before_anything_else() {
    for (boost, reason) in [
        (0, "a tile of the hand of seat 0 can be placed"),
        (1, "1 Freya were discarded for the next tile"),
    ] {
        let mut position = table("Va", Tile::Odin, boost);
        let (mut events, mut dice) = (Vec::new(), Dice::new(0));
        let discard = Command::DiscardTile { tile: Tile::Odin };
        let refusal =
            Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &discard)
                .unwrap_err();
        assert_eq!((refusal.rule.0, &*refusal.reason), ("V-204", reason));
    }
}

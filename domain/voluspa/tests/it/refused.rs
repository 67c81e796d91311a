//! Refusals by the same rule say which of its reasons it is.

use kernel::{Draft, Game};
use testkit::Dice;
use voluspa::{Cell, Command, Direction, Mode, Tile, Voluspa};

use crate::awards::table;

#[test]
fn a_discard_is_refused_for_the_boost_before_anything_else() {
    for (boost, reason) in [
        (0, "a tile of the hand of seat 0 can be placed"),
        (1, "a Freya was discarded for the next tile"),
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

#[test]
fn a_tile_is_named_with_the_article_that_fits() {
    for (tile, named) in [(Tile::Odin, "an Odin"), (Tile::Thor, "a Thor")] {
        let mut position = table("Va", tile, 0);
        let (mut events, mut dice) = (Vec::new(), Dice::new(0));
        let at = Cell { x: 1, y: 0 };
        let command = Command::PlaceTile { tile, at, mode: Mode::Cover, bump: None };
        let refusal =
            Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &command)
                .unwrap_err();
        let reason = format!("{named} is not placed in mode cover");
        assert_eq!((refusal.rule.0, &*refusal.reason), ("V-301", &*reason));
    }
}

#[test]
fn one_boost_is_one() {
    let mut position = table("Va", Tile::Freya, 0);
    let (mut events, mut dice) = (Vec::new(), Dice::new(0));
    let discard = Command::DiscardFreya {};
    let refusal = Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &discard)
        .unwrap_err();
    let reason = "with 1 boost or more nothing could be placed";
    assert_eq!((refusal.rule.0, &*refusal.reason), ("V-205", reason));
}

#[test]
fn a_bump_far_from_all_tiles_names_no_cell_that_it_leads_to() {
    let position = table("Va", Tile::Jotunn, 0);
    let spots = |x: i32, y: i32, bump: Direction| {
        let at = Cell { x, y };
        let command =
            Command::PlaceTile { tile: Tile::Jotunn, at, mode: Mode::Bump, bump: Some(bump) };
        Voluspa::pointed(&position, &command).spots
    };
    assert_eq!(spots(50, 50, Direction::Left), ["hand:jotunn", "cell:50,50"]);
    assert_eq!(spots(0, 0, Direction::Left), ["hand:jotunn", "cell:0,0", "cell:-1,0"]);
}

#[test]
fn a_flight_is_refused_for_the_troll_that_lies_open_again() {
    let mut position = table("Sk Tr Va", Tile::Raven, 0);
    let (mut events, mut dice) = (Vec::new(), Dice::new(0));
    let (tile, at) = (Tile::Raven, Cell { x: 1, y: 0 });
    let cover = Command::PlaceTile { tile, at, mode: Mode::Cover, bump: None };
    Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &cover).unwrap();
    let fly = Command::MoveRaven { at: Cell { x: 1, y: 1 }, mode: Mode::Lay };
    let refusal =
        Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &fly).unwrap_err();
    let reason = "with the Raven gone, a Troll lies beside the cell (1, 1)";
    assert_eq!((refusal.rule.0, &*refusal.reason), ("V-304", reason));
}

#[test]
fn a_bump_needs_the_cell_just_beyond_the_end_of_the_line() {
    let mut position = table("Sk Th He ..", Tile::Jotunn, 0);
    let (mut events, mut dice) = (Vec::new(), Dice::new(0));
    let (tile, at, bump) = (Tile::Jotunn, Cell { x: 1, y: 0 }, Some(Direction::Right));
    let command = Command::PlaceTile { tile, at, mode: Mode::Bump, bump };
    let refusal = Voluspa::decide(&mut Draft::new(&mut position, &mut events, &mut dice), &command)
        .unwrap_err();
    let reason = "the cell just beyond the end of the line through (1, 0) in that direction is not empty, or there is none";
    assert_eq!((refusal.rule.0, &*refusal.reason), ("V-308", reason));
}

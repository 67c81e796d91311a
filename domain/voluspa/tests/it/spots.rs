//! What a command names in the picture, whether it is legal or not.

use kernel::Game;
use serde_json::{Value, json};
use voluspa::{Cell, Command, Direction, Mode, Tile, Voluspa};

#[test]
fn a_bump_far_from_all_tiles_names_no_cell_that_it_leads_to() {
    let mut form: Value = serde_json::from_str(include_str!("../cases/table.json")).unwrap();
    form["players"][0]["hand"] = json!(["jotunn"]);
    let position = Voluspa::admit(serde_json::from_value(form).unwrap()).unwrap();
    let spots = |x: i32, y: i32| {
        let (tile, at, bump) = (Tile::Jotunn, Cell { x, y }, Some(Direction::Left));
        let command = Command::PlaceTile { tile, at, mode: Mode::Bump, bump };
        Voluspa::pointed(&position, &command).spots
    };
    assert_eq!(spots(50, 50), ["hand:jotunn", "cell:50,50"]);
    assert_eq!(spots(0, 0), ["hand:jotunn", "cell:0,0", "cell:-1,0"]);
}

//! The squares that a tile covers (C-106).

use copenhagen::{Column, Fill, Orientation, PlacedTile, Row};

/// The check of C-106.
#[test]
fn a_tile_turns_clockwise_after_it_is_mirrored() {
    let tile = serde_json::from_str("\"red_3\"").unwrap();
    let seen: Vec<String> = Orientation::all()
        .map(|orientation| {
            let placed = PlacedTile { tile, orientation, x: Column::ZERO, y: Row::ZERO };
            let squares = placed.cells().expect("it lies in the corner").list();
            let row = |y: usize| -> String {
                let at = |x: usize| {
                    let mut squares = squares.iter();
                    let square = squares.find(|cell| (cell.x.index(), cell.y.index()) == (x, y));
                    square.map_or('.', |cell| if cell.fill == Fill::Brick { 'B' } else { 'W' })
                };
                (0..2).map(at).collect()
            };
            format!("{} {}", row(0), row(1))
        })
        .collect();
    let expected = ["WW B.", "BW .W", ".B WW", "W. WB", "WW .B", ".W BW", "B. WW", "WB W."];
    assert_eq!(seen, expected);
}

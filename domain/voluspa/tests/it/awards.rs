//! What the awards of a placement tell beside the points: the rule, the tiles that were counted, and the arithmetic.
//!
//! Boards are written as in section 12 of the rules: rows from top to bottom, the first cell is (0, 0), `..` is empty.

use kernel::{Award, Draft, Game};
use serde_json::{Value, json};
use testkit::Dice;
use voluspa::{Cell, Command, Mode, Position, Tile, Voluspa};

/// A position where seat 0 has one tile to place, and nothing is left to draw.
pub(crate) fn table(board: &str, tile: Tile, boost: u8) -> Position {
    let mut form: Value = serde_json::from_str(include_str!("../cases/table.json")).unwrap();
    form["board"] = tiles_of(board);
    form["players"][0]["hand"] = json!([tile]);
    form["boost"] = json!(boost);
    Voluspa::admit(serde_json::from_value(form).unwrap()).unwrap()
}

/// The awards when seat 0 places its tile.
fn awards(board: &str, tile: Tile, (x, y): (i32, i32), mode: Mode) -> Vec<Value> {
    let mut before = table(board, tile, 0);
    let command = Command::PlaceTile { tile, at: Cell { x, y }, mode, bump: None };
    let (mut after, mut events, mut dice) = (before.clone(), Vec::new(), Dice::new(0));
    Voluspa::decide(&mut Draft::new(&mut after, &mut events, &mut dice), &command).unwrap();
    let mut awards = Vec::new();
    for event in &events {
        awards.extend(Voluspa::awards(&before, event).iter().map(written));
        Voluspa::apply(&mut before, event);
    }
    awards
}

fn tiles_of(board: &str) -> Value {
    let mut cells = Vec::new();
    for (y, row) in board.split('/').enumerate() {
        for (x, name) in row.split_whitespace().enumerate().filter(|(_, name)| *name != "..") {
            cells.push(json!({"x": x, "y": y, "tile": tile(name), "boost": 0}));
        }
    }
    json!(cells)
}

fn tile(name: &str) -> Tile {
    let names = "Od Th Tr Dr Fe Sk Va Lo He Hm Jo Se Dw Fr Ra Ni Li";
    let place = names.split(' ').position(|other| other == name).unwrap();
    Tile::ALL.into_iter().nth(place).unwrap()
}

/// Everything that an award tells.
fn written(award: &Award) -> Value {
    let pieces: Value = serde_json::from_str(award.pieces.get()).unwrap();
    json!([award.seat.0, award.points, award.reason, award.rule.0, award.arithmetic, pieces])
}

/// `Od 5 1, Sk 6 1`: an Odin at (5, 1) and a Skadi at (6, 1).
fn laid(list: &str) -> Value {
    let one = |text: &str| {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [x, y] = [words[1], words[2]].map(|number| number.parse::<i32>().unwrap());
        json!({"tile": tile(words[0]), "at": {"x": x, "y": y}})
    };
    list.split(',').filter(|text| !text.is_empty()).map(one).collect()
}

/// The award of seat 0 for what its tile, here as `Od 5 1`, counts in a part.
fn counted(
    (points, reason, rule): (i64, &str, &str),
    arithmetic: &str,
    own: &str,
    part: &str,
    tiles: &str,
) -> Value {
    let mut pieces = laid(own)[0].clone();
    pieces["part"] = json!(part);
    pieces["tiles"] = laid(tiles);
    json!([0, points, reason, rule, arithmetic, pieces])
}

/// The award of seat 0 for the Niohoggr in a part.
fn bonus(
    (points, rule): (i64, &str),
    arithmetic: &str,
    own: &str,
    part: &str,
    (tiles, covered): (&str, bool),
) -> Value {
    let mut award = counted((points, "niohoggr", rule), arithmetic, own, part, tiles);
    award[5]["covered"] = json!(covered);
    award
}

#[test]
fn lines_end_at_gaps_and_at_hel_on_either_side() {
    // Three tiles to the left and one to the right: what lies behind the gaps is in neither line.
    let board =
        ".. .. .. .. .. Va / Th .. Sk Fe Va .. Sk .. Dr / .. .. .. .. .. He / .. .. .. .. .. Sk";
    let lines = |points, arithmetic, part, tiles| {
        counted((points, "lines", "V-504"), arithmetic, "Od 5 1", part, tiles)
    };
    let row = lines(5, "5 tiles × 1 = 5", "row", "Sk 2 1, Fe 3 1, Va 4 1, Od 5 1, Sk 6 1");
    let column = lines(2, "2 tiles × 1 = 2", "column", "Va 5 0, Od 5 1");
    assert_eq!(awards(board, Tile::Odin, (5, 1), Mode::Lay), [row, column]);
}

#[test]
fn a_niohoggr_counts_in_the_line_where_it_lies() {
    let board = ".. .. Va / Ni Sk .. .. Ni";
    let lines = |points, arithmetic, part, tiles| {
        counted((points, "lines", "V-504"), arithmetic, "Od 2 1", part, tiles)
    };
    let expected = [
        lines(3, "3 tiles × 1 = 3", "row", "Ni 0 1, Sk 1 1, Od 2 1"),
        bonus((2, "V-505"), "1 Niohoggr × 2 = 2", "Od 2 1", "row", ("Ni 0 1", false)),
        lines(2, "2 tiles × 1 = 2", "column", "Va 2 0, Od 2 1"),
    ];
    assert_eq!(awards(board, Tile::Odin, (2, 1), Mode::Lay), expected);
}

#[test]
fn a_covered_niohoggr_counts_in_both_lines_and_lies_in_neither() {
    let lines = |points, arithmetic, part, tiles| {
        counted((points, "lines", "V-504"), arithmetic, "Dr 1 0", part, tiles)
    };
    let covered = |part| bonus((2, "V-505"), "1 Niohoggr × 2 = 2", "Dr 1 0", part, ("", true));
    let expected = [
        lines(3, "3 tiles × 1 = 3", "row", "Va 0 0, Dr 1 0, Sk 2 0"),
        covered("row"),
        lines(2, "2 tiles × 1 = 2", "column", "Dr 1 0, Fe 1 1"),
        covered("column"),
    ];
    assert_eq!(awards("Va Ni Sk / .. Fe ..", Tile::Dragon, (1, 0), Mode::Cover), expected);
}

#[test]
fn an_exchanged_niohoggr_counts_nowhere() {
    let why = (2, "lines", "V-504");
    let row = counted(why, "2 tiles × 1 = 2", "Sk 1 0", "row", "Va 0 0, Sk 1 0");
    assert_eq!(awards("Va Ni", Tile::Skadi, (1, 0), Mode::Exchange), [row]);
}

#[test]
fn a_lightning_bolt_counts_the_niohoggr_beside_it_and_the_one_below_it() {
    let why = (3, "lightning_bolt", "V-508");
    let expected = [
        counted(why, "3 tiles × 1 = 3", "Li 1 0", "row", "Ni 0 0, Li 1 0, Sk 2 0"),
        bonus((4, "V-505"), "2 Niohoggr × 2 = 4", "Li 1 0", "row", ("Ni 0 0", true)),
    ];
    assert_eq!(awards("Ni Ni Sk .. Th", Tile::LightningBolt, (1, 0), Mode::Cover), expected);
}

#[test]
fn a_sea_serpent_counts_cells_across_gaps_and_hel() {
    let why = (4, "sea_serpent", "V-509");
    let row = counted(why, "4 cells × 1 = 4", "Se 3 0", "row", "Sk 0 0, Fe 2 0, Se 3 0");
    assert_eq!(awards("Sk .. Fe .. / .. .. Th", Tile::SeaSerpent, (3, 0), Mode::Lay), [row]);
    let expected = [
        counted(why, "4 cells × 1 = 4", "Se 0 3", "column", "Ni 0 0, Lo 0 1, Se 0 3"),
        bonus((2, "V-505"), "1 Niohoggr × 2 = 2", "Se 0 3", "column", ("Ni 0 0", false)),
    ];
    let board = "Ni .. .. .. / Lo .. .. Od / He .. .. .. / .. .. .. ..";
    assert_eq!(awards(board, Tile::SeaSerpent, (0, 3), Mode::Lay), expected);
}

#[test]
fn a_tile_alone_counts_itself() {
    let why = (1, "solitary", "V-506");
    let expected = [
        counted(why, "1 tile × 1 = 1", "Ni 1 0", "solitary", "Ni 1 0"),
        bonus((2, "V-506"), "1 Niohoggr × 2 = 2", "Ni 1 0", "solitary", ("Ni 1 0", false)),
    ];
    assert_eq!(awards("He .. .. Th", Tile::Niohoggr, (1, 0), Mode::Lay), expected);
    let expected = [
        counted(why, "1 tile × 1 = 1", "Ra 0 0", "solitary", "Ra 0 0"),
        bonus((2, "V-506"), "1 Niohoggr × 2 = 2", "Ra 0 0", "solitary", ("", true)),
    ];
    assert_eq!(awards("Ni", Tile::Raven, (0, 0), Mode::Cover), expected);
}

#[test]
fn hel_counts_the_tiles_around_it_but_no_other_hel() {
    let why = |points| (points, "hel", "V-507");
    let one = counted(why(1), "1 neighbour × 1 = 1", "He 1 0", "neighbours", "Od 0 0");
    assert_eq!(awards("Od Th", Tile::Hel, (1, 0), Mode::Cover), [one]);
    let around = "Od 0 0, Ni 1 0, Sk 0 1";
    let expected = [
        counted(why(3), "3 neighbours × 1 = 3", "He 1 1", "neighbours", around),
        bonus((2, "V-507"), "1 Niohoggr × 2 = 2", "He 1 1", "neighbours", ("", true)),
    ];
    assert_eq!(awards("Od Ni He Th / Sk Ni", Tile::Hel, (1, 1), Mode::Cover), expected);
}

#[test]
fn a_dwarf_halves_the_values_beside_it() {
    let why = (7, "dwarf", "V-510");
    // The pack of the two Fenrir is worth 8; only one of them lies beside the Dwarf.
    let odd = counted(why, "(7 + 8) ÷ 2 = 7, rounded down", "Dw 1 0", "values", "Th 0 0, Fe 2 0");
    assert_eq!(awards("Th .. Fe Fe", Tile::Dwarf, (1, 0), Mode::Lay), [odd]);
    let beside = "Od 0 1, Fe 2 1, Va 1 2";
    let even = counted(why, "(8 + 4 + 2) ÷ 2 = 7", "Dw 1 1", "values", beside);
    assert_eq!(awards(".. He / Od .. Fe / .. Va Th", Tile::Dwarf, (1, 1), Mode::Lay), [even]);
}

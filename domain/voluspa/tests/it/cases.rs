//! The rule cases of `tests/cases`, expected by hand from the text.

use std::collections::BTreeMap;

use serde_json::json;
use voluspa::Tile;

/// A board as in section 12 of the rules: rows from top to bottom, the first cell is (0, 0), `..` is empty, `+2` are boosts.
fn board(rows: &str) -> BTreeMap<String, String> {
    let mut cells = Vec::new();
    for (y, row) in rows.split('/').enumerate() {
        for (x, cell) in row.split_whitespace().enumerate().filter(|(_, cell)| *cell != "..") {
            let (name, boost) = cell.split_once('+').unwrap_or((cell, "0"));
            let boost: u8 = boost.parse().unwrap();
            cells.push(json!({"x": x, "y": y, "tile": tile(name), "boost": boost}));
        }
    }
    BTreeMap::from([("/board".to_owned(), json!(cells).to_string())])
}

fn tile(name: &str) -> Tile {
    let names = "Od Th Tr Dr Fe Sk Va Lo He Hm Jo Se Dw Fr Ra Ni Li";
    let place = names.split(' ').position(|other| other == name).unwrap();
    Tile::ALL.into_iter().nth(place).unwrap()
}

#[test]
fn the_cases_hold_and_quote_every_rule() {
    testkit::Cases::hold(voluspa::GAME, env!("CARGO_MANIFEST_DIR"), 395, Some(board));
}

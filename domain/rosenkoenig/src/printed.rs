//! What is printed on board and cards, read from `data/rosenkoenig.toml` when the program is compiled: the text that the catalogue
//! serves is what plays.

use kernel::printed::Printed;

use crate::{Direction, Field};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/rosenkoenig.toml");

const PRINTED: Printed<'static> = Printed::of(DATA);

const fn count(table: &str, key: &str) -> u8 {
    PRINTED.table(table).value(key).count()
}

/// Fields in a row.
pub const WIDTH: usize = count("[board]", "width") as usize;

/// Rows.
pub const HEIGHT: usize = count("[board]", "height") as usize;

/// Where the crown stands at the start.
pub const CENTRE: Field = {
    let start = PRINTED.table("[board]").value("crown_start").table();
    Field::new(start.value("x").count() as i64, start.value("y").count() as i64)
        .expect("the crown starts on the board")
};

/// Stones in the common supply.
pub const STONES: u8 = count("[stones]", "total");

/// Heroes of each seat at the start.
pub const HEROES: u8 = count("[heroes]", "per_seat");

/// Cards of each hand at the start.
pub(crate) const HAND_START: usize = count("[hand]", "start") as usize;

/// The most cards that a hand holds.
pub const HAND_MAX: usize = count("[hand]", "max") as usize;

/// The eight directions in card order.
pub const DIRECTIONS: [Direction; 8] = {
    let mut directions = [Direction { id: "", dx: 0, dy: 0 }; 8];
    let (mut rest, mut place) = (PRINTED, 0);
    while let Some((direction, behind)) = rest.find("[[direction]]") {
        directions[place] = Direction {
            id: direction.value("id").text().expect("a direction has a name"),
            dx: direction.value("dx").number().expect("a number of fields") as i8,
            dy: direction.value("dy").number().expect("a number of fields") as i8,
        };
        (rest, place) = (behind, place + 1);
    }
    assert!(place == directions.len(), "there are eight directions");
    directions
};

//! What is printed on board and cards, read from `data/rosenkoenig.toml` when the program is compiled: the text that the catalogue
//! serves is what plays.

use kernel::printed::{Printed, Table, Value};

use crate::{Color, Colors, Direction, Field, MatchOptions, Start};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/rosenkoenig.toml");

const FACTS: Facts = Facts::read(Printed::of(DATA));

/// How many seats a match has.
pub(crate) const SEATS: u8 = FACTS.seats;

/// Fields in a row.
pub const WIDTH: usize = FACTS.size[0] as usize;

/// Rows.
pub const HEIGHT: usize = FACTS.size[1] as usize;

/// Where the crown stands at the start.
pub const CENTRE: Field = Field::new(FACTS.crown[0] as i64, FACTS.crown[1] as i64)
    .expect("the crown starts on the board");

/// A field without a stone in the rows of a board.
pub(crate) const EMPTY: char = FACTS.marks[0];

/// A field with a red stone.
pub(crate) const RED: char = FACTS.marks[1];

/// A field with a white stone.
pub(crate) const WHITE: char = FACTS.marks[2];

/// Stones in the common supply.
pub const STONES: u8 = FACTS.stones;

/// Heroes of each seat at the start.
pub const HEROES: u8 = FACTS.heroes;

/// Cards of each hand at the start.
pub(crate) const HAND_START: usize = FACTS.hand[0] as usize;

/// The most cards that a hand holds.
pub const HAND_MAX: usize = FACTS.hand[1] as usize;

/// The eight directions in card order.
pub const DIRECTIONS: [Direction; 8] = FACTS.directions;

/// An area counts its size to this power.
pub(crate) const AREA_EXPONENT: u32 = FACTS.area_exponent;

/// The options of a match that asks for none.
pub(crate) const DEFAULTS: MatchOptions = FACTS.defaults;

/// What play reads from the printed data.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    seats: u8,
    size: [u8; 2],
    crown: [u8; 2],
    marks: [char; 3],
    stones: u8,
    heroes: u8,
    hand: [u8; 2],
    directions: [Direction; 8],
    area_exponent: u32,
    defaults: MatchOptions,
}

impl Facts {
    const fn read(printed: Printed<'static>) -> Facts {
        let (board, hand) = (printed.table("[board]"), printed.table("[hand]"));
        let crown = board.value("crown_start").table();
        let scoring = printed.table("[scoring]");
        assert!(scoring.value("neighbours").is("orthogonal"), "areas touch over a side (R-60)");
        let ties = scoring.value("tie_breaks");
        assert!(ties.len() == 2, "`Score` is ordered by two tie breaks");
        assert!(ties.item(0).is("largest_area") && ties.item(1).is("stones"), "in this order");
        let seats = printed.root().value("seats").count();
        assert!(seats == 2, "there are two colours, one for each seat");
        Facts {
            seats,
            size: [board.value("width").count(), board.value("height").count()],
            crown: [crown.value("x").count(), crown.value("y").count()],
            marks: [mark(board, "empty"), mark(board, "red"), mark(board, "white")],
            stones: printed.table("[stones]").value("total").count(),
            heroes: printed.table("[heroes]").value("per_seat").count(),
            hand: [hand.value("start").count(), hand.value("max").count()],
            directions: directions(printed),
            area_exponent: scoring.value("area_exponent").count() as u32,
            defaults: defaults(printed),
        }
    }
}

/// A character of the rows of a board.
const fn mark(board: Table<'_>, key: &str) -> char {
    match board.value(key).text() {
        Some(text) if text.len() == 1 => text.as_bytes()[0] as char,
        Some(_) | None => panic!("a field of a row is one character"),
    }
}

const fn directions(printed: Printed<'static>) -> [Direction; 8] {
    let cards = printed.table("[cards]").value("ids");
    let mut directions = [Direction { id: "", dx: 0, dy: 0 }; 8];
    let (mut rest, mut place) = (printed, 0);
    while let Some((direction, behind)) = rest.find("[[direction]]") {
        directions[place] = Direction {
            id: direction.value("id").text().expect("a direction has a name"),
            dx: direction.value("dx").number().expect("a number of fields") as i8,
            dy: direction.value("dy").number().expect("a number of fields") as i8,
        };
        let mut distance = 1;
        while distance <= 3 {
            let card = cards.item(3 * place + distance - 1);
            assert!(names(card, direction.value("id"), distance), "a card is of another name");
            distance += 1;
        }
        (rest, place) = (behind, place + 1);
    }
    assert!(place == directions.len(), "there are eight directions");
    assert!(cards.len() == 3 * place, "each has three cards");
    directions
}

/// Is the card called by its direction and distance, as `Card` has it?
const fn names(card: Value<'_>, direction: Value<'_>, distance: usize) -> bool {
    let Some((name, number)) = card
        .text()
        .expect("a card has a name")
        .split_at_checked(direction.text().expect("a direction has a name").len())
    else {
        return false;
    };
    direction.is(name) && number.len() == 1 && number.as_bytes()[0] == b'0' + distance as u8
}

const fn defaults(printed: Printed<'_>) -> MatchOptions {
    let (colors, start) =
        (default(printed, "[options.colors]"), default(printed, "[options.start]"));
    let red_first = colors.item(0).is("red");
    let (red, white) = if red_first { (0, 1) } else { (1, 0) };
    assert!(colors.item(red).is("red") && colors.item(white).is("white"), "two colours by seat");
    assert!(start.is("random") || start.is("red"), "a match starts by lot or with red");
    MatchOptions {
        colors: Colors::beginning(if red_first { Color::Red } else { Color::White }),
        start: if start.is("red") { Start::Red } else { Start::Random },
        show_draw_pile: default(printed, "[options.show_draw_pile]").is_true(),
        light: default(printed, "[options.light]").is_true(),
    }
}

const fn default<'a>(printed: Printed<'a>, option: &str) -> Value<'a> {
    printed.table(option).value("default")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_reads_every_value_of_the_served_data_but_these() {
        let unread = testkit::unread(DATA, |text| Facts::read(Printed::of(text)));
        let reasons = [
            ("[[direction]] arrow", "is shown"),
            ("[[direction]] white_sees", "is shown; cards mean the same for both seats (R-10)"),
            ("[board] sources", "is shown"),
            ("[options.colors] sources", "is shown"),
            ("[options.colors] values", "are what the type of the option can be; tests/it/data.rs"),
            ("[options.light] values", "likewise"),
            ("[options.show_draw_pile] values", "likewise"),
            ("[options.start] values", "likewise"),
            ("[sides] red", "is shown"),
            ("[sides] white", "is shown"),
            ("game", "is the name of the game"),
            ("rule_prefix", "is how rules are quoted"),
            ("source", "is shown"),
        ];
        assert_eq!(Vec::from_iter(unread), reasons.map(|(key, _)| key));
    }
}

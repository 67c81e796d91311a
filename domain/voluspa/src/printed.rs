//! What is printed on the tiles, read from `data/voluspa.toml` when the program is compiled: the text that the catalogue serves is
//! what plays, and asking for a value costs no more than a constant.
//!
//! Only the lines about tiles are read, in the form in which that file has them; a test compares what was found with what a reader
//! of all of TOML finds.

use crate::pieces::{Tile, Tokens};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/voluspa.toml");

/// The values and numbers of all tiles that the program plays with.
pub(crate) const PRINTED: Printed = match Printed::read(DATA) {
    Ok(printed) => printed,
    Err(reason) => panic!("{}", reason),
};

const KINDS: usize = Tile::ALL.len();

/// The names of the kinds in the data, in order.
const NAMES: [&str; KINDS] = [
    "odin",
    "thor",
    "troll",
    "dragon",
    "fenrir",
    "skadi",
    "valkyrie",
    "loki",
    "hel",
    "hermod",
    "jotunn",
    "sea_serpent",
    "dwarf",
    "freya",
    "raven",
    "niohoggr",
    "lightning_bolt",
];

/// The value of each kind of tile, and how many of it the box has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    values: [u8; KINDS],
    copies: [u32; KINDS],
}

/// Which table of the data a line belongs to.
#[derive(Clone, Copy)]
enum Table {
    /// `[[tiles]]`: so many kinds were named up to here, this one included.
    Tiles(usize),
    /// `[choice_values]`
    Chosen,
    /// Any other.
    Other,
}

impl Printed {
    /// What a text of the form of `data/voluspa.toml` prints on the tiles.
    ///
    /// # Errors
    /// What is missing, there twice or out of range: each kind is listed once, in order, and each but Hel has a value from 1 to 12,
    /// its own or one of `[choice_values]`.
    pub const fn read(toml: &str) -> Result<Printed, &'static str> {
        let mut printed = Printed { values: [0; KINDS], copies: [0; KINDS] };
        let (mut rest, mut table, mut named) = (toml.as_bytes(), Table::Other, 0);
        while !rest.is_empty() {
            let end = position(rest, b'\n');
            let line = rest.split_at(end).0.trim_ascii();
            rest = rest.split_at(if end < rest.len() { end + 1 } else { end }).1;
            if starts(line, b"[[tiles]]") {
                named += 1;
                table = Table::Tiles(named);
            } else if starts(line, b"[choice_values]") {
                table = Table::Chosen;
            } else if starts(line, b"[") {
                table = Table::Other;
            } else if let Err(reason) = printed.take(table, line) {
                return Err(reason);
            }
        }
        if named != KINDS {
            return Err("the tiles are not all kinds in order, each once");
        }
        printed.complete()
    }

    /// Reads a line `key = value`.
    const fn take(&mut self, table: Table, line: &[u8]) -> Result<(), &'static str> {
        let equals = position(line, b'=');
        if equals == line.len() || starts(line, b"#") {
            return Ok(());
        }
        let key = line.split_at(equals).0.trim_ascii();
        let value = line.split_at(equals + 1).1;
        let value = value.split_at(position(value, b'#')).0.trim_ascii();
        match table {
            Table::Tiles(named) if named > KINDS => Err("there are more kinds than tiles"),
            Table::Tiles(named) if same(key, b"type") => is_kind(value, named - 1),
            Table::Tiles(named) if same(key, b"count") => {
                self.copies[named - 1] = number(value) as u32;
                Ok(())
            }
            Table::Tiles(named) if same(key, b"value") => self.set(named - 1, number(value)),
            Table::Chosen => self.set(kind(key), number(value)),
            Table::Tiles(_) | Table::Other => Ok(()),
        }
    }

    const fn set(&mut self, kind: usize, value: u8) -> Result<(), &'static str> {
        if kind >= KINDS {
            return Err("a value is chosen for what is no kind of tile");
        }
        if self.values[kind] != 0 {
            return Err("a kind has two values");
        }
        if value == 0 || value > Tokens::HIGHEST || kind == Tile::Hel as usize {
            return Err("a value is not from 1 to 12, or Hel has one");
        }
        self.values[kind] = value;
        Ok(())
    }

    const fn complete(self) -> Result<Printed, &'static str> {
        let mut kind = 0;
        while kind < KINDS {
            if self.copies[kind] == 0 {
                return Err("a kind has no count");
            }
            if self.values[kind] == 0 && kind != Tile::Hel as usize {
                return Err("a kind has no value");
            }
            kind += 1;
        }
        Ok(self)
    }

    /// The printed value, 1 to 12. Hel has none: 0, and nothing asks for it.
    #[must_use]
    pub const fn value(&self, tile: Tile) -> u8 {
        self.values[tile as usize]
    }

    /// How many tiles of this kind are in the box.
    #[must_use]
    pub const fn copies(&self, tile: Tile) -> u32 {
        self.copies[tile as usize]
    }
}

/// The place of the first such byte, or the length.
const fn position(text: &[u8], byte: u8) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != byte {
        at += 1;
    }
    at
}

const fn starts(text: &[u8], with: &[u8]) -> bool {
    text.len() >= with.len() && same(text.split_at(with.len()).0, with)
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The kind of this name, or [`KINDS`].
const fn kind(name: &[u8]) -> usize {
    let mut at = 0;
    while at < KINDS && !same(name, NAMES[at].as_bytes()) {
        at += 1;
    }
    at
}

/// Is the value this kind's name in quotes?
const fn is_kind(quoted: &[u8], wanted: usize) -> Result<(), &'static str> {
    let inner = quoted.split_at(if quoted.is_empty() { 0 } else { 1 }).1;
    if kind(inner.split_at(position(inner, b'"')).0) == wanted {
        return Ok(());
    }
    Err("the tiles are not all kinds in order, each once")
}

/// A number up to 255; 0 for anything else.
const fn number(digits: &[u8]) -> u8 {
    let (mut number, mut at) = (0_u8, 0);
    while at < digits.len() {
        if !digits[at].is_ascii_digit() {
            return 0;
        }
        number = match number.checked_mul(10) {
            Some(tens) => match tens.checked_add(digits[at] - b'0') {
                Some(number) => number,
                None => return 0,
            },
            None => return 0,
        };
        at += 1;
    }
    number
}

//! What is printed on tiles and tokens, read from `data/voluspa.toml` when the program is compiled: the text that the catalogue serves
//! is what plays.

use kernel::printed;

use crate::pieces::{Tile, TileSet, Tokens};

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/voluspa.toml");

const TABLES: printed::Printed<'static> = printed::Printed::of(DATA);

/// The values and numbers of all tiles that the program plays with.
pub(crate) const PRINTED: Printed = match Printed::read(DATA) {
    Ok(printed) => printed,
    Err(reason) => panic!("{}", reason),
};

/// How many tiles a hand is refilled to, Hel not counted (V-208).
pub(crate) const HAND_LIMIT: u32 = TABLES.root().value("hand_limit").count() as u32;

/// The most tiles of a line (V-305).
pub(crate) const LINE_LIMIT: u32 = TABLES.root().value("line_limit").count() as u32;

/// Kinds that are no start tile (V-106).
pub(crate) const NOT_AT_START: TileSet = kinds(TABLES.root().value("start_tile_excluded"));

/// Hel tiles dealt to each seat (V-104).
pub(crate) const fn hel_per_seat(seats: u8) -> u32 {
    const DEALT: [u32; 4] = {
        let dealt = TABLES.table("[hel_per_seat]");
        [
            dealt.value("2").count() as u32,
            dealt.value("3").count() as u32,
            dealt.value("4").count() as u32,
            dealt.value("5").count() as u32,
        ]
    };
    DEALT[seats as usize - 2]
}

/// How many booster tokens of each value the box has.
pub(crate) const TOKENS: [u32; Tokens::HIGHEST as usize + 1] = {
    let printed = TABLES.table("[boosters]").value("tokens");
    let mut counts = [0; Tokens::HIGHEST as usize + 1];
    let mut place = 0;
    while place < printed.len() {
        counts[printed.item(place).count() as usize] += 1;
        place += 1;
    }
    counts
};

/// The kinds of the expansions in a recommended set.
pub(crate) const fn set(name: &str) -> TileSet {
    kinds(TABLES.table("[sets]").value(name))
}

/// The names of the kinds in JSON, in order.
pub(crate) const NAMES: [&str; KINDS] = {
    let (mut names, mut rest, mut place) = ([""; KINDS], TABLES, 0);
    while let Some((printed, behind)) = rest.find("[[tiles]]") {
        names[place] = printed.value("type").text().expect("a kind has a name");
        (rest, place) = (behind, place + 1);
    }
    names
};

/// The kinds of one module.
pub(crate) const fn module(name: &str) -> TileSet {
    let (mut set, mut rest, mut place) = (TileSet::of(&[]), TABLES, 0);
    while let Some((printed, behind)) = rest.find("[[tiles]]") {
        if printed.value("module").is(name) {
            set = set.or(TileSet::of(&[Tile::ALL[place]]));
        }
        (rest, place) = (behind, place + 1);
    }
    set
}

const fn kinds(list: printed::Value<'_>) -> TileSet {
    let (mut set, mut place) = (TileSet::of(&[]), 0);
    while place < list.len() {
        let name = list.item(place).text().expect("a kind is a string");
        set = set.or(TileSet::of(&[Tile::ALL[kind(name.as_bytes())]]));
        place += 1;
    }
    set
}

const KINDS: usize = Tile::ALL.len();

/// The value of each kind of tile, and how many of it the box has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    values: [u8; KINDS],
    copies: [u32; KINDS],
}

impl Printed {
    /// What a text of the form of `data/voluspa.toml` prints on the tiles.
    ///
    /// # Errors
    /// What is missing, there twice or out of range: each kind is listed once, in order, and each but Hel has a value from 1 to 12,
    /// its own or one of `[choice_values]`.
    pub const fn read(toml: &str) -> Result<Printed, &'static str> {
        let mut printed = Printed { values: [0; KINDS], copies: [0; KINDS] };
        let (mut rest, mut named) = (printed::Printed::of(toml), 0);
        while let Some((tile, behind)) = rest.find("[[tiles]]") {
            if let Err(reason) = printed.take(tile, named) {
                return Err(reason);
            }
            (rest, named) = (behind, named + 1);
        }
        if named != KINDS {
            return Err("the tiles are not all kinds in order, each once");
        }
        if let Some((mut chosen, _)) = rest.find("[choice_values]") {
            while let Some((name, value, others)) = chosen.first() {
                if let Err(reason) = printed.set(kind(name), value) {
                    return Err(reason);
                }
                chosen = others;
            }
        }
        let mut kind = 0;
        while kind < KINDS {
            if printed.values[kind] == 0 && kind != Tile::Hel as usize {
                return Err("a kind has no value");
            }
            kind += 1;
        }
        Ok(printed)
    }

    /// Reads one of the tables `[[tiles]]`.
    const fn take(&mut self, tile: printed::Table<'_>, place: usize) -> Result<(), &'static str> {
        let name = match tile.get("type") {
            Some(name) => name.text(),
            None => None,
        };
        if !matches!(name, Some(name) if kind(name.as_bytes()) == place && place < KINDS) {
            return Err("the tiles are not all kinds in order, each once");
        }
        let count = match tile.get("count") {
            Some(count) => count.number(),
            None => None,
        };
        let Some(count @ 1..) = count else {
            return Err("a kind has no count");
        };
        self.copies[place] = count as u32;
        match tile.get("value") {
            Some(value) => self.set(place, value),
            None => Ok(()),
        }
    }

    const fn set(&mut self, kind: usize, value: printed::Value<'_>) -> Result<(), &'static str> {
        if kind >= KINDS {
            return Err("a value is chosen for what is no kind of tile");
        }
        if self.values[kind] != 0 {
            return Err("a kind has two values");
        }
        let Some(value @ 1..=12) = value.number() else {
            return Err("a value is not from 1 to 12");
        };
        if kind == Tile::Hel as usize {
            return Err("Hel has a value");
        }
        self.values[kind] = value as u8;
        Ok(())
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

/// The kind that data call so, or [`KINDS`]: its name in small letters, words joined by `_`.
const fn kind(name: &[u8]) -> usize {
    let mut kind = 0;
    while kind < KINDS {
        let spoken = Tile::ALL[kind].name().as_bytes();
        let mut at = 0;
        while at < name.len() && at < spoken.len() {
            let letter = if spoken[at] == b' ' { b'_' } else { spoken[at].to_ascii_lowercase() };
            if letter != name[at] {
                break;
            }
            at += 1;
        }
        if at == name.len() && at == spoken.len() {
            return kind;
        }
        kind += 1;
    }
    KINDS
}

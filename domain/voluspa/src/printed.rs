//! What is printed on the tiles, read once from `data/voluspa.toml`: the text that the catalogue serves is what plays.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Deserialize;

use crate::tile::Tile;
use crate::tokens::Tokens;

/// The printed data, as the catalogue serves them.
pub(crate) const DATA: &str = include_str!("../data/voluspa.toml");

/// The values and numbers of all tiles that the program plays with.
pub(crate) static PRINTED: LazyLock<Printed> = LazyLock::new(|| {
    Printed::read(DATA).expect("the printed data are complete: a test reads them")
});

/// The value of each kind of tile, and how many of it the box has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Printed {
    values: [u8; Tile::ALL.len()],
    copies: [u32; Tile::ALL.len()],
}

/// The part of the data that is about tiles.
#[derive(Deserialize)]
struct Data {
    tiles: Vec<Kind>,
    choice_values: BTreeMap<Tile, u8>,
}

#[derive(Deserialize)]
struct Kind {
    r#type: Tile,
    count: u32,
    value: Option<u8>,
}

impl Printed {
    /// What a text of the form of `data/voluspa.toml` prints on the tiles.
    ///
    /// # Errors
    /// What is missing, there twice or out of range: each kind is listed once, in order, and each but Hel has a value from 1 to 12,
    /// its own or one of `[choice_values]`.
    pub fn read(toml: &str) -> Result<Printed, String> {
        let data: Data = toml::from_str(toml).map_err(|error| error.to_string())?;
        if !data.tiles.iter().map(|kind| kind.r#type).eq(Tile::ALL) {
            return Err("the tiles are not all kinds in order, each once".to_owned());
        }
        let mut printed = Printed { values: [0; Tile::ALL.len()], copies: [0; Tile::ALL.len()] };
        let mut chosen = data.choice_values;
        for Kind { r#type: tile, count, value } in data.tiles {
            let value = match (value, chosen.remove(&tile)) {
                (Some(value), None) | (None, Some(value)) => value,
                (None, None) if tile == Tile::Hel => 0,
                (None, None) => return Err(format!("{tile} has no value")),
                (Some(_), Some(_)) => return Err(format!("{tile} has two values")),
            };
            if value > Tokens::HIGHEST || (value > 0) == (tile == Tile::Hel) {
                return Err(format!("{tile} has the value {value}"));
            }
            printed.values[tile as usize] = value;
            printed.copies[tile as usize] = count;
        }
        Ok(printed)
    }

    /// The printed value, 1 to 12. Hel has none: 0, and nothing asks for it.
    #[must_use]
    pub fn value(&self, tile: Tile) -> u8 {
        self.values[tile as usize]
    }

    /// How many tiles of this kind are in the box.
    #[must_use]
    pub fn copies(&self, tile: Tile) -> u32 {
        self.copies[tile as usize]
    }
}

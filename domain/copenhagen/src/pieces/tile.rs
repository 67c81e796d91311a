//! The kinds of tiles (C-104, C-105), and how many of each are left.

use std::fmt;

use kernel::{Open, json};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{AdditionalProperties, ObjectBuilder, Schema, SchemaType, Type};
use utoipa::{PartialSchema, ToSchema};

use crate::pieces::Color;
use crate::printed;
use crate::printed::KINDS;

const NAMES: [&str; KINDS] = {
    let (mut names, mut place) = ([""; KINDS], 0);
    while place < KINDS {
        names[place] = printed::TILES[place].id;
        place += 1;
    }
    names
};

/// A kind of tile: one of the 20 kinds of facade tiles, or the special tile. JSON: `red_3`, `special`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Open)]
#[open(0)]
pub struct Tile(u8);

impl Tile {
    /// The special tile: one window, no colour (C-105).
    pub const SPECIAL: Tile = Tile(20);

    const ALL: [Tile; 21] = {
        let mut all = [Tile(0); 21];
        let mut index = 0;
        while index < 21 {
            all[index] = Tile(index as u8);
            index += 1;
        }
        all
    };

    /// All kinds: facade tiles by colour, then size; the special tile last.
    pub fn all() -> impl Iterator<Item = Tile> {
        Tile::ALL.into_iter()
    }

    /// The tile's id in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        NAMES[self.index()]
    }

    /// The colour, which special tiles do not have.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        if self.0 == Tile::SPECIAL.0 { None } else { Some(Color::ALL[self.0 as usize / 4]) }
    }

    /// The number of squares: 1 to 5.
    #[must_use]
    pub const fn size(self) -> u8 {
        if self.0 == Tile::SPECIAL.0 { 1 } else { 2 + self.0 % 4 }
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let found = Tile::all().find(|tile| tile.name() == name);
        found.ok_or_else(|| D::Error::unknown_variant(&name, &NAMES))
    }
}

impl PartialSchema for Tile {
    fn schema() -> RefOr<Schema> {
        names("A kind of tile: colour and size, or the special tile.", &NAMES)
    }
}

impl ToSchema for Tile {}

/// A kind of tile that has a colour and is paid for: all but the special tile. JSON as for [`Tile`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Open)]
#[serde(try_from = "Tile", into = "Tile")]
#[open(0)]
pub struct FacadeTile(Tile);

impl FacadeTile {
    /// All 20 kinds, by colour, then size.
    pub fn all() -> impl Iterator<Item = FacadeTile> {
        Tile::all().take(20).map(FacadeTile)
    }

    /// The same as one of all kinds of tiles.
    #[must_use]
    pub const fn tile(self) -> Tile {
        self.0
    }

    /// The colour.
    #[must_use]
    pub const fn color(self) -> Color {
        Color::ALL[self.0.index() / 4]
    }
}

impl From<FacadeTile> for Tile {
    fn from(FacadeTile(tile): FacadeTile) -> Tile {
        tile
    }
}

impl TryFrom<Tile> for FacadeTile {
    type Error = &'static str;

    fn try_from(tile: Tile) -> Result<Self, Self::Error> {
        if tile == Tile::SPECIAL {
            Err("a special tile is not paid for")
        } else {
            Ok(FacadeTile(tile))
        }
    }
}

impl PartialSchema for FacadeTile {
    fn schema() -> RefOr<Schema> {
        names("A kind of facade tile: colour and size.", &NAMES[..20])
    }
}

impl ToSchema for FacadeTile {}

fn names(description: &str, names: &[&'static str]) -> RefOr<Schema> {
    ObjectBuilder::new()
        .schema_type(SchemaType::new(Type::String))
        .description(Some(description))
        .enum_values(Some(names.iter().copied()))
        .into()
}

/// How many tiles of each kind are not yet on a board (C-502). JSON: an object with all 21 ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Supply([u8; 21]);

impl Supply {
    /// All tiles of a match with so many seats (C-104, C-105).
    #[must_use]
    pub fn full(seats: usize) -> Self {
        let copies = |tile: Tile| match tile.color() {
            Some(_) => printed::tile_copies(seats, tile.size()),
            None => printed::SPECIAL_COPIES,
        };
        Supply(Tile::ALL.map(copies))
    }

    /// How many tiles of this kind are left.
    #[must_use]
    pub const fn count(&self, tile: Tile) -> u8 {
        self.0[tile.index()]
    }

    /// Takes one tile of this kind, or says that there is none.
    pub(crate) fn take(&mut self, tile: Tile) -> bool {
        let count = &mut self.0[tile.index()];
        let some = *count > 0;
        *count -= u8::from(some);
        some
    }
}

impl Serialize for Supply {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for tile in Tile::all() {
            map.serialize_entry(tile.name(), &self.count(tile))?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for Supply {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        json::record(deserializer, &NAMES).map(Supply)
    }
}

impl PartialSchema for Supply {
    fn schema() -> RefOr<Schema> {
        let object = ObjectBuilder::new()
            .description(Some("How many tiles of each kind are not yet on a board."))
            .additional_properties(Some(AdditionalProperties::FreeForm(false)));
        let count =
            || ObjectBuilder::new().schema_type(SchemaType::new(Type::Integer)).minimum(Some(0));
        let with = |object: ObjectBuilder, tile: Tile| {
            let most = if tile == Tile::SPECIAL {
                printed::SPECIAL_COPIES
            } else {
                printed::tile_copies(4, tile.size())
            };
            object.property(tile.name(), count().maximum(Some(most))).required(tile.name())
        };
        Tile::all().fold(object, with).into()
    }
}

impl ToSchema for Supply {}

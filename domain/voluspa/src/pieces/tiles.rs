//! Sets and multisets of tiles: hands, piles, and the kinds of a match.

use kernel::Open;
use kernel::json::ascending;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::ToSchema;

use crate::pieces::Tile;

/// A multiset of tiles. JSON: a sorted array, equal tiles repeated. The box has 116.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Open)]
#[schema(value_type = Vec<Tile>, max_items = 116)]
#[open(0)]
pub struct Tiles([u32; Tile::ALL.len()]);

impl Tiles {
    /// How many tiles of this kind.
    #[must_use]
    pub fn count(&self, tile: Tile) -> u32 {
        self.0[tile as usize]
    }

    /// How many tiles in all.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.0.iter().sum()
    }

    /// How many tiles but Hel: what counts against the hand limit (V-608).
    #[must_use]
    pub fn total_but_hel(&self) -> u32 {
        self.total() - self.count(Tile::Hel)
    }

    /// Is there no tile?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|count| *count == 0)
    }

    /// Adds `count` tiles of a kind.
    pub fn add(&mut self, tile: Tile, count: u32) {
        self.0[tile as usize] += count;
    }

    /// Removes `count` tiles of a kind.
    ///
    /// # Panics
    /// If there are fewer: events take only what is there.
    pub fn remove(&mut self, tile: Tile, count: u32) {
        self.0[tile as usize] -= count;
    }

    /// The kinds of which there is at least one tile.
    #[must_use]
    pub fn kinds(&self) -> TileSet {
        Tile::ALL.into_iter().filter(|tile| self.count(*tile) > 0).collect()
    }

    /// The tile at an index of the sorted array.
    ///
    /// # Panics
    /// If the index is not less than [`total`](Tiles::total).
    #[must_use]
    pub fn nth(&self, index: usize) -> Tile {
        let mut left = index;
        for tile in Tile::ALL {
            let count = self.count(tile) as usize;
            if left < count {
                return tile;
            }
            left -= count;
        }
        panic!("index {index} of {} tiles", self.total());
    }

    /// The tiles in order.
    pub fn iter(&self) -> impl Iterator<Item = Tile> {
        Tile::ALL.into_iter().flat_map(|tile| std::iter::repeat_n(tile, self.count(tile) as usize))
    }
}

impl Serialize for Tiles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Tiles {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = ascending(deserializer, |before: &Tile, tile| before <= tile)?;
        let mut tiles = Tiles::default();
        list.into_iter().for_each(|tile| tiles.add(tile, 1));
        Ok(tiles)
    }
}

/// A set of kinds. JSON: a sorted array.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ToSchema, Open)]
#[schema(value_type = Vec<Tile>, max_items = 17)]
#[open(0)]
pub struct TileSet(u32);

impl TileSet {
    /// The set of these kinds.
    #[must_use]
    pub const fn of(tiles: &[Tile]) -> TileSet {
        let mut bits = 0;
        let mut i = 0;
        while i < tiles.len() {
            bits |= 1 << tiles[i] as u32;
            i += 1;
        }
        TileSet(bits)
    }

    /// Is this kind in the set?
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> (tile as u32) & 1 == 1
    }

    /// Is the set empty?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many kinds.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The kinds in both sets.
    #[must_use]
    pub const fn and(self, other: TileSet) -> TileSet {
        TileSet(self.0 & other.0)
    }

    /// The kinds in one of the sets at least.
    #[must_use]
    pub const fn or(self, other: TileSet) -> TileSet {
        TileSet(self.0 | other.0)
    }

    /// The kinds in this set that are not in the other.
    #[must_use]
    pub const fn without(self, other: TileSet) -> TileSet {
        TileSet(self.0 & !other.0)
    }
}

impl Iterator for TileSet {
    type Item = Tile;

    fn next(&mut self) -> Option<Tile> {
        let first = Tile::ALL.get(self.0.trailing_zeros() as usize).copied()?;
        self.0 &= self.0 - 1;
        Some(first)
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        tiles.into_iter().fold(TileSet::default(), |set, tile| set.or(TileSet::of(&[tile])))
    }
}

impl Serialize for TileSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(*self)
    }
}

impl<'de> Deserialize<'de> for TileSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = ascending(deserializer, |before: &Tile, tile| before < tile)?;
        Ok(list.into_iter().collect())
    }
}

//! The map of a match, indexed once: neighbours, reach, and where everything lies (D-101, D-102).
//!
//! A [`Chart`] is what never changes in a match. Positions share it, so that copying one is cheap. How a map comes about is told
//! in `tile` (tiles to hexes) and `random` (random maps); tiles and predefined maps are printed.

pub(crate) mod hex;
pub(crate) mod tile;
pub(crate) mod random;

use std::sync::{Arc, LazyLock};

use kernel::{Fixed, Open, present};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use hex::{Hex, HexPair};

use crate::board::tile::LANDS;
use crate::pieces::Color;

/// The option `map`, and the name of a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum MapName {
    /// The map for a first game.
    #[default]
    FirstJourney,
    /// The random map 681.
    Cyclades,
    /// The random map 109.
    Sporades,
    /// A random map (D-112).
    Random,
}

/// What a hex is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(rename_all = "snake_case")]
pub enum HexKind {
    /// Ships sail and stop here.
    Water,
    /// A hole of the map (D-101): ships with the equipment pass.
    Shallow,
    /// Start and goal (D-102).
    Zeus,
    /// An offering island.
    Offering,
    /// A temple.
    Temple,
    /// A monster island.
    Monster,
    /// A statue island: three building sites.
    Statue,
    /// An island with a hidden face.
    Island,
    /// A city.
    City,
}

/// The map of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(name, seed, hexes)]
pub struct MapForm {
    /// The map.
    pub name: MapName,
    /// The seed of a random map.
    #[serde(deserialize_with = "present")]
    #[schema(required = true)]
    pub seed: Option<u16>,
    /// The hexes in map order.
    #[schema(max_items = 255)]
    pub hexes: Vec<MapHex>,
}

/// A hex of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(q, r, kind, color)]
pub struct MapHex {
    /// To the east.
    #[schema(minimum = -2147483648, maximum = 2147483647)]
    pub q: i32,
    /// To the south-east.
    #[schema(minimum = -2147483648, maximum = 2147483647)]
    pub r: i32,
    /// The kind of hex.
    pub kind: HexKind,
    /// The colour of a water space; otherwise null.
    #[serde(deserialize_with = "kernel::present")]
    #[schema(required = true)]
    pub color: Option<Color>,
}

impl MapHex {
    /// Where it is.
    #[must_use]
    pub fn at(self) -> Hex {
        Hex { q: self.q, r: self.r }
    }
}

/// A place with a colour: a temple, a city, a building site, the frame of an island.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema, Open)]
#[serde(deny_unknown_fields)]
#[open(at, color)]
pub struct Spot {
    /// The hex.
    pub at: Hex,
    /// Its colour.
    pub color: Color,
}

/// A hex by its place in the map order of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HexId(u8);

impl HexId {
    /// The first hex of a map.
    pub(crate) const FIRST: HexId = HexId(0);

    /// The place in the hexes of [`Chart::map`], less than [`Chart::MOST_HEXES`].
    #[must_use]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// All that never changes on the map of a match. Lists are in map order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chart {
    terrain: Arc<Terrain>,
    /// Temples with their colours.
    pub temples: Vec<Spot>,
    /// Offering islands, at most 6.
    pub offerings: Vec<Hex>,
    /// Monster islands, at most 9.
    pub monsters: Vec<Hex>,
    /// Cities with the colours of their statues, at most 6.
    pub cities: Vec<Spot>,
    /// Building sites, by island, then colour; at most 18.
    pub sites: Vec<Spot>,
    /// Islands with the colours of their frames, at most 12.
    pub islands: Vec<Spot>,
}

/// The hexes of a map, and what follows from them alone. The predefined ones are there once for all matches.
#[derive(Debug, PartialEq, Eq)]
struct Terrain {
    map: Fixed<MapForm>,
    /// For each hex what lies around it.
    around: Vec<Around>,
    /// The hexes by coordinates.
    grid: Grid,
}

static PREDEFINED: LazyLock<[Arc<Terrain>; 3]> = LazyLock::new(|| {
    LANDS.each_ref().map(|(name, land)| {
        let map = MapForm { name: *name, seed: None, hexes: land.hexes() };
        Arc::new(Terrain::new(Fixed::new(map)))
    })
});

impl Terrain {
    fn of(map: Fixed<MapForm>) -> Arc<Self> {
        let predefined = PREDEFINED.iter().find(|predefined| predefined.map == map);
        predefined.map_or_else(|| Arc::new(Terrain::new(map)), Arc::clone)
    }

    fn new(map: Fixed<MapForm>) -> Self {
        let grid = Grid::new(&map.hexes);
        let mut terrain = Terrain { map, around: Vec::new(), grid };
        let around = |hex: &MapHex| Around::new(&terrain, hex.at());
        terrain.around = terrain.map.hexes.iter().map(around).collect();
        terrain
    }

    fn find(&self, at: Hex) -> Option<HexId> {
        if let Some(id) = self.grid.find(at) {
            return (id != NO_HEX).then_some(HexId(id));
        }
        let index = self.map.hexes.binary_search_by(|hex| hex.at().cmp(&at)).ok()?;
        u8::try_from(index).ok().map(HexId)
    }

    fn hex(&self, id: HexId) -> MapHex {
        self.map.hexes[id.index()]
    }
}

/// In the grid: the outside is no hex at all (D-101).
const NO_HEX: u8 = u8::MAX;

/// The neighbours of a hex that are on the map: first water, then shallows and Zeus, then all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Around {
    ids: [HexId; 6],
    water: u8,
    passable: u8,
    all: u8,
}

impl Around {
    fn new(terrain: &Terrain, hex: Hex) -> Self {
        let rank = |id: &HexId| match terrain.hex(*id).kind {
            HexKind::Water => 0,
            HexKind::Shallow | HexKind::Zeus => 1,
            HexKind::Offering
            | HexKind::Temple
            | HexKind::Monster
            | HexKind::Statue
            | HexKind::Island
            | HexKind::City => 2,
        };
        let mut around = Around { ids: [HexId::FIRST; 6], water: 0, passable: 0, all: 0 };
        for wanted in 0..3 {
            let ids = hex.neighbours().filter_map(|at| terrain.find(at));
            for id in ids.filter(|id| rank(id) == wanted) {
                around.ids[usize::from(around.all)] = id;
                around.all += 1;
                around.water += u8::from(wanted == 0);
                around.passable += u8::from(wanted < 2);
            }
        }
        around
    }
}

impl Chart {
    /// The most hexes that a map may have. The tiles have 120 cells, and some holes.
    pub const MOST_HEXES: usize = 255;

    /// A chart with hexes and nothing on them.
    ///
    /// # Panics
    /// If there are more hexes than [`Chart::MOST_HEXES`], or they are not in map order.
    #[must_use]
    pub fn new(map: Fixed<MapForm>) -> Self {
        let hexes = &map.hexes;
        assert!(
            hexes.len() <= Chart::MOST_HEXES && hexes.is_sorted_by(|a, b| a.at() < b.at()),
            "a map is in map order"
        );
        Chart {
            terrain: Terrain::of(map),
            temples: Vec::new(),
            offerings: Vec::new(),
            monsters: Vec::new(),
            cities: Vec::new(),
            sites: Vec::new(),
            islands: Vec::new(),
        }
    }

    /// The map.
    #[must_use]
    pub fn map(&self) -> &Fixed<MapForm> {
        &self.terrain.map
    }

    /// The id of the hex at these coordinates, if the map has one there.
    #[must_use]
    pub fn find(&self, at: Hex) -> Option<HexId> {
        self.terrain.find(at)
    }

    /// The kind of hex at these coordinates, if they are on the map.
    #[must_use]
    pub fn kind_at(&self, at: Hex) -> Option<HexKind> {
        self.find(at).map(|id| self.hex(id).kind)
    }

    /// The hex with this id.
    #[must_use]
    pub fn hex(&self, id: HexId) -> MapHex {
        self.terrain.hex(id)
    }

    /// The neighbours of a hex that are on the map: water first, then shallows and Zeus, then all others.
    #[must_use]
    pub fn neighbours(&self, id: HexId) -> &[HexId] {
        let around = &self.terrain.around[id.index()];
        &around.ids[..usize::from(around.all)]
    }

    /// The water spaces beside a hex.
    #[must_use]
    pub fn water_beside(&self, id: HexId) -> &[HexId] {
        let around = &self.terrain.around[id.index()];
        &around.ids[..usize::from(around.water)]
    }

    /// The shallows beside a hex, and the hex of Zeus if it is adjacent.
    #[must_use]
    pub fn shallows_beside(&self, id: HexId) -> &[HexId] {
        let around = &self.terrain.around[id.index()];
        &around.ids[usize::from(around.water)..usize::from(around.passable)]
    }

    /// The ids of all hexes, in map order.
    pub fn ids(&self) -> impl Iterator<Item = HexId> + use<> {
        let count = u8::try_from(self.map().hexes.len()).unwrap_or(NO_HEX);
        (0..count).map(HexId)
    }

    /// Does a ship at `ship` reach `target` (D-410)? They are adjacent; or, `far`, one water space is adjacent to both.
    #[must_use]
    pub fn reaches(&self, ship: Hex, target: Hex, far: bool) -> bool {
        match ship.distance(target) {
            1 => true,
            0 | 2 if far => self.find(ship).is_some_and(|ship| {
                let mut water = self.water_beside(ship).iter();
                water.any(|id| self.hex(*id).at().distance(target) == 1)
            }),
            _ => false,
        }
    }
}

/// The hexes of a map by coordinates: the least rectangle around them, row by row. Empty for a map that is spread too wide; then
/// hexes are searched for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Grid {
    least: Option<Hex>,
    width: usize,
    /// [`NO_HEX`] where there is none.
    ids: Vec<u8>,
}

impl Grid {
    /// The most places of a grid. Maps of the printed tiles have about 500.
    const MOST: usize = 4096;

    fn new(hexes: &[MapHex]) -> Self {
        let lengths = |values: &mut dyn Iterator<Item = i32>| {
            let (least, most) =
                values.fold((i32::MAX, i32::MIN), |(least, most), v| (least.min(v), most.max(v)));
            usize::try_from(i64::from(most) - i64::from(least) + 1).map(|length| (least, length))
        };
        let (Ok((q, width)), Ok((r, height))) = (
            lengths(&mut hexes.iter().map(|hex| hex.q)),
            lengths(&mut hexes.iter().map(|hex| hex.r)),
        ) else {
            return Grid::default();
        };
        if width.saturating_mul(height) > Grid::MOST || hexes.is_empty() {
            return Grid::default();
        }
        let mut grid = Grid { least: Some(Hex { q, r }), width, ids: vec![NO_HEX; width * height] };
        for (hex, id) in hexes.iter().zip(0..) {
            if let Some(place) = grid.place(hex.at()) {
                grid.ids[place] = id;
            }
        }
        grid
    }

    fn place(&self, at: Hex) -> Option<usize> {
        let least = self.least?;
        let column = usize::try_from(i64::from(at.q) - i64::from(least.q))
            .ok()
            .filter(|column| *column < self.width)?;
        let row = usize::try_from(i64::from(at.r) - i64::from(least.r)).ok()?;
        row.checked_mul(self.width)?.checked_add(column).filter(|place| *place < self.ids.len())
    }

    /// What the grid knows about a place: a hex or that there is none. `None` if there is no grid.
    fn find(&self, at: Hex) -> Option<u8> {
        self.least?;
        Some(self.place(at).map_or(NO_HEX, |place| self.ids[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_on_a_predefined_map_share_it() {
        for predefined in PREDEFINED.iter() {
            let json = serde_json::to_string(&predefined.map).unwrap();
            let stored: Fixed<MapForm> = serde_json::from_str(&json).unwrap();
            assert!(Arc::ptr_eq(&Chart::new(stored).terrain, predefined));
            let mut other = MapForm::clone(&predefined.map);
            other.hexes.pop();
            assert!(!Arc::ptr_eq(&Chart::new(Fixed::new(other)).terrain, predefined));
        }
    }
}

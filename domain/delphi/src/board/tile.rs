//! Tiles, and how they become the hexes of a map (D-101, D-103).

use std::sync::LazyLock;

use crate::board::{Hex, HexKind, MapHex, MapName};
use crate::pieces::Color;
use crate::printed::map::{TILES, placements};

/// What a cell of a tile is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ground {
    /// A water space.
    Water(Color),
    /// The centre of a ring tile, or a hole of the map.
    Shallow,
    /// Start and goal.
    Zeus,
    /// An offering island.
    Offering,
    /// A temple; its colour is drawn.
    Temple,
    /// A monster island, marked or not.
    Monster {
        /// Does it get two monsters at the start?
        marked: bool,
    },
    /// A statue island and the colours of its sites, ascending.
    Statue([Color; 3]),
    /// An island and the colour of its frame.
    Island(Color),
    /// A city.
    City(Color),
}

impl Ground {
    /// The kind and colour that the hex shows in a position.
    pub(crate) const fn shown(self) -> (HexKind, Option<Color>) {
        match self {
            Ground::Water(color) => (HexKind::Water, Some(color)),
            Ground::Shallow => (HexKind::Shallow, None),
            Ground::Zeus => (HexKind::Zeus, None),
            Ground::Offering => (HexKind::Offering, None),
            Ground::Temple => (HexKind::Temple, None),
            Ground::Monster { marked: _ } => (HexKind::Monster, None),
            Ground::Statue(_) => (HexKind::Statue, None),
            Ground::Island(_) => (HexKind::Island, None),
            Ground::City(_) => (HexKind::City, None),
        }
    }

    pub(crate) fn is_water(self) -> bool {
        self.shown().0 == HexKind::Water
    }
}

/// A cell of a tile, before it is turned and shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub(crate) q: i32,
    pub(crate) r: i32,
    pub(crate) ground: Ground,
}

/// A tile: its cells, of which the first `len` count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub(crate) cells: [Cell; 11],
    pub(crate) len: usize,
}

impl Tile {
    pub(crate) const fn cells(&self) -> &[Cell] {
        self.cells.split_at(self.len).0
    }
}

/// Where a tile lies: turned `rot` times by 60 degrees clockwise about its own (0, 0), then shifted by (q, r).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    /// Index of the tile among all printed ones.
    pub(crate) tile: usize,
    pub(crate) q: i32,
    pub(crate) r: i32,
    /// 0 to 5.
    pub(crate) rot: u8,
}

/// (q, r) turned `rot` times by 60 degrees clockwise about (0, 0).
pub(crate) fn turned(q: i32, r: i32, rot: u8) -> Hex {
    let turn = |hex: Hex, _| Hex { q: -hex.r, r: hex.q + hex.r };
    (0..rot).fold(Hex { q, r }, turn)
}

impl Placement {
    /// The cells of the tile where they lie.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (Hex, Ground)> + use<> {
        let Placement { tile, q, r, rot } = *self;
        TILES[tile].cells().iter().map(move |cell| {
            let at = turned(cell.q, cell.r, rot);
            (Hex { q: at.q + q, r: at.r + r }, cell.ground)
        })
    }
}

/// The laid tiles, holes filled with shallows, in map order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Land {
    /// Each hex once.
    pub(crate) cells: Vec<(Hex, Ground)>,
}

/// The predefined maps, each laid once.
pub(crate) static LANDS: LazyLock<[(MapName, Land); 3]> = LazyLock::new(|| {
    let names = [MapName::FirstJourney, MapName::Cyclades, MapName::Sporades];
    names.map(|name| (name, Land::lay(placements(name).unwrap_or_default())))
});

impl Land {
    /// Lays tiles that do not overlap.
    pub(crate) fn lay(placements: &[Placement]) -> Self {
        let mut cells: Vec<(Hex, Ground)> = placements.iter().flat_map(Placement::cells).collect();
        sort(&mut cells);
        let mut land = Land { cells };
        let holes: Vec<Hex> = land.holes();
        land.cells.extend(holes.into_iter().map(|hole| (hole, Ground::Shallow)));
        sort(&mut land.cells);
        land
    }

    /// The ground at a hex.
    pub(crate) fn ground(&self, at: Hex) -> Option<Ground> {
        let index = self.cells.binary_search_by(|(hex, _)| hex.cmp(&at)).ok()?;
        Some(self.cells[index].1)
    }

    /// The empty hexes that no path over empty hexes joins with the outside (D-101), in map order.
    pub(crate) fn holes(&self) -> Vec<Hex> {
        let Some(window) = Window::around(self) else { return Vec::new() };
        let mut open = vec![false; window.size()];
        let mut todo = vec![window.corner()];
        open[0] = true;
        while let Some(hex) = todo.pop() {
            for next in hex.neighbours() {
                if let Some(index) = window.index(next)
                    && !open[index]
                    && self.ground(next).is_none()
                {
                    open[index] = true;
                    todo.push(next);
                }
            }
        }
        let hexes = window.hexes().zip(open);
        let holes = hexes.filter(|(hex, open)| !open && self.ground(*hex).is_none());
        holes.map(|(hex, _)| hex).collect()
    }

    /// Are all water spaces connected through water alone (D-103)?
    pub(crate) fn water_is_connected(&self) -> bool {
        let water = || self.cells.iter().filter(|(_, ground)| ground.is_water());
        let mut reached: Vec<Hex> = water().next().map(|(hex, _)| *hex).into_iter().collect();
        let mut next = 0;
        while let Some(hex) = reached.get(next).copied() {
            next += 1;
            for neighbour in hex.neighbours() {
                if self.ground(neighbour).is_some_and(Ground::is_water)
                    && !reached.contains(&neighbour)
                {
                    reached.push(neighbour);
                }
            }
        }
        reached.len() == water().count()
    }

    /// Is the map valid (D-103)?
    pub(crate) fn is_valid(&self) -> bool {
        let touches_water =
            |hex: Hex| hex.neighbours().any(|next| self.ground(next).is_some_and(Ground::is_water));
        let dry = |(hex, ground): &(Hex, Ground)| {
            !ground.is_water() && *ground != Ground::Shallow && !touches_water(*hex)
        };
        self.water_is_connected() && !self.cells.iter().any(dry)
    }

    /// The hexes as a position shows them.
    pub(crate) fn hexes(&self) -> Vec<MapHex> {
        let shown = |(hex, ground): &(Hex, Ground)| {
            let (kind, color) = ground.shown();
            MapHex { q: hex.q, r: hex.r, kind, color }
        };
        self.cells.iter().map(shown).collect()
    }
}

fn sort(cells: &mut [(Hex, Ground)]) {
    cells.sort_unstable_by_key(|(hex, _)| *hex);
}

/// The least rectangle of coordinates around some land, and one more hex on each side.
struct Window {
    q: std::ops::Range<i32>,
    r: std::ops::Range<i32>,
}

impl Window {
    fn around(land: &Land) -> Option<Self> {
        let q = || land.cells.iter().map(|(hex, _)| hex.q);
        let r = || land.cells.iter().map(|(hex, _)| hex.r);
        Some(Window { q: q().min()? - 1..q().max()? + 2, r: r().min()? - 1..r().max()? + 2 })
    }

    fn corner(&self) -> Hex {
        Hex { q: self.q.start, r: self.r.start }
    }

    fn size(&self) -> usize {
        self.q.len() * self.r.len()
    }

    fn index(&self, hex: Hex) -> Option<usize> {
        let inside = self.q.contains(&hex.q) && self.r.contains(&hex.r);
        let column = usize::try_from(hex.q - self.q.start).ok()?;
        let row = usize::try_from(hex.r - self.r.start).ok()?;
        inside.then_some(row * self.q.len() + column)
    }

    fn hexes(&self) -> impl Iterator<Item = Hex> {
        let columns = self.q.clone();
        self.r.clone().flat_map(move |r| columns.clone().map(move |q| Hex { q, r }))
    }
}

//! Random maps: a function of the seed alone (D-112).

use crate::board::Hex;
use crate::board::tile::{Ground, Land, Placement, turned};
use crate::printed::map::{MAP_TILES, TILES};

/// How many seeds there are: `map_seed` is less.
pub(crate) const SEEDS: u16 = crate::printed::map::SEEDS;

/// The most that the contacts of a placement may fall short of the greatest.
const SLACK: u32 = 4;

/// Cities lie at least so many steps apart.
const BETWEEN_CITIES: i64 = 4;

/// The tiles of the map of a seed in the order of placing, and how many attempts it took.
pub(crate) fn random_map(seed: u16) -> (Vec<Placement>, u32) {
    let mut numbers = Numbers { state: u64::from(seed) };
    let cells = turned_cells();
    let mut attempts = 1;
    loop {
        if let Some(placements) = attempt(&mut numbers, &cells) {
            return (placements, attempts);
        }
        attempts += 1;
    }
}

/// The generator that the rule names: 64 bits, wrapping.
struct Numbers {
    state: u64,
}

impl Numbers {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % count as u64).expect("less than count")
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

/// The cells of each tile in each of its six turns.
type TurnedCells = Vec<[Vec<Hex>; 6]>;

fn turned_cells() -> TurnedCells {
    let turn = |tile: usize, rot: u8| {
        TILES[tile].cells().iter().map(|cell| turned(cell.q, cell.r, rot)).collect()
    };
    (0..TILES.len()).map(|tile| [0, 1, 2, 3, 4, 5].map(|rot| turn(tile, rot))).collect()
}

fn attempt(numbers: &mut Numbers, cells: &TurnedCells) -> Option<Vec<Placement>> {
    let mut order: Vec<usize> = (1..MAP_TILES).collect();
    numbers.shuffle(&mut order);
    let mut placements = vec![Placement { tile: 0, q: 0, r: 0, rot: 0 }];
    let mut board = Board::new();
    board.lay(&cells[0][0], Hex::ZEUS);
    for tile in order {
        let mut choices = board.placements(tile, &cells[tile]);
        let most = choices.iter().map(|(_, contacts)| *contacts).max()?;
        choices.retain(|(_, contacts)| contacts + SLACK >= most);
        let (chosen, _) = choices[numbers.below(choices.len())];
        board.lay(&cells[tile][usize::from(chosen.rot)], Hex { q: chosen.q, r: chosen.r });
        placements.push(chosen);
    }
    let land = Land::lay(&placements);
    if !land.water_is_connected() {
        return None;
    }
    place_cities(numbers, cells, &board, &land, &mut placements)?;
    Land::lay(&placements).is_valid().then_some(placements)
}

/// A place for a city, with what it is sorted by.
struct CityPlace {
    /// Second greatest dot - greatest dot.
    margin: i64,
    placement: Placement,
}

fn place_cities(
    numbers: &mut Numbers,
    cells: &TurnedCells,
    board: &Board,
    land: &Land,
    placements: &mut Vec<Placement>,
) -> Option<()> {
    let mut tiles: Vec<usize> = (MAP_TILES..TILES.len()).collect();
    numbers.shuffle(&mut tiles);
    for (sector, tile) in tiles.into_iter().enumerate() {
        let choices = board.placements(tile, &cells[tile]).into_iter();
        let fitting = |(placement, _)| city_place(board, land, placements, sector, placement);
        let mut kept: Vec<CityPlace> = choices.filter_map(fitting).collect();
        if kept.is_empty() {
            return None;
        }
        kept.sort_by_key(|place| {
            let Placement { tile: _, q, r, rot } = place.placement;
            (place.margin, r, q, rot)
        });
        placements.push(kept[numbers.below(kept.len().div_ceil(3))].placement);
    }
    Some(())
}

/// Keeps a place for the city of a sector if all conditions of step 4 hold.
fn city_place(
    board: &Board,
    land: &Land,
    laid: &[Placement],
    sector: usize,
    placement: Placement,
) -> Option<CityPlace> {
    let city = city_cell(&placement)?;
    let margin = board.margin(city, sector)?;
    let taken = |hex| land.ground(hex).is_some() || laid.iter().any(|p| covers(p, hex));
    let is_water = |hex| land.ground(hex).is_some_and(Ground::is_water);
    let mut others = laid.iter().filter_map(city_cell);
    let fits = others.all(|other| other.distance(city) >= BETWEEN_CITIES)
        && !placement.cells().any(|(hex, _)| taken(hex))
        && placement
            .cells()
            .all(|(hex, ground)| !ground.is_water() || hex.neighbours().any(is_water));
    fits.then_some(CityPlace { margin, placement })
}

/// Where the city of a city tile lies.
fn city_cell(placement: &Placement) -> Option<Hex> {
    let mut cells = placement.cells();
    let city = cells.find(|(_, ground)| matches!(ground, Ground::City(_)))?;
    Some(city.0)
}

fn covers(placement: &Placement, hex: Hex) -> bool {
    placement.cells().any(|(cell, _)| cell == hex)
}

/// The half width of the board: no map of 12 tiles leaves it.
const HALF: i32 = 64;

/// How far a cell of a tile may be from the tile's own (0, 0).
const SPAN: i32 = 4;

/// Which hexes the map tiles occupy, and how many occupied neighbours each hex has.
struct Board {
    occupied: Vec<bool>,
    touching: Vec<u8>,
    count: i64,
    sum_q: i64,
    sum_r: i64,
    least: Hex,
    most: Hex,
}

impl Board {
    fn new() -> Self {
        let size = usize::try_from(4 * HALF * HALF).expect("a small square");
        Board {
            occupied: vec![false; size],
            touching: vec![0; size],
            count: 0,
            sum_q: 0,
            sum_r: 0,
            least: Hex::ZEUS,
            most: Hex::ZEUS,
        }
    }

    fn index(hex: Hex) -> usize {
        usize::try_from((hex.r + HALF) * 2 * HALF + hex.q + HALF)
            .expect("no map of 12 tiles leaves the board")
    }

    fn lay(&mut self, cells: &[Hex], at: Hex) {
        for cell in cells {
            let hex = Hex { q: cell.q + at.q, r: cell.r + at.r };
            self.occupied[Board::index(hex)] = true;
            for next in hex.neighbours() {
                self.touching[Board::index(next)] += 1;
            }
            self.count += 1;
            self.sum_q += i64::from(hex.q);
            self.sum_r += i64::from(hex.r);
            self.least = Hex { q: self.least.q.min(hex.q), r: self.least.r.min(hex.r) };
            self.most = Hex { q: self.most.q.max(hex.q), r: self.most.r.max(hex.r) };
        }
    }

    /// All placements that overlap nothing and touch something, ascending by r, q, turn; with their contacts.
    fn placements(&self, tile: usize, turns: &[Vec<Hex>; 6]) -> Vec<(Placement, u32)> {
        let mut found = Vec::new();
        for r in self.least.r - SPAN..=self.most.r + SPAN {
            for q in self.least.q - SPAN..=self.most.q + SPAN {
                for (rot, cells) in (0..).zip(turns) {
                    if let Some(contacts) = self.contacts(cells, q, r) {
                        found.push((Placement { tile, q, r, rot }, contacts));
                    }
                }
            }
        }
        found
    }

    fn contacts(&self, cells: &[Hex], q: i32, r: i32) -> Option<u32> {
        let mut contacts = 0;
        for cell in cells {
            let index = Board::index(Hex { q: cell.q + q, r: cell.r + r });
            if self.occupied[index] {
                return None;
            }
            contacts += u32::from(self.touching[index]);
        }
        (contacts > 0).then_some(contacts)
    }

    /// For a city in its sector, the second greatest dot product less the greatest; `None` in another sector.
    fn margin(&self, city: Hex, sector: usize) -> Option<i64> {
        let x = self.count * i64::from(city.q) - self.sum_q;
        let z = self.count * i64::from(city.r) - self.sum_r;
        let y = -x - z;
        let dots = Hex::DIRECTIONS.map(|direction| {
            let (q, r) = (i64::from(direction.q), i64::from(direction.r));
            x * q + z * r + y * (-q - r)
        });
        let greatest = *dots.iter().max()?;
        let mut sorted = dots;
        sorted.sort_unstable();
        (dots.iter().position(|dot| *dot == greatest) == Some(sector))
            .then_some(sorted[4] - greatest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_vectors_of_the_map_data_come_out() {
        let data: toml::Table = include_str!("../../data/delphi_map.toml").parse().unwrap();
        for vector in data["generator"]["vector"].as_array().unwrap() {
            let (placements, attempts) =
                random_map(u16::try_from(vector["seed"].as_integer().unwrap()).unwrap());
            assert_eq!(i64::from(attempts), vector["attempts"].as_integer().unwrap());
            let printed = |p: &toml::Value| {
                let number = |key: &str| p[key].as_integer().unwrap();
                let tile = p["tile"].as_str().unwrap().to_owned();
                (tile, number("q"), number("r"), number("rot"))
            };
            let expected = vector["placements"].as_array().unwrap().iter();
            let expected: Vec<_> = expected.map(printed).collect();
            let name = |tile: usize| data["tile"][tile]["name"].as_str().unwrap().to_owned();
            let found: Vec<(String, i64, i64, i64)> = placements
                .iter()
                .map(|p| (name(p.tile), p.q.into(), p.r.into(), p.rot.into()))
                .collect();
            assert_eq!(found, expected, "seed {:?}", vector["seed"]);
        }
    }

    #[test]
    fn every_seed_gives_a_valid_map() {
        for seed in 0..SEEDS {
            let land = Land::lay(&random_map(seed).0);
            assert!(land.is_valid(), "seed {seed}");
            assert!(land.cells.is_sorted_by(|a, b| a.0 < b.0), "seed {seed}: two tiles overlap");
        }
    }
}

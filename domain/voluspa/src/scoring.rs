//! Values and points (section 9).

mod standing;

pub use standing::Place;
pub(crate) use standing::{display, places, points, ranking};

use crate::board::{Axis, Board, Cell, Direction, SpotId};
use crate::event::{Part, PartKind, Parts, ScoreReason};
use crate::pieces::Tile;

/// What each Niohoggr adds (V-505).
pub(crate) const NIOHOGGR: u64 = 2;

/// A line as one of its tiles sees it.
#[derive(Default)]
struct Line {
    /// How many tiles.
    length: u64,
    /// What its Niohoggr add.
    bonus: u64,
    /// The sum of the faces of all its Fenrir (V-403).
    pack: i64,
    /// Is there a Fenrir besides the tile that looks?
    other_fenrir: bool,
    /// The highest face of the others but Fenrir; 0 if there are none.
    strongest: i64,
    /// Does it begin and end with a Valkyrie (V-503)?
    bookended: bool,
    /// Is the tile that looks its first or last?
    at_end: bool,
}

/// The points of the tile that was just placed on a cell, or `None` if it scores nothing. `killed`: it covers a Niohoggr.
pub(crate) fn placed(board: &Board, cell: Cell, killed: bool) -> Option<(ScoreReason, Parts)> {
    let id = board.find(cell);
    let killed = if killed { NIOHOGGR } else { 0 };
    let tile = board.spot(id).piece?.tile;
    let (reason, parts) = match tile {
        Tile::Hel => (ScoreReason::Hel, Some(hel(board, id, killed))),
        Tile::Dwarf => (ScoreReason::Dwarf, Some(dwarf(board, id))),
        Tile::LightningBolt => lightning_bolt(board, id, killed),
        Tile::SeaSerpent => sea_serpent(board, id),
        Tile::Odin
        | Tile::Thor
        | Tile::Troll
        | Tile::Dragon
        | Tile::Fenrir
        | Tile::Skadi
        | Tile::Valkyrie
        | Tile::Loki
        | Tile::Hermod
        | Tile::Jotunn
        | Tile::Freya
        | Tile::Raven
        | Tile::Niohoggr => lines(board, id, tile, killed),
    };
    parts.filter(|parts| parts.points() > 0).map(|parts| (reason, parts))
}

/// V-504, V-506.
fn lines(board: &Board, id: SpotId, tile: Tile, killed: u64) -> (ScoreReason, Option<Parts>) {
    let [row, column] = Axis::BOTH.map(|axis| line(board, id, axis));
    if row.length == 1 && column.length == 1 {
        let own = if tile == Tile::Niohoggr { NIOHOGGR } else { 0 };
        return (ScoreReason::Solitary, Some(solitary(own + killed)));
    }
    let own = face(board, id);
    let score = |line: &Line, kind| {
        dominates(line, tile, own).then(|| part(kind, line.length, line.bonus + killed))
    };
    let parts = match (score(&row, PartKind::Row), score(&column, PartKind::Column)) {
        (Some(row), column) => Some(Parts::new(row, column)),
        (None, column) => column.map(|column| Parts::new(column, None)),
    };
    (ScoreReason::Lines, parts)
}

/// V-502, V-503: does the placed tile, with this face, dominate the line?
fn dominates(line: &Line, tile: Tile, face: i64) -> bool {
    if line.length < 2 {
        return false;
    }
    if line.bookended {
        return line.at_end;
    }
    // A Fenrir meets the other Fenrir as they are without it.
    let (own, others) =
        if tile == Tile::Fenrir { (line.pack, line.pack - face) } else { (face, line.pack) };
    line.strongest < own && !(line.other_fenrir && others >= own)
}

/// V-507.
fn hel(board: &Board, id: SpotId, killed: u64) -> Parts {
    let [left, right, up, down] = Direction::ALL.map(|way| board.step(id, way));
    let corner = |from, way| board.step(from, way);
    let around = [
        left,
        right,
        up,
        down,
        corner(up, Direction::Left),
        corner(up, Direction::Right),
        corner(down, Direction::Left),
        corner(down, Direction::Right),
    ];
    let count = around.into_iter().filter(|id| board.spot(*id).in_line().is_some()).count();
    Parts::new(part(PartKind::Neighbours, count as u64, killed), None)
}

/// V-508.
fn lightning_bolt(board: &Board, id: SpotId, killed: u64) -> (ScoreReason, Option<Parts>) {
    let [row, column] = Axis::BOTH.map(|axis| line(board, id, axis));
    let score = |line: &Line, kind| part(kind, line.length, line.bonus + killed);
    let row_part = score(&row, PartKind::Row);
    let column_part = score(&column, PartKind::Column);
    let best = match (row.length, column.length) {
        (1, 1) => return (ScoreReason::Solitary, Some(solitary(killed))),
        (_, 1) => row_part,
        (1, _) => column_part,
        (across, down) if across < down => row_part,
        (across, down) if across > down => column_part,
        _ if column_part.points > row_part.points => column_part,
        _ => row_part,
    };
    (ScoreReason::LightningBolt, Some(Parts::new(best, None)))
}

/// V-509.
fn sea_serpent(board: &Board, id: SpotId) -> (ScoreReason, Option<Parts>) {
    let lanes = Axis::BOTH.map(|axis| lane(board, id, axis));
    if lanes.iter().all(|lane| lane.tiles == 1) {
        return (ScoreReason::Solitary, Some(solitary(0)));
    }
    let own = face(board, id);
    let score = |axis: Axis, lane: &Lane, kind| {
        let candidate = lane.tiles > 1 && lane.strongest < own && !line(board, id, axis).bookended;
        candidate.then(|| part(kind, lane.cells, lane.bonus))
    };
    let row = score(Axis::Row, &lanes[0], PartKind::Row);
    let column = score(Axis::Column, &lanes[1], PartKind::Column);
    let best = match (row, column) {
        (Some(row), Some(column)) if column.points > row.points => Some(column),
        (Some(row), _) => Some(row),
        (None, column) => column,
    };
    (ScoreReason::SeaSerpent, best.map(|part| Parts::new(part, None)))
}

/// What the tile on one side of a Dwarf counts (V-510); `None` where none lies that has a value.
pub(crate) fn beside_dwarf(board: &Board, id: SpotId, direction: Direction) -> Option<i64> {
    let next = board.step(id, direction);
    let piece = board.spot(next).in_line()?;
    Some(if piece.tile == Tile::Fenrir {
        line(board, next, direction.axis()).pack
    } else {
        face(board, next)
    })
}

/// V-510.
fn dwarf(board: &Board, id: SpotId) -> Parts {
    let values = Direction::ALL.into_iter().filter_map(|way| beside_dwarf(board, id, way));
    let sum = values.sum::<i64>().unsigned_abs();
    let part = Part { kind: PartKind::Values, count: sum, bonus: 0, points: sum / 2 };
    Parts::new(part, None)
}

fn part(kind: PartKind, count: u64, bonus: u64) -> Part {
    Part { kind, count, bonus, points: count + bonus }
}

fn solitary(bonus: u64) -> Parts {
    Parts::new(part(PartKind::Solitary, 1, bonus), None)
}

/// V-401, V-402. Of a tile other than Hel; 0 for an empty cell.
fn face(board: &Board, id: SpotId) -> i64 {
    let spot = board.spot(id);
    match spot.piece {
        Some(piece) if piece.tile == Tile::Loki || spot.lokis == 0 => i64::from(piece.value()),
        Some(_) | None => 0,
    }
}

/// V-501: the line through a tile other than Hel.
fn line(board: &Board, id: SpotId, axis: Axis) -> Line {
    let mut line = Line::default();
    let own = add(&mut line, board, id);
    line.strongest = 0;
    line.other_fenrir = false;
    let ends = axis.directions().map(|direction| {
        let mut last = own;
        let mut next = board.step(id, direction);
        while board.spot(next).in_line().is_some() {
            last = add(&mut line, board, next);
            next = board.step(next, direction);
        }
        line.at_end |= next == board.step(id, direction);
        last
    });
    line.bookended = line.length >= 2 && ends == [Some(Tile::Valkyrie); 2];
    line
}

/// Counts a tile in.
fn add(line: &mut Line, board: &Board, id: SpotId) -> Option<Tile> {
    let tile = board.spot(id).piece?.tile;
    let face = face(board, id);
    line.length += 1;
    if tile == Tile::Niohoggr {
        line.bonus += NIOHOGGR;
    }
    if tile == Tile::Fenrir {
        line.pack += face;
        line.other_fenrir = true;
    } else {
        line.strongest = line.strongest.max(face);
    }
    Some(tile)
}

/// A whole row or column of the grid, across gaps, as a Sea Serpent in it sees it.
#[derive(Default)]
struct Lane {
    /// How many tiles other than Hel.
    tiles: u64,
    /// How many cells from the first to the last of them.
    cells: u64,
    /// What its Niohoggr add.
    bonus: u64,
    /// The highest value of the other tiles; 0 if there are none.
    strongest: i64,
}

fn lane(board: &Board, id: SpotId, axis: Axis) -> Lane {
    let own = axis.split(board.spot(id).cell).0;
    let mut lane = Lane::default();
    let mut ends: Option<(i32, i32)> = None;
    // The Fenrir of the connected line so far.
    let mut pack: Option<i64> = None;
    for next in board.spots() {
        let spot = board.spot(next);
        let (across, place) = axis.split(spot.cell);
        if across != own {
            continue;
        }
        let Some(piece) = spot.in_line() else { continue };
        let (first, last) = ends.unwrap_or((place, place));
        if place > last && place - 1 > last {
            pack = None;
        }
        ends = Some((first, place));
        lane.tiles += 1;
        if piece.tile == Tile::Niohoggr {
            lane.bonus += NIOHOGGR;
        }
        let value = if piece.tile == Tile::Fenrir {
            let sum = pack.unwrap_or(0) + face(board, next);
            pack = Some(sum);
            sum
        } else {
            face(board, next)
        };
        if next != id {
            lane.strongest = lane.strongest.max(value);
        }
    }
    lane.cells = ends.map_or(0, |(first, last)| u64::from(last.abs_diff(first)) + 1);
    lane
}

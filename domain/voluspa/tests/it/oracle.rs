//! The rules once more, naively: a map of cells, and the words of RULES.md, section 9 and section 7, one after the other.
//!
//! Nothing here is shared with the program but the vocabulary. What the two agree on in random matches was understood
//! twice.

use std::collections::BTreeMap;

use voluspa::{Cell, Direction, Part, PartKind, PositionForm, ScoreReason, Tile};

mod judging;

pub(crate) use judging::{check, legal};

type At = (i64, i64);

/// The board of the pseudo code: `tile(c)` and `boost(c)`.
#[derive(Clone)]
pub(crate) struct Table(BTreeMap<At, (Tile, i64)>);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Axis {
    Row,
    Column,
}

const AXES: [(Axis, PartKind); 2] = [(Axis::Row, PartKind::Row), (Axis::Column, PartKind::Column)];
const WAYS: [(Direction, At); 4] = [
    (Direction::Left, (-1, 0)),
    (Direction::Right, (1, 0)),
    (Direction::Up, (0, -1)),
    (Direction::Down, (0, 1)),
];

fn at(cell: Cell) -> At {
    (i64::from(cell.x), i64::from(cell.y))
}

fn plus((x, y): At, (dx, dy): At) -> At {
    (x + dx, y + dy)
}

fn exists((x, y): At) -> bool {
    i32::try_from(x).is_ok() && i32::try_from(y).is_ok()
}

fn beside(c: At) -> impl Iterator<Item = At> {
    WAYS.into_iter().map(move |(_, way)| plus(c, way))
}

fn printed(tile: Tile) -> i64 {
    match tile {
        Tile::Odin => 8,
        Tile::Thor | Tile::Niohoggr => 7,
        Tile::Troll | Tile::SeaSerpent => 6,
        Tile::Dragon | Tile::Jotunn => 5,
        Tile::Fenrir | Tile::Raven => 4,
        Tile::Skadi | Tile::Hermod | Tile::Freya => 3,
        Tile::Valkyrie | Tile::Dwarf => 2,
        Tile::Loki | Tile::LightningBolt => 1,
        Tile::Hel => panic!("Hel has no value"),
    }
}

impl Table {
    pub(crate) fn of(form: &PositionForm) -> Table {
        let cells = form.board.iter();
        Table(
            cells
                .map(|c| ((i64::from(c.x), i64::from(c.y)), (c.tile, i64::from(c.boost))))
                .collect(),
        )
    }

    fn tile(&self, c: At) -> Option<Tile> {
        self.0.get(&c).map(|(tile, _)| *tile)
    }

    fn is_link(&self, c: At) -> bool {
        self.tile(c).is_some_and(|tile| tile != Tile::Hel)
    }

    fn face(&self, c: At) -> i64 {
        let (tile, boost) = self.0[&c];
        if tile != Tile::Loki && beside(c).any(|d| self.tile(d) == Some(Tile::Loki)) {
            0
        } else {
            printed(tile) + boost
        }
    }

    /// The cells of the line in ascending order, `c` counted in whatever lies there.
    fn line(&self, c: At, axis: Axis) -> Vec<At> {
        let step = if axis == Axis::Row { (1, 0) } else { (0, 1) };
        let mut line = vec![c];
        while self.is_link(plus(line[0], (-step.0, -step.1))) {
            line.insert(0, plus(line[0], (-step.0, -step.1)));
        }
        while self.is_link(plus(line[line.len() - 1], step)) {
            line.push(plus(line[line.len() - 1], step));
        }
        line
    }

    fn value(&self, c: At, axis: Axis) -> i64 {
        if self.tile(c) != Some(Tile::Fenrir) {
            return self.face(c);
        }
        let pack = self.line(c, axis).into_iter().filter(|d| self.tile(*d) == Some(Tile::Fenrir));
        pack.map(|d| self.face(d)).sum()
    }

    fn bookended(&self, line: &[At]) -> bool {
        line.len() >= 2
            && self.tile(line[0]) == Some(Tile::Valkyrie)
            && self.tile(line[line.len() - 1]) == Some(Tile::Valkyrie)
    }

    fn nio(&self, cells: &[At]) -> u64 {
        2 * cells.iter().filter(|d| self.tile(**d) == Some(Tile::Niohoggr)).count() as u64
    }

    fn dominates(&self, c: At, axis: Axis) -> bool {
        let line = self.line(c, axis);
        if line.len() < 2 {
            return false;
        }
        if self.bookended(&line) {
            return c == line[0] || c == line[line.len() - 1];
        }
        line.iter().filter(|d| **d != c).all(|d| {
            let mut v = self.value(*d, axis);
            if self.tile(c) == Some(Tile::Fenrir) && self.tile(*d) == Some(Tile::Fenrir) {
                v -= self.face(c);
            }
            v < self.value(c, axis)
        })
    }

    /// What the tile that was just placed on `c` scores: reason and parts, or nothing.
    pub(crate) fn score(&self, c: At, covers_niohoggr: bool) -> Option<(ScoreReason, Vec<Part>)> {
        let killed = if covers_niohoggr { 2 } else { 0 };
        let lines = AXES.map(|(axis, kind)| (axis, kind, self.line(c, axis)));
        let alone = lines.iter().all(|(_, _, line)| line.len() == 1);
        let points = |kind, line: &[At]| part(kind, line.len() as u64, self.nio(line) + killed);
        let solitary = |bonus| (ScoreReason::Solitary, vec![part(PartKind::Solitary, 1, bonus)]);
        let tile = self.tile(c)?;
        let (reason, parts) = if tile == Tile::Hel {
            let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| plus(c, (dx, dy))));
            let count = around.filter(|d| *d != c && self.is_link(*d)).count();
            (ScoreReason::Hel, vec![part(PartKind::Neighbours, count as u64, killed)])
        } else if tile == Tile::Dwarf {
            (ScoreReason::Dwarf, vec![self.dwarf(c)])
        } else if tile == Tile::SeaSerpent {
            let lanes = AXES.map(|(axis, kind)| (axis, kind, self.lane(c, axis)));
            if lanes.iter().all(|(_, _, lane)| lane.len() == 1) {
                solitary(0)
            } else {
                let parts = lanes
                    .iter()
                    .filter_map(|(axis, kind, lane)| self.serpent(c, *axis, *kind, lane));
                (ScoreReason::SeaSerpent, first_of_most(parts).into_iter().collect())
            }
        } else if alone {
            solitary(self.nio(&[c]) + killed)
        } else if tile == Tile::LightningBolt {
            let long = || lines.iter().filter(|(_, _, line)| line.len() >= 2);
            let least = long().map(|(_, _, line)| line.len()).min()?;
            let shortest = long().filter(|(_, _, line)| line.len() == least);
            let parts = shortest.map(|(_, kind, line)| points(*kind, line));
            (ScoreReason::LightningBolt, first_of_most(parts).into_iter().collect())
        } else {
            let scored = lines.iter().filter(|(axis, _, _)| self.dominates(c, *axis));
            (ScoreReason::Lines, scored.map(|(_, kind, line)| points(*kind, line)).collect())
        };
        let sum: u64 = parts.iter().map(|part| part.points).sum();
        (sum > 0).then_some((reason, parts))
    }

    fn dwarf(&self, c: At) -> Part {
        let values = [(-1, 0), (1, 0)].map(|way| (plus(c, way), Axis::Row));
        let values =
            values.into_iter().chain([(0, -1), (0, 1)].map(|way| (plus(c, way), Axis::Column)));
        let sum: i64 =
            values.filter(|(d, _)| self.is_link(*d)).map(|(d, axis)| self.value(d, axis)).sum();
        let count = u64::try_from(sum).unwrap();
        Part { kind: PartKind::Values, count, bonus: 0, points: count / 2 }
    }

    /// All tiles other than Hel in the row or column of `c`, across all gaps.
    fn lane(&self, c: At, axis: Axis) -> Vec<At> {
        let same = |d: &At| {
            if axis == Axis::Row { d.1 == c.1 } else { d.0 == c.0 }
        };
        self.0.keys().copied().filter(|d| same(d) && self.is_link(*d)).collect()
    }

    fn serpent(&self, c: At, axis: Axis, kind: PartKind, lane: &[At]) -> Option<Part> {
        if lane.len() == 1 || self.bookended(&self.line(c, axis)) {
            return None;
        }
        let own = self.value(c, axis);
        if lane.iter().any(|d| *d != c && self.value(*d, axis) >= own) {
            return None;
        }
        let place = |d: &At| if axis == Axis::Row { d.0 } else { d.1 };
        let greatest = lane.iter().map(place).max().unwrap();
        let least = lane.iter().map(place).min().unwrap();
        Some(part(kind, u64::try_from(greatest - least + 1).unwrap(), self.nio(lane)))
    }
}

fn part(kind: PartKind, count: u64, bonus: u64) -> Part {
    Part { kind, count, bonus, points: count + bonus }
}

fn first_of_most(parts: impl Iterator<Item = Part>) -> Option<Part> {
    parts.fold(None, |best: Option<Part>, next| match best {
        Some(best) if best.points >= next.points => Some(best),
        Some(_) | None => Some(next),
    })
}

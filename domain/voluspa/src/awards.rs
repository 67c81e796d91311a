//! Why a seat has the points of a placement (section 9): part by part, with the tiles that were counted.

use kernel::{Award, Rule, Seat};
use serde::Serialize;

use crate::board::{Axis, Board, Cell, Direction, SpotId};
use crate::event::{Event, Part, PartKind, ScoreReason};
use crate::pieces::Tile;
use crate::position::Position;
use crate::scoring;

/// What was counted for the tile at `at`.
#[derive(Serialize)]
struct Counted {
    tile: Tile,
    at: Cell,
    part: PartKind,
    tiles: Vec<Laid>,
}

/// The Niohoggr that add to a part.
#[derive(Serialize)]
struct Bonus {
    tile: Tile,
    at: Cell,
    part: PartKind,
    tiles: Vec<Laid>,
    /// Did the tile cover one more?
    covered: bool,
}

/// A tile on the board.
#[derive(Serialize)]
struct Laid {
    tile: Tile,
    at: Cell,
}

/// Which tile scores, and why.
struct Scoring<'a> {
    board: &'a Board,
    seat: Seat,
    reason: ScoreReason,
    tile: Tile,
    at: Cell,
}

/// One award for each part of a score, and one more for the Niohoggr in it.
pub(crate) fn awards(before: &Position, event: &Event) -> Vec<Award> {
    let Event::ScoreAwarded { seat, reason, tile, at, ref parts, .. } = *event else {
        return Vec::new();
    };
    let scoring = Scoring { board: &before.board, seat, reason, tile, at };
    parts.iter().flat_map(|part| scoring.part(part)).collect()
}

impl Scoring<'_> {
    fn part(&self, part: &Part) -> impl Iterator<Item = Award> + use<> {
        let own = signed(part.points) - signed(part.bonus);
        let count = (own != 0).then(|| self.count(part, own));
        let bonus = (part.bonus != 0).then(|| self.bonus(part));
        count.into_iter().chain(bonus)
    }

    fn count(&self, part: &Part, points: i64) -> Award {
        let (tile, at, kind) = (self.tile, self.at, part.kind);
        let why = match self.reason {
            ScoreReason::Lines => ("lines", Rule("V-504")),
            ScoreReason::Solitary => ("solitary", Rule("V-506")),
            ScoreReason::SeaSerpent => ("sea_serpent", Rule("V-509")),
            ScoreReason::LightningBolt => ("lightning_bolt", Rule("V-508")),
            ScoreReason::Hel => ("hel", Rule("V-507")),
            ScoreReason::Dwarf => ("dwarf", Rule("V-510")),
        };
        let arithmetic = match (kind, self.reason) {
            (PartKind::Values, _) => self.halved(part.count, points),
            (PartKind::Row | PartKind::Column, ScoreReason::SeaSerpent) => {
                format!("{} × 1 = {points}", many(part.count, "cell"))
            }
            (PartKind::Neighbours, _) => {
                format!("{} × 1 = {points}", many(part.count, "neighbour"))
            }
            (PartKind::Row | PartKind::Column | PartKind::Solitary, _) => {
                format!("{} × 1 = {points}", many(part.count, "tile"))
            }
        };
        let tiles = self.laid(kind).collect();
        let pieces = Counted { tile, at, part: kind, tiles };
        Award::new(self.seat, points, why, &pieces, arithmetic)
    }

    fn bonus(&self, part: &Part) -> Award {
        let (tile, at, kind) = (self.tile, self.at, part.kind);
        let rule = match self.reason {
            ScoreReason::Solitary => Rule("V-506"),
            ScoreReason::Hel => Rule("V-507"),
            ScoreReason::Lines
            | ScoreReason::SeaSerpent
            | ScoreReason::LightningBolt
            | ScoreReason::Dwarf => Rule("V-505"),
        };
        let niohoggr = |laid: &Laid| laid.tile == Tile::Niohoggr;
        let tiles: Vec<Laid> = match kind {
            // The Niohoggr beside a Hel is a neighbour like any other.
            PartKind::Neighbours | PartKind::Values => Vec::new(),
            PartKind::Row | PartKind::Column | PartKind::Solitary => {
                self.laid(kind).filter(niohoggr).collect()
            }
        };
        let each = scoring::NIOHOGGR;
        let all = part.bonus / each;
        let covered = all > tiles.len() as u64;
        let arithmetic = format!("{all} Niohoggr × {each} = {}", part.bonus);
        let pieces = Bonus { tile, at, part: kind, tiles, covered };
        let why = ("niohoggr", rule);
        Award::new(self.seat, signed(part.bonus), why, &pieces, arithmetic)
    }

    /// The tiles that a part counts, the one that scores among them where it counts itself.
    fn laid(&self, kind: PartKind) -> impl Iterator<Item = Laid> {
        let serpent = self.reason == ScoreReason::SeaSerpent;
        let id = self.board.find(self.at);
        let counts = move |cell: Cell| match kind {
            PartKind::Row => self.shares(id, cell, Axis::Row, serpent),
            PartKind::Column => self.shares(id, cell, Axis::Column, serpent),
            PartKind::Solitary => cell == self.at,
            PartKind::Neighbours => cell != self.at && cell.touches(self.at),
            PartKind::Values => {
                Direction::ALL.into_iter().any(|way| self.at.step(way) == Some(cell))
            }
        };
        let pieces = self.board.pieces();
        pieces
            .filter(move |(cell, piece)| {
                (piece.tile != Tile::Hel || *cell == self.at) && counts(*cell)
            })
            .map(|(at, piece)| Laid { tile: piece.tile, at })
    }

    /// Does a cell lie in the row or column that is scored: the whole one for a Sea Serpent, else the unbroken line?
    fn shares(&self, id: SpotId, cell: Cell, axis: Axis, serpent: bool) -> bool {
        let ((own, from), (across, place)) = (axis.split(self.at), axis.split(cell));
        if own != across {
            return false;
        }
        let [back, on] = axis.directions();
        let way = if place < from { back } else { on };
        serpent || place.abs_diff(from) <= self.board.spot(id).run(way)
    }

    /// V-510, with the values in the order of the directions.
    fn halved(&self, sum: u64, points: i64) -> String {
        let id = self.board.find(self.at);
        let values = Direction::ALL.map(|way| scoring::beside_dwarf(self.board, id, way));
        let values: Vec<String> =
            values.into_iter().flatten().map(|value| value.to_string()).collect();
        let down = if sum % 2 == 1 { ", rounded down" } else { "" };
        format!("({}) ÷ 2 = {points}{down}", values.join(" + "))
    }
}

fn many(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn signed(points: u64) -> i64 {
    i64::try_from(points).expect("a placement scores less than all cells of a board")
}

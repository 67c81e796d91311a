//! The rules once more, naively: a map of cells, and the words of RULES.md, section 9 and section 7, one after the other.
//!
//! Nothing here is shared with the program but the vocabulary. What the two agree on in random matches was understood
//! twice.

use std::collections::{BTreeMap, BTreeSet};

use voluspa::{
    Cell, Command, Direction, Mode, Part, PartKind, Phase, PositionForm, ScoreReason, Tile, Tiles,
};

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
                .map(|c| {
                    (
                        (i64::from(c.x), i64::from(c.y)),
                        (c.tile, i64::from(c.boost)),
                    )
                })
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
        let pack = self
            .line(c, axis)
            .into_iter()
            .filter(|d| self.tile(*d) == Some(Tile::Fenrir));
        pack.map(|d| self.face(d)).sum()
    }

    fn bookended(&self, line: &[At]) -> bool {
        line.len() >= 2
            && self.tile(line[0]) == Some(Tile::Valkyrie)
            && self.tile(line[line.len() - 1]) == Some(Tile::Valkyrie)
    }

    fn nio(&self, cells: &[At]) -> u64 {
        2 * cells
            .iter()
            .filter(|d| self.tile(**d) == Some(Tile::Niohoggr))
            .count() as u64
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
        let solitary = |bonus| {
            (
                ScoreReason::Solitary,
                vec![part(PartKind::Solitary, 1, bonus)],
            )
        };
        let lines = AXES.map(|(axis, kind)| (axis, kind, self.line(c, axis)));
        let alone = lines.iter().all(|(_, _, line)| line.len() == 1);
        let (reason, parts) = match self.tile(c)? {
            Tile::Hel => {
                let around = (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| plus(c, (dx, dy))));
                let count = around.filter(|d| *d != c && self.is_link(*d)).count();
                (
                    ScoreReason::Hel,
                    vec![part(PartKind::Neighbours, count as u64, killed)],
                )
            }
            Tile::Dwarf => (ScoreReason::Dwarf, vec![self.dwarf(c)]),
            Tile::LightningBolt if alone => solitary(killed),
            Tile::LightningBolt => {
                let long: Vec<_> = lines
                    .iter()
                    .filter(|(_, _, line)| line.len() >= 2)
                    .collect();
                let least = long.iter().map(|(_, _, line)| line.len()).min()?;
                let parts = long
                    .into_iter()
                    .filter(|(_, _, line)| line.len() == least)
                    .map(|(_, kind, line)| part(*kind, line.len() as u64, self.nio(line) + killed));
                (
                    ScoreReason::LightningBolt,
                    first_of_most(parts).into_iter().collect(),
                )
            }
            Tile::SeaSerpent => {
                let lanes = AXES.map(|(axis, kind)| (axis, kind, self.lane(c, axis)));
                if lanes.iter().all(|(_, _, lane)| lane.len() == 1) {
                    solitary(0)
                } else {
                    let parts = lanes
                        .iter()
                        .filter_map(|(axis, kind, lane)| self.serpent(c, *axis, *kind, lane));
                    (
                        ScoreReason::SeaSerpent,
                        first_of_most(parts).into_iter().collect(),
                    )
                }
            }
            _ if alone => solitary(self.nio(&[c]) + killed),
            _ => {
                let scored = lines.iter().filter(|(axis, _, _)| self.dominates(c, *axis));
                let parts = scored
                    .map(|(_, kind, line)| part(*kind, line.len() as u64, self.nio(line) + killed));
                (ScoreReason::Lines, parts.collect())
            }
        };
        let points: u64 = parts.iter().map(|part| part.points).sum();
        (points > 0).then_some((reason, parts))
    }

    fn dwarf(&self, c: At) -> Part {
        let values = [(-1, 0), (1, 0)].map(|way| (plus(c, way), Axis::Row));
        let values = values
            .into_iter()
            .chain([(0, -1), (0, 1)].map(|way| (plus(c, way), Axis::Column)));
        let sum: i64 = values
            .filter(|(d, _)| self.is_link(*d))
            .map(|(d, axis)| self.value(d, axis))
            .sum();
        let count = u64::try_from(sum).unwrap();
        Part {
            kind: PartKind::Values,
            count,
            bonus: 0,
            points: count / 2,
        }
    }

    /// All tiles other than Hel in the row or column of `c`, across all gaps.
    fn lane(&self, c: At, axis: Axis) -> Vec<At> {
        let same = |d: &At| {
            if axis == Axis::Row {
                d.1 == c.1
            } else {
                d.0 == c.0
            }
        };
        self.0
            .keys()
            .copied()
            .filter(|d| same(d) && self.is_link(*d))
            .collect()
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
        Some(part(
            kind,
            u64::try_from(greatest - least + 1).unwrap(),
            self.nio(lane),
        ))
    }
}

fn part(kind: PartKind, count: u64, bonus: u64) -> Part {
    Part {
        kind,
        count,
        bonus,
        points: count + bonus,
    }
}

fn first_of_most(parts: impl Iterator<Item = Part>) -> Option<Part> {
    parts.fold(None, |best: Option<Part>, next| match best {
        Some(best) if best.points >= next.points => Some(best),
        Some(_) | None => Some(next),
    })
}

/// The rule that refuses a command, or `Ok`.
pub(crate) fn check(form: &PositionForm, command: &Command) -> Result<(), &'static str> {
    let Some(seat) = form.active_seat else {
        return Err("V-201");
    };
    let hand = form.players[seat.index()].hand;
    let table = Table::of(form);
    let placing = matches!(form.phase, Phase::Play | Phase::Hermod);
    let ensure = |holds: bool, rule: &'static str| if holds { Ok(()) } else { Err(rule) };
    match *command {
        Command::PlaceTile {
            tile,
            at: cell,
            mode,
            bump,
        } => {
            ensure((mode == Mode::Bump) == bump.is_some() && placing, "V-202")?;
            ensure(hand.count(tile) > 0, "V-203")?;
            place(
                form,
                &table,
                tile,
                at(cell),
                mode,
                bump,
                i64::from(form.boost),
                true,
            )
        }
        Command::DiscardFreya {} => {
            ensure(placing, "V-202")?;
            ensure(hand.count(Tile::Freya) > 0, "V-203")?;
            ensure(
                freya_leads_on(form, &table, hand, i64::from(form.boost)),
                "V-205",
            )
        }
        Command::DiscardTile { tile } => {
            ensure(placing || form.phase == Phase::Surplus, "V-202")?;
            ensure(hand.count(tile) > 0, "V-203")?;
            if form.phase == Phase::Surplus {
                return ensure(tile != Tile::Hel, "V-207");
            }
            ensure(
                form.boost == 0 && !something_fits(form, &table, hand, 0),
                "V-204",
            )
        }
        Command::SkipExtra {} => {
            ensure(form.phase == Phase::Hermod, "V-202")?;
            ensure(
                form.boost == 0 && something_fits(form, &table, hand, 0),
                "V-206",
            )
        }
        Command::MoveRaven { at: cell, mode } => {
            ensure(form.phase == Phase::Raven, "V-202")?;
            let flight = form.raven.unwrap();
            ensure(cell != flight.at, "V-312")?;
            let mut lifted = table;
            lifted.0.remove(&at(flight.at));
            if let Some(under) = flight.under {
                lifted.0.insert(at(flight.at), (under, 0));
            }
            ensure(matches!(mode, Mode::Lay | Mode::Cover), "V-301")?;
            place(form, &lifted, Tile::Raven, at(cell), mode, None, 0, false)
        }
        Command::KeepRaven {} => ensure(form.phase == Phase::Raven, "V-202"),
    }
}

/// Every legal command of the position.
pub(crate) fn legal(form: &PositionForm) -> BTreeSet<String> {
    let mut candidates = vec![
        Command::DiscardFreya {},
        Command::SkipExtra {},
        Command::KeepRaven {},
    ];
    candidates.extend(Tile::ALL.map(|tile| Command::DiscardTile { tile }));
    let Some(seat) = form.active_seat else {
        return BTreeSet::new();
    };
    let hand = form.players[seat.index()].hand;
    for c in cells(&Table::of(form)) {
        let cell = Cell {
            x: i32::try_from(c.0).unwrap(),
            y: i32::try_from(c.1).unwrap(),
        };
        for (mode, bump) in modes() {
            let tiles = Tile::ALL.into_iter().filter(|tile| hand.count(*tile) > 0);
            candidates.extend(tiles.map(|tile| Command::PlaceTile {
                tile,
                at: cell,
                mode,
                bump,
            }));
            if bump.is_none() {
                candidates.push(Command::MoveRaven { at: cell, mode });
            }
        }
    }
    let legal = candidates
        .into_iter()
        .filter(|command| check(form, command).is_ok());
    legal
        .map(|command| serde_json::to_string(&command).unwrap())
        .collect()
}

/// All cells with a tile or beside one.
fn cells(table: &Table) -> BTreeSet<At> {
    table
        .0
        .keys()
        .flat_map(|c| beside(*c).chain([*c]))
        .filter(|c| exists(*c))
        .collect()
}

fn modes() -> impl Iterator<Item = (Mode, Option<Direction>)> {
    let still = [Mode::Lay, Mode::Cover, Mode::Exchange].map(|mode| (mode, None));
    still
        .into_iter()
        .chain(WAYS.map(|(direction, _)| (Mode::Bump, Some(direction))))
}

fn something_fits(form: &PositionForm, table: &Table, hand: Tiles, boost: i64) -> bool {
    let tiles = Tile::ALL.into_iter().filter(|tile| hand.count(*tile) > 0);
    let mut tries = tiles.flat_map(|tile| {
        cells(table)
            .into_iter()
            .flat_map(move |c| modes().map(move |(mode, bump)| (tile, c, mode, bump)))
    });
    tries.any(|(tile, c, mode, bump)| place(form, table, tile, c, mode, bump, boost, true).is_ok())
}

/// V-205: at once, or after more such discards.
fn freya_leads_on(form: &PositionForm, table: &Table, hand: Tiles, boost: i64) -> bool {
    let mut rest = hand;
    rest.remove(Tile::Freya, 1);
    something_fits(form, table, rest, boost + 1)
        || rest.count(Tile::Freya) > 0 && boost < 20 && freya_leads_on(form, table, rest, boost + 1)
}

/// V-210 to V-311. `placing`: not the flight of a Raven, to which V-310 and V-311 do not apply.
fn place(
    form: &PositionForm,
    table: &Table,
    tile: Tile,
    c: At,
    mode: Mode,
    bump: Option<Direction>,
    boost: i64,
    placing: bool,
) -> Result<(), &'static str> {
    if tile == Tile::Hel && form.options.no_late_hel && form.pile.is_empty() {
        return Err("V-210");
    }
    let own_modes: &[Mode] = match tile {
        Tile::Dragon | Tile::Raven => &[Mode::Lay, Mode::Cover],
        Tile::Skadi => &[Mode::Lay, Mode::Exchange],
        Tile::Jotunn => &[Mode::Lay, Mode::Bump],
        Tile::Hel | Tile::LightningBolt => &[Mode::Cover],
        _ => &[Mode::Lay],
    };
    if !own_modes.contains(&mode) {
        return Err("V-301");
    }
    let there = table.tile(c);
    let beside_troll = |table: &Table, c: At| beside(c).any(|d| table.tile(d) == Some(Tile::Troll));
    let mut after = table.clone();
    match mode {
        Mode::Lay => {
            if there.is_some() {
                return Err("V-302");
            }
            if !beside(c).any(|d| table.tile(d).is_some()) {
                return Err("V-303");
            }
            if beside_troll(table, c) && !matches!(tile, Tile::Troll | Tile::Dwarf) {
                return Err("V-304");
            }
            after.0.insert(c, (tile, boost));
            if too_long(&after, c) {
                return Err("V-305");
            }
        }
        Mode::Cover => {
            if there.is_none() || there == Some(Tile::Hel) || there == Some(tile) {
                return Err("V-306");
            }
            if tile != Tile::Hel && beside_troll(table, c) {
                return Err("V-304");
            }
        }
        Mode::Exchange => {
            if there.is_none() || there == Some(Tile::Hel) || there == Some(Tile::Skadi) {
                return Err("V-307");
            }
            if beside_troll(table, c) {
                return Err("V-304");
            }
        }
        Mode::Bump => {
            if !table.is_link(c) {
                return Err("V-308");
            }
            let way = WAYS
                .into_iter()
                .find(|(direction, _)| Some(*direction) == bump)
                .unwrap()
                .1;
            let mut to = plus(c, way);
            while table.is_link(to) {
                to = plus(to, way);
            }
            if table.tile(to).is_some() || !exists(to) {
                return Err("V-308");
            }
            let bumped = after.0.insert(c, (tile, boost)).unwrap();
            after.0.insert(to, bumped);
            if beside_troll(&after, c) {
                return Err("V-304");
            }
            if bumped.0 != Tile::Troll && beside_troll(&after, to) {
                return Err("V-309");
            }
            if too_long(&after, c) || too_long(&after, to) {
                return Err("V-305");
            }
        }
    }
    if !placing {
        return Ok(());
    }
    if form.phase == Phase::Hermod
        && !hermod_reaches(table, at(form.hermod.unwrap()), tile, c, mode)
    {
        return Err("V-310");
    }
    if boost > 0 {
        if tile == Tile::Hel {
            return Err("V-311");
        }
        let mut supply: Vec<i64> =
            serde_json::from_value(serde_json::to_value(form.boosters).unwrap()).unwrap();
        if let (Mode::Cover | Mode::Exchange, Some((under, under_boost))) = (mode, table.0.get(&c))
            && *under_boost > 0
        {
            supply.push(printed(*under) + under_boost);
        }
        if !supply.contains(&(printed(tile) + boost)) {
            return Err("V-311");
        }
    }
    Ok(())
}

fn too_long(table: &Table, c: At) -> bool {
    AXES.iter().any(|(axis, _)| table.line(c, *axis).len() > 7)
}

fn hermod_reaches(table: &Table, hermod: At, tile: Tile, c: At, mode: Mode) -> bool {
    if tile == Tile::Hel {
        return (c.0 - hermod.0).abs() <= 1 && (c.1 - hermod.1).abs() <= 1;
    }
    AXES.iter().any(|(axis, _)| {
        let line = table.line(hermod, *axis);
        let step = if *axis == Axis::Row { (1, 0) } else { (0, 1) };
        let ends = [
            plus(line[0], (-step.0, -step.1)),
            plus(line[line.len() - 1], step),
        ];
        if mode == Mode::Lay {
            ends.contains(&c)
        } else {
            line.contains(&c)
        }
    })
}

//! Section 7, naively: what is legal, and which rule refuses the rest.

use std::collections::BTreeSet;

use voluspa::{Cell, Command, Direction, Mode, Phase, PositionForm, Tile, Tiles};

use super::{AXES, At, Axis, Table, WAYS, at, beside, exists, plus, printed};

/// The rule that refuses a command, or `Ok`.
pub(crate) fn check(form: &PositionForm, command: &Command) -> Result<(), &'static str> {
    let Some(seat) = form.active_seat else { return Err("V-201") };
    let hand = form.players[seat.index()].hand;
    let table = Table::of(form);
    let placing = matches!(form.phase, Phase::Play | Phase::Hermod);
    let ensure = |holds: bool, rule: &'static str| if holds { Ok(()) } else { Err(rule) };
    match *command {
        Command::PlaceTile { tile, at: cell, mode, bump } => {
            ensure((mode == Mode::Bump) == bump.is_some() && placing, "V-202")?;
            ensure(hand.count(tile) > 0, "V-203")?;
            let boost = i64::from(form.boost);
            let c = at(cell);
            place(form, &table, Try { tile, c, mode, bump, boost })
        }
        Command::DiscardFreya {} => {
            ensure(placing, "V-202")?;
            ensure(hand.count(Tile::Freya) > 0, "V-203")?;
            ensure(freya_leads_on(form, &table, hand, i64::from(form.boost)), "V-205")
        }
        Command::DiscardTile { tile } => {
            ensure(placing || form.phase == Phase::Surplus, "V-202")?;
            ensure(hand.count(tile) > 0, "V-203")?;
            if form.phase == Phase::Surplus {
                return ensure(tile != Tile::Hel, "V-207");
            }
            ensure(form.boost == 0 && !something_fits(form, &table, hand, 0), "V-204")
        }
        Command::SkipExtra {} => {
            ensure(form.phase == Phase::Hermod, "V-202")?;
            ensure(form.boost == 0 && something_fits(form, &table, hand, 0), "V-206")
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
            let fly = Try { tile: Tile::Raven, c: at(cell), mode, bump: None, boost: 0 };
            by_mode(&lifted, &fly)
        }
        Command::KeepRaven {} => ensure(form.phase == Phase::Raven, "V-202"),
    }
}

/// Every legal command of the position.
pub(crate) fn legal(form: &PositionForm) -> BTreeSet<String> {
    let mut candidates =
        vec![Command::DiscardFreya {}, Command::SkipExtra {}, Command::KeepRaven {}];
    candidates.extend(Tile::ALL.map(|tile| Command::DiscardTile { tile }));
    let Some(seat) = form.active_seat else { return BTreeSet::new() };
    let hand = form.players[seat.index()].hand;
    for c in cells(&Table::of(form)) {
        let cell = Cell { x: i32::try_from(c.0).unwrap(), y: i32::try_from(c.1).unwrap() };
        for (mode, bump) in modes() {
            let tiles = Tile::ALL.into_iter().filter(|tile| hand.count(*tile) > 0);
            candidates.extend(tiles.map(|tile| Command::PlaceTile { tile, at: cell, mode, bump }));
            if bump.is_none() {
                candidates.push(Command::MoveRaven { at: cell, mode });
            }
        }
    }
    let legal = candidates.into_iter().filter(|command| check(form, command).is_ok());
    legal.map(|command| serde_json::to_string(&command).unwrap()).collect()
}

/// All cells with a tile or beside one.
fn cells(table: &Table) -> BTreeSet<At> {
    table.0.keys().flat_map(|c| beside(*c).chain([*c])).filter(|c| exists(*c)).collect()
}

fn modes() -> impl Iterator<Item = (Mode, Option<Direction>)> {
    let still = [Mode::Lay, Mode::Cover, Mode::Exchange].map(|mode| (mode, None));
    still.into_iter().chain(WAYS.map(|(direction, _)| (Mode::Bump, Some(direction))))
}

fn something_fits(form: &PositionForm, table: &Table, hand: Tiles, boost: i64) -> bool {
    let tiles = Tile::ALL.into_iter().filter(|tile| hand.count(*tile) > 0);
    let mut tries = tiles.flat_map(|tile| {
        cells(table)
            .into_iter()
            .flat_map(move |c| modes().map(move |(mode, bump)| (tile, c, mode, bump)))
    });
    tries
        .any(|(tile, c, mode, bump)| place(form, table, Try { tile, c, mode, bump, boost }).is_ok())
}

/// V-205: at once, or after more such discards.
fn freya_leads_on(form: &PositionForm, table: &Table, hand: Tiles, boost: i64) -> bool {
    let mut rest = hand;
    rest.remove(Tile::Freya, 1);
    something_fits(form, table, rest, boost + 1)
        || rest.count(Tile::Freya) > 0 && boost < 20 && freya_leads_on(form, table, rest, boost + 1)
}

/// A placement that may be legal.
struct Try {
    tile: Tile,
    c: At,
    mode: Mode,
    bump: Option<Direction>,
    boost: i64,
}

/// V-210 to V-311.
fn place(form: &PositionForm, table: &Table, attempt: Try) -> Result<(), &'static str> {
    let Try { tile, c, mode, bump: _, boost } = attempt;
    if tile == Tile::Hel && form.options.no_late_hel && form.pile.is_empty() {
        return Err("V-210");
    }
    let covers = matches!(tile, Tile::Dragon | Tile::Raven | Tile::Hel | Tile::LightningBolt);
    let own_mode = match mode {
        Mode::Lay => !matches!(tile, Tile::Hel | Tile::LightningBolt),
        Mode::Cover => covers,
        Mode::Exchange => tile == Tile::Skadi,
        Mode::Bump => tile == Tile::Jotunn,
    };
    if !own_mode {
        return Err("V-301");
    }
    by_mode(table, &attempt)?;
    if form.phase == Phase::Hermod {
        let hermod = at(form.hermod.unwrap());
        if !hermod_reaches(table, hermod, tile, c, mode) {
            return Err("V-310");
        }
    }
    if boost == 0 {
        return Ok(());
    }
    let supply = serde_json::to_value(form.boosters).unwrap();
    let mut supply: Vec<i64> = serde_json::from_value(supply).unwrap();
    if let (Mode::Cover | Mode::Exchange, Some((under, under_boost))) = (mode, table.0.get(&c))
        && *under_boost > 0
    {
        supply.push(printed(*under) + under_boost);
    }
    if tile == Tile::Hel || !supply.contains(&(printed(tile) + boost)) {
        return Err("V-311");
    }
    Ok(())
}

/// V-302 to V-309.
fn by_mode(table: &Table, attempt: &Try) -> Result<(), &'static str> {
    let Try { tile, c, mode, bump, boost } = *attempt;
    let there = table.tile(c);
    let ensure = |holds: bool, rule: &'static str| if holds { Ok(()) } else { Err(rule) };
    match mode {
        Mode::Lay => {
            ensure(there.is_none(), "V-302")?;
            ensure(beside(c).any(|d| table.tile(d).is_some()), "V-303")?;
            let exempt = matches!(tile, Tile::Troll | Tile::Dwarf);
            ensure(exempt || !beside_troll(table, c), "V-304")?;
            let mut after = table.clone();
            after.0.insert(c, (tile, boost));
            ensure(!too_long(&after, c), "V-305")
        }
        Mode::Cover => {
            ensure(table.is_link(c) && there != Some(tile), "V-306")?;
            ensure(tile == Tile::Hel || !beside_troll(table, c), "V-304")
        }
        Mode::Exchange => {
            ensure(table.is_link(c) && there != Some(Tile::Skadi), "V-307")?;
            ensure(!beside_troll(table, c), "V-304")
        }
        Mode::Bump => {
            ensure(table.is_link(c), "V-308")?;
            let way = WAYS.into_iter().find(|(direction, _)| Some(*direction) == bump).unwrap().1;
            let mut to = plus(c, way);
            while table.is_link(to) {
                to = plus(to, way);
            }
            ensure(table.tile(to).is_none() && exists(to), "V-308")?;
            let mut after = table.clone();
            let bumped = after.0.insert(c, (tile, boost)).unwrap();
            after.0.insert(to, bumped);
            ensure(!beside_troll(&after, c), "V-304")?;
            ensure(bumped.0 == Tile::Troll || !beside_troll(&after, to), "V-309")?;
            ensure(!too_long(&after, c) && !too_long(&after, to), "V-305")
        }
    }
}

fn beside_troll(table: &Table, c: At) -> bool {
    beside(c).any(|d| table.tile(d) == Some(Tile::Troll))
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
        let ends = [plus(line[0], (-step.0, -step.1)), plus(line[line.len() - 1], step)];
        if mode == Mode::Lay { ends.contains(&c) } else { line.contains(&c) }
    })
}

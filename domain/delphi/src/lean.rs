//! What a seat leans towards: tasks are rare, so a simple player must know the way to the next one. All of it is seen by the seat: faces
//! of islands only where it has looked.

#![expect(clippy::wildcard_enum_match_arm, reason = "some commands are valued, and no other")]

use std::cell::{LazyCell, OnceCell};

use kernel::Seat;

use crate::board::{Chart, Hex, HexId, Spot};
use crate::command::Command;
use crate::decide::sailing::usual_range;
use crate::decide::tasks::{check_load, check_monster};
use crate::pieces::{CargoKind, Color};
use crate::position::{Player, Position};

/// Farther than anything.
const FAR: u16 = 1_000;

/// How much the active seat leans towards each of these commands.
pub(crate) fn leanings(position: &Position, commands: &[Command]) -> Vec<i64> {
    let Some(seat) = position.active_seat else {
        return vec![0; commands.len()];
    };
    if !position.pending.is_empty() {
        return commands.iter().map(answers).collect();
    }
    let player = position.player(seat);
    if player.ship.is_none() {
        return vec![0; commands.len()];
    }
    let aims = aims(position, player, seat);
    match position.turn.source {
        Some(_) => act(position, player, &aims, commands),
        None => pay(position, player, &aims, commands),
    }
}

struct Aims {
    /// Something useful at a hex, for an action of a colour.
    aims: Vec<Spot>,
    homeward: bool,
    /// Steps over water from each hex of the map to the next water beside an aim; made when they are needed.
    steps: OnceCell<[u16; Chart::MOST_HEXES]>,
}

fn aims(position: &Position, player: &Player, seat: Seat) -> Aims {
    let mut aims = Vec::with_capacity(32);
    let chart = &*position.chart;
    for (at, stock) in chart.monsters.iter().zip(&position.monsters) {
        let worth = |color: &Color| check_monster(player, *color).is_ok();
        aims.extend(stock.kinds().filter(worth).map(|color| Spot { at: *at, color }));
    }
    for (at, stock) in chart.offerings.iter().zip(&position.offerings) {
        let worth = |color: &Color| check_load(player, CargoKind::Offering, *color).is_ok();
        aims.extend(stock.kinds().filter(worth).map(|color| Spot { at: *at, color }));
    }
    for (city, statues) in chart.cities.iter().zip(&position.statues) {
        if *statues > 0 && check_load(player, CargoKind::Statue, city.color).is_ok() {
            aims.push(*city);
        }
    }
    let cargo = &player.cargo;
    aims.extend(chart.temples.iter().filter(|temple| cargo.offering.contains(temple.color)));
    for (site, raised) in chart.sites.iter().zip(&position.sites) {
        if raised.is_none() && cargo.statue.contains(site.color) {
            aims.push(*site);
        }
    }
    if player.tasks.shrine > 0 {
        for (spot, island) in chart.islands.iter().zip(&position.islands) {
            let own = || island.face.color == player.color && island.shrine.is_none();
            let looked = island.revealed || island.seen_by.contains(seat);
            if !looked || own() {
                aims.push(*spot);
            }
        }
    }
    Aims { aims, homeward: player.tasks.none(), steps: OnceCell::new() }
}

fn steps(chart: &Chart, aims: &[Spot], homeward: bool) -> [u16; Chart::MOST_HEXES] {
    let mut steps = [FAR; Chart::MOST_HEXES];
    let mut queue = [None; Chart::MOST_HEXES];
    let (mut first, mut last) = (0, 0);
    let mut reach = |steps: &mut [u16], queue: &mut [Option<HexId>], id: HexId, step: u16| {
        for water in chart.water_beside(id) {
            if steps[water.index()] == FAR {
                steps[water.index()] = step;
                queue[last] = Some(*water);
                last += 1;
            }
        }
    };
    let targets = aims.iter().map(|aim| aim.at).chain(homeward.then_some(Hex::ZEUS));
    for id in targets.filter_map(|at| chart.find(at)) {
        reach(&mut steps, &mut queue, id, 0);
    }
    while let Some(Some(id)) = queue.get(first).copied() {
        first += 1;
        let step = steps[id.index()] + 1;
        reach(&mut steps, &mut queue, id, step);
    }
    steps
}

impl Aims {
    fn steps(&self, chart: &Chart) -> &[u16; Chart::MOST_HEXES] {
        self.steps.get_or_init(|| steps(chart, &self.aims, self.homeward))
    }

    fn from(&self, chart: &Chart, at: Hex) -> u16 {
        let Some(id) = chart.find(at) else { return FAR };
        let steps = self.steps(chart);
        if at != Hex::ZEUS {
            return steps[id.index()];
        }
        let around = chart.neighbours(id).iter().map(|id| steps[id.index()].saturating_add(1));
        around.min().unwrap_or(FAR)
    }

    fn beside(&self, at: Hex, color: Color) -> bool {
        self.aims.iter().any(|aim| aim.color == color && aim.at.distance(at) == 1)
    }

    /// For each colour, the least steps to an aim from water of this colour that is near.
    fn after_sailing(&self, chart: &Chart, player: &Player) -> [u16; 6] {
        let range = i64::from(usual_range(player));
        let mut least = [FAR; 6];
        for (hex, steps) in chart.map().hexes.iter().zip(self.steps(chart)) {
            if let Some(color) = hex.color
                && *steps < least[color as usize]
                && hex.at() != player.at
                && hex.at().distance(player.at) <= range
            {
                least[color as usize] = *steps;
            }
        }
        least
    }
}

/// Fights on; takes what is offered rather than nothing.
fn answers(command: &Command) -> i64 {
    match command {
        Command::ContinueBattle {} => 1,
        Command::Decline {} => -1,
        _ => 0,
    }
}

fn act(position: &Position, player: &Player, aims: &Aims, commands: &[Command]) -> Vec<i64> {
    let here = LazyCell::new(|| aims.from(&position.chart, player.at));
    // Somebody with something to do here need not look where to sail.
    let busy = commands.iter().any(|command| {
        matches!(
            command,
            Command::RaiseStatue { .. }
                | Command::DeliverOffering { .. }
                | Command::BuildShrine { .. }
                | Command::FightMonster { .. }
        )
    });
    let worth = |command: &Command| -> u16 {
        match command {
            Command::RaiseStatue { .. }
            | Command::DeliverOffering { .. }
            | Command::BuildShrine { .. } => 900,
            Command::FightMonster { .. } => 800,
            Command::LoadStatue { at }
            | Command::LoadOffering { at }
            | Command::ExploreIsland { at } => {
                if aims.aims.iter().any(|aim| aim.at == *at) {
                    700
                } else {
                    60
                }
            }
            Command::MoveShip { to } if *to == Hex::ZEUS => 1_000,
            Command::MoveShip { .. } if busy => 0,
            Command::MoveShip { to } => {
                let there = aims.from(&position.chart, *to);
                if there < *here { 600_u16.saturating_sub(there) } else { 0 }
            }
            Command::HealInjuries {} => 100,
            Command::UseAmulet {} => 150,
            Command::DrawOracleCard {} => 80,
            Command::TakeFavor {} => {
                if player.favor < 4 {
                    120
                } else {
                    70
                }
            }
            Command::AdvanceGod { .. } => 75,
            _ => 10,
        }
    };
    commands.iter().map(|command| i64::from(worth(command))).collect()
}

fn pay(position: &Position, player: &Player, aims: &Aims, commands: &[Command]) -> Vec<i64> {
    let here = LazyCell::new(|| aims.from(&position.chart, player.at));
    let beside = Color::ALL.map(|color| aims.beside(player.at, color));
    let sailed = LazyCell::new(|| aims.after_sailing(&position.chart, player));
    let near = commands
        .iter()
        .any(|command| matches!(command, Command::UseDie { r#as, .. } if beside[*r#as as usize]));
    let worth = |command: &Command| -> u16 {
        let source = |color: Color, r#as: Color, dear: u16| {
            let cost = u16::from(color.clockwise_to(r#as)) * 12 + dear;
            if beside[r#as as usize] {
                return 900 - cost;
            }
            if near || sailed[r#as as usize] >= *here {
                return 100 - cost;
            }
            700 - sailed[r#as as usize].min(30) * 20 - cost
        };
        match command {
            Command::UseDie { color, r#as } => source(*color, *r#as, 0),
            Command::PlayOracleCard { color, r#as } if player.dice.is_empty() => {
                source(*color, *r#as, 6)
            }
            Command::UseBonusAction { r#as } if beside[*r#as as usize] => 500,
            Command::InvokeGod { at: Some(to), color: None, .. } if *to == Hex::ZEUS => 1_000,
            Command::InvokeGod { at: Some(to), color: None, .. }
                if aims.from(&position.chart, *to) == 0 && *here > 4 =>
            {
                850
            }
            Command::InvokeGod { color: Some(_), .. } => 950,
            Command::InvokeGod { at: None, color: None, .. } => 40,
            Command::EndTurn {} => 50,
            _ => 0,
        }
    };
    commands.iter().map(|command| i64::from(worth(command))).collect()
}

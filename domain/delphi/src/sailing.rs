//! Sailing (D-404 to D-409): steps over water, and where a ship may go.

use kernel::{Draft, Seat};

use crate::Delphi;
use crate::equipment::Equipment;
use crate::event::Event;
use crate::hex::Hex;
use crate::map::{Chart, HexId, HexKind};
use crate::piece::{Color, CompanionKind, Ship};
use crate::position::{Player, Position};
use crate::refusal::Broken;

/// The range of every ship.
const RANGE: u8 = 3;

/// What a creature adds to it.
const CREATURE_RANGE: u8 = 3;

/// In the table of steps: no way leads there.
const UNREACHED: u8 = u8::MAX;

/// The least steps from one hex to each other one.
pub(crate) struct Steps([u8; Chart::MOST_HEXES]);

/// Hexes of one breadth of the search.
struct Breadth {
    ids: [Option<HexId>; Chart::MOST_HEXES],
    len: usize,
}

impl Breadth {
    fn new() -> Self {
        Breadth {
            ids: [None; Chart::MOST_HEXES],
            len: 0,
        }
    }

    fn push(&mut self, id: HexId) {
        self.ids[self.len] = Some(id);
        self.len += 1;
    }
}

impl Steps {
    /// Searches breadth first from `from`, up to `most` steps. Water counts one step; with `shallows` the ship passes shallows and
    /// the space of Zeus, which count none. The steps to Zeus are those of arriving there as the goal.
    pub(crate) fn search(chart: &Chart, from: Hex, shallows: bool, most: u16) -> Self {
        let mut steps = Steps([UNREACHED; Chart::MOST_HEXES]);
        let Some(start) = chart.find(from) else {
            return steps;
        };
        steps.0[start.index()] = 0;
        let (mut now, mut next) = (Breadth::new(), Breadth::new());
        now.push(start);
        let mut step = 0;
        while now.len > 0 && u16::from(step) < most {
            step += 1;
            let mut place = 0;
            while place < now.len {
                let id = now.ids[place].expect("the first places of a breadth are filled");
                place += 1;
                for neighbour in chart.neighbours(id) {
                    if steps.0[neighbour.index()] != UNREACHED {
                        continue;
                    }
                    match chart.hex(neighbour).kind {
                        HexKind::Water => {
                            steps.0[neighbour.index()] = step;
                            next.push(neighbour);
                        }
                        HexKind::Zeus => {
                            steps.0[neighbour.index()] = step;
                            if shallows {
                                now.push(neighbour);
                            }
                        }
                        HexKind::Shallow if shallows => {
                            steps.0[neighbour.index()] = step;
                            now.push(neighbour);
                        }
                        HexKind::Shallow
                        | HexKind::Offering
                        | HexKind::Temple
                        | HexKind::Monster
                        | HexKind::Statue
                        | HexKind::Island
                        | HexKind::City => {}
                    }
                }
            }
            std::mem::swap(&mut now, &mut next);
            next.len = 0;
        }
        steps
    }

    /// The steps to a hex, if a way was found.
    pub(crate) fn to(&self, id: HexId) -> Option<u8> {
        let steps = self.0[id.index()];
        (steps != UNREACHED).then_some(steps)
    }
}

/// How far a ship sails without favor with an action of this colour (D-406).
pub(crate) fn range(player: &Player, color: Color) -> u8 {
    let mut range = RANGE;
    if player.sails(Ship::Range2) {
        range += 2;
    }
    if player.has(Equipment::Range1) {
        range += 1;
    }
    if player.is_joined_by(CompanionKind::Creature, color) {
        range += CREATURE_RANGE;
    }
    range
}

/// Where a ship sails, and what it costs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Route {
    to: Hex,
    /// `None` with Poseidon.
    steps: Option<u8>,
    favor: u16,
}

/// All that is to be known about one action of sailing.
pub(crate) struct Voyage<'a> {
    position: &'a Position,
    player: &'a Player,
    color: Color,
    range: u8,
    steps: Steps,
}

impl<'a> Voyage<'a> {
    /// Looks for all ways that the seat can pay for; `all`: for longer ones too.
    pub(crate) fn plan(position: &'a Position, seat: Seat, color: Color, all: bool) -> Self {
        let player = position.player(seat);
        let range = range(player, color);
        let most = if all {
            u16::MAX
        } else {
            u16::from(range).saturating_add(player.favor)
        };
        let steps = Steps::search(
            &position.chart,
            player.at,
            player.has(Equipment::Shallows),
            most,
        );
        Voyage {
            position,
            player,
            color,
            range,
            steps,
        }
    }

    /// Checks a destination, in the order of the rules.
    pub(crate) fn check(&self, to: Hex) -> Result<Route, Broken> {
        let id = check_haven(self.position, self.player, to)?.ok_or(Broken::NotWater { to })?;
        let hex = self.position.chart.hex(id);
        let free = hex.kind == HexKind::Zeus
            || self
                .player
                .is_joined_by(CompanionKind::Creature, self.color);
        if !free && hex.color != Some(self.color) {
            return Err(Broken::OtherWater {
                to,
                color: self.color,
            });
        }
        let (range, steps) = (self.range, self.steps.to(id));
        let favor = steps.map(|steps| u16::from(steps.saturating_sub(range)));
        match favor.filter(|favor| *favor <= self.player.favor) {
            Some(favor) => Ok(Route { to, steps, favor }),
            None => Err(Broken::TooFar {
                to,
                steps,
                range,
                favor: self.player.favor,
            }),
        }
    }

    /// Appends all destinations that are allowed.
    pub(crate) fn destinations(&self, found: &mut impl FnMut(Hex)) {
        for id in self
            .position
            .chart
            .ids()
            .filter(|id| self.steps.to(*id).is_some())
        {
            let to = self.position.chart.hex(id).at();
            if self.check(to).is_ok() {
                found(to);
            }
        }
    }
}

/// D-409, D-408, D-407, and then the hex if it is water or Zeus.
fn check_haven(position: &Position, player: &Player, to: Hex) -> Result<Option<HexId>, Broken> {
    if player.home {
        return Err(Broken::HomeStays);
    }
    if to == player.at {
        return Err(Broken::SameHex { to });
    }
    let Some(id) = position.chart.find(to) else {
        return Ok(None);
    };
    match position.chart.hex(id).kind {
        HexKind::Zeus if !player.tasks.none() => Err(Broken::TasksLeft),
        HexKind::Zeus | HexKind::Water => Ok(Some(id)),
        HexKind::Shallow
        | HexKind::Offering
        | HexKind::Temple
        | HexKind::Monster
        | HexKind::Statue
        | HexKind::Island
        | HexKind::City => Ok(None),
    }
}

/// Poseidon's way: to any water space, or to Zeus (D-512).
pub(crate) fn check_poseidon(position: &Position, seat: Seat, to: Hex) -> Result<Route, Broken> {
    check_haven(position, position.player(seat), to)?.ok_or(Broken::PoseidonNeedsWater { to })?;
    Ok(Route {
        to,
        steps: None,
        favor: 0,
    })
}

/// Sails.
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, route: Route) {
    let Route { to, steps, favor } = route;
    let from = draft.position().player(seat).at;
    draft.emit(Event::ShipMoved {
        seat,
        from,
        to,
        steps,
        favor,
    });
    if draft.position().chart.kind_at(to) == Some(HexKind::Zeus) {
        draft.emit(Event::ZeusReached { seat });
    }
}

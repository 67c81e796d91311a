//! Sailing (D-404 to D-409): steps over water, and where a ship may go.

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::board::{Chart, Hex, HexId, HexKind};
use crate::event::Event;
use crate::pieces::{Color, CompanionKind, Equipment, Ship};
use crate::position::{Player, Position};
use crate::printed::FACTS;
use crate::refusal::Breach;

/// In the table of steps: no way leads there.
const UNREACHED: u8 = u8::MAX;

/// The least steps from one hex to each other one.
pub(crate) struct Steps([u8; Chart::MOST_HEXES]);

/// Hexes of one breadth of the search.
struct Breadth {
    ids: [HexId; Chart::MOST_HEXES],
    len: usize,
}

impl Breadth {
    fn new() -> Self {
        Breadth { ids: [HexId::FIRST; Chart::MOST_HEXES], len: 0 }
    }

    fn push(&mut self, id: HexId) {
        self.ids[self.len] = id;
        self.len += 1;
    }
}

impl Steps {
    /// Searches breadth first from `from`, up to `most` steps. Water counts one step; with `shallows` the ship passes shallows and
    /// the space of Zeus, which count none. The steps to Zeus are those of arriving there as the goal.
    pub(crate) fn search(chart: &Chart, from: Hex, shallows: bool, most: u16) -> Self {
        let mut steps = Steps([UNREACHED; Chart::MOST_HEXES]);
        let Some(start) = chart.find(from) else { return steps };
        steps.0[start.index()] = 0;
        let (mut now, mut next) = (Breadth::new(), Breadth::new());
        now.push(start);
        let mut step = 0;
        while now.len > 0 && u16::from(step) < most {
            step += 1;
            let mut place = 0;
            while place < now.len {
                let id = now.ids[place];
                place += 1;
                for water in chart.water_beside(id) {
                    if steps.0[water.index()] == UNREACHED {
                        steps.0[water.index()] = step;
                        next.push(*water);
                    }
                }
                for shallow in chart.shallows_beside(id) {
                    let goal = chart.hex(*shallow).kind == HexKind::Zeus;
                    if steps.0[shallow.index()] == UNREACHED && (goal || shallows) {
                        steps.0[shallow.index()] = step;
                        if shallows {
                            now.push(*shallow);
                        }
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

/// How far a ship sails without favor and without a creature.
pub(crate) fn usual_range(player: &Player) -> u8 {
    let mut range = FACTS.range;
    if player.sails(Ship::Range2) {
        range += FACTS.more_range[0];
    }
    if player.has(Equipment::Range1) {
        range += FACTS.more_range[1];
    }
    range
}

/// How far a ship sails without favor with an action of this colour (D-406).
pub(crate) fn range(player: &Player, color: Color) -> u8 {
    let creature = player.is_joined_by(CompanionKind::Creature, color);
    usual_range(player) + if creature { FACTS.creature_range } else { 0 }
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
        let most = if all { u16::MAX } else { u16::from(range).saturating_add(player.favor) };
        let steps =
            Steps::search(&position.chart, player.at, player.has(Equipment::Shallows), most);
        Voyage { position, player, color, range, steps }
    }

    /// Checks a destination, in the order of the rules.
    pub(crate) fn check(&self, to: Hex) -> Result<Route, Breach> {
        check_leaving(self.player, to)?;
        let id = self.position.chart.find(to).ok_or(Breach::NotWater { to })?;
        self.check_goal(id)
    }

    /// Checks a hex of the map that the ship may leave for.
    fn check_goal(&self, id: HexId) -> Result<Route, Breach> {
        let hex = self.position.chart.hex(id);
        let to = hex.at();
        check_haven(self.player, hex.kind, Breach::NotWater { to })?;
        let free = hex.kind == HexKind::Zeus
            || self.player.is_joined_by(CompanionKind::Creature, self.color);
        if !free && hex.color != Some(self.color) {
            return Err(Breach::OtherWater { to, color: self.color });
        }
        let (range, steps) = (self.range, self.steps.to(id));
        let favor = steps.map(|steps| u16::from(steps.saturating_sub(range)));
        match favor.filter(|favor| *favor <= self.player.favor) {
            Some(favor) => Ok(Route { to, steps, favor }),
            None => Err(Breach::TooFar { to, steps, range, favor: self.player.favor }),
        }
    }

    /// Gives all destinations that are allowed.
    pub(crate) fn destinations(&self, found: &mut impl FnMut(Hex)) {
        for id in self.position.chart.ids().filter(|id| self.steps.to(*id).is_some()) {
            let to = self.position.chart.hex(id).at();
            if self.check_goal(id).is_ok() && check_leaving(self.player, to).is_ok() {
                found(to);
            }
        }
    }
}

/// A ship that is home stays (D-409), and a destination is another hex (D-408).
fn check_leaving(player: &Player, to: Hex) -> Result<(), Breach> {
    require(!player.home, || Breach::HomeStays)?;
    require(to != player.at, || Breach::SameHex { to })
}

/// Zeus is a haven when no task is left (D-407), water always; anything else is `dry`.
fn check_haven(player: &Player, kind: HexKind, dry: Breach) -> Result<(), Breach> {
    match kind {
        HexKind::Zeus if !player.tasks.none() => Err(Breach::TasksLeft),
        HexKind::Zeus | HexKind::Water => Ok(()),
        HexKind::Shallow
        | HexKind::Offering
        | HexKind::Temple
        | HexKind::Monster
        | HexKind::Statue
        | HexKind::Island
        | HexKind::City => Err(dry),
    }
}

/// Poseidon's way: to any water space, or to Zeus (D-512).
pub(crate) fn check_poseidon(position: &Position, seat: Seat, to: Hex) -> Result<Route, Breach> {
    let player = position.player(seat);
    check_leaving(player, to)?;
    let dry = Breach::PoseidonNeedsWater { to };
    let kind = position.chart.kind_at(to).ok_or(dry)?;
    check_haven(player, kind, dry)?;
    Ok(Route { to, steps: None, favor: 0 })
}

/// Sails.
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, route: Route) {
    let Route { to, steps, favor } = route;
    let from = draft.position().player(seat).at;
    draft.emit(Event::ShipMoved { seat, from, to, steps, favor });
    if draft.position().chart.kind_at(to) == Some(HexKind::Zeus) {
        draft.emit(Event::ZeusReached { seat });
    }
}

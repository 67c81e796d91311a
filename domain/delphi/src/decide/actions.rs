//! The actions for which a source pays (section 7): who may, and what happens.

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::board::{Hex, HexPair, Spot};
use crate::command::Command;
use crate::decide::sailing::{self, Route, Voyage};
use crate::decide::{battle, gains, islands, tasks};
use crate::event::{Action, Event, Reason};
use crate::pieces::{CargoKind, Color, Equipment, God};
use crate::position::{Position, TOP_ROW, Then};
use crate::printed::FACTS;
use crate::refusal::Breach;

/// An action that is allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed {
    DrawOracleCard,
    TakeFavor,
    Look(Hex),
    Sail(Route),
    Fight(Hex),
    Explore(Hex),
    BuildShrine(Hex),
    LoadOffering(Hex),
    DeliverOffering(Hex),
    LoadStatue(Hex),
    RaiseStatue(Hex),
    Heal,
    Advance(God),
    UseAmulet,
}

impl Deed {
    /// The action as events name it.
    fn action(self) -> Action {
        match self {
            Deed::DrawOracleCard => Action::DrawOracleCard,
            Deed::TakeFavor => Action::TakeFavor,
            Deed::Look(_) => Action::LookAtIsland,
            Deed::Sail(_) => Action::MoveShip,
            Deed::Fight(_) => Action::FightMonster,
            Deed::Explore(_) => Action::ExploreIsland,
            Deed::BuildShrine(_) => Action::BuildShrine,
            Deed::LoadOffering(_) => Action::LoadOffering,
            Deed::DeliverOffering(_) => Action::DeliverOffering,
            Deed::LoadStatue(_) => Action::LoadStatue,
            Deed::RaiseStatue(_) => Action::RaiseStatue,
            Deed::Heal => Action::HealInjuries,
            Deed::Advance(_) => Action::AdvanceGod,
            Deed::UseAmulet => Action::UseAmulet,
        }
    }
}

/// Checks an action with a source of colour `color`; `None` if the command is no action.
pub(crate) fn check(
    position: &Position,
    seat: Seat,
    color: Color,
    command: &Command,
) -> Option<Result<Deed, Breach>> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other commands are no actions")]
    Some(match *command {
        Command::DrawOracleCard {} if !gains::has_oracle_card(position) => {
            Err(Breach::NoOracleCardLeft)
        }
        Command::DrawOracleCard {} => Ok(Deed::DrawOracleCard),
        Command::TakeFavor {} => Ok(Deed::TakeFavor),
        Command::LookAtIsland { at } => {
            position.face_down(at).map(|_| Deed::Look(at)).ok_or(Breach::NotFaceDown { at })
        }
        Command::MoveShip { to } => {
            Voyage::plan(position, seat, color, true).check(to).map(Deed::Sail)
        }
        Command::FightMonster { at } => {
            check_fight(position, seat, color, at).map(|()| Deed::Fight(at))
        }
        Command::ExploreIsland { at } => {
            check_explore(position, seat, color, at).map(|()| Deed::Explore(at))
        }
        Command::BuildShrine { at } => {
            check_shrine(position, seat, color, at).map(|()| Deed::BuildShrine(at))
        }
        Command::LoadOffering { at } => {
            check_load_offering(position, seat, color, at).map(|()| Deed::LoadOffering(at))
        }
        Command::DeliverOffering { at } => {
            check_deliver(position, seat, color, at).map(|()| Deed::DeliverOffering(at))
        }
        Command::LoadStatue { at } => {
            check_load_statue(position, seat, color, at).map(|()| Deed::LoadStatue(at))
        }
        Command::RaiseStatue { at } => {
            check_raise(position, seat, color, at).map(|()| Deed::RaiseStatue(at))
        }
        Command::HealInjuries {} if !position.player(seat).injuries.contains(color) => {
            Err(Breach::NoInjury { color })
        }
        Command::HealInjuries {} => Ok(Deed::Heal),
        Command::AdvanceGod { god } => {
            check_advance(position, seat, color, god).map(|()| Deed::Advance(god))
        }
        Command::UseAmulet {} => {
            let amulet = Equipment::amulet(color).filter(|card| position.player(seat).has(*card));
            amulet.map(|_| Deed::UseAmulet).ok_or(Breach::NoAmulet { color })
        }
        _ => return None,
    })
}

/// Is the hex within reach of the ship (D-410)? With `far` across one water space too.
fn check_reach(position: &Position, seat: Seat, far: Equipment, at: Hex) -> Result<(), Breach> {
    let player = position.player(seat);
    let ship = player.at;
    require(position.chart.reaches(ship, at, player.has(far)), || Breach::OutOfReach { at, ship })
}

/// A monster of this colour is there (D-431), within reach, and can be committed to a tile. For a fight and for Ares.
pub(crate) fn check_fight(
    position: &Position,
    seat: Seat,
    color: Color,
    at: Hex,
) -> Result<(), Breach> {
    let mut spots = position.chart.monsters.iter().zip(&position.monsters);
    let lives = spots.any(|(spot, colors)| *spot == at && colors.contains(color));
    require(lives, || Breach::NoMonster { at, color })?;
    check_reach(position, seat, Equipment::FarIslands, at)?;
    tasks::check_monster(position.player(seat), color)
}

fn check_explore(position: &Position, seat: Seat, color: Color, at: Hex) -> Result<(), Breach> {
    let place = position.face_down(at).ok_or(Breach::NotTurned { at })?;
    require(position.chart.islands[place].color == color, || Breach::OtherFrame { at, color })?;
    check_reach(position, seat, Equipment::FarIslands, at)
}

fn check_shrine(position: &Position, seat: Seat, color: Color, at: Hex) -> Result<(), Breach> {
    let revealed = position.island_at(at).filter(|place| position.islands[*place].revealed);
    let place = revealed.ok_or(Breach::NotTurned { at })?;
    require(position.chart.islands[place].color == color, || Breach::OtherFrame { at, color })?;
    check_reach(position, seat, Equipment::FarIslands, at)?;
    let (island, player) = (&position.islands[place], position.player(seat));
    let color = player.color;
    require(island.face.color == color, || Breach::NotOwnIsland { at, color })?;
    require(island.shrine.is_none(), || Breach::ShrineStands { at })?;
    require(player.tasks.shrine > 0, || Breach::NoShrineTask)
}

fn check_load_offering(
    position: &Position,
    seat: Seat,
    color: Color,
    at: Hex,
) -> Result<(), Breach> {
    let mut spots = position.chart.offerings.iter().zip(&position.offerings);
    let lies = spots.any(|(spot, colors)| *spot == at && colors.contains(color));
    require(lies, || Breach::NoOffering { at, color })?;
    check_reach(position, seat, Equipment::FarOfferings, at)?;
    tasks::check_load(position.player(seat), CargoKind::Offering, color)
}

fn check_deliver(position: &Position, seat: Seat, color: Color, at: Hex) -> Result<(), Breach> {
    let temple = position.chart.temples.contains(&Spot { at, color });
    require(temple, || Breach::NoTemple { at, color })?;
    check_reach(position, seat, Equipment::FarOfferings, at)?;
    tasks::check_delivery(position.player(seat), CargoKind::Offering, color)
}

fn check_load_statue(position: &Position, seat: Seat, color: Color, at: Hex) -> Result<(), Breach> {
    let mut cities = position.chart.cities.iter().zip(&position.statues);
    let stands = cities.any(|(city, statues)| *city == Spot { at, color } && *statues > 0);
    require(stands, || Breach::NoStatue { at, color })?;
    check_reach(position, seat, Equipment::FarStatues, at)?;
    tasks::check_load(position.player(seat), CargoKind::Statue, color)
}

fn check_raise(position: &Position, seat: Seat, color: Color, at: Hex) -> Result<(), Breach> {
    let site = position.chart.sites.iter().position(|site| *site == Spot { at, color });
    let site = site.ok_or(Breach::NoSite { at, color })?;
    require(position.sites[site].is_none(), || Breach::SiteTaken { at, color })?;
    check_reach(position, seat, Equipment::FarStatues, at)?;
    tasks::check_delivery(position.player(seat), CargoKind::Statue, color)
}

fn check_advance(position: &Position, seat: Seat, color: Color, god: God) -> Result<(), Breach> {
    require(god.color() == color, || Breach::OtherGod { god, color })?;
    let row = position.player(seat).gods.row(god);
    require(row != TOP_ROW, || Breach::CannotAdvance { god, row })
}

/// Gives every legal action but sailing to `found`.
pub(crate) fn list(position: &Position, seat: Seat, color: Color, found: &mut impl FnMut(Command)) {
    let mut offer = |command: Command| {
        if let Some(Ok(_)) = check(position, seat, color, &command) {
            found(command);
        }
    };
    offer(Command::DrawOracleCard {});
    offer(Command::TakeFavor {});
    offer(Command::HealInjuries {});
    offer(Command::AdvanceGod { god: color.god() });
    offer(Command::UseAmulet {});
    let chart = &position.chart;
    for (spot, island) in chart.islands.iter().zip(&position.islands) {
        let at = spot.at;
        if island.revealed {
            offer(Command::BuildShrine { at });
        } else {
            offer(Command::LookAtIsland { at });
            offer(Command::ExploreIsland { at });
        }
    }
    chart.monsters.iter().for_each(|at| offer(Command::FightMonster { at: *at }));
    chart.offerings.iter().for_each(|at| offer(Command::LoadOffering { at: *at }));
    chart.temples.iter().for_each(|temple| offer(Command::DeliverOffering { at: temple.at }));
    chart.cities.iter().for_each(|city| offer(Command::LoadStatue { at: city.at }));
    let sites = chart.sites.iter().filter(|site| site.color == color);
    sites.for_each(|site| offer(Command::RaiseStatue { at: site.at }));
}

/// Does the action. What it opens comes before anything else (D-313).
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, deed: Deed, color: Color) {
    draft.emit(Event::ActionTaken { seat, action: deed.action(), color });
    match deed {
        Deed::DrawOracleCard => gains::oracle_card(draft, seat, Reason::Action),
        Deed::TakeFavor => gains::favor(draft, seat, FACTS.action_favor, Reason::Action),
        Deed::Look(at) => islands::look(draft, seat, at, 2, HexPair::default(), Then::Return),
        Deed::Sail(route) => sailing::perform(draft, seat, route),
        Deed::Fight(at) => battle::start(draft, seat, at, color),
        Deed::Explore(at) => islands::explore(draft, seat, at),
        Deed::BuildShrine(at) => tasks::build_shrine(draft, seat, at),
        Deed::LoadOffering(at) => tasks::load(draft, seat, CargoKind::Offering, at, color),
        Deed::DeliverOffering(at) => tasks::deliver(draft, seat, at, color),
        Deed::LoadStatue(at) => tasks::load(draft, seat, CargoKind::Statue, at, color),
        Deed::RaiseStatue(at) => tasks::raise(draft, seat, at, color),
        Deed::Heal => {
            let cards = draft.position().player(seat).injuries.only(color);
            gains::discard_injuries(draft, seat, cards, Reason::Action);
        }
        Deed::Advance(god) => gains::advance(draft, seat, god, Reason::Action),
        Deed::UseAmulet => {
            gains::favor(draft, seat, FACTS.amulet_favor, Reason::Amulet);
            gains::oracle_card(draft, seat, Reason::Amulet);
            gains::advance(draft, seat, color.god(), Reason::Amulet);
        }
    }
}

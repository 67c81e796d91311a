//! Gods in the topmost row: their special actions, or an oracle card (section 9).

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::board::{Hex, HexKind};
use crate::command::Command;
use crate::decide::sailing::{self, Route};
use crate::decide::{actions, gains, islands, tasks};
use crate::event::{Event, GodUse, Reason};
use crate::pieces::{CargoKind, Color, Equipment, God, Ship};
use crate::position::{Player, Position, TOP_ROW};
use crate::refusal::Breach;

/// The use of a god that is allowed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Power {
    Aphrodite,
    Ares {
        at: Hex,
        color: Color,
    },
    Hermes {
        from: Hex,
        color: Color,
    },
    Poseidon(Route),
    Apollon,
    Artemis(Hex),
    /// Any god for a card.
    Trade(God),
}

impl Power {
    fn god(self) -> God {
        match self {
            Power::Aphrodite => God::Aphrodite,
            Power::Ares { at: _, color: _ } => God::Ares,
            Power::Hermes { from: _, color: _ } => God::Hermes,
            Power::Poseidon(_) => God::Poseidon,
            Power::Apollon => God::Apollon,
            Power::Artemis(_) => God::Artemis,
            Power::Trade(god) => god,
        }
    }
}

/// Checks the use of a god; `None` if the command is none.
pub(crate) fn check(
    position: &Position,
    seat: Seat,
    command: &Command,
) -> Option<Result<Power, Breach>> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "the other commands do not concern gods")]
    match *command {
        Command::InvokeGod { god, at, color } => Some(check_power(position, seat, god, at, color)),
        Command::TradeGod { god } => Some(check_trade(position, seat, god)),
        _ => None,
    }
}

fn check_top(player: &Player, god: God) -> Result<(), Breach> {
    let row = player.gods.row(god);
    require(row == TOP_ROW, || Breach::NotOnTop { god, row })
}

fn check_trade(position: &Position, seat: Seat, god: God) -> Result<Power, Breach> {
    check_top(position.player(seat), god)?;
    if gains::has_oracle_card(position) { Ok(Power::Trade(god)) } else { Err(Breach::NoCardForGod) }
}

fn check_power(
    position: &Position,
    seat: Seat,
    god: God,
    at: Option<Hex>,
    color: Option<Color>,
) -> Result<Power, Breach> {
    let player = position.player(seat);
    check_top(player, god)?;
    match (god, at, color) {
        (God::Aphrodite, None, None) if player.injuries.is_empty() => Err(Breach::NotInjured),
        (God::Aphrodite, None, None) => Ok(Power::Aphrodite),
        (God::Ares, Some(at), Some(color)) => {
            actions::check_fight(position, seat, color, at).map(|()| Power::Ares { at, color })
        }
        (God::Hermes, None, Some(color)) => check_hermes(position, seat, color),
        (God::Poseidon, Some(to), None) => {
            sailing::check_poseidon(position, seat, to).map(Power::Poseidon)
        }
        (God::Apollon, None, None) => Ok(Power::Apollon),
        (God::Artemis, Some(at), None) => position
            .face_down(at)
            .map(|_| Power::Artemis(at))
            .ok_or(Breach::ArtemisNeedsIsland { at }),
        (God::Ares, _, _) => Err(Breach::PowerShape { god, at: true, color: true }),
        (God::Hermes, _, _) => Err(Breach::PowerShape { god, at: false, color: true }),
        (God::Poseidon | God::Artemis, _, _) => {
            Err(Breach::PowerShape { god, at: true, color: false })
        }
        (God::Aphrodite | God::Apollon, _, _) => {
            Err(Breach::PowerShape { god, at: false, color: false })
        }
    }
}

fn check_hermes(position: &Position, seat: Seat, color: Color) -> Result<Power, Breach> {
    let player = position.player(seat);
    let (ship, far) = (player.at, player.has(Equipment::FarStatues));
    let near = position.chart.cities.iter().any(|city| position.chart.reaches(ship, city.at, far));
    require(near, || Breach::NoCityNear { ship })?;
    let from = position.city_with_statue(color).ok_or(Breach::NoStatueLeft { color })?;
    tasks::check_load(player, CargoKind::Statue, color)?;
    Ok(Power::Hermes { from, color })
}

/// All uses of gods that may be legal.
pub(crate) fn candidates(position: &Position, seat: Seat, commands: &mut Vec<Command>) {
    let player = position.player(seat);
    for god in God::ALL.into_iter().filter(|god| player.gods.row(*god) == TOP_ROW) {
        commands.push(Command::TradeGod { god });
        let mut invoke = |at, color| commands.push(Command::InvokeGod { god, at, color });
        match god {
            God::Aphrodite | God::Apollon => invoke(None, None),
            God::Ares => {
                for (at, colors) in position.chart.monsters.iter().zip(&position.monsters) {
                    colors.kinds().for_each(|color| invoke(Some(*at), Some(color)));
                }
            }
            God::Hermes => Color::ALL.into_iter().for_each(|color| invoke(None, Some(color))),
            God::Poseidon => {
                let goal = |kind| kind == HexKind::Water || kind == HexKind::Zeus;
                let hexes = position.chart.map().hexes.iter().filter(|hex| goal(hex.kind));
                hexes.for_each(|hex| invoke(Some(hex.at()), None));
            }
            God::Artemis => {
                position.chart.islands.iter().for_each(|island| invoke(Some(island.at), None))
            }
        }
    }
}

/// Lets the god act. It is reset when its action is completed with all decisions (D-205).
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, power: Power) {
    let r#use = if matches!(power, Power::Trade(_)) { GodUse::Card } else { GodUse::Power };
    draft.emit(Event::GodInvoked { seat, god: power.god(), r#use });
    match power {
        Power::Aphrodite => {
            let cards = draft.position().player(seat).injuries;
            gains::discard_injuries(draft, seat, cards, Reason::Aphrodite);
        }
        Power::Ares { at, color } => tasks::defeat(draft, seat, at, color),
        Power::Hermes { from, color } => tasks::load(draft, seat, CargoKind::Statue, from, color),
        Power::Poseidon(route) => sailing::perform(draft, seat, route),
        Power::Apollon => {
            draft.emit(Event::ColorsFreed { seat });
            gains::oracle_card(draft, seat, Reason::Apollon);
        }
        Power::Artemis(at) => islands::explore(draft, seat, at),
        Power::Trade(_) => gains::oracle_card(draft, seat, Reason::God),
    }
}

/// Puts the god that has acted into row 0, with `gods_up` into the first row (D-501).
pub(crate) fn reset(draft: &mut Draft<'_, Delphi>, seat: Seat, god: God) {
    let position = draft.position();
    let player = position.player(seat);
    let from = player.gods.row(god);
    let to = if player.sails(Ship::GodsUp) { position.first_row() } else { 0 };
    draft.emit(Event::GodReset { seat, god, from, to });
}

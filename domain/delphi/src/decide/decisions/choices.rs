//! The answers that a decision has, and those that give themselves (D-205).

use kernel::Seat;

use crate::command::Command;
use crate::decide::decisions::{Answer, check};
use crate::pieces::{CargoKind, Color, Colors, CompanionKind, God, Piece, TaskKind};
use crate::position::{Decision, Player, Position};

/// What becomes of a decision that is due.
pub(crate) enum Resolution {
    /// The seat is asked.
    Ask,
    /// It has no options and closes.
    Close,
    /// It has one option, which is taken.
    Take(Answer),
}

/// Does the decision resolve by itself (D-205)?
pub(crate) fn resolve(position: &Position, seat: Seat, decision: &Decision) -> Resolution {
    if matches!(decision, Decision::Battle { .. }) {
        return Resolution::Ask;
    }
    let mut commands = Vec::new();
    candidates(position, seat, decision, &mut commands);
    commands.retain(|command| *command != Command::Decline {});
    let mut answers =
        commands.iter().filter_map(|command| check(position, seat, decision, command)?.ok());
    match (answers.next(), answers.next()) {
        (None, _) => Resolution::Close,
        (Some(answer), None) if !matches!(decision, Decision::LoadAny { .. }) => {
            Resolution::Take(answer)
        }
        (Some(_), _) => Resolution::Ask,
    }
}

/// All answers that may be legal.
pub(crate) fn candidates(
    position: &Position,
    seat: Seat,
    decision: &Decision,
    commands: &mut Vec<Command>,
) {
    let player = position.player(seat);
    let chart = &position.chart;
    match *decision {
        Decision::AdvanceGod { steps: _, gods, reason: _ } => {
            commands.extend(gods.iter().map(|god| Command::AdvanceGod { god }));
        }
        Decision::ReturnTask {} => return_candidates(player, commands),
        Decision::TakeEquipment { reward: _ } => {
            commands.extend(
                position.equipment_display.iter().map(|card| Command::TakeEquipment { card }),
            );
        }
        Decision::Recover { count } => {
            let mut found = |cards| commands.push(Command::Recover { cards });
            choose_cards(&player.injuries, count, 0, Colors::EMPTY, &mut found);
        }
        Decision::InjuryReward {} => {
            commands.push(Command::TakeFavor {});
            commands.extend(God::ALL.map(|god| Command::AdvanceGod { god }));
        }
        Decision::Battle { at: _, color: _, strength: _ } => {
            commands.extend([Command::ContinueBattle {}, Command::GiveUpBattle {}]);
        }
        Decision::HealColor {} => {
            commands.extend(player.injuries.kinds().map(|color| Command::HealColor { color }))
        }
        Decision::TakeCompanion { color: _ } => {
            commands.extend(CompanionKind::ALL.map(|kind| Command::TakeCompanion { kind }));
        }
        Decision::LoadAny { cargo: CargoKind::Statue, colors } => {
            commands.extend(colors.iter().map(|color| Command::TakeStatue { color }));
            commands.push(Command::Decline {});
        }
        Decision::LoadAny { cargo: CargoKind::Offering, colors } => {
            for (at, stock) in chart.offerings.iter().zip(&position.offerings) {
                let here = stock.kinds().filter(|color| colors.contains(*color));
                commands.extend(here.map(|color| Command::TakeOffering { at: *at, color }));
            }
            commands.push(Command::Decline {});
        }
        Decision::GodToTop { gods } => {
            commands.extend(gods.iter().map(|god| Command::RaiseGod { god }))
        }
        Decision::Look { left: _, seen: _, then: _ } => {
            commands
                .extend(chart.islands.iter().map(|island| Command::LookAtIsland { at: island.at }));
        }
        Decision::RevealOne { hexes } => {
            commands.extend(hexes.iter().map(|at| Command::RevealIsland { at }))
        }
    }
}

fn return_candidates(player: &Player, commands: &mut Vec<Command>) {
    let tasks = &player.tasks;
    commands.push(Command::ReturnTask { kind: TaskKind::Shrine, color: None });
    for (kind, tiles) in [
        (TaskKind::Statue, tasks.statue),
        (TaskKind::Offering, tasks.offering),
        (TaskKind::Monster, tasks.monster),
    ] {
        commands.extend(tiles.kinds().map(|tile| Command::ReturnTask { kind, color: Some(tile) }));
    }
}

/// Every different choice of `count` of the cards, from the colour at `first` on.
fn choose_cards(
    cards: &Colors,
    count: u8,
    first: usize,
    chosen: Colors,
    found: &mut impl FnMut(Colors),
) {
    if count == 0 {
        return found(chosen);
    }
    for index in first..Color::COUNT {
        let color = Color::at(index);
        if chosen.count(color) < cards.count(color) {
            let mut chosen = chosen;
            chosen.add(color);
            choose_cards(cards, count - 1, index, chosen, found);
        }
    }
}

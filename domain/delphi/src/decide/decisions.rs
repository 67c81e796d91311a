//! Answers to decisions (section 8): who may give which, and what happens.

pub(crate) mod choices;

use kernel::{Draft, Seat, require};

use crate::Delphi;
use crate::board::{Hex, HexPair};
use crate::command::Command;
use crate::decide::{battle, gains, islands, rewards, tasks};
use crate::event::{Event, Reason};
use crate::pieces::{
    CargoKind, Color, Colors, Companion, CompanionKind, Equipment, God, Set, TaskKind, ZeusTile,
};
use crate::position::{Decision, Player, Position, TOP_ROW, Then};
use crate::printed::FACTS;
use crate::refusal::Breach;

/// An answer that is allowed, with what its decision says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Advance { god: God, steps: u8, gods: Set<God>, reason: Reason },
    Return { kind: TaskKind, color: Option<ZeusTile> },
    Equip { card: Equipment, reward: bool },
    Recover(Colors),
    TakeFavor,
    RewardGod(God),
    FightOn { at: Hex, color: Color, strength: u8 },
    GiveUp { at: Hex, color: Color },
    Heal(Color),
    Join { kind: CompanionKind, color: Color },
    Load { cargo: CargoKind, from: Hex, color: Color },
    Decline,
    Raise(God),
    Look { at: Hex, left: u8, seen: HexPair, then: Then },
    Reveal(Hex),
}

/// Checks an answer to a decision; `None` if the command does not answer decisions of this kind.
pub(crate) fn check(
    position: &Position,
    seat: Seat,
    decision: &Decision,
    command: &Command,
) -> Option<Result<Answer, Breach>> {
    let player = position.player(seat);
    Some(match (*decision, command) {
        (Decision::AdvanceGod { steps, gods, reason }, Command::AdvanceGod { god }) => {
            let (god, row) = (*god, player.gods.row(*god));
            let answer = Answer::Advance { god, steps, gods, reason };
            let can = gods.contains(god) && row < TOP_ROW;
            if can { Ok(answer) } else { Err(Breach::CannotAdvance { god, row }) }
        }
        (Decision::ReturnTask {}, Command::ReturnTask { kind, color }) => {
            check_return(player, *kind, *color)
        }
        (Decision::TakeEquipment { reward }, Command::TakeEquipment { card }) => {
            let (card, displayed) = (*card, position.equipment_display.contains(*card));
            let answer = Answer::Equip { card, reward };
            if displayed { Ok(answer) } else { Err(Breach::NotDisplayed { card }) }
        }
        (Decision::Recover { count }, Command::Recover { cards }) => {
            let fits = cards.len() == usize::from(count) && player.injuries.covers(cards);
            if fits { Ok(Answer::Recover(*cards)) } else { Err(Breach::WrongRecovery { count }) }
        }
        (Decision::InjuryReward {}, Command::TakeFavor {}) => Ok(Answer::TakeFavor),
        (Decision::InjuryReward {}, Command::AdvanceGod { god }) => {
            let top = player.gods.row(*god) == TOP_ROW;
            if top { Err(Breach::NoRewardGod { god: *god }) } else { Ok(Answer::RewardGod(*god)) }
        }
        (Decision::Battle { at, color, strength }, Command::ContinueBattle {}) => {
            let answer = Answer::FightOn { at, color, strength };
            if player.favor > 0 { Ok(answer) } else { Err(Breach::NoFavorToFight) }
        }
        (Decision::Battle { at, color, strength: _ }, Command::GiveUpBattle {}) => {
            Ok(Answer::GiveUp { at, color })
        }
        (Decision::HealColor {}, Command::HealColor { color }) => {
            let (color, injured) = (*color, player.injuries.contains(*color));
            if injured { Ok(Answer::Heal(color)) } else { Err(Breach::NothingToHeal { color }) }
        }
        (Decision::TakeCompanion { color }, Command::TakeCompanion { kind }) => {
            let left = position.companions.contains(Companion { kind: *kind, color });
            if left { Ok(Answer::Join { kind: *kind, color }) } else { Err(Breach::NoCompanion) }
        }
        (Decision::LoadAny { cargo, colors }, Command::TakeStatue { color }) => {
            let from = position.city_with_statue(*color);
            check_load(player, (cargo, CargoKind::Statue), colors, *color, from)
        }
        (Decision::LoadAny { cargo, colors }, Command::TakeOffering { at, color }) => {
            let mut spots = position.chart.offerings.iter().zip(&position.offerings);
            let from =
                spots.any(|(spot, stock)| spot == at && stock.contains(*color)).then_some(*at);
            check_load(player, (cargo, CargoKind::Offering), colors, *color, from)
        }
        (Decision::LoadAny { cargo: _, colors: _ }, Command::Decline {}) => Ok(Answer::Decline),
        (Decision::GodToTop { gods }, Command::RaiseGod { god }) => {
            let (god, row) = (*god, player.gods.row(*god));
            let can = gods.contains(god) && row < TOP_ROW;
            if can { Ok(Answer::Raise(god)) } else { Err(Breach::CannotRise { god, row }) }
        }
        (Decision::Look { left, seen, then }, Command::LookAtIsland { at }) => {
            check_look(position, *at, seen).map(|at| Answer::Look { at, left, seen, then })
        }
        (Decision::RevealOne { hexes }, Command::RevealIsland { at }) => {
            let can = hexes.contains(*at) && position.face_down(*at).is_some();
            if can { Ok(Answer::Reveal(*at)) } else { Err(Breach::NotLookedAt { at: *at }) }
        }
        _ => return None,
    })
}

fn check_return(
    player: &Player,
    kind: TaskKind,
    color: Option<ZeusTile>,
) -> Result<Answer, Breach> {
    let tasks = &player.tasks;
    let left = match (kind, color) {
        (TaskKind::Shrine, None) => tasks.shrine > 0,
        (TaskKind::Statue, Some(tile)) => tasks.statue.contains(tile),
        (TaskKind::Offering, Some(tile)) => tasks.offering.contains(tile),
        (TaskKind::Monster, Some(tile)) => tasks.monster.contains(tile),
        (TaskKind::Shrine, Some(_))
        | (TaskKind::Statue | TaskKind::Offering | TaskKind::Monster, None) => false,
    };
    if left { Ok(Answer::Return { kind, color }) } else { Err(Breach::NotLeftToReturn) }
}

/// `kinds`: what the decision offers, and what the command asks for.
fn check_load(
    player: &Player,
    kinds: (CargoKind, CargoKind),
    colors: Set<Color>,
    color: Color,
    from: Option<Hex>,
) -> Result<Answer, Breach> {
    let (offered, cargo) = kinds;
    let from = from
        .filter(|_| offered == cargo && colors.contains(color))
        .ok_or(Breach::NotLoadable { color })?;
    tasks::check_load(player, cargo, color)?;
    Ok(Answer::Load { cargo, from, color })
}

fn check_look(position: &Position, at: Hex, seen: HexPair) -> Result<Hex, Breach> {
    require(position.face_down(at).is_some(), || Breach::NotFaceDown { at })?;
    if seen.contains(at) { Err(Breach::LookedAtJustNow { at }) } else { Ok(at) }
}

/// Closes the decision that is due, and does what the answer says.
pub(crate) fn perform(draft: &mut Draft<'_, Delphi>, seat: Seat, answer: Answer) {
    draft.emit(Event::DecisionClosed { seat });
    match answer {
        Answer::Advance { god, steps, gods, reason } => {
            gains::advance(draft, seat, god, reason);
            if steps > 1 {
                tasks::open(draft, seat, [Decision::AdvanceGod { steps: steps - 1, gods, reason }]);
            }
        }
        Answer::Return { kind, color } => draft.emit(Event::TaskReturned { seat, kind, color }),
        Answer::Equip { card, reward } => rewards::take_equipment(draft, seat, card, reward),
        Answer::Recover(cards) => gains::discard_injuries(draft, seat, cards, Reason::Recovery),
        Answer::TakeFavor => gains::favor(draft, seat, FACTS.no_injuries_favor, Reason::NoInjuries),
        Answer::RewardGod(god) => gains::advance(draft, seat, god, Reason::NoInjuries),
        Answer::FightOn { at, color, strength } => battle::go_on(draft, seat, at, color, strength),
        Answer::GiveUp { at, color } => draft.emit(Event::BattleEnded { seat, at, color }),
        Answer::Heal(color) => {
            let cards = draft.position().player(seat).injuries.only(color);
            gains::discard_injuries(draft, seat, cards, Reason::Omega);
        }
        Answer::Join { kind, color } => rewards::take_companion(draft, seat, kind, color),
        Answer::Load { cargo, from, color } => tasks::load(draft, seat, cargo, from, color),
        Answer::Decline => {}
        Answer::Raise(god) => {
            let from = draft.position().player(seat).gods.row(god);
            draft.emit(Event::GodAdvanced {
                seat,
                god,
                from,
                to: TOP_ROW,
                reason: Reason::GodToTop,
            });
        }
        Answer::Look { at, left, seen, then } => islands::look(draft, seat, at, left, seen, then),
        Answer::Reveal(at) => islands::explore(draft, seat, at),
    }
}

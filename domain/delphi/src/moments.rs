//! The situations that a match may be in.

use crate::position::{Decision, Position, Stage};

/// All of them.
pub(crate) const ALL: &[&str] = &[
    "ships",
    "main",
    "source_chosen",
    "advance_god",
    "return_task",
    "take_equipment",
    "recover",
    "injury_reward",
    "battle",
    "heal_color",
    "take_companion",
    "load_any",
    "god_to_top",
    "look",
    "reveal_one",
    "finished",
];

pub(crate) fn of(position: &Position) -> &'static str {
    match position.pending.first() {
        Some(decision) => due(decision),
        None => match position.stage {
            Stage::Ships => "ships",
            Stage::Over => "finished",
            Stage::Start | Stage::Upkeep | Stage::Main if position.turn.source.is_some() => {
                "source_chosen"
            }
            Stage::Start | Stage::Upkeep | Stage::Main => "main",
        },
    }
}

pub(crate) fn due(decision: &Decision) -> &'static str {
    match decision {
        Decision::AdvanceGod { .. } => "advance_god",
        Decision::ReturnTask {} => "return_task",
        Decision::TakeEquipment { .. } => "take_equipment",
        Decision::Recover { .. } => "recover",
        Decision::InjuryReward {} => "injury_reward",
        Decision::Battle { .. } => "battle",
        Decision::HealColor {} => "heal_color",
        Decision::TakeCompanion { .. } => "take_companion",
        Decision::LoadAny { .. } => "load_any",
        Decision::GodToTop { .. } => "god_to_top",
        Decision::Look { .. } => "look",
        Decision::RevealOne { .. } => "reveal_one",
    }
}

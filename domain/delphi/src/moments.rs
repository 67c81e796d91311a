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
    match (position.stage, position.pending.first()) {
        // What waits in a loaded position is not due there.
        (Stage::Ships, _) => "ships",
        (Stage::Over, _) => "finished",
        (Stage::Start | Stage::Upkeep | Stage::Main, Some(decision)) => due(decision),
        (Stage::Start | Stage::Upkeep | Stage::Main, None) if position.turn.source.is_some() => {
            "source_chosen"
        }
        (Stage::Start | Stage::Upkeep | Stage::Main, None) => "main",
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

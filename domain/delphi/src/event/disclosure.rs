//! Which events tell what nobody could know before.

use crate::event::Event;

/// Does the event carry an outcome of chance, or something that was hidden before?
pub(crate) fn discloses(event: &Event) -> bool {
    match event {
        Event::MatchStarted { .. }
        | Event::PlayAreasPrepared { .. }
        | Event::OracleCardDrawn { .. }
        | Event::InjuryDrawn { .. }
        | Event::BattleRolled { .. }
        | Event::IslandLookedAt { .. }
        | Event::IslandRevealed { .. }
        | Event::OracleConsulted { .. }
        | Event::TitanRolled { .. } => true,
        Event::EquipmentTaken { seat: _, card: _, refill } => refill.is_some(),
        Event::ShipChosen { .. }
        | Event::StartChoiceDue { .. }
        | Event::TaskReturned { .. }
        | Event::TurnStarted { .. }
        | Event::GodChoiceQueued { .. }
        | Event::GodChoiceDue { .. }
        | Event::InjuriesChecked { .. }
        | Event::ActionsStarted { .. }
        | Event::SourceChosen { .. }
        | Event::ActionTaken { .. }
        | Event::FavorGained { .. }
        | Event::FavorSpent { .. }
        | Event::InjuriesDiscarded { .. }
        | Event::DeckReshuffled { .. }
        | Event::ShieldRaised { .. }
        | Event::GodAdvanced { .. }
        | Event::GodInvoked { .. }
        | Event::ColorsFreed { .. }
        | Event::GodReset { .. }
        | Event::ShipMoved { .. }
        | Event::ZeusReached { .. }
        | Event::BattleStarted { .. }
        | Event::BattleEnded { .. }
        | Event::MonsterDefeated { .. }
        | Event::TaskFulfilled { .. }
        | Event::CompanionTaken { .. }
        | Event::OfferingLoaded { .. }
        | Event::StatueLoaded { .. }
        | Event::OfferingDelivered { .. }
        | Event::StatueRaised { .. }
        | Event::ShrineBuilt { .. }
        | Event::DecisionsOpened { .. }
        | Event::DecisionClosed { .. }
        | Event::TurnEnded { .. }
        | Event::RoundEnded { .. }
        | Event::MatchFinished { .. } => false,
    }
}

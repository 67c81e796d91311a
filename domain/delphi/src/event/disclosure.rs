//! Which events tell what nobody could know before.

use kernel::Disclosure;

use crate::event::Event;

/// What was drawn, rolled or turned; all else lies open.
pub(crate) fn disclosure(event: &Event) -> Disclosure {
    match event {
        Event::MatchStarted { position: _ }
        | Event::PlayAreasPrepared { seat: _, areas: _, start_queue: _ }
        | Event::OracleCardDrawn { seat: _, color: _, reason: _ }
        | Event::InjuryDrawn { seat: _, color: _, kept: _, reason: _ }
        | Event::BattleRolled { seat: _, at: _, color: _, roll: _, strength: _, won: _ }
        | Event::IslandLookedAt { seat: _, at: _, face: _ }
        | Event::IslandRevealed { seat: _, at: _, face: _ }
        | Event::OracleConsulted { seat: _, dice: _ }
        | Event::TitanRolled { seat: _, strength: _ } => Disclosure::ToAll,
        Event::EquipmentTaken { seat: _, card: _, refill } => {
            Disclosure::to_all_if(refill.is_some())
        }
        Event::ShipChosen { seat: _, ship: _, next_seat: _ }
        | Event::StartChoiceDue { seat: _ }
        | Event::TaskReturned { seat: _, kind: _, color: _ }
        | Event::TurnStarted { seat: _, round: _ }
        | Event::GodChoiceQueued { seat: _, gods: _, by: _ }
        | Event::GodChoiceDue { seat: _, gods: _ }
        | Event::InjuriesChecked { seat: _, result: _ }
        | Event::ActionsStarted { seat: _ }
        | Event::SourceChosen { seat: _, kind: _, color: _, r#as: _, favor: _ }
        | Event::ActionTaken { seat: _, action: _, color: _ }
        | Event::FavorGained { seat: _, amount: _, reason: _ }
        | Event::FavorSpent { seat: _, amount: _, reason: _ }
        | Event::InjuriesDiscarded { seat: _, cards: _, reason: _ }
        | Event::DeckReshuffled { deck: _ }
        | Event::ShieldRaised { seat: _, from: _, to: _, reason: _ }
        | Event::GodAdvanced { seat: _, god: _, from: _, to: _, reason: _ }
        | Event::GodInvoked { seat: _, god: _, r#use: _ }
        | Event::ColorsFreed { seat: _ }
        | Event::GodReset { seat: _, god: _, from: _, to: _ }
        | Event::ShipMoved { seat: _, from: _, to: _, steps: _, favor: _ }
        | Event::ZeusReached { seat: _ }
        | Event::BattleStarted { seat: _, at: _, color: _, strength: _ }
        | Event::BattleEnded { seat: _, at: _, color: _ }
        | Event::MonsterDefeated { seat: _, at: _, color: _ }
        | Event::TaskFulfilled { seat: _, kind: _, color: _, tile: _, reward: _ }
        | Event::CompanionTaken { seat: _, kind: _, color: _ }
        | Event::OfferingLoaded { seat: _, from: _, color: _ }
        | Event::StatueLoaded { seat: _, from: _, color: _ }
        | Event::OfferingDelivered { seat: _, at: _, color: _ }
        | Event::StatueRaised { seat: _, at: _, color: _ }
        | Event::ShrineBuilt { seat: _, at: _ }
        | Event::DecisionsOpened { seat: _, decisions: _ }
        | Event::DecisionClosed { seat: _ }
        | Event::TurnEnded { seat: _ }
        | Event::RoundEnded { seat: _, round: _ }
        | Event::MatchFinished { seat: _, standing: _ } => Disclosure::Nothing,
    }
}

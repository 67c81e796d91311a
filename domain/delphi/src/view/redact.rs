//! Events as one viewer may see them (D-132): all of them but the face of an island that another seat looked at.

use kernel::Viewer;

use crate::event::Event;
use crate::view::{EventView, view};

/// What `viewer` may see of an event.
#[expect(clippy::too_many_lines, reason = "one exhaustive match, an arm for each event")]
pub(crate) fn event_view(event: &Event, viewer: Viewer) -> EventView {
    match *event {
        Event::MatchStarted { ref position } => {
            EventView::MatchStarted { position: Box::new(view(position, viewer)) }
        }
        Event::ShipChosen { seat, ship, next_seat } => {
            EventView::ShipChosen { seat, ship, next_seat }
        }
        Event::PlayAreasPrepared { seat, ref areas, ref start_queue } => {
            EventView::PlayAreasPrepared {
                seat,
                areas: areas.clone(),
                start_queue: start_queue.clone(),
            }
        }
        Event::StartChoiceDue { seat } => EventView::StartChoiceDue { seat },
        Event::TaskReturned { seat, kind, color } => EventView::TaskReturned { seat, kind, color },
        Event::TurnStarted { seat, round } => EventView::TurnStarted { seat, round },
        Event::GodChoiceQueued { seat, gods, by } => EventView::GodChoiceQueued { seat, gods, by },
        Event::GodChoiceDue { seat, gods } => EventView::GodChoiceDue { seat, gods },
        Event::InjuriesChecked { seat, result } => EventView::InjuriesChecked { seat, result },
        Event::ActionsStarted { seat } => EventView::ActionsStarted { seat },
        Event::SourceChosen { seat, kind, color, r#as, favor } => {
            EventView::SourceChosen { seat, kind, color, r#as, favor }
        }
        Event::ActionTaken { seat, action, color } => {
            EventView::ActionTaken { seat, action, color }
        }
        Event::FavorGained { seat, amount, reason } => {
            EventView::FavorGained { seat, amount, reason }
        }
        Event::FavorSpent { seat, amount, reason } => {
            EventView::FavorSpent { seat, amount, reason }
        }
        Event::OracleCardDrawn { seat, color, reason } => {
            EventView::OracleCardDrawn { seat, color, reason }
        }
        Event::InjuryDrawn { seat, color, kept, reason } => {
            EventView::InjuryDrawn { seat, color, kept, reason }
        }
        Event::InjuriesDiscarded { seat, cards, reason } => {
            EventView::InjuriesDiscarded { seat, cards, reason }
        }
        Event::DeckReshuffled { deck } => EventView::DeckReshuffled { deck },
        Event::ShieldRaised { seat, from, to, reason } => {
            EventView::ShieldRaised { seat, from, to, reason }
        }
        Event::GodAdvanced { seat, god, from, to, reason } => {
            EventView::GodAdvanced { seat, god, from, to, reason }
        }
        Event::GodInvoked { seat, god, r#use } => EventView::GodInvoked { seat, god, r#use },
        Event::ColorsFreed { seat } => EventView::ColorsFreed { seat },
        Event::GodReset { seat, god, from, to } => EventView::GodReset { seat, god, from, to },
        Event::ShipMoved { seat, from, to, steps, favor } => {
            EventView::ShipMoved { seat, from, to, steps, favor }
        }
        Event::ZeusReached { seat } => EventView::ZeusReached { seat },
        Event::BattleStarted { seat, at, color, strength } => {
            EventView::BattleStarted { seat, at, color, strength }
        }
        Event::BattleRolled { seat, at, color, roll, strength, won } => {
            EventView::BattleRolled { seat, at, color, roll, strength, won }
        }
        Event::BattleEnded { seat, at, color } => EventView::BattleEnded { seat, at, color },
        Event::MonsterDefeated { seat, at, color } => {
            EventView::MonsterDefeated { seat, at, color }
        }
        Event::TaskFulfilled { seat, kind, color, tile, reward } => {
            EventView::TaskFulfilled { seat, kind, color, tile, reward }
        }
        Event::EquipmentTaken { seat, card, refill } => {
            EventView::EquipmentTaken { seat, card, refill }
        }
        Event::CompanionTaken { seat, kind, color } => {
            EventView::CompanionTaken { seat, kind, color }
        }
        Event::OfferingLoaded { seat, from, color } => {
            EventView::OfferingLoaded { seat, from, color }
        }
        Event::StatueLoaded { seat, from, color } => EventView::StatueLoaded { seat, from, color },
        Event::OfferingDelivered { seat, at, color } => {
            EventView::OfferingDelivered { seat, at, color }
        }
        Event::StatueRaised { seat, at, color } => EventView::StatueRaised { seat, at, color },
        Event::IslandLookedAt { seat, at, face } => {
            EventView::IslandLookedAt { seat, at, face: viewer.is(seat).then_some(face) }
        }
        Event::IslandRevealed { seat, at, face } => EventView::IslandRevealed { seat, at, face },
        Event::ShrineBuilt { seat, at } => EventView::ShrineBuilt { seat, at },
        Event::DecisionsOpened { seat, ref decisions } => {
            EventView::DecisionsOpened { seat, decisions: decisions.clone() }
        }
        Event::DecisionClosed { seat } => EventView::DecisionClosed { seat },
        Event::OracleConsulted { seat, dice } => EventView::OracleConsulted { seat, dice },
        Event::TitanRolled { seat, strength } => EventView::TitanRolled { seat, strength },
        Event::TurnEnded { seat } => EventView::TurnEnded { seat },
        Event::RoundEnded { seat, round } => EventView::RoundEnded { seat, round },
        Event::MatchFinished { seat, ref standing } => {
            EventView::MatchFinished { seat, standing: standing.clone() }
        }
    }
}

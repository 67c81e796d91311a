//! What has just happened, as far as it is highlighted.

use canvas::Scene;
use delphi::seen::{Color, Companion, Equipment, EventView, God, Hex, TaskKind, ZeusTile};

/// Something that stands out if an event concerned it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    Hex(Hex),
    Dice(usize),
    Favor(usize),
    Shield(usize),
    Card(usize, Color),
    Injury(usize, Color),
    God(usize, God),
    Task(usize, TaskKind, Option<ZeusTile>),
    Offering(usize, Color),
    Statue(usize, Color),
    Owned(usize, Equipment),
    Display(Equipment),
    Joined(usize, Companion),
}

/// All that stands out.
#[derive(Default)]
pub(crate) struct Last {
    marks: Vec<Mark>,
    /// Where ships sailed.
    pub(crate) ways: Vec<(Hex, Hex)>,
    /// What the titan rolled.
    pub(crate) titan: Option<u8>,
}

impl Last {
    pub(crate) fn new(scene: &Scene<'_>) -> Self {
        let mut last = Last::default();
        for event in scene.events() {
            last.add(&event);
        }
        last
    }

    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    fn add(&mut self, event: &EventView) {
        let mark = match *event {
            EventView::SourceChosen { seat, .. } | EventView::OracleConsulted { seat, .. } => {
                Mark::Dice(seat.index())
            }
            EventView::FavorGained { seat, .. } | EventView::FavorSpent { seat, .. } => {
                Mark::Favor(seat.index())
            }
            EventView::OracleCardDrawn { seat, color, .. } => Mark::Card(seat.index(), color),
            EventView::InjuryDrawn { seat, color, kept: true, .. } => {
                Mark::Injury(seat.index(), color)
            }
            EventView::ShieldRaised { seat, .. } => Mark::Shield(seat.index()),
            EventView::GodAdvanced { seat, god, .. }
            | EventView::GodInvoked { seat, god, .. }
            | EventView::GodReset { seat, god, .. } => Mark::God(seat.index(), god),
            EventView::ShipMoved { from, to, .. } => {
                self.ways.push((from, to));
                Mark::Hex(to)
            }
            EventView::TaskFulfilled { seat, kind, color, .. } => {
                Mark::Task(seat.index(), kind, color.map(Color::tile))
            }
            EventView::EquipmentTaken { seat, card, refill } => {
                self.marks.extend(refill.map(Mark::Display));
                Mark::Owned(seat.index(), card)
            }
            EventView::CompanionTaken { seat, kind, color } => {
                Mark::Joined(seat.index(), Companion { kind, color })
            }
            EventView::OfferingLoaded { seat, from, color } => {
                self.marks.push(Mark::Hex(from));
                Mark::Offering(seat.index(), color)
            }
            EventView::StatueLoaded { seat, from, color } => {
                self.marks.push(Mark::Hex(from));
                Mark::Statue(seat.index(), color)
            }
            EventView::BattleRolled { at, .. }
            | EventView::MonsterDefeated { at, .. }
            | EventView::OfferingDelivered { at, .. }
            | EventView::StatueRaised { at, .. }
            | EventView::IslandLookedAt { at, .. }
            | EventView::IslandRevealed { at, .. }
            | EventView::ShrineBuilt { at, .. } => Mark::Hex(at),
            EventView::TitanRolled { strength, .. } => {
                self.titan = Some(strength);
                return;
            }
            EventView::InjuryDrawn { kept: false, .. }
            | EventView::MatchStarted { .. }
            | EventView::ShipChosen { .. }
            | EventView::PlayAreasPrepared { .. }
            | EventView::StartChoiceDue { .. }
            | EventView::TaskReturned { .. }
            | EventView::TurnStarted { .. }
            | EventView::GodChoiceQueued { .. }
            | EventView::GodChoiceDue { .. }
            | EventView::InjuriesChecked { .. }
            | EventView::ActionsStarted { .. }
            | EventView::ActionTaken { .. }
            | EventView::InjuriesDiscarded { .. }
            | EventView::DeckReshuffled { .. }
            | EventView::ColorsFreed { .. }
            | EventView::ZeusReached { .. }
            | EventView::BattleStarted { .. }
            | EventView::BattleEnded { .. }
            | EventView::DecisionsOpened { .. }
            | EventView::DecisionClosed { .. }
            | EventView::TurnEnded { .. }
            | EventView::RoundEnded { .. }
            | EventView::MatchFinished { .. } => return,
        };
        self.marks.push(mark);
    }
}

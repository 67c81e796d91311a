//! What has just happened, as far as it is highlighted.

use kernel::Seat;
use serde::Deserialize;

use crate::card::Equipment;
use crate::hex::Hex;
use crate::piece::{Color, Companion, CompanionKind, God, TaskKind};

#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Event {
    SourceChosen {
        seat: Seat,
    },
    FavorGained {
        seat: Seat,
    },
    FavorSpent {
        seat: Seat,
    },
    OracleCardDrawn {
        seat: Seat,
        color: Color,
    },
    InjuryDrawn {
        seat: Seat,
        color: Color,
        kept: bool,
    },
    ShieldRaised {
        seat: Seat,
    },
    GodAdvanced {
        seat: Seat,
        god: God,
    },
    GodInvoked {
        seat: Seat,
        god: God,
    },
    GodReset {
        seat: Seat,
        god: God,
    },
    ShipMoved {
        from: Hex,
        to: Hex,
    },
    BattleRolled {
        at: Hex,
    },
    MonsterDefeated {
        at: Hex,
    },
    TaskFulfilled {
        seat: Seat,
        kind: TaskKind,
        color: Option<Color>,
    },
    EquipmentTaken {
        seat: Seat,
        card: Equipment,
        refill: Option<Equipment>,
    },
    CompanionTaken {
        seat: Seat,
        kind: CompanionKind,
        color: Color,
    },
    OfferingLoaded {
        seat: Seat,
        from: Hex,
        color: Color,
    },
    StatueLoaded {
        seat: Seat,
        from: Hex,
        color: Color,
    },
    OfferingDelivered {
        at: Hex,
    },
    StatueRaised {
        at: Hex,
    },
    IslandLookedAt {
        at: Hex,
    },
    IslandRevealed {
        at: Hex,
    },
    ShrineBuilt {
        at: Hex,
    },
    OracleConsulted {
        seat: Seat,
    },
    TitanRolled {
        strength: u8,
    },
    #[serde(other)]
    Other,
}

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
    Task(usize, TaskKind, Option<Color>),
    Offering(usize, Color),
    Statue(usize, Color),
    Owned(usize, Equipment),
    Display(Equipment),
    Joined(usize, Companion),
}

/// All that stands out.
pub(crate) struct Last {
    marks: Vec<Mark>,
    /// Where ships sailed.
    pub(crate) ways: Vec<(Hex, Hex)>,
    /// What the titan rolled.
    pub(crate) titan: Option<u8>,
}

impl Last {
    pub(crate) fn new(events: &[Event]) -> Self {
        let mut last = Last { marks: Vec::new(), ways: Vec::new(), titan: None };
        for event in events {
            last.add(event);
        }
        last
    }

    pub(crate) fn has(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }

    fn add(&mut self, event: &Event) {
        let mark = match *event {
            Event::SourceChosen { seat } | Event::OracleConsulted { seat } => {
                Mark::Dice(seat.index())
            }
            Event::FavorGained { seat } | Event::FavorSpent { seat } => Mark::Favor(seat.index()),
            Event::OracleCardDrawn { seat, color } => Mark::Card(seat.index(), color),
            Event::InjuryDrawn { kept: false, .. } | Event::Other => return,
            Event::InjuryDrawn { seat, color, kept: true } => Mark::Injury(seat.index(), color),
            Event::ShieldRaised { seat } => Mark::Shield(seat.index()),
            Event::GodAdvanced { seat, god }
            | Event::GodInvoked { seat, god }
            | Event::GodReset { seat, god } => Mark::God(seat.index(), god),
            Event::ShipMoved { from, to } => {
                self.ways.push((from, to));
                Mark::Hex(to)
            }
            Event::TaskFulfilled { seat, kind, color } => Mark::Task(seat.index(), kind, color),
            Event::EquipmentTaken { seat, card, refill } => {
                self.marks.extend(refill.map(Mark::Display));
                Mark::Owned(seat.index(), card)
            }
            Event::CompanionTaken { seat, kind, color } => {
                Mark::Joined(seat.index(), Companion { kind, color })
            }
            Event::OfferingLoaded { seat, from, color } => {
                self.marks.push(Mark::Hex(from));
                Mark::Offering(seat.index(), color)
            }
            Event::StatueLoaded { seat, from, color } => {
                self.marks.push(Mark::Hex(from));
                Mark::Statue(seat.index(), color)
            }
            Event::BattleRolled { at }
            | Event::MonsterDefeated { at }
            | Event::OfferingDelivered { at }
            | Event::StatueRaised { at }
            | Event::IslandLookedAt { at }
            | Event::IslandRevealed { at }
            | Event::ShrineBuilt { at } => Mark::Hex(at),
            Event::TitanRolled { strength } => {
                self.titan = Some(strength);
                return;
            }
        };
        self.marks.push(mark);
    }
}

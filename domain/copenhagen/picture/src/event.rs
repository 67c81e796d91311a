//! What has just happened, as far as it is highlighted.

use kernel::Seat;
use serde::Deserialize;

use copenhagen::seen::{Ability, Color};

use crate::tile::Kind;
use crate::view::{Line, Placed};

#[derive(Deserialize)]
#[serde(tag = "type")]
pub(crate) enum Event {
    CardTaken {
        seat: Seat,
        slot: u8,
        color: Color,
    },
    AbilityUsed {
        seat: Seat,
        ability: Ability,
    },
    AbilityTaken {
        seat: Seat,
        ability: Ability,
    },
    AbilitiesReactivated {
        seat: Seat,
        abilities: Vec<Ability>,
    },
    CardDiscarded {
        color: Color,
    },
    TilePlaced {
        seat: Seat,
        tile: Kind,
        orientation: u8,
        x: u8,
        y: u8,
        payment: Vec<Color>,
    },
    ScoreAwarded {
        seat: Seat,
        lines: Vec<Line>,
    },
    HarborCardRevealed {
        slot: u8,
    },
    EndCardRevealed {
        slot: u8,
    },
    #[serde(other)]
    Other,
}

/// All that stands out; seats by index.
#[derive(Default)]
pub(crate) struct Last {
    slots: Vec<u8>,
    /// Where the end card came up.
    end: Option<u8>,
    taken: Vec<(usize, Color)>,
    /// A card that came to the discard last: it lies on top.
    pub(crate) discarded: Option<Color>,
    abilities: Vec<(usize, Ability)>,
    tiles: Vec<(usize, Placed)>,
    lines: Vec<(usize, Line)>,
}

impl Last {
    pub(crate) fn new(events: Vec<Event>) -> Self {
        let mut last = Last::default();
        for event in events {
            last.add(event);
        }
        last
    }

    fn add(&mut self, event: Event) {
        match event {
            Event::CardTaken { seat, slot, color } => {
                self.slots.push(slot);
                self.taken.push((seat.index(), color));
            }
            Event::AbilityUsed { seat, ability } | Event::AbilityTaken { seat, ability } => {
                self.abilities.push((seat.index(), ability));
            }
            Event::AbilitiesReactivated { seat, abilities } => {
                let of_seat = |ability| (seat.index(), ability);
                self.abilities.extend(abilities.into_iter().map(of_seat));
            }
            Event::CardDiscarded { color } => self.discarded = Some(color),
            Event::TilePlaced { seat, tile, orientation, x, y, payment } => {
                self.discarded = payment.last().copied().or(self.discarded);
                let placed = Placed { tile, orientation, x, y };
                self.tiles.push((seat.index(), placed));
            }
            Event::ScoreAwarded { seat, lines } => {
                let of_seat = |line| (seat.index(), line);
                self.lines.extend(lines.into_iter().map(of_seat));
            }
            Event::HarborCardRevealed { slot } => self.slots.push(slot),
            Event::EndCardRevealed { slot } => {
                self.slots.push(slot);
                self.end = Some(slot);
            }
            Event::Other => {}
        }
    }

    pub(crate) fn slot(&self, slot: usize) -> bool {
        self.slots.iter().any(|last| usize::from(*last) == slot)
    }

    pub(crate) fn is_end(&self, slot: usize) -> bool {
        self.end.is_some_and(|end| usize::from(end) == slot)
    }

    pub(crate) fn took(&self, seat: usize, color: Color) -> bool {
        self.taken.contains(&(seat, color))
    }

    pub(crate) fn ability(&self, seat: usize, ability: Ability) -> bool {
        self.abilities.contains(&(seat, ability))
    }

    pub(crate) fn tile(&self, seat: usize, placed: &Placed) -> bool {
        self.tiles.contains(&(seat, *placed))
    }

    pub(crate) fn line(&self, seat: usize, line: Line) -> bool {
        self.lines.contains(&(seat, line))
    }
}

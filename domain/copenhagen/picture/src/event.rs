//! What has just happened, as far as it is highlighted.

use canvas::Scene;
use copenhagen::seen::{Ability, Color, EventView, LineKind, PlacedTile, Slot};

/// All that stands out; seats by index.
#[derive(Default)]
pub(crate) struct Last {
    slots: Vec<Slot>,
    /// Where the end card came up.
    end: Option<Slot>,
    taken: Vec<(usize, Color)>,
    /// A card that came to the discard last: it lies on top.
    pub(crate) discarded: Option<Color>,
    abilities: Vec<(usize, Ability)>,
    tiles: Vec<(usize, PlacedTile)>,
    lines: Vec<(usize, LineKind, u8)>,
}

impl Last {
    pub(crate) fn new(scene: &Scene<'_>) -> Self {
        let mut last = Last::default();
        for event in scene.events() {
            last.add(event);
        }
        last
    }

    fn add(&mut self, event: EventView) {
        match event {
            EventView::CardTaken { seat, slot, color } => {
                self.slots.push(slot);
                self.taken.push((seat.index(), color));
            }
            EventView::AbilityUsed { seat, ability, .. }
            | EventView::AbilityTaken { seat, ability } => {
                self.abilities.push((seat.index(), ability));
            }
            EventView::AbilitiesReactivated { seat, abilities } => {
                self.abilities.extend(abilities.iter().map(|ability| (seat.index(), ability)));
            }
            EventView::CardDiscarded { color, .. } => self.discarded = Some(color),
            EventView::TilePlaced { seat, tile, orientation, x, y, payment, .. } => {
                self.discarded = payment.iter().last().or(self.discarded);
                self.tiles.push((seat.index(), PlacedTile { tile, orientation, x, y }));
            }
            EventView::ScoreAwarded { seat, lines, .. } => {
                let lines = lines.list().into_iter();
                self.lines.extend(lines.map(|line| (seat.index(), line.kind, line.index)));
            }
            EventView::HarborCardRevealed { slot, .. } => self.slots.push(slot),
            EventView::EndCardRevealed { slot } => {
                self.slots.push(slot);
                self.end = Some(slot);
            }
            EventView::MatchStarted { .. }
            | EventView::OptionDeclined { .. }
            | EventView::CoatsOfArmsActivated { .. }
            | EventView::CoatsOfArmsLapsed { .. }
            | EventView::PhaseChanged { .. }
            | EventView::DeckReshuffled { .. }
            | EventView::TurnEnded { .. }
            | EventView::MatchFinished { .. } => {}
        }
    }

    pub(crate) fn slot(&self, slot: usize) -> bool {
        self.slots.iter().any(|last| last.index() == slot)
    }

    pub(crate) fn is_end(&self, slot: usize) -> bool {
        self.end.is_some_and(|end| end.index() == slot)
    }

    pub(crate) fn took(&self, seat: usize, color: Color) -> bool {
        self.taken.contains(&(seat, color))
    }

    pub(crate) fn ability(&self, seat: usize, ability: Ability) -> bool {
        self.abilities.contains(&(seat, ability))
    }

    pub(crate) fn tile(&self, seat: usize, placed: &PlacedTile) -> bool {
        self.tiles.contains(&(seat, *placed))
    }

    pub(crate) fn line(&self, seat: usize, kind: LineKind, index: usize) -> bool {
        self.lines
            .iter()
            .any(|(of, last, at)| (*of, *last, usize::from(*at)) == (seat, kind, index))
    }
}

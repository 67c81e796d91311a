//! What is hidden shows in no event, and what tells something says so.

use kernel::{Disclosure, Fact, Game, Secret, Viewer};

use super::{Play, decide, text_of, viewers};
use crate::Dice;

impl<G: Game> Play<'_, G> {
    /// What says that everybody gets all of it is the same to all.
    pub(super) fn check_open(&self, before: &G::Position, event: &G::Event) {
        for viewer in viewers::<G>(before).filter(|_| event.is_open()) {
            let (seen, full) = (text_of(&event.seen(before, viewer)), text_of(event));
            assert_eq!(seen, full, "{}: {viewer:?} does not see all of an open event", self.name);
        }
    }

    /// Where a match starts in a position that a viewer cannot tell from this one, its first event looks the same to it.
    pub(super) fn check_start(&mut self, first: &G::Event, start: &G::Position) {
        for viewer in viewers::<G>(start) {
            let other = (self.conformance.exchange_hidden)(start, viewer, &mut self.dice.clone());
            if let Some(twin) = started_in::<G>(&other, first, start) {
                assert_eq!(
                    text_of(&twin.seen(&other, viewer)),
                    text_of(&first.seen(start, viewer)),
                    "{}: {viewer:?} sees in the first event what is hidden",
                    self.name
                );
            }
        }
    }

    /// The same command in a position that a viewer cannot tell from this one. Up to the first event that says it tells the viewer
    /// something, the same happens; and if the viewer can tell the positions apart no better afterwards, it has seen the same events.
    pub(super) fn check_news(
        &mut self,
        dice: &Dice,
        start: &G::Position,
        command: &G::Command,
        (events, after): (&[G::Event], &G::Position),
    ) {
        for viewer in viewers::<G>(start) {
            let other = (self.conformance.exchange_hidden)(start, viewer, &mut self.dice.clone());
            let (mut other_after, mut others) = (other.clone(), Vec::new());
            let decided = decide::<G>(&mut other_after, &mut others, &mut dice.clone(), command);
            let is_own = G::active_seat(start).map(Viewer::Seat) == Some(viewer);
            let least = if is_own { Disclosure::ToAll } else { Disclosure::ToOthers };
            let news = events.iter().position(|event| event.disclosure() >= least);
            let known = news.unwrap_or(events.len());
            assert!(
                decided.is_ok() && others.get(..known) == Some(&events[..known])
                    || decided.is_err() && !is_own && news.is_some(),
                "{}: {command:?} leads to {events:?}, and to {others:?} where only what is hidden from {viewer:?} differs, \
                 and does not say so",
                self.name
            );
            if decided.is_ok()
                && text_of(&G::view(after, viewer)) == text_of(&G::view(&other_after, viewer))
            {
                let look = |event: &G::Event| text_of(&event.seen(start, viewer));
                let look_of_other = |event: &G::Event| text_of(&event.seen(&other, viewer));
                assert_eq!(
                    events.iter().map(look).collect::<Vec<_>>(),
                    others.iter().map(look_of_other).collect::<Vec<_>>(),
                    "{}: {viewer:?} sees in the events of {command:?} what is hidden",
                    self.name
                );
            }
        }
    }
}

/// The first event of a match that starts in `other`: where the event repeats the start, it repeats the other one. `None` if the start
/// does not stand in the event.
fn started_in<G: Game>(
    other: &G::Position,
    first: &G::Event,
    start: &G::Position,
) -> Option<G::Event> {
    let json = |position: &G::Position| serde_json::to_value(position).expect("it has JSON");
    let (start, of_other) = (json(start), json(other));
    let mut event = serde_json::to_value(first).expect("an event has JSON");
    for (key, value) in event.as_object_mut()? {
        if *value == start {
            *value = of_other.clone();
        } else if start.get(key) == Some(value) {
            *value = of_other[key].clone();
        }
    }
    let twin: G::Event = serde_json::from_str(&event.to_string()).ok()?;
    (G::start(&twin, G::edition(other)).as_ref() == Some(other)).then_some(twin)
}

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

    /// What a commit awards, and to whom it is open.
    pub(super) fn check_commit(&mut self, start: &G::Position, events: &[G::Event]) {
        let mut before = start.clone();
        for event in events {
            self.check_awards(&before, event);
            self.check_open(&before, event);
            G::apply(&mut before, event);
        }
        let own = Viewer::Seat(G::active_seat(start).expect("a command has a seat"));
        let other = (self.conformance.exchange_hidden)(start, own, &mut self.dice.clone());
        self.check_awarded(own, start, other, foreseen::<G>(own, start, events));
    }

    /// What these events award is the same in a position that the viewer cannot tell from this one. They tell it nothing.
    fn check_awarded(
        &self,
        viewer: Viewer,
        start: &G::Position,
        mut other: G::Position,
        events: &[G::Event],
    ) {
        let mut before = start.clone();
        for event in events {
            assert_eq!(
                format!("{:?}", G::awards(&other, event)),
                format!("{:?}", G::awards(&before, event)),
                "{}: the awards of {event:?} tell what is hidden from {viewer:?}",
                self.name
            );
            G::apply(&mut other, event);
            G::apply(&mut before, event);
        }
    }

    /// An event is shown alike for ever, so that it fits what was hashed: its view depends on nothing that changes in a match.
    pub(super) fn check_afterwards(&self, events: &[G::Event], last: &G::Position) {
        let first =
            G::start(&events[0], self.edition).expect("a setup's first event starts a match");
        for event in events {
            for viewer in viewers::<G>(last) {
                assert_eq!(
                    text_of(&event.seen(last, viewer)),
                    text_of(&event.seen(&first, viewer)),
                    "{}: {viewer:?} sees {event:?} differently when the match is over",
                    self.name
                );
            }
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
            let known = foreseen::<G>(viewer, start, events);
            assert!(
                decided.is_ok() && others.get(..known.len()) == Some(known)
                    || decided.is_err()
                        && !is_own::<G>(viewer, start)
                        && known.len() < events.len(),
                "{}: {command:?} leads to {events:?}, and to {others:?} where only what is hidden from {viewer:?} differs, \
                 and does not say so",
                self.name
            );
            self.check_awarded(viewer, start, other.clone(), known);
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

/// Is it the viewer who acts?
fn is_own<G: Game>(viewer: Viewer, start: &G::Position) -> bool {
    G::active_seat(start).map(Viewer::Seat) == Some(viewer)
}

/// The events of a commit before the first one that says it tells the viewer something.
fn foreseen<'e, G: Game>(
    viewer: Viewer,
    start: &G::Position,
    events: &'e [G::Event],
) -> &'e [G::Event] {
    let least = if is_own::<G>(viewer, start) { Disclosure::ToAll } else { Disclosure::ToOthers };
    let news = events.iter().position(|event| event.disclosure() >= least);
    &events[..news.unwrap_or(events.len())]
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

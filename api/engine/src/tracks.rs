//! Where the pieces of one match went: every step of every piece, with the event that it was taken at.

use journal::{Body, Folded, PlatformEvent};
use kernel::{AnyGame, Moved, Places, Step, StreamError, Tracked, Tracker, moves};
use serde_json::value::RawValue;

use crate::kept::Booked;

/// A match folded commit by commit, with every step of its pieces.
#[derive(Default)]
pub(crate) struct Tracks {
    folded: Option<Folded>,
    tracker: Tracker,
    /// Where the pieces were before the latest commit: what a take-back returns to. Kept only where take-back is on.
    before: Places,
    /// In order, each with the version after its event.
    steps: Vec<(u64, Step)>,
    bytes: usize,
}

impl Tracks {
    /// The pieces at a version that was booked.
    pub(crate) fn pieces(&self, version: u64) -> Vec<Tracked> {
        if version >= self.version() {
            return self.tracker.places().list();
        }
        let mut places = Places::default();
        self.between(0, version).for_each(|step| places.take(step));
        places.list()
    }

    /// What became of the pieces from one version, which is not included, to another.
    pub(crate) fn moves(&self, after: u64, to: u64) -> Vec<Moved> {
        moves(self.between(after, to))
    }

    fn between(&self, after: u64, to: u64) -> impl Iterator<Item = &Step> {
        let end = |version: u64| self.steps.partition_point(|(at, _)| *at <= version);
        let steps = self.steps.get(end(after)..end(to)).unwrap_or_default();
        steps.iter().map(|(_, step)| step)
    }

    fn event(&mut self, event: &RawValue) -> Result<(), StreamError> {
        let folded = self.folded.as_mut().expect("a commit is under way");
        folded.apply(event)?;
        if PlatformEvent::read(event).is_none() {
            self.look();
        }
        Ok(())
    }

    /// Notes where the pieces are now.
    fn look(&mut self) {
        let folded = self.folded.as_ref().expect("a commit is under way");
        let steps = self.tracker.follow(folded.state.pieces());
        self.note(steps);
    }

    fn note(&mut self, steps: Vec<Step>) {
        self.bytes += steps.iter().map(|step| size_of::<u64>() + step.bytes()).sum::<usize>();
        let version = self.version();
        self.steps.extend(steps.into_iter().map(|step| (version, step)));
    }
}

impl Booked for Tracks {
    fn folded(&self) -> Option<&Folded> {
        self.folded.as_ref()
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn book(&mut self, game: &dyn AnyGame, body: &Body<'_>) -> Result<(), StreamError> {
        match (&mut self.folded, body.events.as_slice()) {
            (None, [_, rest @ ..]) => {
                self.folded = Some(Folded::advance(None, &[game], body, 1)?);
                self.look();
                rest.iter().try_for_each(|event| self.event(event))
            }
            (Some(folded), [event])
                if let Some(PlatformEvent::CommandTakenBack { seat: _, to_version }) =
                    PlatformEvent::read(event) =>
            {
                folded.undo(to_version)?;
                let steps = self.tracker.return_to(&self.before);
                self.note(steps);
                Ok(())
            }
            (Some(folded), events) => {
                folded.enter_of(body)?;
                if folded.take_back() {
                    self.before = self.tracker.places().clone();
                }
                let mut events = events.iter();
                events.try_for_each(|event| self.event(event))
            }
            (None, []) => Err(StreamError("a commit has no events".to_owned())),
        }
    }
}

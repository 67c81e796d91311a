//! A decision under way.

use serde::Serialize;

use crate::{Chance, Game};

/// A position, the events that a decision has emitted so far, and the chance it may draw from.
///
/// [`emit`](Draft::emit) is the only way to change the position, and it goes through [`Game::apply`]: a decision sees exactly
/// what replaying its events will see. The caller lends all three parts, so that a loop over a whole match allocates nothing.
///
/// # Example
/// A turn of Nim, the toy game of `testkit`, which takes one of three stones:
/// ```
/// use kernel::{Draft, Forced, Game, Seat};
/// use testkit::Nim;
///
/// let position = r#"{"heaps": [3], "lucky": [7, 4], "active_seat": 0, "winner": null}"#;
/// let mut position = Nim::admit(serde_json::from_str(position)?)?;
/// let take = serde_json::from_str(r#"{"type": "Take", "heap": 0, "count": 1}"#)?;
/// let (mut events, mut chance) = (Vec::new(), Forced::default());
/// let mut draft = Draft::<Nim>::new(&mut position, &mut events, &mut chance);
/// Nim::decide(&mut draft, &take)?;
///
/// assert_eq!(draft.events().len(), 2); // StonesTaken, TurnStarted
/// assert_eq!(draft.certain(), 2); // nothing was drawn
/// assert_eq!(Nim::active_seat(draft.position()), Some(Seat(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Draft<'a, G: Game> {
    position: &'a mut G::Position,
    events: &'a mut Vec<G::Event>,
    chance: &'a mut dyn Chance,
    start: usize,
    certain: Option<usize>,
}

impl<'a, G: Game> Draft<'a, G> {
    /// A draft that continues `position` and appends to `events`.
    pub fn new(
        position: &'a mut G::Position,
        events: &'a mut Vec<G::Event>,
        chance: &'a mut dyn Chance,
    ) -> Self {
        let start = events.len();
        Draft { position, events, chance, start, certain: None }
    }

    /// The position after all events emitted so far.
    #[inline]
    #[must_use]
    pub fn position(&self) -> &G::Position {
        self.position
    }

    /// The events of this draft, in order.
    #[must_use]
    pub fn events(&self) -> &[G::Event] {
        &self.events[self.start..]
    }

    /// Applies `event` and appends it.
    ///
    /// Always inlined: the place that emits knows which event it is, so the game's `match` over all events falls away.
    #[inline(always)]
    pub fn emit(&mut self, event: G::Event) {
        G::apply(self.position, &event);
        self.events.push(event);
    }

    /// Draws one of `candidates`, each equally likely, in the order that the specification names.
    ///
    /// # Panics
    /// If there is no candidate.
    pub fn pick<T: Copy + Serialize>(&mut self, kind: &'static str, candidates: &[T]) -> T {
        self.certain.get_or_insert(self.events.len());
        self.chance.pick(kind, candidates)
    }

    /// Draws an index less than `count`; `candidate(i)` is the value of index `i`.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn pick_index<T: Serialize>(
        &mut self,
        kind: &'static str,
        count: usize,
        candidate: impl Fn(usize) -> T,
    ) -> usize {
        self.certain.get_or_insert(self.events.len());
        self.chance.pick_index(kind, count, candidate)
    }

    /// How many events of this draft were emitted before the first draw: all of them if nothing was drawn.
    #[must_use]
    pub fn certain(&self) -> usize {
        self.certain.unwrap_or(self.events.len()) - self.start
    }
}

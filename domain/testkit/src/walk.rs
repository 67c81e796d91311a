//! A match step by step, for whoever looks at every position on the way.

use kernel::{Draft, Game};

use crate::Dice;

/// A match under way.
pub struct Walk<G: Game> {
    /// Where it is.
    pub position: G::Position,
    /// The events of its last commit.
    pub events: Vec<G::Event>,
    /// Chance, and what chooses.
    pub dice: Dice,
    legal: Vec<G::Command>,
}

impl<G: Game> Walk<G> {
    /// A match by the newest edition, after its setup.
    ///
    /// # Panics
    /// If the options are refused.
    #[must_use]
    pub fn new(options: G::Options, seats: u8, mut dice: Dice) -> Self {
        let edition = G::INFO.newest();
        let events = G::setup(options, seats, edition, &mut dice)
            .unwrap_or_else(|refusal| panic!("no match of {}: {refusal}", G::INFO.id));
        let mut position = G::start(&events[0], edition).expect("a setup's first event starts it");
        events[1..].iter().for_each(|event| G::apply(&mut position, event));
        Walk { position, events, dice, legal: Vec::new() }
    }

    /// A match that goes on from a position.
    #[must_use]
    pub fn from(position: G::Position, dice: Dice) -> Self {
        Walk { position, events: Vec::new(), dice, legal: Vec::new() }
    }

    /// Plays the legal command that `choose` picks; `None` at the end of the match.
    ///
    /// # Panics
    /// If a listed command is refused.
    pub fn next(
        &mut self,
        choose: impl FnOnce(&G::Position, &[G::Command], &mut Dice) -> usize,
    ) -> Option<&G::Command> {
        G::active_seat(&self.position)?;
        self.legal.clear();
        self.events.clear();
        G::legal_commands(&self.position, &mut self.legal);
        let command = &self.legal[choose(&self.position, &self.legal, &mut self.dice)];
        let mut draft = Draft::new(&mut self.position, &mut self.events, &mut self.dice);
        G::decide(&mut draft, command)
            .unwrap_or_else(|refusal| panic!("{command:?} is listed, but: {refusal}"));
        Some(command)
    }
}

/// Chooses what a player of the game leans to.
#[must_use]
pub fn leaning<G: Game>(position: &G::Position, legal: &[G::Command], dice: &mut Dice) -> usize {
    dice.lean(&G::leanings(position, legal))
}

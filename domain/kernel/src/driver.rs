//! Whole matches inside the process.

use crate::{AnyMatch, Chance, Seat};

/// Plays whole matches inside the process: chooses commands and is the source of chance.
pub trait Driver: Chance {
    /// Chooses one of `count` legal commands.
    fn choose(&mut self, count: usize) -> usize;
    /// Chooses for a seat, with a look at what each command is sure to bring, if that is wanted: it takes its time.
    fn choose_for(
        &mut self,
        seat: Seat,
        count: usize,
        prospects: &mut dyn FnMut() -> Vec<i64>,
    ) -> usize {
        let _ = (seat, prospects);
        self.choose(count)
    }
    /// A commit is complete; the next draw belongs to the next one.
    fn committed(&mut self);
}

/// A whole match that was played inside the process.
pub struct Played {
    /// The match at its end.
    pub state: Box<dyn AnyMatch>,
    /// How many commands there were.
    pub commands: u64,
    /// How many events, those of the setup among them.
    pub events: u64,
}

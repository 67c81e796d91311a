//! Whole matches inside the process.

use crate::{Chance, Draft, Game, Refusal, Seat, prospects};

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
    /// Does a match go on after so many events? If not, it is left as it is.
    fn goes_on(&self, events: u64) -> bool {
        let _ = events;
        true
    }
}

/// Plays on from a position, to which these events of the first commit led. Returns the position at the end, or where the driver left it, and
/// how many commands and events there were.
pub(crate) fn playout<G: Game>(
    mut position: G::Position,
    mut events: Vec<G::Event>,
    driver: &mut dyn Driver,
) -> Result<(G::Position, u64, u64), Refusal> {
    let (mut commands, mut count) = (0, events.len() as u64);
    let mut legal = Vec::new();
    while let Some(seat) = G::active_seat(&position) {
        if !driver.goes_on(count) {
            break;
        }
        driver.committed();
        legal.clear();
        events.clear();
        G::legal_commands(&position, &mut legal);
        let mut look = || prospects::<G>(&position, &legal);
        let command = &legal[driver.choose_for(seat, legal.len(), &mut look)];
        G::decide(&mut Draft::new(&mut position, &mut events, driver), command)?;
        commands += 1;
        count += events.len() as u64;
    }
    Ok((position, commands, count))
}

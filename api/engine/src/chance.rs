//! Chance that can be checked: every draw follows from the match's secret seed and the number of the commit.

use kernel::{Chance, Driver, Seat};
use rand_pcg::Lcg128Xsl64;
use rand_pcg::rand_core::Rng;
use serde_json::Value;

use crate::{Bot, Bytes32};

/// The source of chance of one commit: PCG XSL RR 128/64, seeded by SHA-256(seed || number of the commit).
///
/// The generator is made at the first draw among more than one candidate: most commits draw nothing.
#[derive(Debug)]
pub struct Seeded {
    seed: Bytes32,
    commit: u64,
    generator: Option<Lcg128Xsl64>,
}

impl Seeded {
    /// The chance of commit `commit` (1, 2, 3 ...) of a match with this seed.
    #[must_use]
    pub fn new(seed: Bytes32, commit: u64) -> Self {
        Seeded { seed, commit, generator: None }
    }
}

impl Chance for Seeded {
    fn draw(
        &mut self,
        _kind: &'static str,
        count: usize,
        _candidate: &dyn Fn(usize) -> Value,
    ) -> usize {
        if count == 1 {
            return 0;
        }
        let (seed, commit) = (self.seed, self.commit);
        let generator = self.generator.get_or_insert_with(|| generator(seed, commit));
        below(generator, count as u64)
    }
}

fn generator(seed: Bytes32, commit: u64) -> Lcg128Xsl64 {
    let Bytes32(hash) = Bytes32::hash(&[&seed.0, &commit.to_be_bytes()]);
    let (state, stream) = hash.split_at(16);
    let number = |half: &[u8]| u128::from_be_bytes(half.try_into().expect("half of 32 bytes"));
    Lcg128Xsl64::new(number(state), number(stream))
}

/// One of 0 to n - 1, each equally likely (Lemire's method with the remainder checked).
fn below(generator: &mut Lcg128Xsl64, n: u64) -> usize {
    let threshold = n.wrapping_neg() % n;
    loop {
        let wide = u128::from(generator.next_u64()) * u128::from(n);
        let low = u64::try_from(wide & u128::from(u64::MAX)).expect("masked to 64 bits");
        if low >= threshold {
            return usize::try_from(wide >> 64).expect("less than n, which was a usize");
        }
    }
}

/// Makes the choices of bots, the same ones for the same seed.
#[derive(Debug)]
pub(crate) struct Chooser(Lcg128Xsl64);

impl Chooser {
    /// The choice for commit `commit` of a match with this seed. It tells nothing about the draws of that commit, and whoever knows the
    /// seed can make it again.
    pub(crate) fn new(seed: Bytes32, commit: u64) -> Self {
        Chooser(generator(Bytes32::hash(&[&seed.0, b"bot"]), commit))
    }

    /// A number less than `count`, each equally likely.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        below(&mut self.0, count as u64)
    }
}

/// Play without people: bots choose, and chance is that of a match with a seed of its own.
#[derive(Debug)]
pub struct RandomPlay {
    chooser: Chooser,
    chance: Seeded,
    bots: Vec<Bot>,
}

impl RandomPlay {
    /// The play number `number` of a simulation with this seed: the same numbers give the same match. All choices are random.
    #[must_use]
    pub fn new(simulation: u64, number: u64) -> Self {
        let seed = Bytes32::hash(&[b"simulate", &simulation.to_be_bytes(), &number.to_be_bytes()]);
        RandomPlay {
            chooser: Chooser(generator(seed, 0)),
            chance: Seeded::new(seed, 1),
            bots: Vec::new(),
        }
    }

    /// The same with a bot for each seat; a seat beyond them plays at random.
    #[must_use]
    pub fn with_bots(self, bots: Vec<Bot>) -> Self {
        RandomPlay { bots, ..self }
    }

    /// The seed of the match.
    #[must_use]
    pub fn seed(&self) -> Bytes32 {
        self.chance.seed
    }
}

impl Chance for RandomPlay {
    fn draw(
        &mut self,
        kind: &'static str,
        count: usize,
        candidate: &dyn Fn(usize) -> Value,
    ) -> usize {
        self.chance.draw(kind, count, candidate)
    }
}

impl Driver for RandomPlay {
    fn choose(&mut self, count: usize) -> usize {
        self.chooser.below(count)
    }

    fn choose_for(
        &mut self,
        seat: Seat,
        count: usize,
        prospects: &mut dyn FnMut() -> Vec<i64>,
    ) -> usize {
        let bot = self.bots.get(seat.index()).copied().unwrap_or_default();
        bot.choose(count, prospects, &mut self.chooser)
    }

    fn committed(&mut self) {
        self.chance = Seeded::new(self.chance.seed, self.chance.commit + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected numbers were computed with the formulas of the contract in another language.
    #[test]
    fn draws_are_those_of_the_contract() {
        let seed = Bytes32::from_hex(&"0123456789abcdef".repeat(4)).unwrap();
        let mut chance = Seeded::new(seed, 1);
        let draws: Vec<usize> =
            (2..=12).map(|n| chance.draw("test", n, &|_| Value::Null)).collect();
        assert_eq!(draws, [1, 1, 0, 0, 0, 6, 5, 5, 2, 10, 9]);
    }
}

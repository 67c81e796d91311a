//! Chance that can be checked: every draw follows from the match's secret seed and the number of the commit.

use kernel::{Candidate, Chance};
use rand_pcg::Lcg128Xsl64;
use rand_pcg::rand_core::Rng;
use serde_json::Value;

use crate::hash::Bytes32;

/// The key of the note with the secret from which a store's tickets follow. It is of this store alone: which tickets were used after a backup, a
/// store that is made of it cannot know, so it makes a secret of its own.
pub const TICKET_SECRET: &[u8] = b"seeds/secret";

/// The source of chance of one commit: the [`Generator`] of the match's seed, the number of the commit, and the nonces recorded before it.
///
/// The generator is made at the first draw among more than one candidate: most commits draw nothing.
#[derive(Debug)]
pub struct Seeded<'a> {
    seed: Bytes32,
    commit: u64,
    nonces: &'a [u8],
    generator: Option<Generator>,
    /// What is forced of the draws that come next: in a sandbox alone.
    forced: &'a [Value],
    was_forced: bool,
}

impl<'a> Seeded<'a> {
    /// The chance of commit `commit` (1, 2, 3 ...) of a match with this seed and these nonces, one after the other.
    #[must_use]
    pub fn new(seed: Bytes32, commit: u64, nonces: &'a [u8]) -> Self {
        Seeded { seed, commit, nonces, generator: None, forced: &[], was_forced: false }
    }

    /// The same with outcomes for its first draws. `null`, and one that is no candidate, leaves the draw to the seed; a draw that is forced
    /// takes nothing from the generator.
    #[must_use]
    pub fn forced(self, forced: &'a [Value]) -> Self {
        Seeded { forced, ..self }
    }

    /// Was the latest draw forced?
    #[must_use]
    pub fn was_forced(&self) -> bool {
        self.was_forced
    }
}

impl Chance for Seeded<'_> {
    fn draw(&mut self, _kind: &'static str, count: usize, candidate: &Candidate<'_>) -> usize {
        self.was_forced = false;
        if let Some((outcome, rest)) = self.forced.split_first() {
            self.forced = rest;
            let forced = (0..count).find(|index| candidate(*index) == *outcome);
            self.was_forced = forced.is_some();
            if let Some(index) = forced {
                return index;
            }
        }
        if count == 1 {
            return 0;
        }
        let Seeded { seed, commit, nonces, generator, .. } = self;
        generator.get_or_insert_with(|| Generator::new(*seed, *commit, nonces)).below(count)
    }
}

/// PCG XSL RR 128/64, seeded by SHA-256(seed || number || nonces).
#[derive(Debug)]
pub struct Generator(Lcg128Xsl64);

impl Generator {
    /// The generator of this seed, number and nonces.
    #[must_use]
    pub fn new(seed: Bytes32, number: u64, nonces: &[u8]) -> Self {
        let Bytes32(hash) = Bytes32::hash(&[&seed.0, &number.to_be_bytes(), nonces]);
        let (state, stream) = hash.split_at(16);
        let number = |half: &[u8]| u128::from_be_bytes(half.try_into().expect("half of 32 bytes"));
        Generator(Lcg128Xsl64::new(number(state), number(stream)))
    }

    /// One of 0 to `count - 1`, each equally likely (Lemire's method with the remainder checked).
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        let n = count as u64;
        let threshold = n.wrapping_neg() % n;
        loop {
            let wide = u128::from(self.0.next_u64()) * u128::from(n);
            let low = u64::try_from(wide & u128::from(u64::MAX)).expect("masked to 64 bits");
            if low >= threshold {
                return usize::try_from(wide >> 64).expect("less than n, which was a usize");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected numbers were computed with the formulas of the contract in another language.
    #[test]
    fn draws_are_those_of_the_contract() {
        let seed = Bytes32::from_hex(&"0123456789abcdef".repeat(4)).unwrap();
        let draws = |nonces: &[u8]| -> Vec<usize> {
            let mut chance = Seeded::new(seed, 1, nonces);
            (2..=12).map(|n| chance.draw("test", n, &|_| Value::Null)).collect()
        };
        assert_eq!(draws(&[]), [1, 1, 0, 0, 0, 6, 5, 5, 2, 10, 9]);
        assert_eq!(draws(&[0xab; 64]), [1, 0, 0, 3, 1, 0, 5, 4, 9, 1, 9]);
    }
}

//! Seeded chance and seeded choice.

use kernel::{Candidate, Chance, Driver};
use rand_pcg::Lcg128Xsl64;
use rand_pcg::rand_core::Rng;

/// A seeded source of chance and of choices: the same seed gives the same match on every machine.
#[derive(Clone, Debug)]
pub struct Dice {
    rng: Lcg128Xsl64,
    draws: u64,
}

impl Dice {
    /// Dice with this seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Dice {
            rng: Lcg128Xsl64::new(u128::from(seed), 0xa02b_dbf7_bb3c_0a7a_c28f_a16a_64ab_f96d),
            draws: 0,
        }
    }

    /// A number less than `count`, each equally likely.
    ///
    /// # Panics
    /// If `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        assert!(count > 0, "there is nothing to choose from");
        let wide = u128::from(self.rng.next_u64()) * count as u128;
        usize::try_from(wide >> 64).expect("the high half is less than count")
    }

    /// One of the items.
    ///
    /// # Panics
    /// If there is none.
    pub fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// The place of what a player leans towards most, one of equals; now and then any, so that play meets rare things too. Where
    /// uniform play would wander about for ever, this comes to an end.
    ///
    /// # Panics
    /// If there is nothing to choose from.
    pub fn lean(&mut self, leanings: &[i64]) -> usize {
        const WHIM: usize = 12;
        let first = self.below(leanings.len());
        if self.below(WHIM) == 0 {
            return first;
        }
        let order = (first..leanings.len()).chain(0..first);
        order.max_by_key(|place| leanings[*place]).unwrap_or(first)
    }

    /// Brings `items` into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// How many outcomes of chance were drawn (choices do not count).
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }
}

impl Chance for Dice {
    fn draw(&mut self, _kind: &'static str, count: usize, _candidate: &Candidate<'_>) -> usize {
        self.draws += 1;
        self.below(count)
    }
}

impl Driver for Dice {
    fn choose(&mut self, count: usize) -> usize {
        self.below(count)
    }

    fn committed(&mut self) {}
}

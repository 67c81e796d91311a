//! Random numbers that cost nothing.

/// A generator by Marsaglia (xorshift), good enough to choose a move.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number from 0 to below `count`.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The upper bits are the better ones; the bias of a list of a few hundred is nothing.
        ((u128::from(self.0) * count as u128) >> 64) as usize
    }
}

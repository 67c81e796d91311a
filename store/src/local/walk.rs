//! A way through all records of a kind that goes on where a part of them cannot be read.
//!
//! sled's iterator ends at the first page that it cannot read, and nobody outside of it knows where that page ends. But any key can be
//! looked for: from a key on, the next record is found, or the page there cannot be read either. So the end is searched for, first in
//! growing steps, then by halves.

use sled::IVec;

use crate::error::{Damage, ReadError};
use crate::local::engine::Engine;
use crate::local::layout;

/// Keys are searched as numbers of so many bytes behind the first: more than tells any two of them apart.
const WIDTH: usize = 32;

type Number = [u8; WIDTH];
type Entry = (IVec, IVec);

/// The records of one kind, in order of key.
pub(crate) struct Walk<'a> {
    engine: &'a Engine,
    prefix: u8,
    rest: Option<Box<dyn Iterator<Item = Result<Entry, ReadError>> + 'a>>,
    last: Option<IVec>,
}

/// A part that cannot be read.
pub(crate) struct Gap {
    from: String,
    until: String,
    what: String,
}

impl Gap {
    pub(crate) fn named(self, kind: &'static str) -> Damage {
        let Gap { from, until, what } = self;
        Damage::Range { kind, from, until, what }
    }
}

impl<'a> Walk<'a> {
    pub(crate) fn new(engine: &'a Engine, [prefix]: [u8; 1]) -> Self {
        let mut walk = Walk { engine, prefix, rest: None, last: None };
        walk.rest = Some(walk.from(vec![prefix]));
        walk
    }

    fn from(&self, key: Vec<u8>) -> Box<dyn Iterator<Item = Result<Entry, ReadError>> + 'a> {
        Box::new(self.engine.range(key..vec![self.prefix + 1]))
    }

    fn key(&self, number: &Number) -> Vec<u8> {
        [&[self.prefix], number.as_slice()].concat()
    }

    /// The first record from there on: an error if that cannot be told.
    fn first_from(&self, number: &Number) -> Result<Option<Entry>, ReadError> {
        self.from(self.key(number)).next().transpose()
    }

    fn is_readable(&self, number: &Number) -> bool {
        self.first_from(number).is_ok()
    }

    /// Where something can be read again, behind the last record that was.
    fn readable_again(&self) -> Option<Number> {
        let mut low = [0; WIDTH];
        for (to, from) in low.iter_mut().zip(self.last.iter().flat_map(|key| key.iter().skip(1))) {
            *to = *from;
        }
        let start = low;
        let mut high = None;
        for bit in 0..8 * WIDTH {
            let Some(next) = plus(start, bit) else { break };
            if self.is_readable(&next) {
                high = Some(next);
                break;
            }
            low = next;
        }
        let mut high = high.or_else(|| Some([0xff; WIDTH]).filter(|end| self.is_readable(end)))?;
        loop {
            let middle = middle(low, high);
            if middle == low {
                return Some(high);
            }
            if self.is_readable(&middle) { high = middle } else { low = middle }
        }
    }

    fn gap(&mut self, error: &ReadError) -> Gap {
        let from =
            self.last.as_ref().map_or("the beginning".to_owned(), |key| layout::name_of_key(key));
        let again = self.readable_again();
        let next = again.and_then(|again| self.first_from(&again).ok().flatten());
        let until = next.map_or("the end".to_owned(), |(key, _)| layout::name_of_key(&key));
        self.rest = again.map(|again| self.from(self.key(&again)));
        Gap { from, until, what: error.to_string() }
    }
}

impl Iterator for Walk<'_> {
    type Item = Result<Entry, Gap>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.rest.as_mut()?.next()? {
            Ok((key, value)) => {
                self.last = Some(key.clone());
                Some(Ok((key, value)))
            }
            Err(error) => Some(Err(self.gap(&error))),
        }
    }
}

/// The number with a bit added, counted from the end; nothing if that is too large.
fn plus(number: Number, bit: usize) -> Option<Number> {
    let mut sum = number;
    let mut at = WIDTH - 1 - bit / 8;
    let (byte, mut carry) = sum[at].overflowing_add(1 << (bit % 8));
    sum[at] = byte;
    while carry {
        at = at.checked_sub(1)?;
        (sum[at], carry) = sum[at].overflowing_add(1);
    }
    Some(sum)
}

/// Half of the sum, rounded down.
fn middle(low: Number, high: Number) -> Number {
    let (mut sum, mut carry) = ([0; WIDTH], 0);
    for at in (0..WIDTH).rev() {
        let digit = u16::from(low[at]) + u16::from(high[at]) + carry;
        let [over, byte] = digit.to_be_bytes();
        (sum[at], carry) = (byte, u16::from(over));
    }
    let mut above = u8::try_from(carry).unwrap_or(0);
    for byte in &mut sum {
        let bit = *byte & 1;
        *byte = *byte >> 1 | above << 7;
        above = bit;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::{Number, WIDTH, middle, plus};

    fn number(last: [u8; 2]) -> Number {
        let mut number = [0; WIDTH];
        number[WIDTH - 2..].copy_from_slice(&last);
        number
    }

    #[test]
    fn numbers_are_added_and_halved() {
        assert_eq!(plus(number([1, 0xff]), 0), Some(number([2, 0])));
        assert_eq!(plus(number([0, 1]), 9), Some(number([2, 1])));
        assert_eq!(plus([0xff; WIDTH], 0), None);
        assert_eq!(middle(number([1, 0]), number([2, 1])), number([1, 0x80]));
        assert_eq!(middle(number([0, 4]), number([0, 5])), number([0, 4]));
        assert_eq!(middle([0xff; WIDTH], [0xff; WIDTH]), [0xff; WIDTH]);
    }
}

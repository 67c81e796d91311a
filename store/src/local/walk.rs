//! A way through all records of a kind that goes on where a part of them cannot be read.
//!
//! sled's iterator ends at the first page that it does not find, and nobody outside of it knows where that page ends. But any key can be
//! looked for: from a key on, the next record is found, or sled names the page that is missing. So the end of that page is searched for: from
//! above, since what is found is found at once, and what is missing takes a quarter of a second (`missing`).

use sled::IVec;

use crate::error::{Damage, ReadError};
use crate::local::engine::Engine;
use crate::local::layout;
use crate::local::missing;

/// Keys are searched as numbers of so many bytes behind the first: more than tells any two of them apart.
const WIDTH: usize = 32;

type Number = [u8; WIDTH];

/// Behind all keys.
const END: Number = [0xff; WIDTH];

/// So many records are read backwards to find where a missing page ends; beyond, it is looked for more closely first.
const BACK: usize = 1_000;

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

    /// The key of the first record from there on, or the page that is missing there, if sled names one.
    fn look(&self, number: &Number) -> Result<Option<IVec>, Option<u64>> {
        let first = self.from(self.key(number)).next().transpose();
        first.map(|entry| entry.map(|(key, _)| key)).map_err(|error| missing::page_of(&error))
    }

    /// Where something can be read again, behind the last record that was and the page that is missing there.
    fn readable_again(&self, mut page: Option<u64>) -> Option<Vec<u8>> {
        let mut low = [0; WIDTH];
        for (to, from) in low.iter_mut().zip(self.last.iter().flat_map(|key| key.iter().skip(1))) {
            *to = *from;
        }
        loop {
            let (mut high, mut found) = (END, self.look(&END));
            if found == Err(page) {
                return None;
            }
            // At `low` the page is missed, at `high` it is not.
            while let step = step(&low, &high)
                && step != [0; WIDTH]
            {
                if let Ok(first) = &found
                    && let Some(first) = self.back(first.as_ref(), page)
                {
                    return Some(first);
                }
                loop {
                    let next = minus(&high, &step);
                    if next <= low {
                        break;
                    }
                    let there = self.look(&next);
                    if there == Err(page) {
                        low = next;
                        break;
                    }
                    (high, found) = (next, there);
                }
            }
            match found {
                Ok(_) => return Some(self.key(&high)),
                // Another page that is missing begins where this one ends.
                Err(next) => (low, page) = (high, next),
            }
        }
    }

    /// The first record behind a missing page, if it is not far before `first` (before the end of all).
    fn back(&self, first: Option<&IVec>, page: Option<u64>) -> Option<Vec<u8>> {
        let until = first.map_or(vec![self.prefix + 1], |key| key.to_vec());
        let mut first = first.map_or(self.key(&END), |key| key.to_vec());
        for entry in self.engine.range(vec![self.prefix]..until).rev().take(BACK) {
            match entry {
                Ok((key, _)) => first = key.to_vec(),
                Err(error) => return (missing::page_of(&error) == page).then_some(first),
            }
        }
        None
    }

    fn gap(&mut self, error: &ReadError) -> Gap {
        let name = |key: &IVec| layout::name_of_key(key);
        let from = self.last.as_ref().map_or("the beginning".to_owned(), name);
        let again = self.readable_again(missing::page_of(error));
        // It goes on, or it ends: it never goes back.
        let again = again.filter(|again| self.last.as_ref().is_none_or(|last| **last < **again));
        let next = again.clone().and_then(|again| self.from(again).next()?.ok());
        let until = next.map_or("the end".to_owned(), |(key, _)| name(&key));
        self.rest = again.map(|again| self.from(again));
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

/// The difference of two numbers.
fn minus(from: &Number, what: &Number) -> Number {
    let (mut difference, mut borrow) = (*from, false);
    for (digit, less) in difference.iter_mut().zip(what).rev() {
        let (rest, first) = digit.overflowing_sub(*less);
        let (rest, second) = rest.overflowing_sub(u8::from(borrow));
        (*digit, borrow) = (rest, first || second);
    }
    difference
}

/// A part in 256 of what lies between two numbers, at least 1; 0 if nothing does.
fn step(low: &Number, high: &Number) -> Number {
    let mut step = minus(high, low);
    let is_next = step[..WIDTH - 1] == [0; WIDTH - 1] && step[WIDTH - 1] <= 1;
    step.rotate_right(1);
    step[0] = 0;
    if step == [0; WIDTH] && !is_next {
        step[WIDTH - 1] = 1;
    }
    step
}

#[cfg(test)]
mod tests {
    use super::{END, Number, WIDTH, minus, step};

    fn number(last: [u8; 2]) -> Number {
        let mut number = [0; WIDTH];
        number[WIDTH - 2..].copy_from_slice(&last);
        number
    }

    #[test]
    fn numbers_are_subtracted_and_parted() {
        assert_eq!(minus(&number([2, 0]), &number([1, 0xff])), number([0, 1]));
        assert_eq!(minus(&END, &END), number([0, 0]));
        assert_eq!(step(&number([0, 7]), &number([3, 6])), number([0, 2]));
        assert_eq!(step(&number([0, 7]), &number([0, 9])), number([0, 1]));
        assert_eq!(step(&number([0, 7]), &number([0, 8])), number([0, 0]));
        assert_eq!(step(&number([0, 7]), &number([0, 7])), number([0, 0]));
    }
}

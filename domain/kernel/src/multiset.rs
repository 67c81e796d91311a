//! Sets and multisets of pieces, as small as the pieces are few. Their JSON is an array in the order of the pieces.

use std::fmt;
use std::marker::PhantomData;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json::ascending;

/// One of a fixed, ordered list of pieces: what [`Set`] and [`Bag`] hold.
pub trait Piece: Copy + Eq + 'static {
    /// How many there are.
    const COUNT: usize;
    /// Place in the list, less than [`COUNT`](Piece::COUNT).
    fn index(self) -> usize;
    /// The piece at this place of the list.
    ///
    /// # Panics
    /// If `index` is not less than [`COUNT`](Piece::COUNT).
    fn at(index: usize) -> Self;
}

/// A set of pieces, of which there are at most 32. JSON: an array, strictly ascending in the order of the pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Set<T> {
    bits: u32,
    piece: PhantomData<T>,
}

impl<T: Piece> Set<T> {
    /// The set of nothing.
    pub const EMPTY: Self = Set { bits: 0, piece: PhantomData };

    /// The set of all pieces of the kind.
    #[must_use]
    pub fn all() -> Self {
        Set { bits: u32::MAX >> (32 - T::COUNT), piece: PhantomData }
    }

    /// Is nothing in it?
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many pieces are in it.
    #[must_use]
    pub fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Is the piece in it?
    #[must_use]
    pub fn contains(self, piece: T) -> bool {
        self.bits >> piece.index() & 1 == 1
    }

    /// The set with the piece in it.
    #[must_use]
    pub fn with(self, piece: T) -> Self {
        Set { bits: self.bits | 1 << piece.index(), piece: PhantomData }
    }

    /// The set without the piece.
    #[must_use]
    pub fn without(self, piece: T) -> Self {
        Set { bits: self.bits & !(1 << piece.index()), piece: PhantomData }
    }

    /// The pieces of both sets.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Set { bits: self.bits & other.bits, piece: PhantomData }
    }

    /// The pieces, ascending.
    pub fn iter(self) -> impl Iterator<Item = T> + Clone {
        let mut bits = self.bits;
        std::iter::from_fn(move || {
            let index = bits.trailing_zeros() as usize;
            bits &= bits.wrapping_sub(1);
            (index < 32).then(|| T::at(index))
        })
    }

    /// The piece with this place among those in the set.
    ///
    /// # Panics
    /// If the set has fewer pieces.
    #[must_use]
    pub fn nth(self, place: usize) -> T {
        self.iter().nth(place).expect("the caller counted the set")
    }
}

impl<T: Piece> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(pieces: I) -> Self {
        pieces.into_iter().fold(Set::EMPTY, Set::with)
    }
}

impl<T: Piece + fmt::Debug> fmt::Debug for Set<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl<T: Piece + Serialize> Serialize for Set<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Piece + Deserialize<'de>> Deserialize<'de> for Set<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pieces = ascending(deserializer, |before: &T, piece| before.index() < piece.index())?;
        Ok(pieces.into_iter().collect())
    }
}

/// A multiset of pieces of `N` kinds, at most 255 of each. JSON: an array in the order of the pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Bag<T, const N: usize> {
    counts: [u8; N],
    piece: PhantomData<T>,
}

impl<T: Piece, const N: usize> Default for Bag<T, N> {
    fn default() -> Self {
        Bag::EMPTY
    }
}

impl<T: Piece, const N: usize> Bag<T, N> {
    /// Nothing.
    pub const EMPTY: Self = Bag { counts: [0; N], piece: PhantomData };

    /// `count` of each kind.
    #[must_use]
    pub fn of_each(count: u8) -> Self {
        Bag { counts: [count; N], piece: PhantomData }
    }

    /// `count` of one kind.
    #[must_use]
    pub fn of(piece: T, count: u8) -> Self {
        let mut bag = Self::EMPTY;
        bag.counts[piece.index()] = count;
        bag
    }

    /// Is there nothing?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts == [0; N]
    }

    /// How many pieces there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.iter().map(|count| usize::from(*count)).sum()
    }

    /// How many of this piece there are.
    #[must_use]
    pub fn count(&self, piece: T) -> u8 {
        self.counts[piece.index()]
    }

    /// Is the piece there?
    #[must_use]
    pub fn contains(&self, piece: T) -> bool {
        self.count(piece) > 0
    }

    /// Are at least as many of each piece there as in `other`?
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        self.counts.iter().zip(&other.counts).all(|(have, want)| have >= want)
    }

    /// One more of the piece; a 256th is lost.
    pub fn add(&mut self, piece: T) {
        let count = &mut self.counts[piece.index()];
        *count = count.saturating_add(1);
    }

    /// One less of the piece, if there is one.
    pub fn remove(&mut self, piece: T) {
        let count = &mut self.counts[piece.index()];
        *count = count.saturating_sub(1);
    }

    /// The pieces of `other` too.
    pub fn add_all(&mut self, other: &Self) {
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
    }

    /// The pieces of `other` less, as far as they are there.
    pub fn remove_all(&mut self, other: &Self) {
        for (count, less) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_sub(*less);
        }
    }

    /// All of one piece, and nothing else.
    #[must_use]
    pub fn only(&self, piece: T) -> Self {
        Bag::of(piece, self.count(piece))
    }

    /// The different pieces, ascending.
    pub fn kinds(&self) -> impl Iterator<Item = T> + use<T, N> {
        let counts = self.counts;
        (0..N).filter(move |index| counts[*index] > 0).map(T::at)
    }

    /// All pieces, ascending, equal ones repeated.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T, N> {
        let counts = self.counts;
        (0..N).flat_map(move |index| std::iter::repeat_n(T::at(index), usize::from(counts[index])))
    }

    /// The piece with this place among all, equal ones repeated.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub fn nth(&self, place: usize) -> T {
        let mut place = place;
        for (index, count) in self.counts.iter().enumerate() {
            match place.checked_sub(usize::from(*count)) {
                Some(rest) => place = rest,
                None => return T::at(index),
            }
        }
        unreachable!("the caller counted the pieces")
    }
}

impl<T: Piece, const N: usize> FromIterator<T> for Bag<T, N> {
    fn from_iter<I: IntoIterator<Item = T>>(pieces: I) -> Self {
        let mut bag = Bag::EMPTY;
        pieces.into_iter().for_each(|piece| bag.add(piece));
        bag
    }
}

impl<T: Piece + fmt::Debug, const N: usize> fmt::Debug for Bag<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: Piece + Serialize, const N: usize> Serialize for Bag<T, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de, T: Piece + Deserialize<'de>, const N: usize> Deserialize<'de> for Bag<T, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let pieces = ascending(deserializer, |before: &T, piece| before.index() <= piece.index())?;
        let bag: Bag<T, N> = pieces.iter().copied().collect();
        if bag.len() < pieces.len() {
            return Err(D::Error::custom("a multiset holds at most 255 of a piece"));
        }
        Ok(bag)
    }
}

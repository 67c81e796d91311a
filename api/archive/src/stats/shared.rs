//! A list in pieces that its copies share: a copy that goes on copies no more than the pieces that it changes.

use std::sync::Arc;

/// So many are one piece.
pub(super) const PIECE: usize = 1_024;

/// A list that grows at its end. All pieces but the last are full.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Shared<T>(pub(super) Vec<Arc<Vec<T>>>);

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Shared(Vec::new())
    }
}

impl<T> Shared<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flat_map(|piece| piece.iter())
    }

    pub(super) fn get(&self, at: usize) -> Option<&T> {
        self.0.get(at / PIECE)?.get(at % PIECE)
    }

    pub(super) fn len(&self) -> usize {
        self.0.last().map_or(0, |last| (self.0.len() - 1) * PIECE + last.len())
    }
}

impl<T: Clone> Shared<T> {
    pub(super) fn push(&mut self, one: T) {
        match self.0.last_mut().filter(|last| last.len() < PIECE) {
            Some(last) => Arc::make_mut(last).push(one),
            None => self.0.push(Arc::new(vec![one])),
        }
    }

    /// For a change: the piece is a copy of our own then.
    pub(super) fn get_mut(&mut self, at: usize) -> Option<&mut T> {
        Arc::make_mut(self.0.get_mut(at / PIECE)?).get_mut(at % PIECE)
    }
}

impl<T: Clone> FromIterator<T> for Shared<T> {
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut shared = Shared::default();
        all.into_iter().for_each(|one| shared.push(one));
        shared
    }
}

//! Positions of a match's past that are kept in memory: any version is folded from the nearest one before it.

use std::collections::BTreeMap;

use journal::Folded;

/// Of matches with more events positions are kept while they are played and loaded, too, not only when somebody looks back.
const LONG: u64 = 2_000;
/// How many there are at most, of a match and of a long one,
const MOST: usize = 32;
const MOST_OF_LONG: usize = 1_024;
/// how much memory they take at most, in bytes,
const MOST_BYTES: usize = 4 << 20;
/// and how many events lie between them at least.
const EVERY: u64 = 32;
const EVERY_OF_LONG: u64 = 128;

/// The kept positions by version, each with its bytes.
#[derive(Default)]
pub(crate) struct Marks {
    kept: BTreeMap<u64, (Folded, usize)>,
    bytes: usize,
    /// How many events lie between them; 0 before the first one.
    every: u64,
}

impl Marks {
    /// The one that is nearest to `version`, not after it.
    pub(crate) fn nearest(&self, version: u64) -> Option<Folded> {
        self.kept.range(..=version).next_back().map(|(_, (folded, _))| folded.clone())
    }

    /// How much memory they take, in bytes, and rather more.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Keeps the match at the end of a commit; it has `length` events now. When there are too many, some go, so that about as many events
    /// lie between all that stay.
    pub(crate) fn keep(&mut self, folded: &Folded, length: u64) {
        let bytes = folded.bytes();
        let before = self.kept.insert(folded.version, (folded.clone(), bytes));
        self.bytes = self.bytes + bytes - before.map_or(0, |(_, bytes)| bytes);
        let (most, every) =
            if length > LONG { (MOST_OF_LONG, EVERY_OF_LONG) } else { (MOST, EVERY) };
        self.every = self.every.max(every);
        let is_full = |marks: &Self| {
            marks.kept.len() > 1 && (marks.kept.len() > most || marks.bytes > MOST_BYTES)
        };
        if is_full(self) {
            self.thin();
        }
        while is_full(self) {
            self.every *= 2;
            self.thin();
        }
    }

    /// Keeps the match after the commit that began at version `before`, where the next position is due.
    pub(crate) fn pass(&mut self, before: u64, folded: &Folded, length: u64) {
        let every = self.every.max(if length > LONG { EVERY_OF_LONG } else { EVERY });
        if before / every < folded.version / every {
            self.keep(folded, length);
        }
    }

    /// The same while a match is played or loaded: of one that is not long, nobody may ever look back.
    pub(crate) fn grow(&mut self, before: u64, folded: &Folded) {
        if folded.version > LONG {
            self.pass(before, folded, folded.version);
        }
    }

    /// The first of those that lie together stays.
    fn thin(&mut self) {
        let (every, bytes) = (self.every, &mut self.bytes);
        let mut last = None;
        self.kept.retain(|version, (_, own)| {
            let is_first = last.replace(*version / every) != Some(*version / every);
            *bytes -= if is_first { 0 } else { *own };
            is_first
        });
    }

    /// None are kept any more.
    pub(crate) fn clear(&mut self) {
        *self = Marks::default();
    }
}

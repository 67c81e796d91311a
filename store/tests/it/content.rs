//! What the tests write: bytes that follow from stream and number, so that any reader can tell whether they are whole.

use std::ops::RangeInclusive;

use store::{Commit, Store, StreamId, Write};

/// A small generator for tests: the same seed gives the same numbers (SplitMix64).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }
}

pub(crate) fn stream(n: u64) -> StreamId {
    let mut id = [0; 16];
    id[..8].copy_from_slice(&(1000 + n).to_be_bytes());
    id[8..].copy_from_slice(&n.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    StreamId(id)
}

/// Mostly a page of text that compresses well; now and then nothing, noise, or far more than a record of sled takes.
pub(crate) fn bytes(stream: StreamId, number: u64) -> Vec<u8> {
    let mut dice =
        Dice(u64::from_be_bytes(stream.0[8..].try_into().expect("eight bytes")) ^ number);
    let text = format!("{{\"stream\":\"{stream}\",\"number\":{number},\"event\":\"tile_placed\"}}");
    match dice.below(40) {
        0 => Vec::new(),
        1 => (0..20_000).map(|_| dice.below(256) as u8).collect(),
        2 => text.repeat(1_000).into_bytes(),
        n => text.repeat(n as usize / 3 + 1).into_bytes(),
    }
}

/// Now and then far more than a record of sled takes.
pub(crate) fn header(stream: StreamId) -> Vec<u8> {
    let mut dice = Dice(stream.0[7].into());
    let length = if dice.below(4) == 0 { 10_000 } else { 0 };
    let mut header = format!("{stream} was begun").into_bytes();
    header.extend((0..length).map(|_| dice.below(256) as u8));
    header
}

pub(crate) fn note_key(stream: StreamId, number: u64) -> Vec<u8> {
    format!("{stream}/{number}").into_bytes()
}

/// The commit of that number, the first one with a header, together with a note.
pub(crate) fn write(stream: StreamId, number: u64) -> Write {
    let header = (number == 1).then(|| header(stream));
    Write {
        commit: Some(Commit { stream, number, bytes: bytes(stream, number), header }),
        notes: vec![(note_key(stream, number), number.to_string().into_bytes())],
    }
}

/// Writes the commits with these numbers, one after the other.
pub(crate) fn append(store: &Store, stream: StreamId, numbers: RangeInclusive<u64>) {
    for number in numbers {
        store.submit(write(stream, number)).wait().expect("stored");
    }
}

/// Asserts that the store holds whole streams of that content and nothing else, and that feed, headers and notes agree.
/// Returns the number of commits.
pub(crate) fn assert_whole(store: &Store) -> u64 {
    assert_eq!(store.check(&mut |_| {}).damage, []);
    let feed = store.feed(0, usize::MAX).expect("the feed");
    let positions: Vec<u64> = feed.iter().map(|stored| stored.position).collect();
    let expected: Vec<u64> = (1..=store.position()).collect();
    assert_eq!(positions, expected);
    let mut counts = std::collections::BTreeMap::new();
    for stored in &feed {
        let count = counts.entry(stored.stream).or_insert(0);
        *count += 1;
        assert_eq!(stored.number, *count, "the feed has a stream's commits in their order");
        assert_eq!(*stored.bytes, *bytes(stored.stream, stored.number));
        let note = store.note(&note_key(stored.stream, stored.number)).expect("a note");
        assert_eq!(note, Some(stored.number.to_string().into_bytes()));
    }
    for (&stream, &count) in &counts {
        let commits = store.commits(stream, 0, usize::MAX).expect("a stream");
        assert_eq!(commits.len() as u64, count);
        assert_eq!(store.last(stream).expect("a last commit").as_ref(), commits.last());
        assert_eq!(store.note(&note_key(stream, count + 1)).expect("readable"), None);
    }
    let headers: Vec<_> = counts.keys().rev().map(|stream| (*stream, header(*stream))).collect();
    assert_eq!(store.headers(None, usize::MAX).expect("the headers"), headers);
    store.position()
}

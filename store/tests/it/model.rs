//! Any sequence of writes, reads and restarts does what a map in memory does.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::vec;
use proptest::prelude::*;
use store::{Commit, Store, StreamId, Write, WriteError};

use crate::engines::{self, Home};

/// One step. Streams, notes and values come from few, so that they meet.
#[derive(Clone, Debug)]
enum Step {
    /// Writes that are submitted before any of them is waited for.
    Write(Vec<Planned>),
    /// Notes that are removed.
    Forget(Vec<u8>),
    Page {
        after: u64,
        limit: usize,
    },
    Headers {
        before: Option<u8>,
        limit: usize,
    },
    Commits {
        stream: u8,
        after: u64,
        limit: usize,
    },
    Reopen,
}

#[derive(Clone, Debug)]
struct Planned {
    /// The stream, and how far its number is from the right one.
    commit: Option<(u8, i8)>,
    header: Header,
    notes: Vec<u8>,
    value: Vec<u8>,
}

/// Whether a commit comes with a header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Header {
    None,
    WithFirst,
    /// With a later commit too, which is wrong.
    Always,
}

/// Notes have keys below this: so many that a few meet.
const NOTES: u8 = 60;

fn planned() -> impl Strategy<Value = Planned> {
    let off = prop_oneof![8 => Just(0), 1 => Just(-1), 1 => Just(1)];
    let value = prop_oneof![
        vec(any::<u8>(), 0..40),
        (any::<u8>(), 0..30_000_usize).prop_map(|(byte, length)| vec![byte; length]),
        (any::<u64>(), 0..14_000_usize).prop_map(|(seed, length)| {
            let mut dice = crate::content::Dice(seed);
            (0..length).map(|_| dice.below(256) as u8).collect()
        }),
    ];
    let commit = prop::option::weighted(0.8, (0..4_u8, off));
    let header = prop_oneof![
        5 => Just(Header::None),
        10 => Just(Header::WithFirst),
        1 => Just(Header::Always),
    ];
    (commit, header, vec(0..NOTES, 0..3), value)
        .prop_map(|(commit, header, notes, value)| Planned { commit, header, notes, value })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => vec(planned(), 1..6).prop_map(Step::Write),
        2 => vec(0..NOTES, 0..20).prop_map(Step::Forget),
        2 => (0..60_u64, 0..20_usize).prop_map(|(after, limit)| Step::Page { after, limit }),
        1 => (prop::option::of(0..5_u8), 0..5_usize).prop_map(|(before, limit)| Step::Headers { before, limit }),
        2 => (0..5_u8, 0..20_u64, 0..10_usize)
            .prop_map(|(stream, after, limit)| Step::Commits { stream, after, limit }),
        1 => Just(Step::Reopen),
    ]
}

#[derive(Default)]
struct Model {
    streams: BTreeMap<u8, Vec<Vec<u8>>>,
    feed: Vec<(u8, u64)>,
    headers: BTreeMap<u8, Vec<u8>>,
    notes: BTreeMap<u8, Vec<u8>>,
}

impl Model {
    fn write(&mut self, planned: &Planned) -> (Write, Result<u64, WriteError>) {
        let commit = planned.commit.map(|(stream, off)| {
            let last = self.streams.get(&stream).map_or(0, Vec::len) as u64;
            let number = (last + 1).saturating_add_signed(i64::from(off));
            let has_header = planned.header == Header::Always
                || planned.header == Header::WithFirst && number == 1;
            let header = has_header.then(|| planned.value.clone());
            (stream, Commit { stream: id(stream), number, bytes: planned.value.clone(), header })
        });
        let refusal = self.refusal(planned, commit.as_ref());
        if let (None, Some((stream, commit))) = (&refusal, &commit) {
            self.streams.entry(*stream).or_default().push(commit.bytes.clone());
            self.feed.push((*stream, commit.number));
            self.headers.extend(commit.header.clone().map(|header| (*stream, header)));
        }
        if refusal.is_none() {
            self.notes.extend(planned.notes.iter().map(|key| (*key, planned.value.clone())));
        }
        let notes = planned.notes.iter().map(|key| (note(*key), planned.value.clone())).collect();
        let write = Write { commit: commit.map(|(_, commit)| commit), notes };
        (write, refusal.map_or(Ok(self.feed.len() as u64), Err))
    }

    /// Why a write is refused, in the order in which the store looks.
    fn refusal(&self, planned: &Planned, commit: Option<&(u8, Commit)>) -> Option<WriteError> {
        if let Some((stream, Commit { number, header, .. })) = commit {
            if header.is_some() && *number != 1 {
                let why = format!("a header is written with commit 1, not with commit {number}");
                return Some(WriteError::Unavailable(why));
            }
            let last = self.streams.get(stream).map_or(0, Vec::len) as u64;
            if *number != last + 1 {
                return Some(WriteError::Conflict { last });
            }
        }
        let mut own = BTreeSet::new();
        let mut keys = planned.notes.iter();
        let taken = keys.find(|key| self.notes.contains_key(key) || !own.insert(**key));
        taken.map(|key| WriteError::NoteTaken { key: note(*key) })
    }

    fn stored(&self, position: u64) -> (StreamId, u64, u64, Vec<u8>) {
        let (stream, number) = self.feed[position as usize - 1];
        (id(stream), number, position, self.streams[&stream][number as usize - 1].clone())
    }
}

fn id(stream: u8) -> StreamId {
    StreamId([stream; 16])
}

/// Keys of which one is the beginning of another.
fn note(key: u8) -> Vec<u8> {
    vec![0; usize::from(key)]
}

fn plain(stored: Vec<store::Stored>) -> Vec<(StreamId, u64, u64, Vec<u8>)> {
    stored.into_iter().map(|s| (s.stream, s.number, s.position, s.bytes.to_vec())).collect()
}

fn check(store: &Store, model: &Model) {
    assert_eq!(store.position(), model.feed.len() as u64);
    for stream in 0..5 {
        let positions = 1..=model.feed.len();
        let last = positions.rev().find(|position| model.feed[position - 1].0 == stream);
        let found = plain(store.last(id(stream)).expect("readable").into_iter().collect());
        assert_eq!(
            found,
            last.map(|position| model.stored(position as u64)).into_iter().collect::<Vec<_>>()
        );
        assert_eq!(
            store.header(id(stream)).expect("readable"),
            model.headers.get(&stream).cloned()
        );
    }
    for key in 0..NOTES {
        assert_eq!(store.note(&note(key)).expect("readable"), model.notes.get(&key).cloned());
    }
}

fn write(store: &Store, model: &mut Model, planned: &[Planned]) {
    let (writes, expected): (Vec<_>, Vec<_>) =
        planned.iter().map(|planned| model.write(planned)).unzip();
    let tickets: Vec<_> = writes.iter().map(|write| store.submit(write.clone())).collect();
    let end = model.feed.len() as u64;
    for ((ticket, expected), write) in tickets.into_iter().zip(expected).zip(&writes) {
        let answer = ticket.wait();
        // Without a commit the position is that of the batch's end, which may lie further on.
        let is_further = match (&answer, &expected) {
            (Ok(answer), Ok(own)) => write.commit.is_none() && (*own..=end).contains(answer),
            (Ok(_) | Err(_), _) => false,
        };
        assert!(answer == expected || is_further, "{answer:?} instead of {expected:?}");
    }
}

fn page(store: &Store, model: &Model, after: u64, limit: usize) {
    let end = (model.feed.len() as u64).min(after + limit as u64);
    let expected: Vec<_> = (after + 1..=end).map(|position| model.stored(position)).collect();
    assert_eq!(plain(store.feed(after, limit).expect("readable")), expected);
}

fn headers(store: &Store, model: &Model, before: Option<u8>, limit: usize) {
    let all = model
        .headers
        .iter()
        .rev()
        .filter(|(stream, _)| before.is_none_or(|before| **stream < before));
    let expected: Vec<_> =
        all.take(limit).map(|(stream, value)| (id(*stream), value.clone())).collect();
    assert_eq!(store.headers(before.map(id), limit).expect("readable"), expected);
}

fn commits(store: &Store, model: &Model, stream: u8, after: u64, limit: usize) {
    let is_wanted = |(other, number): (u8, u64)| other == stream && number > after;
    let positions =
        (1..=model.feed.len()).filter(|position| is_wanted(model.feed[position - 1])).take(limit);
    let expected: Vec<_> = positions.map(|position| model.stored(position as u64)).collect();
    assert_eq!(plain(store.commits(id(stream), after, limit).expect("readable")), expected);
}

fn run(home: &Home, steps: Vec<Step>) {
    let mut store = home.open();
    let mut model = Model::default();
    for step in steps {
        match step {
            Step::Write(planned) => write(&store, &mut model, &planned),
            Step::Forget(keys) => {
                let notes: Vec<_> = keys.iter().map(|key| note(*key)).collect();
                assert_eq!(store.forget(&notes).wait(), Ok(store.position()));
                model.notes.retain(|key, _| !keys.contains(key));
            }
            Step::Page { after, limit } => page(&store, &model, after, limit),
            Step::Headers { before, limit } => headers(&store, &model, before, limit),
            Step::Commits { stream, after, limit } => commits(&store, &model, stream, after, limit),
            Step::Reopen => {
                drop(store);
                store = home.open();
            }
        }
        check(&store, &model);
    }
    assert_eq!(store.check(&mut |_| {}).damage, []);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_store_is_a_map_that_remembers(steps in vec(step(), 1..60)) {
        engines::each(|home| run(home, steps.clone()));
    }
}

//! Readers see what is durable, and of a write all or nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use store::{Commit, Config, Store, StreamId, Write};

use crate::content;

const COMMITS: u64 = 1_500;

/// A header or note whose commit cannot be seen yet would come from a write that is not durable; and whoever sees a commit must find what
/// came with it.
#[test]
fn a_commit_and_its_header_and_notes_are_seen_together() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let stream = content::stream(0);
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    look(&store, stream);
                }
            });
        }
        for number in 1..=COMMITS {
            let write = content::write(stream, number);
            // Two in flight, so that a batch is often written while the next one waits.
            let extra = store.submit(Write {
                notes: vec![(b"extra".to_vec(), vec![0; 100])],
                ..Write::default()
            });
            assert_eq!(store.submit(write).wait(), Ok(number));
            assert!(extra.wait().is_ok());
        }
        is_done.store(true, Ordering::Relaxed);
    });
    assert_eq!(store.position(), COMMITS);
}

/// Reads a note, the header and the position, then the commits: these must not be behind.
fn look(store: &Store, stream: StreamId) {
    let next = store.position() + 1;
    let note = store.note(&content::note_key(stream, next)).expect("readable");
    let header = store.header(stream).expect("readable");
    let position = store.position();
    let last = store.last(stream).expect("readable").map_or(0, |stored| stored.number);
    assert!(note.is_none() || last >= next, "note {next} is seen before its commit");
    assert!(last >= position, "position {position}, but the last commit is {last}");
    if last > 0 {
        let note = store.note(&content::note_key(stream, last)).expect("readable");
        assert!(note.is_some(), "commit {last} is seen before its note");
    }
    let is_durable =
        |header: &Vec<u8>| (0..=last).rev().any(|count| content::header(stream, count) == *header);
    assert!(header.as_ref().is_none_or(is_durable), "{header:?} is seen before commit {last}");
    let listed = store.headers(None, 10).expect("readable");
    assert!(listed.len() <= 1 && (header.is_none() || !listed.is_empty()));
}

#[test]
fn a_conflict_stores_nothing_of_its_write_and_hinders_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let (first, second) = (content::stream(1), content::stream(2));
    // All at once, so that most are in one batch.
    let tickets: Vec<_> = (0..8)
        .map(|_| (store.submit(content::write(first, 1)), content::write(second, 1)))
        .collect();
    let answers: Vec<_> = tickets
        .into_iter()
        .map(|(ticket, other)| (ticket.wait(), store.submit(other).wait()))
        .collect();
    let accepted = |n: usize| {
        answers.iter().filter(|a| if n == 0 { a.0.is_ok() } else { a.1.is_ok() }).count()
    };
    assert_eq!((accepted(0), accepted(1)), (1, 1));
    assert_eq!(store.position(), 2);

    let commit = Commit { stream: first, number: 7, bytes: Vec::new() };
    let gap = Write {
        commit: Some(commit),
        header: Some((first, vec![1])),
        notes: vec![(b"gap".to_vec(), vec![])],
    };
    assert_eq!(store.submit(gap).wait(), Err(store::WriteError::Conflict { last: 1 }));
    assert_eq!(store.note(b"gap").expect("readable"), None);
    assert_eq!(content::assert_whole(&store), 2);
}

#[test]
fn what_is_too_long_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let note = |key: usize, value: usize| Write {
        notes: vec![(vec![1; key], vec![2; value])],
        ..Write::default()
    };
    assert!(store.submit(note(Write::NOTE_KEY_BYTES + 1, 0)).wait().is_err());
    assert!(store.submit(note(1, Write::VALUE_BYTES + 1)).wait().is_err());
    assert!(store.submit(note(Write::NOTE_KEY_BYTES, Write::VALUE_BYTES)).wait().is_ok());
    assert_eq!(
        store.note(&[1; Write::NOTE_KEY_BYTES]).expect("readable").map(|note| note.len()),
        Some(Write::VALUE_BYTES)
    );
    assert!(store.healthy());
}

/// sled writes files of its own for pages that are too long, and does not sync them: there must be none.
#[test]
fn no_file_is_written_that_is_not_synced() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let stream = content::stream(3);
    let mut dice = content::Dice(5);
    for number in 1..=200 {
        let bytes: Vec<u8> = (0..dice.below(60_000)).map(|_| dice.below(256) as u8).collect();
        let header = Some((stream, bytes.clone()));
        let notes = vec![(number.to_string().into_bytes(), bytes.clone())];
        let write =
            Write { commit: Some(Commit { stream, number, bytes: bytes.clone() }), header, notes };
        assert_eq!(store.submit(write).wait(), Ok(number));
        assert_eq!(*store.last(stream).expect("readable").expect("a commit").bytes, *bytes);
    }
    let blobs = std::fs::read_dir(folder.path().join("log/blobs")).expect("sled makes the folder");
    assert_eq!(blobs.count(), 0);
}

/// More writes at once than may wait: each is stored or refused, and who refuses stays healthy.
#[test]
fn a_flood_is_stored_or_refused_but_not_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let note = |n: u32| Write {
        notes: vec![(n.to_be_bytes().to_vec(), vec![7; 600])],
        ..Write::default()
    };
    let tickets: Vec<_> = (0..50_000).map(|n| (n, store.submit(note(n)))).collect();
    for (n, ticket) in tickets {
        let is_stored = ticket.wait().is_ok();
        assert_eq!(
            store.note(&n.to_be_bytes()).expect("readable").is_some(),
            is_stored,
            "note {n}"
        );
    }
    assert!(store.healthy());
}

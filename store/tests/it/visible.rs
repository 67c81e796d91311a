//! Readers see what is durable, and of a write all or nothing.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use store::{Commit, Config, Store, StreamId, Write, WriteError};

use crate::content;
use crate::engines;

const COMMITS: u64 = 1_500;

/// A header or note whose commit cannot be seen yet would come from a write that is not durable; and whoever sees a commit must find what
/// came with it.
#[test]
fn a_commit_and_its_header_and_notes_are_seen_together() {
    engines::each(|home| {
        let store = home.open();
        let is_done = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_done.load(Ordering::Relaxed) {
                        look(&store);
                    }
                });
            }
            for position in 1..=COMMITS {
                let (stream, number) = place(position);
                // Two in flight, so that a batch is often written while the next one waits.
                let extra = store.submit(note(&position.to_string()));
                assert_eq!(store.submit(content::write(stream, number)).wait(), Ok(position));
                assert!(extra.wait().is_ok());
            }
            is_done.store(true, Ordering::Relaxed);
        });
        assert_eq!(store.position(), COMMITS);
    });
}

/// Streams of three commits each, one after another.
fn place(position: u64) -> (StreamId, u64) {
    (content::stream((position - 1) / 3), (position - 1) % 3 + 1)
}

fn note(key: &str) -> Write {
    Write { notes: vec![(key.into(), vec![0; 100])], ..Write::default() }
}

fn last(store: &Store, stream: StreamId) -> u64 {
    store.last(stream).expect("readable").map_or(0, |stored| stored.number)
}

/// Reads what belongs to the commit that comes next, then the commits: these must not be behind. Then the same the other way round.
fn look(store: &Store) {
    let (stream, number) = place(store.position() + 1);
    let note = store.note(&content::note_key(stream, number)).expect("readable");
    let header = store.header(stream).expect("readable");
    let newest = store.headers(None, 1).expect("readable").pop().map(|(stream, _)| stream);
    let found = last(store, stream);
    assert!(note.is_none() || found >= number, "note {number} is seen before its commit");
    assert!(header.is_none() || found >= 1, "a header is seen before commit 1");
    assert!(newest.is_none_or(|newest| last(store, newest) >= 1), "a header is listed too early");

    let position = store.position();
    if position == 0 {
        return;
    }
    let (stream, number) = place(position);
    let note = store.note(&content::note_key(stream, number)).expect("readable");
    assert!(note.is_some(), "commit {number} is seen before its note");
    let header = store.header(stream).expect("readable");
    assert_eq!(header, Some(content::header(stream)), "a commit is seen before its header");
    let newest = store.headers(None, 1).expect("readable").pop().map(|(stream, _)| stream);
    assert!(newest >= Some(stream), "a commit is seen before its header is listed");
    let found = last(store, stream);
    assert!(found >= number, "position {position}, but the last commit is {found}");
}

#[test]
fn a_conflict_stores_nothing_of_its_write_and_hinders_no_other() {
    engines::each(|home| {
        let store = home.open();
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

        let commit = Commit { stream: first, number: 7, bytes: Vec::new(), header: None };
        let gap = Write { commit: Some(commit), notes: vec![(b"gap".to_vec(), vec![])] };
        assert_eq!(store.submit(gap).wait(), Err(WriteError::Conflict { last: 1 }));
        assert_eq!(store.note(b"gap").expect("readable"), None);
        assert_eq!(content::assert_whole(&store), 2);
    });
}

#[test]
fn a_note_is_written_once() {
    engines::each(|home| {
        let store = home.open();
        store.submit(content::write(content::stream(0), 1)).wait().expect("durable");
        let taken = content::note_key(content::stream(0), 1);
        let error = WriteError::NoteTaken { key: taken.clone() };
        let first = content::write(content::stream(1), 1);
        let again = |key: &[u8]| {
            let mut write = first.clone();
            write.notes.push((b"fresh".to_vec(), Vec::new()));
            write.notes.push((key.to_vec(), b"other".to_vec()));
            store.submit(write).wait()
        };
        assert_eq!(again(&taken), Err(error.clone()));
        assert_eq!(again(b"fresh"), Err(WriteError::NoteTaken { key: b"fresh".to_vec() }));
        let text = WriteError::NoteTaken { key: b"a\xff".to_vec() }.to_string();
        assert_eq!(text, "a note with the key a\\xff is there already");

        // Nothing of them is there, neither commit nor header nor the other notes.
        assert_eq!(store.note(b"fresh").expect("readable"), None);
        assert_eq!(store.note(&taken).expect("readable"), Some(b"1".to_vec()));
        assert_eq!(content::assert_whole(&store), 1);
        // A conflict is answered before a taken note.
        let mut late = content::write(content::stream(0), 1);
        late.notes = vec![(taken.clone(), Vec::new())];
        assert_eq!(store.submit(late).wait(), Err(WriteError::Conflict { last: 1 }));

        drop(store);
        let store = home.open();
        let retried = Write { notes: vec![(taken, Vec::new())], ..Write::default() };
        assert_eq!(store.submit(retried).wait(), Err(error));
        assert_eq!(store.submit(first).wait(), Ok(2));
        assert_eq!(content::assert_whole(&store), 2);
    });
}

/// Of many writes with the same note one is stored; whoever is told that the note is taken can read it, with all that came with it.
#[test]
fn whoever_is_refused_sees_what_is_in_the_way() {
    engines::each(|home| {
        let store = home.open();
        for round in 0..100_u64 {
            let key = round.to_be_bytes();
            let write = |nth: u64| {
                let mut write = content::write(content::stream(100 * round + nth), 1);
                write.notes.push((key.to_vec(), nth.to_string().into_bytes()));
                write
            };
            // While the writer is busy with another batch, they wait together, and are all in the next one.
            let before = store.submit(note(&format!("before round {round}")));
            let tickets: Vec<_> = (0..8).map(|nth| (nth, store.submit(write(nth)))).collect();
            assert!(before.wait().is_ok());
            for (nth, ticket) in tickets.into_iter().rev() {
                let expected = match nth {
                    0 => Ok(round + 1),
                    _ => Err(WriteError::NoteTaken { key: key.to_vec() }),
                };
                assert_eq!(ticket.wait(), expected);
                assert_eq!(store.note(&key).expect("readable"), Some(b"0".to_vec()));
                assert_eq!(store.position(), round + 1);
            }
        }
        assert_eq!(content::assert_whole(&store), 100);
    });
}

#[test]
fn a_header_comes_with_the_first_commit_or_never() {
    engines::each(|home| {
        let store = home.open();
        let (with, without) = (content::stream(0), content::stream(1));
        let write = |stream, number, header: Option<&[u8]>| {
            let commit =
                Commit { stream, number, bytes: vec![1], header: header.map(<[u8]>::to_vec) };
            store.submit(Write { commit: Some(commit), ..Write::default() }).wait()
        };
        assert_eq!(write(with, 1, Some(b"first")), Ok(1));
        assert_eq!(write(without, 1, None), Ok(2));
        assert_eq!(write(with, 1, Some(b"second")), Err(WriteError::Conflict { last: 1 }));
        for (stream, number) in [(with, 2), (without, 2), (without, 0), (with, 7)] {
            let refused = write(stream, number, Some(b"late"));
            let Err(WriteError::Unavailable(why)) = refused else { panic!("{refused:?}") };
            assert_eq!(why, format!("a header is written with commit 1, not with commit {number}"));
        }
        let expected = vec![(with, b"first".to_vec())];
        assert_eq!(store.headers(None, 10).expect("readable"), expected);
        assert_eq!(store.header(without).expect("readable"), None);
        assert_eq!((store.position(), store.healthy()), (2, true));
    });
}

#[test]
fn what_is_too_long_is_refused() {
    engines::each(|home| {
        let store = home.open();
        let note = |key: usize, value: usize| Write {
            notes: vec![(vec![1; key], vec![2; value])],
            ..Write::default()
        };
        assert!(store.submit(note(Write::NOTE_KEY_BYTES + 1, 0)).wait().is_err());
        assert!(store.submit(note(1, Write::VALUE_BYTES + 1)).wait().is_err());
        for lengths in [[Write::VALUE_BYTES + 1, 0], [0, Write::VALUE_BYTES + 1]] {
            let [bytes, header] = lengths.map(|length| vec![3; length]);
            let commit =
                Commit { stream: content::stream(0), number: 1, bytes, header: Some(header) };
            let write = Write { commit: Some(commit), ..Write::default() };
            assert!(store.submit(write).wait().is_err());
        }
        assert!(store.submit(note(Write::NOTE_KEY_BYTES, Write::VALUE_BYTES)).wait().is_ok());
        assert_eq!(
            store.note(&[1; Write::NOTE_KEY_BYTES]).expect("readable").map(|note| note.len()),
            Some(Write::VALUE_BYTES)
        );
        assert!(store.healthy());
    });
}

/// sled writes files of its own for pages that are too long, and does not sync them: there must be none.
#[test]
fn no_file_is_written_that_is_not_synced() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let mut dice = content::Dice(5);
    for position in 1..=200 {
        let (stream, number) = place(position);
        let bytes: Vec<u8> = (0..dice.below(60_000)).map(|_| dice.below(256) as u8).collect();
        let header = (number == 1).then(|| bytes.clone());
        let notes = vec![(position.to_string().into_bytes(), bytes.clone())];
        let commit = Commit { stream, number, bytes: bytes.clone(), header };
        assert_eq!(store.submit(Write { commit: Some(commit), notes }).wait(), Ok(position));
        assert_eq!(*store.last(stream).expect("readable").expect("a commit").bytes, *bytes);
    }
    let blobs = std::fs::read_dir(folder.path().join("log/blobs")).expect("sled makes the folder");
    assert_eq!(blobs.count(), 0);
}

/// More writes at once than may wait: each is stored or refused, and who refuses stays healthy.
#[test]
fn a_flood_is_stored_or_refused_but_not_forgotten() {
    engines::each(|home| {
        let store = home.open();
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
    });
}

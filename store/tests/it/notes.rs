//! Notes in order, each with the position at which it was written; and writes that are one batch, however many they are.

use std::slice;

use store::{Note, Write, WriteError};

use crate::content;
use crate::engines;

#[test]
fn notes_are_read_in_order_and_know_when_they_were_written() {
    engines::each(|home| {
        let store = home.open();
        let alone = |key: &str| Write { commit: None, notes: vec![(key.into(), vec![7; 9_000])] };
        store.submit(alone("b")).wait().expect("stored");
        content::append(&store, content::stream(1), 1..=3);
        store.submit(alone("a")).wait().expect("stored");
        let all = store.notes(None, usize::MAX).expect("readable");
        let mut expected: Vec<(Vec<u8>, u64)> =
            (1..=3).map(|number| (content::note_key(content::stream(1), number), number)).collect();
        expected.extend([(b"a".to_vec(), 3), (b"b".to_vec(), 0)]);
        expected.sort();
        let found: Vec<_> = all.iter().map(|note| (note.key.clone(), note.position)).collect();
        assert_eq!(found, expected);
        let mut pages: Vec<Note> = Vec::new();
        while let [next] =
            &store.notes(pages.last().map(|note| &*note.key), 1).expect("readable")[..]
        {
            pages.push(next.clone());
        }
        assert_eq!(pages, all);

        let other = home.another();
        let copy = other.open();
        copy.restore_notes(&all).wait().expect("stored");
        assert_eq!(copy.notes(None, usize::MAX).expect("readable"), all);
        assert_eq!(copy.check(&mut |_| {}).damage, []);
        let taken = WriteError::NoteTaken { key: all[0].key.clone() };
        assert_eq!(copy.restore_notes(&all).wait(), Err(taken));
    });
}

#[test]
fn writes_that_belong_together_are_one_batch() {
    engines::each(|home| {
        let store = home.open();
        // More than a batch takes otherwise.
        let writes = (1..=2_500).map(|number| content::write(content::stream(1), number)).collect();
        let positions = store.submit_together(writes).into_iter().map(|ticket| ticket.wait());
        assert!(positions.eq((1..=2_500).map(Ok)));
        assert_eq!(store.figures().batch.counts.iter().sum::<u64>(), 1);
        let again = store.submit_together(vec![content::write(content::stream(1), 1)]);
        let refused = again.into_iter().map(|ticket| ticket.wait());
        assert!(refused.eq([Err(WriteError::Conflict { last: 2_500 })]));
        assert_eq!(store.check(&mut |_| {}).damage, []);
    });
}

#[test]
fn what_is_forgotten_and_what_is_noted_of_it_are_one_write() {
    engines::each(|home| {
        let store = home.open();
        let note = |key: &str| (key.as_bytes().to_vec(), b"value".to_vec());
        let keys = |all: &[&str]| all.iter().map(|key| key.as_bytes().to_vec()).collect::<Vec<_>>();
        let left = || {
            let notes = store.notes(None, usize::MAX).expect("readable");
            notes.into_iter().map(|note| note.key).collect::<Vec<_>>()
        };
        let notes = ["a", "b", "c"].map(note).to_vec();
        store.submit(Write { commit: None, notes }).wait().expect("stored");

        store.forget_noting(&keys(&["a", "x"]), note("1")).wait().expect("stored");
        assert_eq!(left(), keys(&["1", "b", "c"]));
        // Where the note is there, nothing is forgotten.
        let taken = Err(WriteError::NoteTaken { key: b"1".to_vec() });
        assert_eq!(store.forget_noting(&keys(&["b"]), note("1")).wait(), taken);
        assert_eq!(left(), keys(&["1", "b", "c"]));
        store.forget_noting(&keys(&["x"]), note("2")).wait().expect("stored");
        assert_eq!(left(), keys(&["1", "2", "b", "c"]));
        assert_eq!(store.note(b"2").expect("readable"), Some(b"value".to_vec()));
        assert_eq!(store.check(&mut |_| {}).damage, []);
    });
}

/// Who has read a note, and comes late or asks again, does not remove the one that was written in its place.
#[test]
fn what_was_read_is_forgotten_and_nothing_that_came_later() {
    engines::each(|home| {
        let (store, stream) = (home.open(), content::stream(1));
        let note = || store.note_with_position(b"key").expect("readable");
        let write = |number: u64| {
            let Write { commit, .. } = content::write(stream, number);
            let notes = vec![(b"key".to_vec(), number.to_string().into_bytes())];
            store.submit(Write { commit, notes }).wait().expect("stored");
            note().expect("it is there")
        };
        let first = write(1);
        assert_eq!((&first.value[..], first.position), (&b"1"[..], 1));
        assert_eq!(store.forget_read(slice::from_ref(&first)).wait(), Ok(1));
        assert_eq!(note(), None);
        let second = write(2);
        assert_eq!(store.forget_read(slice::from_ref(&first)).wait(), Ok(2));
        assert_eq!(note().as_ref(), Some(&second));
        assert_eq!(store.forget_read(&[first, second]).wait(), Ok(2));
        assert_eq!(note(), None);
        assert_eq!(store.check(&mut |_| {}).damage, []);
    });
}

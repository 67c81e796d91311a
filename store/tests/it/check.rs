//! The check lists all that is damaged, and nothing else, however much that is.

use std::collections::BTreeSet;
use std::path::Path;

use store::{Damage, Store, StreamId};

use crate::content::{self, Dice};
use crate::damage;

const STREAMS: u64 = 6;

/// What cannot be read of the content, asked for one by one: commits, headers, and the number of notes.
fn unreadable(store: &Store, last: u64) -> (BTreeSet<(StreamId, u64)>, BTreeSet<StreamId>, usize) {
    let (mut commits, mut headers, mut notes) = (BTreeSet::new(), BTreeSet::new(), 0);
    for stream in (0..STREAMS).map(content::stream) {
        for number in 1..=last {
            if store.commits(stream, number - 1, 1).is_err() {
                commits.insert((stream, number));
            }
            notes += usize::from(store.note(&content::note_key(stream, number)).is_err());
        }
        if store.header(stream).is_err() {
            headers.insert(stream);
        }
    }
    (commits, headers, notes)
}

fn looked_at(folder: &Path) -> Option<Store> {
    let scratch = tempfile::tempdir().expect("a folder");
    // What the engine itself cannot open is said as an error, and nothing can be listed.
    Store::inspect(folder, scratch.path()).ok()
}

#[test]
fn everything_that_is_damaged_is_listed() {
    // How many damaged stores are looked at. The engine opens about half of all, so more are made.
    let rounds = std::env::var("CHECK_ROUNDS").map_or(15, |n| n.parse().expect("a number"));
    let (base, acknowledged) = damage::settled();
    let last = acknowledged / STREAMS;
    let mut dice = Dice(11);
    let (mut listed, mut ranges, mut looked) = (0, 0, 0);
    for round in 0..rounds * 10 {
        if looked == rounds {
            break;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = base.clone();
        let db = files.get_mut(Path::new("log/db")).expect("the log");
        let places: Vec<u64> = (0..1 + round % 6).map(|_| dice.below(db.len() as u64)).collect();
        places.iter().for_each(|at| db[*at as usize] ^= 1 << dice.below(8));
        damage::write(folder.path(), &files);
        let Some(store) = looked_at(folder.path()) else { continue };
        looked += 1;
        let found = store.check(&mut |_| {});
        let (commits, headers, notes) = unreadable(&store, last);
        let what = format!("round {round}, flipped at {places:?}: {:#?}", found.damage);
        let mut told = BTreeSet::new();
        let (mut notes_told, mut feed_told) = (0, false);
        for damage in &found.damage {
            if let Damage::Commit { stream, number, .. } = damage {
                told.insert((*stream, *number));
            }
            let text = damage.to_string();
            notes_told += usize::from(text.starts_with("the note"));
            feed_told |= text.starts_with("the feed") || matches!(damage, Damage::Feed { .. });
            ranges += usize::from(matches!(damage, Damage::Range { .. }));
        }
        let missed: Vec<_> = commits.difference(&told).collect();
        assert!(missed.is_empty() || feed_told, "{missed:?} are not listed, {what}");
        let false_: Vec<_> = told.difference(&commits).collect();
        assert!(false_.is_empty(), "{false_:?} can be read, {what}");
        for stream in headers {
            let named = stream.to_string();
            let is_told = found.damage.iter().any(
                |damage| matches!(damage, Damage::Record { record, .. } if record.contains(&named)),
            );
            assert!(is_told, "the header of {stream} is not listed, {what}");
        }
        assert!(notes == 0 || notes_told > 0, "{notes} notes are not listed, {what}");
        listed += commits.len();
        let expected: Vec<StreamId> = (0..STREAMS).rev().map(content::stream).collect();
        assert_eq!(found.streams, expected, "{what}");
    }
    println!("{looked} looked at: {listed} commits listed, {ranges} ranges");
    assert!(looked == rounds && listed > 0 && ranges > 0);
}

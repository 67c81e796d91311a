//! What can be read of a damaged store comes back, wherever the damage lies.

use std::fs;
use std::path::Path;

use store::{OpenError, Store};

use crate::content;
use crate::damage::{self, Files};

const SEGMENT: usize = 512 * 1024;

/// A store of one run: all of it is in the log, and there is no snapshot.
fn of_one_run() -> (Files, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let acknowledged = crate::child::run(folder.path(), 6, 150).len() as u64;
    let mut files = damage::read(folder.path());
    files.retain(|name, _| !name.to_string_lossy().contains("snap."));
    (files, acknowledged)
}

/// Salvages a store of these files; returns how many commits can be read, and what is damaged.
fn salvaged(files: &Files) -> Result<(u64, String), OpenError> {
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = tempfile::tempdir().expect("a folder");
    damage::write(folder.path(), files);
    let store = Store::salvage(folder.path(), scratch.path())?;
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0, "no copy is left");
    let found = store.check(&mut |_| {});
    Ok((readable(&store), format!("{:?}", found.damage)))
}

/// How many commits can be read, all of them as they were written.
fn readable(store: &Store) -> u64 {
    // No stream has more: three runs of 150.
    let all = (0..6).map(content::stream).flat_map(|of| (1..=450).map(move |number| (of, number)));
    let found = all.filter_map(|(stream, number)| {
        let commit = store.commits(stream, number - 1, 1).ok()?.pop()?;
        assert_eq!(*commit.bytes, *content::bytes(stream, number), "what is read is whole");
        Some(())
    });
    found.count() as u64
}

/// So many of the commits must be there wherever a bit is wrong, of 1,000. A page has those of one stream, and one page leads to others.
const MOST: u64 = 800;

/// How pages lie differs from store to store: where a test is true of one in three, it is not the way of salvaging that is at fault.
fn in_one_of_three(test: impl Fn() -> Result<(), String>) {
    let failed: Vec<String> = (0..3).map_while(|_| test().err()).collect();
    assert!(failed.len() < 3, "{failed:#?}");
}

fn flip_everywhere((made, acknowledged): &(Files, u64), flips: usize) -> Result<(), String> {
    let log = &made[Path::new("log/db")];
    let used = log.iter().rposition(|byte| *byte != 0).expect("something is there");
    let (mut lost_nothing, mut counts) = (0, Vec::new());
    for number in 0..flips {
        let at = used * (2 * number + 1) / (2 * flips);
        let mut files = made.clone();
        files.get_mut(Path::new("log/db")).expect("it is there")[at] ^= 1 << (number % 8);
        let (whole, _) = salvaged(&files).unwrap_or_else(|error| panic!("{at}: {error}"));
        lost_nothing += usize::from(whole >= *acknowledged);
        counts.push(whole);
    }
    let poor = counts.iter().filter(|whole| **whole * 1_000 < acknowledged * MOST).count();
    let is_well = poor <= flips / 12 && lost_nothing >= flips / 4;
    let what = || format!("{poor} have few of {acknowledged}, {lost_nothing} all: {counts:?}");
    is_well.then_some(()).ok_or_else(what)
}

#[test]
fn a_wrong_bit_in_a_store_of_one_run_costs_little() {
    in_one_of_three(|| flip_everywhere(&of_one_run(), 48));
}

#[test]
fn a_wrong_bit_under_a_snapshot_costs_little() {
    in_one_of_three(|| flip_everywhere(&damage::settled(), 24));
}

/// sled opens with the snapshot, and then finds no page that it names; the log has all of them anew, or most.
#[test]
fn a_sector_of_zeros_costs_little() {
    in_one_of_three(zero_everywhere);
}

fn zero_everywhere() -> Result<(), String> {
    let (made, acknowledged) = damage::settled();
    let log = &made[Path::new("log/db")];
    let used = log.iter().rposition(|byte| *byte != 0).expect("something is there");
    let mut counts = Vec::new();
    for number in 0..16 {
        let at = used * (2 * number + 1) / 32 / 4096 * 4096;
        let mut files = made.clone();
        let log = files.get_mut(Path::new("log/db")).expect("it is there");
        log[at..][..4096].fill(0);
        counts.push(salvaged(&files).map_or(0, |(whole, _)| whole));
    }
    let poor = counts.iter().filter(|whole| **whole * 1_000 < acknowledged * MOST).count();
    let what = || format!("{poor} have few of {acknowledged}: {counts:?}");
    (poor <= 2).then_some(()).ok_or_else(what)
}

/// A segment is gone: the snapshot knows where the others are, where the log alone may not.
#[test]
fn where_a_segment_is_lost_no_way_would_give_more() {
    let (mut files, _) = damage::settled();
    files.get_mut(Path::new("log/db")).expect("it is there")[..SEGMENT].fill(0);
    let folder = tempfile::tempdir().expect("a folder");
    damage::write(folder.path(), &files);
    // It may be the one without which nothing opens.
    let salvaged = salvaged(&files).map_or(0, |(count, _)| count);
    let scratch = tempfile::tempdir().expect("a folder");
    let looked = Store::inspect(folder.path(), scratch.path());
    let looked = looked.map_or(0, |store| readable(&store));
    assert!(salvaged >= looked, "{salvaged} are left, {looked} of one way");
}

#[test]
fn what_is_derived_or_only_marks_the_folder_is_not_needed() {
    let (made, acknowledged) = of_one_run();
    let changed = |name: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut files = made.clone();
        change(files.get_mut(Path::new(name)).expect("it is there"));
        files
    };
    let mut unmarked = made.clone();
    unmarked.remove(Path::new("FORMAT"));
    for (files, word) in [
        (changed("log/conf", &|bytes| bytes[16] ^= 1), "log/conf"),
        (changed("log/conf", &|bytes| bytes.truncate(20)), "log/conf"),
        (changed("FORMAT", &|bytes| bytes[0] ^= 1), "FORMAT is damaged"),
        (changed("FORMAT", &|bytes| bytes[7] ^= 0x40), "FORMAT is damaged"),
        (changed("FORMAT", &|bytes| bytes.clear()), "FORMAT is damaged"),
        (unmarked, "FORMAT is missing"),
    ] {
        let (whole, said) = salvaged(&files).unwrap_or_else(|error| panic!("{word}: {error}"));
        assert_eq!(whole, acknowledged, "{said}");
        assert!(said.contains(word), "{word}: {said}");
    }
    let newer = salvaged(&changed("FORMAT", &|bytes| bytes[7] = b'2')).expect_err("it is newer");
    assert!(matches!(newer, OpenError::Version { .. }), "{newer}");
}

//! sled's snapshots are derived: one that is damaged stops nothing, and nothing is lost with it.

use std::fs;
use std::path::{Path, PathBuf};

use store::{Config, OpenError, Store};

use crate::child;
use crate::content::{self, Dice};

fn snapshots(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("log")).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    paths.filter(|path| path.to_string_lossy().contains("/snap.")).collect()
}

fn flip(path: &Path, dice: &mut Dice) {
    let mut bytes = fs::read(path).expect("readable");
    // Behind the content come eight bytes that nobody reads, and then the checksum.
    let at = dice.below(bytes.len() as u64 - 8) as usize;
    let at = if at < bytes.len() - 12 { at } else { at + 8 };
    bytes[at] ^= 1 << dice.below(8);
    fs::write(path, bytes).expect("writable");
}

/// Writes as child processes, some killed in the middle, so that segments are freed, wiped and filled anew; after each run the snapshot
/// is damaged. All that was acknowledged is there each time, as a whole.
#[test]
fn nothing_is_lost_with_a_damaged_snapshot() {
    let rounds = std::env::var("SNAPSHOT_ROUNDS").map_or(12, |n| n.parse().expect("a number"));
    let mut dice = Dice(3);
    let (mut removed, mut kept) = (0, 0);
    for start in 0..2 {
        let folder = tempfile::tempdir().expect("a folder");
        let mut acknowledged = 0;
        for round in 0..rounds {
            let is_killed = (round + start) % 2 == 1;
            let commits = (!is_killed).then(|| 20 + dice.below(120));
            let stop = 100 + dice.below(900);
            let lines = match commits {
                Some(commits) => child::run(folder.path(), 5, commits),
                None => child::killed(folder.path(), 5, stop),
            };
            acknowledged += lines.len() as u64;
            let found = snapshots(folder.path());
            found.iter().for_each(|path| flip(path, &mut dice));
            match Store::open(folder.path(), Config::default()) {
                Ok(store) => {
                    assert!(content::assert_whole(&store) >= acknowledged, "round {round}");
                    assert_eq!(store.notices().len(), usize::from(!found.is_empty()));
                    removed += usize::from(!found.is_empty());
                }
                // Where the log alone does not say everything, the snapshot is left where it is, and the reason is told.
                Err(error) => {
                    assert!(error.to_string().contains("without it"), "round {round}: {error}");
                    assert_eq!(snapshots(folder.path()), found);
                    kept += 1;
                    break;
                }
            }
        }
    }
    println!("{removed} removed, {kept} could not be");
    assert!(removed >= 10, "{removed} removed, {kept} could not be");
}

#[test]
fn a_snapshot_that_a_crash_left_unfinished_stops_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    child::run(folder.path(), 2, 30);
    let unfinished = folder.path().join("log/snap.00000000000FFFFF.generating");
    fs::write(&unfinished, "begun").expect("writable");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert_eq!(content::assert_whole(&store), 60);
    assert!(!unfinished.exists());
}

/// Two damages at once: without the snapshot, what is missing in the log would not be noticed by the engine.
#[test]
fn a_snapshot_is_not_removed_where_the_log_is_damaged_too() {
    let folder = tempfile::tempdir().expect("a folder");
    for _ in 0..2 {
        child::run(folder.path(), 6, 150);
    }
    let found = snapshots(folder.path());
    found.iter().for_each(|path| flip(path, &mut Dice(1)));
    let db = folder.path().join("log/db");
    let mut bytes = fs::read(&db).expect("readable");
    // One in each segment, for sled may have freed the first.
    bytes.iter_mut().skip(200_000).step_by(512 * 1024).for_each(|byte| *byte ^= 1);
    fs::write(&db, bytes).expect("writable");
    let error = Store::open(folder.path(), Config::default()).expect_err("it is damaged twice");
    let OpenError::Damaged(what) = &error else { panic!("{error}") };
    assert!(what.contains("snap.") && what.contains("without it"), "{what}");
    assert_eq!(snapshots(folder.path()), found);
    let scratch = tempfile::tempdir().expect("a folder");
    // The engine cannot open that, not even as a copy; then the reason is told, not how the engine failed.
    let looked =
        Store::inspect(folder.path(), scratch.path()).map(|store| store.check(&mut |_| {}));
    let said = looked.map_or_else(|error| error.to_string(), |found| format!("{:?}", found.damage));
    assert!(said.contains(what.as_str()), "{said}");
}

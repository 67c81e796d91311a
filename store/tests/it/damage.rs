//! Damaged files: an error, or everything is there. Never a silent loss, never a panic or a hang.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use store::{Commit, Config, ReadError, Store, StreamId, Write};

use crate::child;
use crate::content::{self, Dice};

const ROUNDS: u64 = 120;
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) type Files = BTreeMap<PathBuf, Vec<u8>>;

/// All files below a folder, by their names from there.
pub(crate) fn read(folder: &Path) -> Files {
    let mut files = Files::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = PathBuf::from(path.file_name().expect("it has a name"));
        if path.is_dir() {
            files.extend(read(&path).into_iter().map(|(below, bytes)| (name.join(below), bytes)));
        } else {
            files.insert(name, fs::read(&path).expect("readable"));
        }
    }
    files
}

pub(crate) fn write(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("writable");
        fs::write(path, bytes).expect("writable");
    }
    fs::create_dir_all(folder.join("log/blobs")).expect("writable");
}

/// The engine alone. A process that another test is just starting has the locks of this one until it runs its own program.
fn engine(folder: &Path) -> sled::Db {
    let start = Instant::now();
    loop {
        match sled::open(folder.join("log")) {
            Err(sled::Error::Io(error))
                if error.to_string().contains("could not acquire lock")
                    && start.elapsed() < Duration::from_secs(5) =>
            {
                thread::sleep(Duration::from_millis(10));
            }
            opened => return opened.expect("it opens"),
        }
    }
}

/// Changes a commit behind the store's back: through the engine itself, so that its own checksums are right.
pub(crate) fn change(folder: &Path, stream: StreamId, number: u64) {
    let log = engine(folder);
    let key = [b"c".as_slice(), &stream.0, &number.to_be_bytes()].concat();
    let mut value = log.get(&key).expect("readable").expect("a commit").to_vec();
    value[4] ^= 1;
    log.insert(&key, value).expect("writable");
    log.flush().expect("writable");
}

/// Files of a store that was opened a few times; the last writer was killed or not. Returns the last position too.
pub(crate) fn made(is_killed: bool) -> (Files, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut acknowledged = 0;
    for run in 0..3 {
        let lines = if is_killed && run == 2 {
            child::killed(folder.path(), 6, 700)
        } else {
            child::run(folder.path(), 6, 150)
        };
        acknowledged += lines.len() as u64;
    }
    (read(folder.path()), acknowledged)
}

/// The same store after one more start and end: then sled's snapshot names each page, and a damaged one is met when it is read.
pub(crate) fn settled() -> (Files, u64) {
    let (files, acknowledged) = made(false);
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), &files);
    drop(Store::open(folder.path(), Config::default()).expect("it opens"));
    (read(folder.path()), acknowledged)
}

/// Damages one file; says how.
fn damage(files: &mut Files, dice: &mut Dice) -> String {
    let is_log = dice.below(8) > 0;
    let names: Vec<PathBuf> = files
        .iter()
        .filter(|(name, bytes)| name.ends_with("db") == is_log && !bytes.is_empty())
        .map(|(name, _)| name.clone())
        .collect();
    let name = names[dice.below(names.len() as u64) as usize].clone();
    let bytes = files.get_mut(&name).expect("the name is from there");
    let length = bytes.len() as u64;
    let recent = length - dice.below(length.min(300_000)) - 1;
    let at = if dice.below(2) == 0 { recent } else { dice.below(length) };
    let (from, how) = (at as usize, dice.below(5));
    match how {
        0 => bytes.truncate(from),
        1 => bytes[from..].iter_mut().take(4096).for_each(|byte| *byte = 0),
        2 => bytes[from..].iter_mut().take(64).for_each(|byte| *byte = 0x55),
        _ => bytes[from] ^= 1 << dice.below(8),
    }
    format!("{} at {at} of {length}, kind {how}", name.display())
}

/// What became of a damaged store.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Refused(String),
    Reported(String),
    Whole,
}

fn outcome(folder: &Path, acknowledged: u64) -> Outcome {
    let store = match Store::open(folder, Config::default()) {
        Ok(store) => store,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    let damage = store.check(&mut |_| {}).damage;
    if damage.is_empty() {
        assert!(content::assert_whole(&store) >= acknowledged);
        return Outcome::Whole;
    }
    Outcome::Reported(format!("{damage:?}"))
}

#[test]
fn damage_is_never_a_silent_loss() {
    let mut dice = Dice(7);
    let bases = [made(false), made(true)];
    let (mut refused, mut reported, mut whole) = (0, 0, 0);
    for round in 0..ROUNDS {
        let (mut files, acknowledged) = bases[(round % 2) as usize].clone();
        let what = damage(&mut files, &mut dice);
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &files);
        let path = folder.path().to_owned();
        let (sender, receiver) = mpsc::channel();
        let opener = thread::spawn(move || sender.send(outcome(&path, acknowledged)));
        match receiver.recv_timeout(PATIENCE) {
            Ok(Outcome::Refused(_)) => refused += 1,
            Ok(Outcome::Reported(_)) => reported += 1,
            Ok(Outcome::Whole) => whole += 1,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("round {round} hangs: {what}"),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                panic!("round {round}, {what}: {:?}", opener.join())
            }
        }
    }
    println!("{refused} refused, {reported} reported by the check, {whole} whole");
    assert!(refused > 0, "no damage was noticed");
}

/// sled wipes its free segments at each start. Killed in the middle of one, it leaves the second half of its old messages.
#[test]
fn a_half_wiped_segment_is_no_damage() {
    const SEGMENT: usize = 512 * 1024;
    let folder = tempfile::tempdir().expect("a folder");
    let db = folder.path().join("log/db");
    let mut acknowledged = 0;
    let mut run = || {
        acknowledged += child::run(folder.path(), 6, 150).len() as u64;
        fs::read(&db).expect("readable")
    };
    // A segment of the first run is of long before the last start.
    let mut old = run()[..SEGMENT].to_vec();
    old[..64 * 1024].fill(0);
    run();
    let mut bytes = run();
    bytes.resize(bytes.len().next_multiple_of(SEGMENT), 0);
    bytes.extend(old);
    fs::write(&db, bytes).expect("writable");
    assert_eq!(outcome(folder.path(), acknowledged), Outcome::Whole);
}

/// Changes a commit as a newer program may have packed it: its checksum fits.
fn repack(folder: &Path, stream: StreamId, number: u64, change: fn(&mut [u8])) {
    let log = engine(folder);
    let key = [b"c".as_slice(), &stream.0, &number.to_be_bytes()].concat();
    let mut value = log.get(&key).expect("readable").expect("a commit").to_vec();
    assert_eq!(value[12], 2, "it is in one piece, and packed with a dictionary");
    change(&mut value);
    let covered = [key.as_slice(), &value[12..], &value[4..12]].concat();
    value[..4].copy_from_slice(&crc32fast::hash(&covered).to_be_bytes());
    log.insert(&key, value).expect("writable");
    log.flush().expect("writable");
}

#[test]
fn what_a_newer_program_has_packed_is_told_from_what_is_damaged() {
    let stream = content::stream(0);
    let changes: [fn(&mut [u8]); 2] = [|value| value[12] |= 4, |value| value[13] = 2];
    for repacked in changes {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        for number in 1..=3 {
            let bytes = "what everybody could read once, ".repeat(9).into_bytes();
            let header = (number == 1).then(|| b"begun".to_vec());
            let commit = Some(Commit { stream, number, bytes, header });
            store.submit(Write { commit, notes: Vec::new() }).wait().expect("stored");
        }
        drop(store);
        repack(folder.path(), stream, 2, repacked);
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        assert!(matches!(store.commits(stream, 1, 1), Err(ReadError::Newer(_))));
        assert_eq!(store.commits(stream, 2, 1).expect("the others can be read").len(), 1);
        let checked = store.check(&mut |_| {});
        let newer = checked.newer.expect("one is of a newer program");
        assert!(newer.starts_with("commit 2 of stream "), "{newer}");
        assert_eq!(checked.damage.len(), 1, "{:?}", checked.damage);
        drop(store);
        change(folder.path(), stream, 2);
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        assert!(matches!(store.commits(stream, 1, 1), Err(ReadError::Damaged(_))));
        assert_eq!(store.check(&mut |_| {}).newer, None);
    }
}

//! Files that never change: the recorded streams, and what is needed to read them.

use std::collections::BTreeSet;
use std::fs;

use acceptance::proof::{hex, sha256};

use crate::{none, root};

/// The recorded streams by version, each with SHA-256 of the list of its files. They never change: another version is recorded beside them.
const STREAMS: &[(&str, &str)] = &[
    ("archive-1", "68fc1c5e107bdd07bcae03d2ee25523b71edc9ab5c9540eaa4f333fac974888e"),
    ("nim", "647858cbc702ee6c4b1a5b8539c491232f8d79ebc0415b760d52a68f2a5b51bd"),
    ("store-1", "7dfaa6b9679e06c874c699b70a37ff11728f5c384e5827fab52209088e1197bd"),
    ("v1", "84335027f6581b07d64f38e3de9817384ead5417741760dc4de1f9ba9a75ec3f"),
    ("v2", "b3853e43cd88e3dcd99daaa77d06c85d3250c380a0d9c9693d45b186aaa8b41a"),
];

#[test]
fn recorded_streams_never_change() {
    let mut wrong = Vec::new();
    let folder = root().join("tests/streams");
    for (version, known) in STREAMS {
        let folder = folder.join(version);
        let list = fs::read_to_string(folder.join("SHA256SUMS")).expect("a list");
        let sum = hex(&sha256(&[list.as_bytes()]));
        if sum != *known {
            wrong.push(format!("{version}/SHA256SUMS has the sum {sum}"));
        }
        let mut listed = BTreeSet::from(["SHA256SUMS".to_owned()]);
        for line in list.lines() {
            let (sum, name) = line.split_once("  ").expect("a sum and a name");
            listed.insert(name.to_owned());
            let bytes = fs::read(folder.join(name)).unwrap_or_default();
            if hex(&sha256(&[&bytes])) != sum {
                wrong.push(format!("{version}/{name} has changed or is gone"));
            }
        }
        for entry in fs::read_dir(&folder).expect("a folder") {
            let name = entry.expect("an entry").file_name().to_string_lossy().into_owned();
            if !listed.contains(&name) {
                wrong.push(format!("{version}/{name} is not listed"));
            }
        }
    }
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !STREAMS.iter().any(|(version, _)| *version == name) {
            let list = fs::read(path.join("SHA256SUMS")).unwrap_or_default();
            wrong.push(format!(
                "{name} is not held: its list has the sum {}",
                hex(&sha256(&[&list]))
            ));
        }
    }
    none(&wrong);
}

/// The dictionaries of the store, each with its SHA-256. What was packed with one can be read with no other.
const DICTIONARIES: &[(&str, &str)] =
    &[("1.zdict", "ad1bdae1f81d1f6b97e9379c6f3bc857860f68637649dc0a793f2cba27bfae47")];

#[test]
fn dictionaries_never_change() {
    let folder = root().join("store/dictionaries");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), DICTIONARIES.len());
    for (name, known) in DICTIONARIES {
        let bytes = fs::read(folder.join(name)).expect("it is there");
        assert_eq!(hex(&sha256(&[&bytes])), *known, "{name}");
    }
}

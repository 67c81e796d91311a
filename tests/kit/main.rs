//! `muninn kit`: what it writes, and that it writes it twice the same. Clients run through it in clients/test.sh.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;

use acceptance::disk::Disk;
use acceptance::proof::{hex, sha256};
use acceptance::{files, muninn, run};
use serde_json::Value;

/// Writes the kit into a folder.
fn kit(out: &Path) {
    run(muninn().args(["kit", "--out"]).arg(out)).ok();
}

#[test]
fn two_kits_are_the_same_and_name_all_of_their_files() {
    let (_folder, [one, other]) = acceptance::places(["one", "other"]);
    thread::scope(|scope| {
        scope.spawn(|| kit(&one));
        scope.spawn(|| kit(&other));
    });
    let (mut one, other) = (files::read(&one), files::read(&other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &other[name], "{} differs", name.display());
    }

    let told = one.remove(Path::new("kit.json")).expect("kit.json");
    let told: Value = serde_json::from_slice(&told).expect("JSON");
    let sums: BTreeMap<String, String> =
        serde_json::from_value(told["files"].clone()).expect("sums by file");
    let found: BTreeMap<String, String> = one
        .iter()
        .map(|(name, bytes)| (name.display().to_string(), hex(&sha256(&[bytes]))))
        .collect();
    assert_eq!(sums, found);

    let cases: Vec<Value> = serde_json::from_value(told["cases"].clone()).expect("cases");
    assert!(cases.len() >= 33, "{} cases", cases.len());
    for case in cases {
        let file = case["file"].as_str().expect("a case has a file");
        let read: Value = serde_json::from_slice(&one[Path::new(file)]).expect("JSON");
        assert_eq!(read["name"], case["name"]);
        assert!(read["result"].is_object(), "{file} has no result");
        for answer in read["exchanges"].as_array().into_iter().flatten() {
            for answer in answer["answers"].as_array().into_iter().flatten() {
                let drawn = answer["file"].as_str().map(|file| one.contains_key(Path::new(file)));
                assert_ne!(drawn, Some(false), "{file} lacks its picture");
            }
        }
    }
}

#[test]
fn a_folder_with_something_else_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("cases")).expect("a folder is made");
    let own = folder.path().join("cases/mine.txt");
    fs::write(&own, "mine").expect("a file is written");
    // A file of somebody else may have that name.
    for other in [None, Some("{\"cases\": []}")] {
        if let Some(other) = other {
            fs::write(folder.path().join("kit.json"), other).expect("a file is written");
        }
        let refused = run(muninn().args(["kit", "--out"]).arg(folder.path()));
        assert_eq!(refused.code, Some(2), "{}", refused.error);
        assert_eq!(fs::read(&own).expect("it is there"), b"mine");
    }
}

#[test]
fn a_full_disk_leaves_no_part_of_a_kit() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some(disk) = Disk::new(folder.path(), 1) else { return };
    fs::write(disk.path.join("filler"), vec![0; 900 << 10]).expect("there is space for it");
    let out = disk.path.join("kit");
    run(muninn().args(["kit", "--out"]).arg(&out)).refused(&["kit", "No space left"]);
    assert!(!out.exists());
}

#[test]
fn of_an_older_kit_nothing_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = folder.path().join("cases/old.json");
    let told = r#"{"program": "muninn 0.0.1", "files": {"cases/old.json": "", "../mine.txt": ""}}"#;
    fs::create_dir(folder.path().join("cases")).expect("a folder is made");
    fs::write(&old, "{}").expect("a file is written");
    fs::write(folder.path().join("kit.json"), told).expect("a file is written");
    kit(folder.path());
    assert!(!old.exists());
}

//! What an export refuses, and how it says so.

use std::fs;

use serde_json::Value;

use crate::folder::{export, simulate, try_export};

#[test]
fn folders_of_others_are_left_alone() {
    let (folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let refused = |out: &std::path::Path, more: &[&str], code: i32, words: &[&str]| {
        try_export(&data, out, more).failed(code, words);
    };
    let foreign = folder.path().join("foreign");
    fs::create_dir(&foreign).expect("a folder");
    fs::write(foreign.join("thesis.txt"), "mine").expect("a file");
    refused(&foreign, &[], 1, &["thesis.txt", "is not an export"]);
    assert_eq!(fs::read_dir(&foreign).expect("a folder").count(), 1);
    refused(&data, &[], 1, &["is not an export"]);
    let out = folder.path().join("out");
    export(&data, &out, &[]);
    refused(&out, &["--format", "csv"], 1, &["format"]);
    refused(&out, &["--game", "rosenkoenig"], 1, &["--game"]);
    refused(&out, &["--private"], 1, &["--private"]);
    refused(&out, &["--since", "3"], 1, &["--since"]);
    let other = folder.path().join("other");
    simulate(&other, "voluspa", 2, 1, 1);
    fs::write(folder.path().join("file"), "a file").expect("a file");
    refused(&folder.path().join("file"), &[], 1, &["cannot"]);
    refused(&out, &["--format", "xml"], 2, &["parquet", "ndjson", "csv"]);
    refused(&out, &["--from", "yesterday"], 2, &["2026-11-01"]);
    refused(&out, &["--game", "chess"], 2, &["chess", "voluspa"]);
    let reversed = ["--from", "2026-12-01", "--to", "2026-11-01"];
    refused(&out, &reversed, 2, &["--to 2026-11-01 is before --from 2026-12-01"]);
    // What begins behind the end leaves nothing, so that the folder is good for the next one.
    let fresh = folder.path().join("fresh");
    refused(&fresh, &["--since", "99999999"], 1, &["--since 99999999", "the store ends at"]);
    assert!(!fresh.exists());
    export(&data, &fresh, &[]);
}

/// Two at a time would remove each other's unfinished files.
#[test]
fn a_folder_that_another_export_writes_into_is_left_alone() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    export(&data, &out, &[]);
    let other = fs::File::open(&out).expect("it is there");
    other.try_lock().expect("nobody writes there");
    fs::create_dir_all(out.join("_unfinished/points")).expect("as another leaves it");
    try_export(&data, &out, &[]).refused(&["another export writes into"]);
    assert!(out.join("_unfinished/points").exists());
    drop(other);
    export(&data, &out, &[]);
}

/// An export that lacks one of its files would be gone on with, and its rows missed for ever.
#[test]
fn an_export_without_one_of_its_files_is_not_continued() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    simulate(&data, "rosenkoenig", 2, 1, 1);
    export(&data, &out, &[]);
    let manifest = fs::read_to_string(out.join("_export.json")).expect("a manifest");
    let manifest: Value = serde_json::from_str(&manifest).expect("JSON");
    let files = manifest["files"].as_array().expect("files");
    let mut paths = files.iter().filter_map(|file| file["path"].as_str());
    let part = paths.find(|path| path.starts_with("seats/")).expect("a part");
    let whole = fs::read(out.join(part)).expect("readable");
    for spoil in [None, Some(&whole[1..])] {
        match spoil {
            None => fs::remove_file(out.join(part)).expect("removed"),
            Some(cut) => fs::write(out.join(part), cut).expect("written"),
        }
        try_export(&data, &out, &[]).refused(&[part]);
    }
    fs::write(out.join(part), whole).expect("written");
    export(&data, &out, &[]);
}

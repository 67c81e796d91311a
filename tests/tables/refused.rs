//! What an export refuses, and how it says so.

use std::fs;

use crate::folder::{export, simulate, try_export};

#[test]
fn folders_of_others_are_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    simulate(&data, "rosenkoenig", 2, 1, 1);
    let refused = |out: &std::path::Path, more: &[&str], code: i32, words: &[&str]| {
        let output = try_export(&data, out, more);
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{message}");
        for word in words {
            assert!(message.contains(word), "{word}: {message}");
        }
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
}

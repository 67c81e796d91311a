//! What an export refuses, and how it says so.

use std::fs;

use store::{Commit, Config, Store, StreamId, Write};

use crate::folder::{export, simulate, try_export};
use crate::read::tables;

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
    refused(&foreign, &[], 1, &["thesis.txt", "no export"]);
    assert_eq!(fs::read_dir(&foreign).expect("a folder").count(), 1);
    refused(&data, &[], 1, &["no export"]);
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

/// Appends a copy of a finished match whose last commit says something else.
pub(crate) fn forge(data: &std::path::Path, id: &str) -> String {
    let store = Store::open(data, Config::default()).expect("the store opens");
    let stream = StreamId(*id.parse::<uuid::Uuid>().expect("an id").as_bytes());
    let mut forged = stream;
    forged.0[15] ^= 1;
    let header = store.header(stream).expect("readable");
    for stored in store.commits(stream, 0, 10_000).expect("readable") {
        let text = String::from_utf8_lossy(&stored.bytes[98..]).into_owned();
        let bytes =
            [&stored.bytes[..98], text.replace("\"points\":", "\"points\":1").as_bytes()].concat();
        let commit = Commit { stream: forged, number: stored.number, bytes };
        let write = Write {
            commit: Some(commit),
            header: (stored.number == 1).then(|| (forged, header.clone().expect("a header"))),
            ..Write::default()
        };
        store.submit(write).wait().expect("the store takes it");
    }
    uuid::Uuid::from_bytes(forged.0).to_string()
}

#[test]
fn a_damaged_match_is_named_and_left_out_only_when_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (data, out) = (folder.path().join("data"), folder.path().join("out"));
    simulate(&data, "rosenkoenig", 2, 2, 1);
    export(&data, &out, &[]);
    let matches = tables(&out)["matches"].clone();
    let forged = forge(&data, matches[0]["match_id"].as_str().expect("an id"));
    simulate(&data, "rosenkoenig", 2, 1, 2);
    let fresh = folder.path().join("fresh");
    let output = try_export(&data, &fresh, &[]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(&forged) && message.contains("--skip-damaged"), "{message}");
    assert!(!tables(&fresh).contains_key("matches"), "nothing was exported");
    let output = try_export(&data, &fresh, &["--skip-damaged"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains(&forged) && said.contains("3 matches"), "{said}");
    let found = tables(&fresh);
    assert_eq!(found["matches"].len(), 3);
    assert!(!format!("{found:?}").contains(&forged));
}

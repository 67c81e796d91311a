//! A folder of a store as a program left it once is opened for ever, and goes on: the order of its files, of the records in them, and how these are packed.
//!
//! `store-1/` holds the folder in a tar file, and a list of all that was in the store. Two matches are in it, with records that are packed and
//! others that are not, notes of which one is long and lies in several pieces, and a note that was forgotten.

use std::fs;
use std::path::Path;

use acceptance::proof::{hex, sha256};
use acceptance::{places, run_on};
use store::{Config, Store, Write};

use crate::archives::sum;
use crate::{ROOT, portable};

const FOLDER: &str = "store-1";
const PACKED: &str = "store.tar.zst";
const LIST: &str = "list.txt";

/// Of the first version: short matches, and one that comes later.
const MATCHES: [&str; 2] = ["rosenkoenig-abandoned", "voluspa-abandoned"];
const LATER: &str = "copenhagen-abandoned";

fn digest(bytes: &[u8]) -> String {
    hex(&sha256(&[bytes]))
}

/// All that a store holds, a line for each commit, header and note, with the SHA-256 of its bytes.
fn list(store: &Store) -> Vec<String> {
    let feed = store.feed(0, usize::MAX).expect("readable");
    let headers = store.headers(None, usize::MAX).expect("readable");
    let notes = store.notes(None, usize::MAX).expect("readable");
    let commits = feed.iter().map(|commit| {
        let of_stream = store.commits(commit.stream, commit.number - 1, 1).expect("readable");
        assert_eq!(of_stream.first(), Some(commit), "the stream has what the feed says");
        let sum = digest(&commit.bytes);
        format!("commit {} {} {} {sum}", commit.position, commit.stream, commit.number)
    });
    let headers =
        headers.iter().map(|(stream, header)| format!("header {stream} {}", digest(header)));
    let notes = notes
        .iter()
        .map(|note| format!("note {} {} {}", hex(&note.key), note.position, digest(&note.value)));
    commits.chain(headers).chain(notes).collect()
}

fn load(store: &Store, name: &str) {
    let file = Path::new(ROOT).join("v1").join(format!("{name}.ndjson.zst"));
    portable::load(store, &file);
}

/// Bytes that nothing makes smaller, for a record of three pieces.
fn long() -> Vec<u8> {
    (0..500u16).flat_map(|number| sha256(&[&number.to_be_bytes()])).collect()
}

fn record(into: &Path) {
    let (_folder, [data]) = places(["data"]);
    let store = Store::open(&data, Config::default()).expect("a new store");
    MATCHES.iter().for_each(|name| load(&store, name));
    let forgotten = b"kept/forgotten".to_vec();
    let notes = vec![
        (b"kept/long".to_vec(), long()),
        (b"kept/empty".to_vec(), Vec::new()),
        (forgotten.clone(), b"for a while".to_vec()),
    ];
    store.submit(Write { commit: None, notes }).wait().expect("the store takes it");
    store.forget(&[forgotten]).wait().expect("it is forgotten");
    let lines: String = list(&store).iter().map(|line| format!("{line}\n")).collect();
    drop(store);
    fs::create_dir(into).expect("a new folder");
    fs::write(into.join(LIST), lines).expect("a file");
    let file = fs::File::create(into.join(PACKED)).expect("a file");
    let packer = zstd::Encoder::new(file, 19).expect("it can be compressed");
    let mut archive = tar::Builder::new(packer);
    archive.mode(tar::HeaderMode::Deterministic);
    // Its zeros are as good as nothing once they are packed, and so any program can unpack it.
    archive.sparse(false);
    archive.append_dir_all(".", &data).expect("readable");
    archive.into_inner().and_then(zstd::Encoder::finish).expect("written");
    sum(into);
}

#[test]
fn a_folder_of_before_is_opened_and_goes_on() {
    let recorded = Path::new(ROOT).join(FOLDER);
    if std::env::var_os("RECORD_STREAMS").is_some() && !recorded.exists() {
        record(&recorded);
    }
    let (_folder, [data]) = places(["data"]);
    let file = fs::File::open(recorded.join(PACKED)).expect("it is there");
    let unpacked = zstd::Decoder::new(file).expect("compressed");
    tar::Archive::new(unpacked).unpack(&data).expect("an archive");
    let then = fs::read_to_string(recorded.join(LIST)).expect("it is there");
    let then: Vec<&str> = then.lines().collect();

    let store = Store::open(&data, Config::default()).expect("it opens");
    assert_eq!(store.notices(), [] as [String; 0], "nothing is amiss");
    assert_eq!(list(&store), then);
    assert_eq!(store.note(b"kept/long").expect("readable"), Some(long()));
    assert_eq!(store.note(b"kept/forgotten").expect("readable"), None);
    load(&store, LATER);
    let now = list(&store);
    drop(store);

    let store = Store::open(&data, Config::default()).expect("it opens again");
    assert_eq!(list(&store), now);
    assert!(then.iter().all(|line| now.iter().any(|other| other == line)), "{now:#?}");
    assert!(now.len() > then.len(), "a match has come");
    let checked = store.check(&mut |_| {});
    assert!(checked.damage.is_empty(), "{:?}", checked.damage);
    drop(store);
    run_on(&data, &["verify"]).ok();
}

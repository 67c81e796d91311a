//! A store that somebody has changed behind its back: written anew, record by record, since no store replaces what it holds.

use std::fs;
use std::path::Path;

use serde_json::Value;
use store::{Commit, Config, Store, StreamId, Write};

use crate::proof::{bytes_of, canonical, chain_hash, seal};

/// A record of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A commit, by its number.
    Commit(u64),
    /// The header.
    Header,
    /// The name of a player, as it was given at the opening or when a seat was taken.
    Name,
}

/// Where the text begins in a commit's bytes: format, flags, and three hashes.
pub const TEXT_AT: usize = 98;

/// The bytes of a commit of which everybody sees all, with a seal and a hash that fit; `head` is its format and its flags.
pub fn forged(head: &[u8], seed: &[u8; 32], number: u64, prev: &[u8; 32], body: &Value) -> Vec<u8> {
    let full = canonical(body);
    let sealed = seal(seed, number, &full);
    let hash = chain_hash(prev, &full, &sealed);
    [head, &sealed, prev, &hash, full.as_bytes()].concat()
}

/// Writes a copy of the store in `data` to `to`, each record as `change` leaves it; `to` may be `data` itself. Names and headers of matches are
/// copied, other notes are not; files that are made from the store stay as they are.
pub fn rewrite(data: &Path, to: &Path, mut change: impl FnMut(StreamId, Part, &mut Vec<u8>)) {
    let parent = data.parent().expect("a folder around it");
    let folder = tempfile::tempdir_in(parent).expect("a folder");
    let copy = folder.path().join("copy");
    let old = Store::open(data, Config::default()).expect("the store opens");
    let new = Store::open(&copy, Config::default()).expect("a new store");
    for stored in old.feed(0, usize::MAX).expect("readable") {
        let (stream, number) = (stored.stream, stored.number);
        let mut header = match number {
            1 => old.header(stream).expect("readable"),
            _ => None,
        };
        let mut notes = Vec::new();
        for commitment in commitments(&stored.bytes) {
            let key = [b"name/".as_slice(), &stream.0, &commitment].concat();
            if let Some(mut name) = old.note(&key).expect("readable") {
                change(stream, Part::Name, &mut name);
                notes.push((key, name));
            }
        }
        if let Some(header) = &mut header {
            change(stream, Part::Header, header);
        }
        let mut bytes = stored.bytes.to_vec();
        change(stream, Part::Commit(number), &mut bytes);
        let commit = Some(Commit { stream, number, bytes, header });
        new.submit(Write { commit, notes }).wait().expect("the store takes it");
    }
    drop((old, new));
    fs::create_dir_all(to.join("log")).expect("a folder");
    fs::remove_dir_all(to.join("log")).expect("a folder");
    for name in ["FORMAT", "HEAD", "log"] {
        fs::rename(copy.join(name), to.join(name)).expect("the same disk");
    }
}

/// The names that a commit commits to.
pub fn commitments(bytes: &[u8]) -> Vec<[u8; 32]> {
    let Some(text) = bytes.get(TEXT_AT..) else { return Vec::new() };
    let Ok(body) = serde_json::from_slice::<Value>(text) else { return Vec::new() };
    let events = body["events"].as_array().cloned().unwrap_or_default();
    let seats = events.iter().flat_map(|event| event["seats"].as_array().cloned());
    let all = seats.flatten().chain(events.iter().cloned());
    let commitments = all.map(|of| of["name_commitment"].clone());
    commitments.filter(Value::is_string).map(|commitment| bytes_of(&commitment)).collect()
}

//! A match as a portable file: JSON lines in zstd, from which any store can be filled.
//!
//! The first line has the match and its stored header as text. Then come its notes: each name, by what the chain says of it, and the hash of the token
//! of each seat that was taken. The commits follow as they are stored, their numbers and hashes in words, and the tag of a request that had a key.

use std::fs;
use std::path::Path;

use acceptance::files::unpacked_lines;
use acceptance::proof::{bytes_of, hex};
use acceptance::rewritten::{TEXT_AT, commitments};
use serde_json::{Value, json};
use store::{Commit, Store, StreamId, Write};
use uuid::Uuid;

/// The hashes of a stored commit, in their order there.
const HASHES: [&str; 3] = ["sealed", "prev_hash", "hash"];

/// The flag of a commit that has the tag of its request before its text.
const TAGGED: u8 = 8;
const TAG_BYTES: usize = 16;

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("it is text")
}

fn name_key(stream: StreamId, commitment: &[u8; 32]) -> Vec<u8> {
    [b"name/".as_slice(), &stream.0, commitment].concat()
}

fn seat_key(stream: StreamId, seat: u8) -> Vec<u8> {
    [b"seat/".as_slice(), &stream.0, &[seat]].concat()
}

/// Writes a match of a store into a file.
pub(crate) fn save(store: &Store, id: &str, file: &Path) {
    let stream = StreamId(id.parse::<Uuid>().expect("an id").into_bytes());
    let header = store.header(stream).expect("readable").expect("a header");
    let mut lines = vec![json!({"match": id, "header": text(&header)})];
    let stored = store.commits(stream, 0, usize::MAX).expect("readable");
    for commitment in stored.iter().flat_map(|commit| commitments(&commit.bytes)) {
        let note = store.note(&name_key(stream, &commitment)).expect("readable");
        lines.extend(note.map(|note| json!({"name": hex(&commitment), "note": text(&note)})));
    }
    for seat in 0..5 {
        let note = store.note(&seat_key(stream, seat)).expect("readable");
        lines.extend(note.map(|hash| json!({"seat": seat, "token_hash": hex(&hash)})));
    }
    for commit in &stored {
        let (head, rest) = commit.bytes.split_at(TEXT_AT);
        let (tag, full) = rest.split_at(if head[1] & TAGGED == 0 { 0 } else { TAG_BYTES });
        let mut line = json!({"format": head[0], "flags": head[1], "text": text(full)});
        if !tag.is_empty() {
            line["tag"] = json!(hex(tag));
        }
        for (name, hash) in HASHES.iter().zip(head[2..].chunks(32)) {
            line[name] = json!(hex(hash));
        }
        lines.push(line);
    }
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let bytes = zstd::encode_all(lines.as_bytes(), 19).expect("it can be compressed");
    fs::write(file, bytes).expect("a file");
}

/// Writes the match of a file into a store; returns its id.
pub(crate) fn load(store: &Store, file: &Path) -> String {
    let lines = unpacked_lines(file);
    let string = |value: &Value| value.as_str().expect("a string").to_owned();
    let id = string(&lines[0]["match"]);
    let stream = StreamId(id.parse::<Uuid>().expect("an id").into_bytes());
    let mut header = Some(string(&lines[0]["header"]).into_bytes());
    let (mut notes, mut number) = (Vec::new(), 0);
    let byte = |value: &Value| value.as_u64().and_then(|byte| u8::try_from(byte).ok());
    for line in &lines[1..] {
        if line["name"].is_string() {
            notes.push((name_key(stream, &bytes_of(&line["name"])), string(&line["note"]).into()));
        } else if let Some(seat) = byte(&line["seat"]) {
            notes.push((seat_key(stream, seat), bytes_of(&line["token_hash"]).to_vec()));
        } else {
            number += 1;
            let mut bytes =
                ["format", "flags"].map(|name| byte(&line[name]).expect("a byte")).to_vec();
            HASHES.iter().for_each(|name| bytes.extend(bytes_of(&line[name])));
            let tag = line["tag"].as_str().map(|tag| u128::from_str_radix(tag, 16));
            bytes.extend(tag.into_iter().flat_map(|tag| tag.expect("hexadecimal").to_be_bytes()));
            bytes.extend(string(&line["text"]).into_bytes());
            let commit = Some(Commit { stream, number, bytes, header: header.take() });
            let notes = std::mem::take(&mut notes);
            store.submit(Write { commit, notes }).wait().expect("the store takes it");
        }
    }
    id
}

//! `verify` finds what was not decided by the rules, even where all hashes are right.

use serde_json::{Value, json};
use store::{Commit, Config, Store, StreamId, Write};

use acceptance::process::{Process, verify};
use acceptance::proof::bytes_of;
use acceptance::rewritten::{Part, TEXT_AT, forged, rewrite};
use acceptance::{Client, Table, muninn, run};

/// A running match, its next commit as the rules decide it, and the hash before it.
struct Next {
    id: String,
    body: Value,
    prev_hash: [u8; 32],
}

fn next(client: &Client) -> Next {
    let table = Table::rosenkoenig(client);
    let seat = table.active().expect("it runs");
    let command = table.legal()[0].clone();
    let run = table.seat(seat).dry_run(&table.id, &command).ok();
    assert_eq!(run["complete"], true, "a play draws nothing");
    let info = table.info();
    let first = info["version"].as_u64().expect("a number") + 1;
    let body = json!({
        "command": command, "commit": 2, "events": run["events"], "first_version": first,
        "last_version": run["version"], "recorded_at": info["updated_at"], "seat": seat,
    });
    Next { id: table.id, body, prev_hash: bytes_of(&info["head_hash"]) }
}

/// Appends a commit to a closed store, as the program would, with hashes that fit.
fn append(store: &Store, next: &Next, spoil: usize) {
    let uuid: uuid::Uuid = next.id.parse().expect("an id");
    let stream = StreamId(*uuid.as_bytes());
    let header = store.header(stream).expect("readable").expect("a header");
    let header: Value = serde_json::from_slice(&header).expect("a header is JSON");
    let seed = bytes_of(&header["seed"]);
    // Format 1; everybody sees all of it.
    let mut bytes = forged(&[1, 1], &seed, 2, &next.prev_hash, &next.body);
    if let Some(byte) = bytes.get_mut(spoil) {
        *byte ^= 1;
    }
    let commit = Commit { stream, number: 2, bytes, header: None };
    let write = Write { commit: Some(commit), ..Write::default() };
    store.submit(write).wait().expect("the store takes it");
}

const NOTHING: usize = usize::MAX;

/// What a forger does to a commit.
type Change = fn(&mut Value);

#[test]
fn verify_names_the_commit_that_was_forged() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let client = server.client();
    let honest = next(&client);
    let changes: [(&str, Change); 8] = [
        ("event", |body| body["events"][1]["stones_left"] = json!(7)),
        ("event", |body| body["events"][0]["seat"] = json!(1 - body["seat"].as_u64().unwrap_or(0))),
        ("refused", |body| body["command"] = json!({"type": "DrawCard"})),
        ("number of events", |body| {
            body["events"].as_array_mut().map(Vec::pop);
            body["last_version"] = json!(body["last_version"].as_u64().unwrap_or(0) - 1);
        }),
        ("seat", |body| body["seat"] = json!(1 - body["seat"].as_u64().unwrap_or(0))),
        ("last_version", |body| body["last_version"] = json!(77)),
        ("number of the commit", |body| body["commit"] = json!(3)),
        ("recorded_at", |body| body["recorded_at"] = json!("2001-01-01T00:00:00.000Z")),
    ];
    let mut forged = Vec::new();
    for (what, change) in changes {
        let mut next = next(&client);
        change(&mut next.body);
        forged.push((what, next, NOTHING));
    }
    // A bit of each hash.
    for (what, byte) in [("sealed", 2), ("prev_hash", 34), ("hash", 66)] {
        forged.push((what, next(&client), byte));
    }
    server.stop();
    assert_eq!(verify(folder.path()).0, Some(0));
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    append(&store, &honest, NOTHING);
    drop(store);
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(0), "what the rules decide is no forgery: {text}");

    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    for (_, next, byte) in &forged {
        append(&store, next, *byte);
    }
    drop(store);
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(1), "{text}");
    let mut otherwise = 0;
    for (what, Next { id, .. }, _) in &forged {
        let place = format!("match {id}, commit 2: ");
        let line = text.lines().find(|line| line.starts_with(&place));
        let line = line.unwrap_or_else(|| panic!("no {place}\n{text}"));
        assert!(line.contains(what), "{what}: {line}");
        otherwise += usize::from(line.contains("would go otherwise"));
    }
    assert!(!text.contains(&honest.id));
    // Where the hashes fit, the rules alone can tell.
    assert_eq!(otherwise, 5, "{text}");
    let counted = format!("{} findings, 5 matches would go otherwise", forged.len() - otherwise);
    assert!(text.contains(&counted), "{text}");
}

/// It is no part of the chain, and a match cannot be shown without it.
#[test]
fn an_origin_that_cannot_be_read_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let [data, archive] = ["data", "archive"].map(|name| folder.path().join(name));
    let server = Process::serve(&data, &[]);
    let table = Table::rosenkoenig(&server.client());
    server.stop();
    let store = Store::open(&data, Config::default()).expect("it opens");
    let id: uuid::Uuid = table.id.parse().expect("an id");
    let key = [b"origin/".as_slice(), id.as_bytes()].concat();
    let notes = vec![(key, b"{}".to_vec())];
    store.submit(Write { notes, ..Write::default() }).wait().expect("it is written");
    drop(store);
    let (code, text) = verify(&data);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(&table.id) && text.contains("origin"), "{text}");
    let said = run(muninn().arg("backup").arg("--data").arg(&data).arg("--out").arg(&archive));
    said.refused(&["comes from"]);
}

/// It is no part of the chain either, and whoever has the token would act elsewhere.
#[test]
fn a_token_that_leads_to_another_match_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let tables = [(), ()].map(|()| Table::rosenkoenig(&server.client()));
    server.stop();
    let ids = [0, 1].map(|at: usize| tables[at].id.parse::<uuid::Uuid>().expect("an id"));
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let header = store.header(StreamId(*ids[0].as_bytes())).expect("readable").expect("a header");
    let header: Value = serde_json::from_slice(&header).expect("a header is JSON");
    let hash: [u8; 32] = bytes_of(&header["owner_hash"]);
    let key = [b"token/".as_slice(), &hash].concat();
    assert!(store.note(&key).expect("readable").is_some());
    store.forget(std::slice::from_ref(&key)).wait().expect("it is removed");
    let notes = vec![(key, ids[1].as_bytes().to_vec())];
    store.submit(Write { notes, ..Write::default() }).wait().expect("it is written");
    drop(store);
    let (code, text) = verify(folder.path());
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains(&tables[0].id) && text.contains("the match of a token"), "{text}");
}

#[test]
fn a_damaged_match_is_named_and_harms_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let server = Process::serve(folder.path(), &[]);
    let well = Table::rosenkoenig(&server.client());
    let mut damaged = next(&server.client());
    damaged.body["events"] = json!([{"type": "Nonsense"}]);
    damaged.body["last_version"] = damaged.body["first_version"].clone();
    server.stop();
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    append(&store, &damaged, NOTHING);
    drop(store);
    let server = Process::serve(folder.path(), &["--log", "off"]);
    let client = server.client();
    for answer in [
        client.info(&damaged.id),
        client.view(&damaged.id, "at=1"),
        client.replay(&damaged.id, ""),
        client.commits(&damaged.id, ""),
    ] {
        let problem = answer.problem(503, "damaged");
        let text = problem.to_string();
        assert!(text.contains(&format!("match {}, commit 2", damaged.id)), "{text}");
        assert!(!text.contains("Nonsense"), "details are for the log alone: {text}");
    }
    let well = well.through(&client);
    assert_eq!(well.info()["commit"], 1);
    well.play(&mut acceptance::Dice::new(7), 2);
    let listed = client.matches("").ok();
    assert_eq!(listed["items"].as_array().map(Vec::len), Some(1));
    assert_eq!(listed["damaged"], 1);
    server.stop();
}

/// Every byte of what is stored of a match is under its chain: header, names and events.
#[test]
fn a_byte_that_was_changed_anywhere_is_found() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let client = server.client();
    let seats = json!([{"name": "Odin"}, {"name": "Loki", "open": true}]);
    let table = Table::open(&client, &json!({"game": "rosenkoenig", "seats": seats}));
    client.take_seat(&table.id, 1, &json!({"name": "Hel"})).created();
    server.stop();
    assert_eq!(verify(&data).0, Some(0));
    rewrite(&data, &data, |_, _, _| {});
    let (code, text) = verify(&data);
    assert!(
        code == Some(1) && text.contains("the token of a seat"),
        "its note was not copied: {text}"
    );
    // A match whose seats were taken at the opening needs no note but those of its names.
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let server = Process::serve(&data, &[]);
    let seats = json!([{"name": "Odin"}, {"name": "Loki"}]);
    let table = Table::open(&server.client(), &json!({"game": "rosenkoenig", "seats": seats}));
    table.play(&mut acceptance::Dice::new(8), 1);
    server.stop();
    rewrite(&data, &data, |_, _, _| {});
    assert_eq!(verify(&data).0, Some(0));
    let changed = folder.path().join("changed");
    for wanted in [Part::Header, Part::Name, Part::Commit(1), Part::Commit(2)] {
        let mut length = 0;
        rewrite(&data, &changed, |_, part, bytes| {
            if part == wanted {
                length = bytes.len();
            }
        });
        assert!(length > 0, "{wanted:?}");
        // Both bytes in front, and each stretch of the rest once; one bit in each.
        for at in [0, 1].into_iter().chain((1..10).map(|step| step * (length - 1) / 9)) {
            rewrite(&data, &changed, |_, part, bytes| {
                if part == wanted && bytes.len() == length {
                    bytes[at] ^= 1;
                }
            });
            let (code, text) = verify(&changed);
            assert_eq!(code, Some(1), "{wanted:?}, byte {at}: {text}");
            assert!(text.contains(&table.id), "{wanted:?}, byte {at}: {text}");
        }
    }
}

/// The position is the one that it returns to: only the rules of the platform forbid it.
#[test]
fn verify_names_a_take_back_by_another_seat_than_the_one_that_acted() {
    let (_folder, [data]) = acceptance::places(["data"]);
    let server = Process::serve(&data, &[]);
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let table = Table::open(&server.client(), &body);
    let seat = table.active().expect("it runs");
    table.act(&table.legal()[0]);
    table.seat(seat).take_back(&table.id).created();
    server.stop();
    let (code, said) = verify(&data);
    assert_eq!(code, Some(0), "{said}");
    let mut seed = [0; 32];
    rewrite(&data, &data, |_, part, bytes| match part {
        Part::Header => {
            let header: Value = serde_json::from_slice(bytes).expect("a header is JSON");
            seed = bytes_of(&header["seed"]);
        }
        Part::Commit(3) => {
            let mut body: Value = serde_json::from_slice(&bytes[TEXT_AT..]).expect("a commit");
            body["seat"] = json!(1 - seat);
            body["events"][0]["seat"] = json!(1 - seat);
            let prev_hash: [u8; 32] = bytes[34..66].try_into().expect("a hash");
            *bytes = forged(&bytes[..2], &seed, 3, &prev_hash, &body);
        }
        Part::Commit(_) | Part::Name => {}
    });
    let (code, said) = verify(&data);
    assert_eq!(code, Some(3), "{said}");
    let begin = format!("match {}, commit 3: ", table.id);
    let line = said.lines().find(|line| line.starts_with(&begin));
    assert!(line.is_some_and(|line| line.contains("M-82")), "{said}");
}

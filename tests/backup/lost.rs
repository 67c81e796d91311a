//! What is lost with a part of a store: it is told, and nothing is passed off as whole that is not.

use std::fs;

use acceptance::files::{self, unpacked_lines};
use acceptance::preload::library;
use acceptance::process;
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Dice, muninn};
use serde_json::Value;
use store::{Config, Store, StreamId, Write};

use crate::repaired::repair;
use crate::world::play;
use crate::{names, run};

#[test]
fn what_is_lost_at_the_end_of_the_log_is_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, out] = ["data", "out"].map(path);
    play(&data, 1, 8);
    let old = files::read(&data);
    play(&data, 1, 6);
    for entry in names(&data.join("log")).iter().filter(|path| path.is_file()) {
        fs::remove_file(entry).expect("it is there");
    }
    for (file, bytes) in old.iter().filter(|(file, _)| file.starts_with("log")) {
        fs::write(data.join(file), bytes).expect("written");
    }
    let said = repair(&data, &out);
    assert_eq!(said.code, Some(1), "{}", said.error);
    for words in [
        "acknowledged 16, but the log has 9",
        "from feed position 10 on, commits have other positions",
        "7 commits are lost, and nobody knows of which matches",
        "1 matches, 9 commits; 0 matches set aside",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
}

/// Its header, its commits and what the feed says of it were in what is lost.
#[test]
fn a_match_of_which_only_notes_are_left_is_set_aside() {
    let (_folder, [data, hurt, out]) = acceptance::places(["data", "hurt", "out"]);
    play(&data, 2, 8);
    let mut first: Option<StreamId> = None;
    rewrite(&data, &hurt, |stream, part, bytes| {
        if part == Part::Commit(5) && *first.get_or_insert(stream) == stream {
            bytes[TEXT_AT + 1..].rotate_left(1);
        }
    });
    let gone = [7_u8; 16];
    let notes = vec![
        ([b"seat/".as_slice(), &gone, &[0]].concat(), vec![1; 32]),
        ([b"token/".as_slice(), &[2; 32]].concat(), gone.to_vec()),
    ];
    let store = Store::open(&hurt, Config::default()).expect("it opens");
    store.submit(Write { commit: None, notes }).wait().expect("durable");
    drop(store);
    let said = repair(&hurt, &out);
    assert_eq!(said.code, Some(1), "{}", said.error);
    for words in [
        "it has no commit and no header; set aside, 0 of 0",
        "1 matches, 9 commits; 2 matches set aside",
    ] {
        assert!(said.out.contains(words), "{words}: {}", said.out);
    }
    let aside = names(&out.join("aside"));
    let count = |line: &Value| usize::from(line["note"] == "seat" || line["note"] == "token");
    let kept: usize =
        aside.iter().flat_map(|file| unpacked_lines(file)).map(|line| count(&line)).sum();
    assert_eq!(kept, 2, "its notes are in its file");
    let store = Store::open(&out, Config::default()).expect("it opens");
    let keys = store.notes(None, 1_000).expect("readable").into_iter().map(|note| note.key);
    assert!(!keys.into_iter().any(|key| key.starts_with(b"seat/") || key.starts_with(b"token/")));
}

/// The first commit of a match that cannot be read, and how many of all can be, of `most`.
fn readable(store: &Store, stream: StreamId, most: u64) -> (u64, usize) {
    let is_readable = |number: &u64| {
        let found = store.commits(stream, number - 1, 1);
        found.is_ok_and(|found| found.len() == 1)
    };
    let last = (1..=most).rev().find(is_readable).unwrap_or(0);
    let first = (1..=last).find(|number| !is_readable(number)).unwrap_or(last + 1);
    (first, (1..=last).filter(is_readable).count())
}

#[test]
fn what_can_be_read_of_a_match_is_in_its_file() {
    let (folder, [data, out]) = acceptance::places(["data", "out"]);
    (0..2).for_each(|_| play(&data, 2, 60));
    let log = data.join("log/db");
    let bytes = fs::read(&log).expect("a file");
    let used = bytes.iter().rposition(|byte| *byte != 0).expect("something is there");
    let (mut aside, mut behind) = (0, 0);
    for number in 0..24 {
        let mut hurt = bytes.clone();
        for at in [used * (2 * number + 1) / 48, used * number / 31] {
            hurt[at / 4096 * 4096..][..4096].fill(0);
        }
        fs::write(&log, &hurt).expect("written");
        let said = repair(&data, &out);
        if !out.exists() {
            continue;
        }
        let store = Store::salvage(&data, folder.path()).expect("it was read before");
        for file in fs::read_dir(out.join("aside")).into_iter().flatten() {
            let found = unpacked_lines(&file.expect("an entry").path());
            let id = found[0]["match"].as_str().expect("an id").replace('-', "");
            let id = u128::from_str_radix(&id, 16).expect("an id").to_be_bytes();
            let (first, count) = readable(&store, StreamId(id), 62);
            let saved = found.iter().filter(|line| line["commit"].is_u64()).count();
            let saved = saved - usize::from(found[0]["commit"].is_u64());
            assert_eq!(saved, count, "{}", said.out);
            // Where its header is missing, that is what is told.
            let told = found[0]["commit"].as_u64();
            assert!(told.is_none_or(|told| told == first), "{told:?}, {first}: {}", said.out);
            behind += usize::from(count as u64 >= first);
            aside += 1;
        }
        fs::remove_dir_all(&out).expect("it is there");
    }
    assert!(aside > 0 && behind > 0, "{aside} set aside, {behind} with something behind a hole");
}

#[test]
fn a_sector_that_cannot_be_read_costs_what_it_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    (0..2).for_each(|_| play(&data, 3, 20));
    let Some(library) = library(folder.path(), "backup/unreadable.c") else { return };
    let log = fs::read(data.join("log/db")).expect("a file");
    let used = log.iter().rposition(|byte| *byte != 0).expect("something is there");
    let snapshot = names(&data.join("log"));
    let snapshot =
        snapshot.iter().find_map(|path| path.file_name()?.to_str()?.strip_prefix("snap."));
    let snapshot = format!("data/log/snap.{}", snapshot.expect("a snapshot"));
    let mut dice = Dice::new(5);
    let sectors = (0..6).map(|_| ("data/log/db", dice.below(used / 4096) * 4096));
    let others = [(snapshot.as_str(), 0), ("data/log/conf", 0), ("data/HEAD", 4096)];
    let mut opened = 0;
    for (number, (file, at)) in sectors.chain(others).enumerate() {
        let out = path(&format!("out-{number}"));
        let mut repair = muninn();
        repair.arg("repair").arg("--data").arg(&data).arg("--out").arg(&out);
        repair.env("LD_PRELOAD", &library).env("UNREADABLE_FILE", file);
        let said = run(repair.env("UNREADABLE_AT", at.to_string()));
        if !out.exists() {
            assert!(said.error.contains("damaged"), "{}", said.error);
            continue;
        }
        opened += 1;
        let name = file.trim_start_matches("data/");
        let words = format!("damaged: {name}: bytes {at} to ");
        assert!(said.code == Some(1) && said.out.contains(&words), "{words}: {}", said.out);
        if name != "log/db" {
            assert!(said.out.contains("6 matches, 126 commits; 0 matches"), "{}", said.out);
        }
        let (code, found) = process::verify(&out);
        assert_eq!(code, Some(0), "{found}{}", said.out);
    }
    assert!(opened >= 8, "{opened} of 9 give a store");
}

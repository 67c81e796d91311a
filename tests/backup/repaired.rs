//! Damaged stores: what can be read becomes a new store, what is damaged is named and set aside, and the original stays as it is.

use std::fs;
use std::path::Path;

use acceptance::process::{self, Process};
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Dice, files, muninn, until_some};
use serde_json::json;
use store::{Commit, Config, Store, StreamId, Write};

use crate::world::play;
use crate::{Said, backup, names, run};

pub(crate) fn repair(data: &Path, out: &Path) -> Said {
    run(muninn().arg("repair").arg("--data").arg(data).arg("--out").arg(out))
}

/// The ids of all matches that a server of this store lists.
fn listed(data: &Path) -> Vec<String> {
    let server = Process::serve(data, &[]);
    let page = server.client().matches("limit=100").ok();
    let ids = page["items"].as_array().expect("matches").iter();
    let mut ids: Vec<String> =
        ids.map(|item| item["match"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    server.stop();
    ids
}

#[test]
fn damaged_matches_are_set_aside_and_the_others_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, hurt, out] = ["data", "hurt", "out"].map(path);
    play(&data, 6, 8);
    let mut streams: Vec<StreamId> = Vec::new();
    rewrite(&data, &hurt, |stream, part, bytes| {
        if part == Part::Commit(1) {
            streams.push(stream);
        }
        // The second match has another text, the fourth another seed.
        match (streams.iter().position(|of| *of == stream), part) {
            (Some(1), Part::Commit(5)) => bytes[TEXT_AT + 1..].rotate_left(1),
            (None, Part::Header) if streams.len() == 3 => {
                let text = String::from_utf8(bytes.clone()).expect("text");
                let (before, seed) = text.split_once(r#""seed":""#).expect("a seed");
                let other = if seed.starts_with('0') { '1' } else { '0' };
                *bytes = format!(r#"{before}"seed":"{other}{}"#, &seed[1..]).into_bytes();
            }
            _ => {}
        }
    });
    let before = files::read(&hurt);
    let said = repair(&hurt, &out);
    assert_eq!(said.code, Some(1), "{}", said.error);
    let told = said.out;
    for words in [
        "commit 5: sealed differs; set aside, 9 of 9 commits",
        "commit 1: ",
        "from feed position 10 on, commits have other positions",
        "4 matches, 36 commits; 2 matches set aside",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    assert!(files::read(&hurt) == before, "not a byte of the damaged store changes");
    let (code, said) = process::verify(&out);
    assert_eq!(code, Some(0), "{said}");
    let [all, kept] = [&data, &out].map(|data| listed(data));
    assert_eq!((all.len(), kept.len()), (6, 4));
    let aside = names(&out.join("aside"));
    assert_eq!(aside.len(), 2);
    for file in aside {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a name");
        let id = name.strip_suffix(".ndjson.zst").expect("its ending");
        assert!(all.iter().any(|of| of == id) && !kept.iter().any(|of| of == id), "{id}");
        let lines = files::unpacked_lines(&file);
        assert_eq!(
            (&lines[0]["format"], &lines[0]["match"]),
            (&"muninn match 1".into(), &id.into())
        );
        assert_eq!(
            lines.iter().filter(|line| line["text"].is_string() && line["commit"].is_u64()).count(),
            9
        );
        let names = lines.iter().filter(|line| line["note"] == "name");
        assert_eq!(names.count(), 2, "the names of its players are there, and only there");
    }
    backup(&out, &path("archive"), None).ok();
}

/// What a newer program has written is not known here, and what follows on it cannot be followed: neither is damage.
#[test]
fn a_commit_of_another_form_and_what_follows_on_it_are_kept() {
    let (_folder, [data, newer, out]) = acceptance::places(["data", "newer", "out"]);
    play(&data, 2, 8);
    let mut first = None;
    rewrite(&data, &newer, |stream, part, bytes| {
        if *first.get_or_insert(stream) == stream && part == Part::Commit(5) {
            bytes[0] = 9;
        }
    });
    let told = repair(&newer, &out).ok();
    assert!(told.contains("2 matches, 18 commits; 0 matches set aside"), "{told}");
    let commits = |data: &Path| -> Vec<Vec<u8>> {
        let store = Store::open(data, Config::default()).expect("it opens");
        let feed = store.feed(0, 100).expect("readable");
        feed.iter().map(|stored| stored.bytes.to_vec()).collect()
    };
    let (before, after) = (commits(&newer), commits(&out));
    assert!(before.len() == 18 && before == after, "each is there, in its place");
}

/// The engine alone. A process that another test is just starting has the locks of this one until it runs its own program.
fn engine(data: &Path) -> sled::Db {
    until_some("the engine", || sled::open(data.join("log")).ok())
}

/// A commit, a header or a note that a newer program has packed is whole, and would be lost in the new store, or its match set aside.
#[test]
fn a_store_with_what_a_newer_program_has_packed_is_left_to_that_program() {
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    play(&data, 2, 8);
    for kind in ["c", "h", "n"] {
        let log = engine(&data);
        let first = log.scan_prefix(kind).next().expect("one is there");
        let (key, value) = first.expect("readable");
        // A bit of its form that nobody knows, and the checksum: of the key, of what follows the position, and of the position.
        let mut newer = value.to_vec();
        assert_eq!(newer[12] & 0x84, 0, "it is in one piece");
        newer[12] |= 4;
        let covered = [&*key, &newer[12..], &newer[4..12]].concat();
        newer[..4].copy_from_slice(&crc32fast::hash(&covered).to_be_bytes());
        log.insert(&key, newer).expect("written");
        log.flush().expect("written");
        drop(log);
        let words = ["the store is of a newer program (", "): repair it with that program"];
        repair(&data, &out).refused(&words);
        assert!(!out.exists());
        let log = engine(&data);
        log.insert(&key, value).expect("written");
        log.flush().expect("written");
    }
    let told = repair(&data, &out).ok();
    assert!(told.contains("2 matches, 18 commits; 0 matches set aside"), "{told}");
}

/// The commit with which a seat was taken is lost, but not what was written beside it.
#[test]
fn a_seat_whose_commit_is_lost_can_be_taken_again() {
    let (_folder, [data, hurt, out]) = acceptance::places(["data", "hurt", "out"]);
    let server = Process::serve(&data, &[]);
    let open = json!({"game": "rosenkoenig", "seats": [{"name": "Hugin"}, {"open": true}]});
    let id = server.client().open(&open).json()["match"].as_str().expect("an id").to_owned();
    let join = json!({"name": "Munin"});
    server.client().take_seat(&id, 1, &join).created();
    server.stop();
    let [old, new] =
        [&data, &hurt].map(|data| Store::open(data, Config::default()).expect("it opens"));
    let first = old.feed(0, 1).expect("readable").remove(0);
    let header = old.header(first.stream).expect("readable");
    let commit = Commit { stream: first.stream, number: 1, bytes: first.bytes.to_vec(), header };
    let notes = old.notes(None, 100).expect("readable");
    let notes = notes.into_iter().map(|note| (note.key, note.value)).collect();
    new.submit(Write { commit: Some(commit), notes }).wait().expect("it is written");
    drop((old, new));
    repair(&hurt, &out).ok();
    let server = Process::serve(&out, &[]);
    server.client().take_seat(&id, 1, &join).created();
    server.stop();
}

/// What is read of a damaged store may be older than the removal of a name, while the note that tells of it is there.
#[test]
fn a_repair_brings_back_no_name_that_was_forgotten() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, out] = ["data", "out"].map(path);
    play(&data, 2, 4);
    let store = Store::open(&data, Config::default()).expect("it opens");
    let first = store.feed(0, 1).expect("readable").remove(0).stream;
    let key = [b"forgotten/".as_slice(), &1_u64.to_be_bytes()].concat();
    let notes = vec![(key.clone(), first.0.to_vec())];
    store.submit(Write { commit: None, notes }).wait().expect("durable");
    drop(store);
    // Of a store that is whole the names are as they were left.
    let told = repair(&data, &path("whole")).ok();
    assert!(!told.contains("forgotten"), "{told}");
    let conf = data.join("log/conf");
    let mut bytes = fs::read(&conf).expect("a file");
    bytes[16] ^= 1;
    fs::write(&conf, bytes).expect("written");
    let said = repair(&data, &out);
    assert_eq!(said.code, Some(1), "{}", said.error);
    let id = listed(&out).remove(0);
    let words = format!("match {id}: a name was forgotten in it");
    assert!(said.out.contains(&words) && said.out.contains("2 names left out"), "{}", said.out);
    for (name, count) in [("whole", 4), ("out", 2)] {
        let store = Store::open(&path(name), Config::default()).expect("it opens");
        let notes = store.notes(None, 1_000).expect("readable");
        let names = notes.iter().filter(|note| note.key.starts_with(b"name/"));
        assert_eq!(names.count(), count, "{name}");
        assert!(notes.iter().any(|note| note.key == key), "{name}: it is still told");
    }
}

#[test]
fn a_store_without_damage_is_the_same_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, out] = ["data", "out"].map(path);
    play(&data, 2, 8);
    let told = repair(&data, &out).ok();
    assert!(told.contains("2 matches, 18 commits; 0 matches set aside"), "{told}");
    for (data, file) in [(&data, "first"), (&out, "second")] {
        backup(data, &path(file), None).ok();
    }
    let [first, second] = ["first", "second"].map(|name| fs::read(path(name)).expect("a file"));
    assert!(first == second, "tokens, names and keys are there");
    repair(&data, &out).refused(&["out", "the folder is not empty"]);
    repair(&path("nowhere"), &path("new")).refused(&["nowhere", "does not contain a store"]);
    fs::create_dir(path("new.partial")).expect("a folder");
    repair(&data, &path("new")).refused(&["new.partial", "a repair that was cut off"]);
    fs::remove_dir(path("new.partial")).expect("it is empty");
    let server = Process::serve(&data, &[]);
    repair(&data, &path("new")).refused(&["in use"]);
    server.stop();
    assert!(!path("new").exists() && !path("new.partial").exists());
}

#[test]
fn whatever_byte_is_wrong_the_new_store_is_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    play(&data, 4, 12);
    let (log, mut dice) = (data.join("log/db"), Dice::new(11));
    let bytes = fs::read(&log).expect("a file");
    let used = bytes.iter().rposition(|byte| *byte != 0).expect("something is there");
    let (mut opened, mut lost) = (0, 0);
    for number in 0..10 {
        let out = path(&format!("out-{number}"));
        let mut hurt = bytes.clone();
        for _ in 0..=number / 3 {
            hurt[dice.below(used)] ^= 1 << dice.below(8);
        }
        fs::write(&log, &hurt).expect("written");
        let before = files::read(&data);
        let said = repair(&data, &out);
        assert!(files::read(&data) == before, "not a byte of the damaged store changes");
        if !out.exists() {
            assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{}", said.error);
            assert!(!said.error.contains("try `muninn repair`"), "{}", said.error);
            continue;
        }
        opened += 1;
        lost += u64::from(said.code == Some(1));
        assert!(said.code == Some(1) || said.out.contains("4 matches, 52 commits"), "{}", said.out);
        let (code, found) = process::verify(&out);
        assert_eq!(code, Some(0), "{found}{}", said.out);
    }
    assert!(opened > 0 && lost > 0, "{opened} {lost}");
    let left = names(folder.path());
    assert!(!left.iter().any(|path| path.extension().is_some()), "{left:?}");
}

/// Each start leaves a snapshot behind, up to which the log is not read again. A bit before or behind its end costs what it hits, and what is
/// written behind it is read all the same.
#[test]
fn wherever_a_bit_is_wrong_the_others_are_there() {
    const FLIPS: usize = 96;
    /// So many may cost more than the match that they hit: a page may hold the headers of several, or be one that all others hang on.
    const WORSE: usize = FLIPS / 12;
    let (_folder, [data, out]) = acceptance::places(["data", "out"]);
    (0..3).for_each(|_| play(&data, 2, 20));
    let log = data.join("log/db");
    let bytes = fs::read(&log).expect("a file");
    let used = bytes.iter().rposition(|byte| *byte != 0).expect("something is there");
    let mut opened = Vec::new();
    for number in 0..FLIPS {
        let mut hurt = bytes.clone();
        hurt[used * (2 * number + 1) / (2 * FLIPS)] ^= 1 << (number % 8);
        fs::write(&log, &hurt).expect("written");
        let said = repair(&data, &out);
        if out.exists() {
            let (code, found) = process::verify(&out);
            assert_eq!(code, Some(0), "{found}{}", said.out);
            opened.push(said.out.lines().last().unwrap_or_default().to_owned());
            fs::remove_dir_all(&out).expect("it is there");
        }
    }
    assert!(opened.len() + WORSE / 2 >= FLIPS, "{} of {FLIPS} give a store", opened.len());
    let all = opened.iter().filter(|said| said.contains("6 matches, 126 commits;")).count();
    let most = |said: &&String| said.contains("6 matches, ") || said.contains("5 matches, ");
    let most = opened.iter().filter(most).count();
    assert!(most + WORSE >= FLIPS && all >= FLIPS / 2, "{all} lost nothing: {opened:?}");
}

//! What is not an archive, no longer one, or in the way: refused with place and reason, and nothing is left half done.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use acceptance::process::Process;
use acceptance::proof::{hex, sha256};
use acceptance::rewritten::{Part, TEXT_AT, rewrite};
use acceptance::{Dice, Table, files, muninn, run_on};
use serde_json::json;

use crate::world::play;
use crate::{backup, names, restore, verify};

/// An archive of these lines; `honest` ends it with their SHA-256, as whoever knows the format can.
fn write(file: &Path, mut lines: Vec<String>, honest: bool) {
    if honest && let Some(last) = lines.pop() {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let (before, _) = last.split_once(r#""sha256":""#).expect("a manifest");
        lines.push(format!(r#"{before}"sha256":"{}"}}}}"#, hex(&sha256(&[text.as_bytes()]))));
    }
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    fs::write(file, zstd::encode_all(text.as_bytes(), 1).expect("compressed")).expect("written");
}

/// Neither verified nor restored; returns what is said of it.
#[track_caller]
fn unfit(file: &Path, words: &[&str]) -> String {
    let data = file.with_extension("store");
    let said = verify(&[file]);
    said.refused(words);
    restore(&[file], &data, &[]).refused(words);
    assert!(!data.exists() && !file.with_extension("store.partial").exists(), "nothing is left");
    said.error
}

#[test]
fn an_archive_that_is_not_as_it_was_written_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (data, good, bad) = (path("data"), path("good"), path("bad"));
    play(&data, 2, 8);
    backup(&data, &good, None).ok();
    let bytes = fs::read(&good).expect("a file");
    let lines: Vec<String> = files::unpacked(&good).lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), 1 + 18 + lines.iter().filter(|l| l.contains(r#""note""#)).count() + 1);

    // Any byte of the file, or its end.
    for at in (0..bytes.len()).step_by(bytes.len() / 40 + 1) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&bad, &flipped).expect("written");
        // What decompresses to the same is the same archive.
        if zstd::decode_all(flipped.as_slice()).ok() != zstd::decode_all(bytes.as_slice()).ok() {
            unfit(&bad, &["bad: line "]);
        }
        fs::write(&bad, &bytes[..at]).expect("written");
        unfit(&bad, &["bad: line ", "cut off"]);
    }
    fs::write(&bad, [bytes.as_slice(), b"more"].concat()).expect("written");
    unfit(&bad, &["what follows cannot be read"]);
    fs::write(&bad, [bytes.as_slice(), bytes.as_slice()].concat()).expect("written");
    unfit(&bad, &["something follows the manifest"]);

    // Whole lines.
    let changed = |honest: bool, change: &dyn Fn(&mut Vec<String>), words: &[&str]| {
        let mut lines = lines.clone();
        change(&mut lines);
        write(&bad, lines, honest);
        unfit(&bad, words);
    };
    changed(true, &|lines| lines.swap(2, 3), &["line 3", "position 3, expected was 2"]);
    changed(true, &|lines| drop(lines.remove(5)), &["line 6", "expected was 5"]);
    changed(false, &|lines| lines.truncate(10), &["line 11", "cut off"]);
    changed(true, &|lines| drop(lines.remove(lines.len() - 2)), &["the number of notes differs"]);
    let notes = lines.len() - 3;
    changed(true, &|lines| lines.swap(notes, notes + 1), &["the notes are not in order"]);
    changed(
        false,
        &|lines| lines[notes] = lines[notes].replace(r#""position":"#, r#""position":1"#),
        &["line"],
    );
    changed(false, &|lines| lines[0] = lines[0].replace("muninn 0", "muninn 9"), &["SHA-256"]);

    // Somebody who counts SHA-256 anew still has no seeds' seals and no chain.
    let replaced = |line: usize, from: &str, to: &str, words: &[&str]| {
        assert!(lines[line].contains(from), "{}", lines[line]);
        changed(true, &|lines| lines[line] = lines[line].replacen(from, to, 1), words);
    };
    replaced(4, r#"\"seat\":"#, r#"\"seat\":1"#, &["line 5", "sealed differs"]);
    replaced(1, r#"\"seed\":\""#, r#"\"seed\":\"0"#, &["line 2"]);
    replaced(1, r#"\"owner_hash\":\""#, r#"\"owner_hash\":\"00"#, &["line 2"]);
    replaced(3, r#""prev_hash":"#, r#""prev_hash":"00", "x":"#, &["line 4"]);
    replaced(3, r#""format":1"#, r#""format":2"#, &["line 4", "format 2 is unknown"]);
    let name =
        lines.iter().position(|line| line.contains(r#"\"name\":\"Munin\""#)).expect("a name");
    replaced(name, "Munin", "Hugin", &["a name is not the one"]);
    let last = lines.len() - 1;
    replaced(last, r#""heads":""#, r#""heads":"0000"#, &["line"]);

    // Of another time, or another program.
    replaced(0, "archive 1", "archive 2", &["format 2, but this program reads 1"]);
    replaced(0, "archive 1", "archive 0", &["format 0, but this program reads 1"]);
    replaced(0, "muninn archive 1", "hugin 1", &["is not an archive of Muninn"]);
    for foreign in ["", "not compressed at all"] {
        fs::write(&bad, foreign).expect("written");
        unfit(&bad, &["bad: line 1"]);
    }
    fs::copy("streams/v1/delphi-loaded.ndjson.zst", &bad).expect("a recorded stream");
    unfit(&bad, &["this is not an archive of Muninn"]);
    verify(&[&path("nowhere")]).refused(&["nowhere", "No such file"]);
    verify(&[&data]).refused(&["data", "directory"]);
    assert_eq!(names(folder.path()), [bad, data, good]);
}

#[test]
fn what_is_in_the_way_stays_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (data, good) = (path("data"), path("good"));
    play(&data, 1, 4);
    backup(&data, &good, None).ok();
    let bytes = fs::read(&good).expect("a file");
    backup(&data, &good, None).refused(&["good", "the file exists already"]);
    restore(&[&good], &data, &[]).refused(&["data", "the folder is not empty"]);
    restore(&[&good], &good, &[]).refused(&["good"]);
    fs::create_dir(path("new.partial")).expect("a folder");
    restore(&[&good], &path("new"), &[]).refused(&["new.partial", "remove it first"]);
    fs::remove_dir(path("new.partial")).expect("it is empty");
    // An empty folder is filled.
    fs::create_dir(path("new")).expect("a folder");
    restore(&[&good], &path("new"), &[]).ok();

    let server = Process::serve(&data, &[]);
    backup(&data, &path("no"), None).refused(&["in use"]);
    server.stop();
    let nothing = backup(&path("nowhere"), &path("no"), None);
    assert_eq!(nothing.code, Some(2), "{}", nothing.error);
    let file = fs::File::create(path("no.partial")).expect("a file");
    file.lock().expect("locked");
    backup(&data, &path("no"), None).refused(&["no.partial", "another command is writing it"]);
    drop(file);
    assert!(!path("no").exists() && !path("nowhere").exists());
    assert_eq!(fs::read(&good).expect("a file"), bytes);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = fs::metadata(&good).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only its owner may read the seeds");
    }
}

#[test]
fn a_restoration_that_is_killed_leaves_no_store() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 10, 200);
    backup(&path("data"), &path("good"), None).ok();
    // It may be faster than whoever kills it.
    let is_killed = (0..10).any(|_| {
        let mut restore_it = muninn();
        restore_it.arg("restore").arg("--from").arg(path("good")).arg("--data").arg(path("new"));
        let mut child = restore_it.stderr(Stdio::null()).spawn().expect("the program runs");
        while !path("new.partial/log/db").exists() && child.try_wait().expect("a child").is_none() {
        }
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        let is_killed = !path("new").exists();
        if !is_killed {
            fs::remove_dir_all(path("new")).expect("a store");
        }
        is_killed
    });
    assert!(is_killed, "it was killed before its end");
    let again = restore(&[&path("good")], &path("new"), &[]);
    again.refused(&["new.partial", "remove it first"]);
    fs::remove_dir_all(path("new.partial")).expect("a folder");
    restore(&[&path("good")], &path("new"), &[]).ok();
}

/// A store of which the fifth commit has a form that no program knows yet.
pub(crate) fn of_later(data: &Path, later: &Path) {
    play(data, 1, 8);
    rewrite(data, later, |_, part, bytes| {
        if part == Part::Commit(5) {
            bytes[0] = 9;
        }
    });
}

#[test]
fn a_store_with_something_unknown_is_not_backed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    of_later(&path("data"), &path("later"));
    backup(&path("later"), &path("no"), None).refused(&["position 5", "format 9 is unknown"]);
    assert!(!path("no").exists() && !path("no.partial").exists());
}

/// The store's own checksums fit: only the seals tell. An archive of it verifies nowhere, and takes the whole matches down with it.
#[test]
fn a_store_whose_commits_are_not_what_was_sealed_is_not_backed_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 2, 8);
    backup(&path("data"), &path("first"), None).ok();
    let server = Process::serve(&path("data"), &[]);
    let body = json!({"game": "rosenkoenig", "seats": [{"name": "Ada"}, {}]});
    let table = Table::open(&server.client(), &body);
    table.play(&mut Dice::new(1), 3);
    server.stop();
    rewrite(&path("data"), &path("commit"), |_, part, bytes| {
        if part == Part::Commit(5) {
            bytes[TEXT_AT + 1..].rotate_left(1);
        }
    });
    rewrite(&path("data"), &path("name"), |_, part, bytes| {
        let found = bytes.windows(3).position(|three| part == Part::Name && three == b"Ada");
        if let Some(at) = found {
            bytes[at..at + 3].copy_from_slice(b"Eve");
        }
    });
    let first = path("first");
    let not = |name: &str, since: Option<&Path>, why: &[&str]| {
        backup(&path(name), &path("no"), since).refused(why);
        assert!(!path("no").exists() && !path("no.partial").exists());
    };
    not("commit", None, &["position ", "commit 5: sealed differs"]);
    not("name", None, &[&table.id, "a name is not the one"]);
    not("name", Some(&first), &[&table.id, "a name is not the one"]);
    // What was sealed before goes on after it.
    backup(&path("data"), &path("second"), Some(&first)).ok();
    restore(&[&first, &path("second")], &path("new"), &[]).ok();
}

/// What a killed process leaves has all secrets of a store, and fills a disk.
#[test]
fn a_copy_that_was_left_is_removed_by_the_next_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 10, 100);
    let scratch = path("scratch");
    fs::create_dir(&scratch).expect("a folder");
    // What somebody else calls a copy is no copy of ours.
    let elsewhere = path("elsewhere");
    let own = ["muninn-copy-before-upgrade", "muninn-copy-2026-11", "muninn-copy-1-2.tmp.old"];
    for name in own {
        fs::create_dir_all(elsewhere.join(name)).expect("a folder");
        fs::write(elsewhere.join(name).join("notes"), "mine").expect("a file");
    }
    let asked = ["verify", "--scratch", elsewhere.to_str().expect("text")];
    run_on(&path("data"), &asked).ok();
    for name in own {
        assert_eq!(fs::read(elsewhere.join(name).join("notes")).expect("it stays"), b"mine");
    }
    let verify_it = || {
        let mut verify_it = muninn();
        verify_it.args(["verify", "--data"]).arg(path("data"));
        verify_it.arg("--scratch").arg(&scratch).stdout(Stdio::null()).stderr(Stdio::null());
        verify_it.spawn().expect("the program runs")
    };
    // It may be faster than whoever kills it.
    let is_left = (0..10).any(|_| {
        let mut child = verify_it();
        while names(&scratch).is_empty() && child.try_wait().expect("a child").is_none() {}
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
        !names(&scratch).is_empty()
    });
    assert!(is_left, "it was killed before its end");
    // Of two at a time, neither takes the copy of the other away.
    let both = [verify_it(), verify_it()];
    for mut one in both {
        assert_eq!(one.wait().expect("it ends").code(), Some(0));
    }
    assert_eq!(names(&scratch), Vec::<std::path::PathBuf>::new());
}

//! Which folders a store opens, and what it leaves alone.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use store::{Config, OpenError, Store};
use tempfile::TempDir;

use crate::child::{self, Line};
use crate::content;
use crate::damage;

/// A folder with a store of a few commits, closed.
fn filled() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    content::append(&store, content::stream(0), 1..=20);
    drop(store);
    folder
}

fn error(folder: &Path) -> OpenError {
    Store::open(folder, Config::default()).expect_err("it does not open")
}

/// Asserts that opening fails as `is_right` says, and changes no file.
fn refused(folder: &Path, is_right: impl Fn(&OpenError) -> bool) {
    let before = damage::read(folder);
    let error = error(folder);
    assert!(is_right(&error), "{error:?}");
    assert!(damage::read(folder) == before, "files changed after {error}");
}

fn lacks_its_mark(error: &OpenError) -> bool {
    matches!(error, OpenError::Damaged(what) if what == "the file FORMAT is missing")
}

fn assert_no_damage(folder: &Path) {
    let scratch = tempfile::tempdir().expect("a folder");
    let store = Store::inspect(folder, scratch.path()).expect("it can be read");
    assert_eq!(store.check(&mut |_| {}).damage, []);
}

#[test]
fn a_new_store_is_empty() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("deep/er"), Config::default())
        .expect("it makes its folder");
    assert_eq!(store.position(), 0);
    assert!(store.healthy());
    assert_eq!(content::assert_whole(&store), 0);
}

#[test]
fn one_store_at_a_time() {
    let folder = filled();
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert!(matches!(error(folder.path()), OpenError::Locked { .. }));
    // In another process it is the same: the child cannot open, so it says nothing.
    assert_eq!(child::run(folder.path(), 1, 1), []);
    drop(store);
    assert_eq!(child::run(folder.path(), 1, 1), [Line::Acknowledged(0, 21, 21)]);
}

#[test]
fn it_can_be_opened_again_at_once() {
    let folder = filled();
    for _ in 0..30 {
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        let last =
            store.last(content::stream(0)).expect("readable").expect("there are commits").number;
        store.submit(content::write(content::stream(0), last + 1)).wait().expect("durable");
    }
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert_eq!(content::assert_whole(&store), 50);
}

#[test]
fn a_foreign_folder_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("thesis.tex"), "chapter one").expect("writable");
    refused(
        folder.path(),
        |error| matches!(error, OpenError::Foreign { found, .. } if found == "thesis.tex"),
    );
    fs::write(folder.path().join("FORMAT"), "A4\n").expect("writable");
    refused(folder.path(), |error| matches!(error, OpenError::Foreign { .. }));
}

#[test]
fn another_version_is_left_alone() {
    let folder = filled();
    fs::write(folder.path().join("FORMAT"), "muninn 2\n").expect("writable");
    refused(folder.path(), |error| matches!(error, OpenError::Version { found } if found == "2"));
    let text = error(folder.path()).to_string();
    assert!(text.contains("open it with the version that wrote it"), "{text}");
}

#[test]
fn a_damaged_mark_is_damage() {
    let folder = filled();
    fs::write(folder.path().join("FORMAT"), "mtninn 1\n").expect("writable");
    refused(
        folder.path(),
        |error| matches!(error, OpenError::Damaged(what) if what == "the file FORMAT is damaged"),
    );
    assert!(error(folder.path()).to_string().contains("muninn repair"));
}

#[test]
fn a_missing_mark_is_damage() {
    let folder = filled();
    fs::remove_file(folder.path().join("FORMAT")).expect("writable");
    refused(folder.path(), lacks_its_mark);
    assert!(error(folder.path()).to_string().contains("muninn repair"));
    let scratch = tempfile::tempdir().expect("a folder");
    let copied = Store::open_copy(folder.path(), scratch.path(), Config::default());
    let error = copied.expect_err("it is not opened there either");
    assert!(lacks_its_mark(&error), "{error:?}");
    // What is left then may be anything.
    fs::remove_file(folder.path().join("HEAD")).expect("writable");
    refused(
        folder.path(),
        |error| matches!(error, OpenError::Foreign { found, .. } if found == "log"),
    );
}

#[test]
fn a_store_of_a_development_version_is_left_alone() {
    let folder = filled();
    // Begun, complete, and what might have come next; where the log is missing, too.
    for is_begun in [false, true] {
        for mark in ["muninn store ", "muninn store 1", "muninn store 1\n", "muninn store 2\n"] {
            fs::write(folder.path().join("FORMAT"), mark).expect("writable");
            refused(folder.path(), |error| matches!(error, OpenError::Development { .. }));
        }
        if !is_begun {
            fs::remove_dir_all(folder.path().join("log")).expect("writable");
        }
    }
    let text = error(folder.path()).to_string();
    assert!(text.contains("open it with the version that wrote it"), "{text}");
    assert!(text.contains("choose an empty folder"), "{text}");
}

#[test]
fn a_crash_while_it_was_made_does_no_harm() {
    for (name, begun) in [
        ("FORMAT", ""),
        ("FORMAT", "muninn"),
        ("FORMAT", "muninn 1"),
        ("HEAD", ""),
        ("HEAD", "\0\0"),
    ] {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("FORMAT"), "muninn 1\n").expect("writable");
        fs::write(folder.path().join(name), begun).expect("writable");
        if name == "HEAD" {
            assert_no_damage(folder.path());
        }
        let store = Store::open(folder.path(), Config::default()).expect("it goes on");
        assert_eq!(content::assert_whole(&store), 0);
    }
}

/// sled writes its settings in two steps before all else, and does not start where only the first was done.
#[test]
fn a_crash_while_the_log_was_made_does_no_harm() {
    let made = filled();
    let settings = fs::read(made.path().join("log/conf")).expect("readable");
    for begun in [0, 1, 8, 9, 40, settings.len() - 4, settings.len() - 1] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("FORMAT"), "muninn 1\n").expect("writable");
        fs::write(path("HEAD"), "").expect("writable");
        drop(Store::open(folder.path(), Config::default()).expect("it opens"));
        fs::remove_dir_all(path("log")).expect("writable");
        fs::create_dir_all(path("log/blobs")).expect("writable");
        fs::write(path("log/conf"), &settings[..begun]).expect("writable");
        assert_no_damage(folder.path());
        let store = Store::open(folder.path(), Config::default()).expect("it goes on");
        assert_eq!(store.notices(), [""; 0]);
        store.submit(content::write(content::stream(0), 1)).wait().expect("durable");
        assert_eq!(content::assert_whole(&store), 1);
    }
}

#[test]
fn settings_that_are_damaged_are_made_again() {
    let folder = filled();
    let path = folder.path().join("log/conf");
    let settings = fs::read(&path).expect("readable");
    for (at, bytes) in [(16, &settings[..]), (0, &settings[..20]), (0, &settings[..0])] {
        let mut damaged = bytes.to_vec();
        damaged.get_mut(at).into_iter().for_each(|byte| *byte ^= 1);
        fs::write(&path, damaged).expect("writable");
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        assert_eq!(content::assert_whole(&store), 20);
        let [notice] = store.notices() else { panic!("{:?}", store.notices()) };
        assert!(notice.contains("log/conf is damaged, which is derived"), "{notice}");
        drop(store);
        assert_eq!(fs::read(&path).expect("readable"), settings);
    }
}

#[test]
fn a_file_or_a_read_only_folder_is_a_clear_error() {
    let folder = filled();
    let path = folder.path().join("HEAD");
    let text = error(&path).to_string();
    assert!(text.contains("HEAD") && text.contains("ot a directory"), "{text}");

    // Whoever may write everywhere (root) gets the same from a folder in the place of the file.
    let read_only = filled();
    let format = read_only.path().join("FORMAT");
    fs::set_permissions(&format, fs::Permissions::from_mode(0o444)).expect("it is ours");
    if fs::File::options().write(true).open(&format).is_ok() {
        fs::remove_file(&format).expect("it is ours");
        fs::create_dir(&format).expect("writable");
    }
    let found = error(read_only.path());
    assert!(matches!(&found, OpenError::Io { path, .. } if *path == format), "{found:?}");
}

#[test]
fn a_lost_log_is_not_replaced_by_an_empty_one() {
    let folder = filled();
    let lost = |error: &OpenError| matches!(error, OpenError::Lost { acknowledged: 20, found: 0 });
    let log = folder.path().join("log");
    let db = fs::read(log.join("db")).expect("readable");
    fs::write(log.join("db"), "").expect("writable");
    refused(folder.path(), lost);
    fs::remove_file(log.join("db")).expect("writable");
    refused(folder.path(), lost);
    fs::rename(&log, folder.path().join("gol")).expect("writable");
    refused(folder.path(), lost);
    fs::rename(folder.path().join("gol"), &log).expect("writable");
    fs::write(log.join("db"), db).expect("writable");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert_eq!(content::assert_whole(&store), 20);
}

#[test]
fn an_older_copy_of_the_log_is_not_taken_for_the_log() {
    let folder = filled();
    let log = folder.path().join("log");
    let old = damage::read(&log);
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    content::append(&store, content::stream(0), 21..=30);
    drop(store);
    damage::read(&log).keys().for_each(|name| fs::remove_file(log.join(name)).expect("writable"));
    old.iter().for_each(|(name, bytes)| fs::write(log.join(name), bytes).expect("writable"));
    refused(folder.path(), |error| {
        matches!(error, OpenError::Lost { acknowledged: 30, found: 20 })
    });
}

#[test]
fn without_head_a_filled_store_does_not_open() {
    let folder = filled();
    fs::write(folder.path().join("HEAD"), vec![0; 8192]).expect("writable");
    refused(folder.path(), |error| matches!(error, OpenError::Damaged(_)));
    fs::remove_file(folder.path().join("HEAD")).expect("writable");
    refused(folder.path(), |error| matches!(error, OpenError::Damaged(_)));
}

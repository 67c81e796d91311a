//! What is noticed before a write is refused for certain: nothing of it is stored, and who asks hears why.

use std::fs;
use std::os::unix::fs::FileExt;

use store::{Config, ReadError, Store, Trouble, Write, WriteError};

use crate::content;
use crate::damage;

fn note(key: &str) -> Write {
    Write { notes: vec![(key.into(), b"value".to_vec())], ..Write::default() }
}

#[track_caller]
fn refused(store: &Store) {
    let answer = store.submit(note("refused")).wait();
    assert!(matches!(answer, Err(WriteError::Unavailable(_))), "{answer:?}");
}

#[test]
fn a_folder_that_was_removed_or_replaced_is_noticed() {
    let parent = tempfile::tempdir().expect("a folder");
    let (folder, aside) = (parent.path().join("data"), parent.path().join("aside"));
    let store = Store::open(&folder, Config::default()).expect("it opens");
    store.submit(note("first")).wait().expect("durable");
    assert_eq!(store.trouble(), None);

    fs::rename(&folder, &aside).expect("it can be moved");
    assert!(matches!(store.trouble(), Some(Trouble::Gone(_))), "{:?}", store.trouble());
    refused(&store);
    fs::rename(&aside, &folder).expect("it can be moved");
    assert_eq!(store.trouble(), None, "it is the same again");
    store.submit(note("second")).wait().expect("durable");

    // Another store in its place: each of the three files alone is noticed.
    for name in ["FORMAT", "HEAD", "log/db"] {
        let (path, other) = (folder.join(name), parent.path().join("other"));
        fs::rename(&path, &other).expect("it can be moved");
        fs::copy(&other, &path).expect("it can be copied");
        assert_eq!(store.trouble(), Some(Trouble::Gone(path.clone())));
        refused(&store);
        fs::rename(&other, &path).expect("it can be moved");
    }
    assert_eq!(store.trouble(), None);
    fs::remove_dir_all(&folder).expect("it can be removed");
    assert!(matches!(store.trouble(), Some(Trouble::Gone(_))));
    refused(&store);
    let found = store.note(b"second").expect("readable");
    assert_eq!(found.as_deref(), Some(b"value".as_slice()), "what is open can still be read");
    assert_eq!(store.note(b"refused").expect("readable"), None);
    assert!(!folder.exists(), "nothing is made in its place");
}

/// Before the first batch there are no zeros behind the end of the log: the writer makes them, and waits for their sync.
#[test]
fn who_asks_for_trouble_writes_nothing() {
    const ZEROS: u64 = 2 << 20;
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert_eq!(store.trouble(), None);
    let length = fs::metadata(folder.path().join("log/db")).expect("the log").len();
    assert!(length < ZEROS, "{length}");
    store.submit(note("first")).wait().expect("durable");
    assert_eq!(store.trouble(), None);
}

/// Damage behind the back of a store that is open, and that does not have everything in memory.
#[test]
fn a_page_that_cannot_be_read_is_noticed() {
    let (base, _) = damage::settled();
    let folder = tempfile::tempdir().expect("a folder");
    damage::write(folder.path(), &base);
    let store = Store::open(folder.path(), Config { cache_bytes: 256 }).expect("it opens");
    assert_eq!(store.trouble(), None);
    let file = fs::File::options().write(true).open(folder.path().join("log/db")).expect("the log");
    let length = file.metadata().expect("a length").len();
    for at in (1_000..length).step_by(3_000) {
        file.write_all_at(&[0x55; 4], at).expect("writable");
    }
    let reads = (0..6).map(|nth| store.commits(content::stream(nth), 0, usize::MAX));
    let errors: Vec<_> = reads.filter_map(Result::err).collect();
    assert!(errors.iter().any(store::ReadError::is_of_store), "{errors:?}");
    let trouble = store.trouble();
    assert!(matches!(trouble, Some(Trouble::Unreadable(_))), "{trouble:?}");
    refused(&store);
    assert!(store.healthy(), "no write failed");
}

/// A record whose bytes differ is one record: it is said of it alone, and everything else goes on.
#[test]
fn a_record_that_differs_hinders_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let stream = content::stream(1);
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    content::append(&store, stream, 1..=20);
    drop(store);
    damage::change(folder.path(), stream, 7);
    // Also where it is among the last ones, which are looked at when a store is opened.
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    assert!(matches!(store.commits(stream, 6, 1), Err(ReadError::Damaged(_))));
    assert_eq!(store.commits(stream, 7, 100).expect("readable").len(), 13);
    store.submit(content::write(stream, 21)).wait().expect("it goes on");
    drop(store);
    let scratch = tempfile::tempdir().expect("a folder");
    let looked = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
    assert!(matches!(looked.commits(stream, 6, 1), Err(ReadError::Damaged(_))));
    assert_eq!(looked.check(&mut |_| {}).damage.len(), 1);
    assert!(!matches!(looked.trouble(), Some(Trouble::Unreadable(_))), "{:?}", looked.trouble());
}

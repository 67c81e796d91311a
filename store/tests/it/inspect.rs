//! A store that is looked at stays as it is, to the last byte.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use store::{Config, Damage, OpenError, Store};

use crate::content;
use crate::damage;

fn set_mode(folder: &Path, folders: u32, others: u32) {
    for name in damage::read(folder).keys() {
        let mode = Permissions::from_mode(others);
        fs::set_permissions(folder.join(name), mode).expect("it is ours");
    }
    for name in ["log/blobs", "log", ""] {
        let mode = Permissions::from_mode(folders);
        fs::set_permissions(folder.join(name), mode).expect("it is ours");
    }
}

#[test]
fn what_is_looked_at_is_left_as_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let (made, acknowledged) = damage::made(true);
    damage::write(folder.path(), &made);
    set_mode(folder.path(), 0o555, 0o444);
    let scratch = tempfile::tempdir().expect("a folder");
    let store = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
    assert!(content::assert_whole(&store) >= acknowledged);
    let left = fs::read_dir(scratch.path()).expect("a folder").count();
    assert_eq!(left, 0, "the copy is gone as soon as it is open");
    drop(store);
    set_mode(folder.path(), 0o755, 0o644);
    assert!(damage::read(folder.path()) == made, "files changed");
}

#[test]
fn nobody_looks_at_what_is_being_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let refused = Store::inspect(folder.path(), scratch.path()).expect_err("it is open");
    assert!(matches!(refused, OpenError::Locked { .. }), "{refused}");
    drop(store);
    let first = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
    let second = Store::inspect(folder.path(), scratch.path()).expect("and twice");
    let writer = Store::open(folder.path(), Config::default()).expect("a copy hinders nobody");
    drop((first, second, writer));
}

#[test]
fn what_is_no_store_is_not_made_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = tempfile::tempdir().expect("a folder");
    let refused = Store::inspect(folder.path(), scratch.path()).expect_err("it is empty");
    assert!(matches!(refused, OpenError::Missing { .. }), "{refused}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    fs::write(folder.path().join("FORMAT"), "muninn 2\n").expect("writable");
    let refused = Store::inspect(folder.path(), scratch.path()).expect_err("it is newer");
    assert!(matches!(refused, OpenError::Version { .. }), "{refused}");
}

#[test]
fn a_store_of_a_development_version_is_not_looked_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = tempfile::tempdir().expect("a folder");
    let (mut made, _) = damage::made(false);
    made.insert("FORMAT".into(), b"muninn store 1\n".to_vec());
    damage::write(folder.path(), &made);
    let refused = Store::inspect(folder.path(), scratch.path()).expect_err("it is older");
    assert!(matches!(refused, OpenError::Development { .. }), "{refused}");
    assert!(damage::read(folder.path()) == made, "files changed");
    assert_eq!(fs::read_dir(scratch.path()).expect("a folder").count(), 0);
}

#[test]
fn a_loss_is_listed_and_what_is_left_can_be_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let scratch = tempfile::tempdir().expect("a folder");
    let write = |numbers| {
        let store = Store::open(folder.path(), Config::default()).expect("it opens");
        content::append(&store, content::stream(0), numbers);
    };
    write(1..=20);
    let old = damage::read(folder.path());
    write(21..=30);
    let head = fs::read(folder.path().join("HEAD")).expect("readable");
    fs::remove_dir_all(folder.path().join("log")).expect("writable");
    damage::write(folder.path(), &old);
    fs::write(folder.path().join("HEAD"), head).expect("writable");
    let looked = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
    let found = looked.check(&mut |_| {});
    let said: Vec<String> = found.damage.iter().map(Damage::to_string).collect();
    assert!(said[0].contains("acknowledged 30, but the log has 20"), "{said:?}");
    assert_eq!(said[1], "feed position 21: it and all up to 30 are missing");
    assert_eq!(looked.commits(content::stream(0), 0, 100).expect("readable").len(), 20);

    fs::remove_file(folder.path().join("HEAD")).expect("writable");
    let looked = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
    let damage = looked.check(&mut |_| {}).damage;
    assert_eq!(damage, [Damage::Files("the file HEAD is missing".to_owned())]);
}

/// After a power cut HEAD may be behind: what is damaged then is told all the same, and what is not is there.
#[test]
fn damage_is_found_where_head_is_behind() {
    for broken in [7_u64, 27] {
        let folder = tempfile::tempdir().expect("a folder");
        let scratch = tempfile::tempdir().expect("a folder");
        let stream = content::stream(0);
        let write = |numbers| {
            let store = Store::open(folder.path(), Config::default()).expect("it opens");
            content::append(&store, stream, numbers);
        };
        write(1..=20);
        let head = fs::read(folder.path().join("HEAD")).expect("readable");
        write(21..=30);
        fs::write(folder.path().join("HEAD"), head).expect("writable");
        damage::change(folder.path(), stream, broken);
        let looked = Store::inspect(folder.path(), scratch.path()).expect("it can be looked at");
        let damage = looked.check(&mut |_| {}).damage;
        assert!(
            matches!(&*damage, [Damage::Commit { number, .. }] if *number == broken),
            "{damage:?}"
        );
        assert_eq!(looked.position(), 30);
        assert_eq!(
            looked.commits(stream, broken, 100).expect("readable").len() as u64,
            30 - broken
        );
    }
}

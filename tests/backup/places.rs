//! Where things are made, and which store is meant: said before any work is done, and never guessed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use acceptance::muninn;
use acceptance::process::Process;

use crate::world::play;
use crate::{Said, backup, run};

#[test]
fn an_archive_is_written_into_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    play(&data, 1, 4);
    fs::write(path("letter"), "dear").expect("written");
    symlink(path("letter"), path("first.partial")).expect("a link");
    backup(&data, &path("first"), None).refused(&["first.partial", "it is no file"]);
    fs::hard_link(path("letter"), path("second.partial")).expect("a link");
    backup(&data, &path("second"), None).ok();
    assert_eq!(fs::read(path("letter")).expect("a file"), b"dear");
    fs::write(path("third.partial"), "left").expect("written");
    let all = fs::Permissions::from_mode(0o666);
    fs::set_permissions(path("third.partial"), all).expect("it is ours");
    backup(&data, &path("third"), None).ok();
    for name in ["second", "third"] {
        let mode = fs::metadata(path(name)).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "only its owner may read the seeds of {name}");
    }
}

#[test]
fn the_store_that_is_named_is_the_one_that_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [served, data] = ["served", "data"].map(path);
    play(&served, 1, 4);
    play(&data, 1, 8);
    let server = Process::serve(&served, &[]);
    let door = server.operator().address.to_string();
    let ask = |set: &[(&str, &str)], more: &[&str]| -> Said {
        let mut backup = muninn();
        backup.envs(set.iter().copied()).arg("backup").args(more);
        run(&mut backup)
    };
    let text = |path: &Path| path.to_str().expect("text").to_owned();
    let [data, first, second, third] =
        [data, path("first"), path("second"), path("third")].map(|path| text(&path));
    let operator = [("MUNINN_OPERATOR", door.as_str())];
    let told = ask(&operator, &["--data", &data, "--out", &first]).ok();
    assert!(told.contains("9 commits"), "the flag goes first: {told}");
    let told = ask(&[("MUNINN_DATA", &data)], &["--operator", &door, "--out", &second]).ok();
    assert!(told.contains("5 commits"), "the flag goes first: {told}");
    let wrong = |said: Said, words: &str| {
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.error);
        assert!(said.error.contains(words), "{words}: {}", said.error);
    };
    wrong(
        ask(&[], &["--operator", &door, "--data", &data, "--out", &third]),
        "--operator and --data cannot be used together",
    );
    wrong(
        ask(&[], &["--verify", &first, "--data", &data]),
        "--verify and --data cannot be used together",
    );
    wrong(
        ask(&[], &["--verify", &first, "--operator", &door]),
        "--verify and --operator cannot be used together",
    );
    ask(&[operator[0], ("MUNINN_DATA", &data)], &["--verify", &first]).ok();
    server.stop();
}


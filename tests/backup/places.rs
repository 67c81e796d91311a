//! Where things are made, and which store is meant: said before any work is done, and never guessed.

use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use acceptance::preload::library;
use acceptance::process::Process;
use acceptance::{Dice, Table, files, muninn, run_on, simulate, until};

use crate::refused::of_later;
use crate::repaired::repair;
use crate::world::play;
use crate::{Said, backup, names, restore, run};

#[test]
fn a_place_that_cannot_take_the_name_is_refused_before_all_work() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    play(&data, 1, 4);
    backup(&data, &path("good"), None).ok();
    let before = files::read(&data);
    repair(&data, &data.join("log/blobs")).refused(&["blobs", "in the damaged store"]);
    repair(&data, &data.join("new/out")).refused(&["in the damaged store"]);
    symlink(&data, path("other")).expect("a link");
    repair(&path("other"), &data.join("new")).refused(&["in the damaged store"]);
    let scratch = |command: &str, out: &str| {
        let mut command_line = muninn();
        command_line.arg(command).arg("--data").arg(&data).arg("--out").arg(path(out));
        run(command_line.arg("--scratch").arg(data.join("log")))
    };
    for command in ["repair", "backup"] {
        scratch(command, "no").refused(&["log", "it is in the store that is to be copied"]);
    }
    assert!(files::read(&data) == before && !data.join("new").exists(), "nothing changes");

    fs::create_dir(path("empty")).expect("a folder");
    symlink(path("empty"), path("link")).expect("a link");
    symlink(path("nowhere"), path("dangling")).expect("a link");
    for link in ["link", "dangling", "link/", "dangling/", "link/."] {
        let told = [link.trim_end_matches(['/', '.']), "it is a link"];
        restore(&[&path("good")], &path(link), &[]).refused(&told);
        repair(&data, &path(link)).refused(&told);
    }
    // A name that ends so is as good as without.
    restore(&[&path("good")], &path("plain/"), &[]).ok();
    assert!(path("plain/FORMAT").exists());
    let mounted = Path::new("/dev/shm");
    if mounted.is_dir() && fs::read_dir(mounted).is_ok_and(|mut entries| entries.next().is_none()) {
        restore(&[&path("good")], mounted, &[]).refused(&["a file system is mounted there"]);
    }
    // What leads there may be a link.
    symlink(path("empty"), path("way")).expect("a link");
    restore(&[&path("good")], &path("way/new"), &[]).ok();
    assert!(path("empty/new/FORMAT").exists());
}

/// What has its name, but perhaps not for long, is no result.
#[test]
fn what_cannot_be_synced_at_its_end_is_taken_away_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let Some(library) = library(folder.path(), "backup/unsynced.c") else { return };
    let [data, good, out] = ["data", "good", "place/out"].map(path);
    play(&data, 1, 4);
    backup(&data, &good, None).ok();
    fs::create_dir(path("place")).expect("a folder");
    let fails = |command: &mut Command| {
        command.env("LD_PRELOAD", &library);
        command.env("UNSYNCED_FOLDER", "/place").env("UNSYNCED_SINCE", &out);
        run(command).refused(&["Input/output error"]);
        let left = names(&path("place"));
        assert!(left.is_empty(), "{left:?}");
    };
    fails(muninn().arg("restore").arg("--from").arg(&good).arg("--data").arg(&out));
    fails(muninn().arg("repair").arg("--data").arg(&data).arg("--out").arg(&out));
    fails(muninn().arg("backup").arg("--data").arg(&data).arg("--out").arg(&out));
}

/// A pipe has its bytes only once.
#[test]
fn an_archive_that_is_read_twice_is_no_pipe() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let [data, good, new] = ["data", "good", "new"].map(path);
    play(&data, 1, 4);
    backup(&data, &good, None).ok();
    let bytes = fs::read(&good).expect("a file");
    let piped = |more: &[&str]| {
        let (reader, mut writer) = io::pipe().expect("a pipe");
        // It has room for all of it.
        writer.write_all(&bytes).expect("it is written");
        drop(writer);
        let mut restore = muninn();
        restore.args(["restore", "--from", "/dev/stdin", "--data"]).arg(&new).args(more);
        run(restore.stdin(reader))
    };
    let said = piped(&["--until", "3"]);
    said.failed(2, &["--until reads the archives twice", "/dev/stdin must be a file"]);
    assert!(!new.exists());
    assert!(piped(&[]).ok().contains("up to position 5"));
}

#[test]
fn an_archive_is_written_into_a_file_of_its_own() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    play(&data, 1, 4);
    fs::write(path("letter"), "dear").expect("written");
    symlink(path("letter"), path("first.partial")).expect("a link");
    backup(&data, &path("first"), None).refused(&["first.partial", "it is not a file"]);
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
    // A link has its name, whatever it leads to.
    symlink(path("nowhere"), path("fourth")).expect("a link");
    backup(&data, &path("fourth"), None).refused(&["fourth", "exists already"]);
    assert!(path("fourth").is_symlink() && !path("nowhere").exists());
    for name in ["fifth/", "fifth/."] {
        backup(&data, &path(name), None).refused(&[name, "the name of a folder"]);
    }
    assert!(!path("fifth").exists() && !path("fifth.partial").exists());
    backup(&data, &path("letter/sixth"), None).refused(&["letter/sixth", "Not a directory"]);
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
    let same = text(&path("same"));
    let both = ["--data", &data, "--out", &same];
    let told = ask(&[operator[0], ("MUNINN_DATA", &data)], &both).ok();
    assert!(told.contains("9 commits"), "it does though its variable says the same: {told}");
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
        ask(&operator, &["--operator", &door, "--data", &data, "--out", &third]),
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
    // What is to be verified may be of the environment, too.
    let set = [("MUNINN_VERIFY", first.as_str())];
    assert!(ask(&set, &[]).ok().starts_with(&first), "it is verified where nothing else is said");
    ask(&set, &["--data", &data, "--out", &third]).ok();
    let fourth = text(&path("fourth"));
    ask(&set, &["--operator", &door, "--out", &fourth]).ok();
    server.stop();
}

/// Standard output may take nothing, but what was asked for is done.
#[cfg(target_os = "linux")]
#[test]
fn what_is_done_is_done_though_nobody_hears_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 1, 4);
    let deaf = |command: &mut Command| {
        let full = fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let said = command.stdout(full).stderr(Stdio::piped()).output().expect("the program runs");
        let error = String::from_utf8_lossy(&said.stderr).into_owned();
        assert_eq!(said.status.code(), Some(0), "{error}");
        assert!(error.contains("note: ") && error.contains("No space left"), "{error}");
    };
    deaf(muninn().arg("backup").arg("--data").arg(path("data")).arg("--out").arg(path("good")));
    deaf(muninn().arg("restore").arg("--from").arg(path("good")).arg("--data").arg(path("new")));
    deaf(muninn().arg("repair").arg("--data").arg(path("new")).arg("--out").arg(path("mended")));
    for store in ["new", "mended"] {
        backup(&path(store), &path(&format!("of-{store}")), None).ok();
    }
}

/// Where it is not known whether there is a store, that is said.
#[test]
fn a_store_that_cannot_be_looked_at_is_no_store_that_is_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    symlink(path("circle"), path("circle")).expect("a link");
    play(&path("closed"), 1, 4);
    let closed = |mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(path("closed"), mode).expect("it is ours");
    };
    closed(0o000);
    for (command, more) in [
        ("backup", ["--out", "no"].as_slice()),
        ("query", &["SELECT 1"]),
        ("stats", &["--game", "rosenkoenig"]),
        ("report", &["--game", "rosenkoenig", "--out", "no.html"]),
        ("export", &["--out", "tables"]),
        ("verify", &[]),
        ("audit", &["--game", "rosenkoenig", "--edition", "1"]),
    ] {
        let args = |name: &str, run_by: &mut Command| {
            run(run_by
                .arg(command)
                .args(more)
                .arg("--data")
                .arg(path(name))
                .current_dir(folder.path()))
        };
        args("circle", &mut muninn()).refused(&["circle", "symbolic links"]);
        // Root may look at everything, but not where it is root of a name space alone.
        let program = muninn();
        let mut outside = Command::new("unshare");
        let mut said = args("closed", outside.arg("-U").arg(program.get_program()));
        if said.error.starts_with("unshare") {
            said = args("closed", &mut muninn());
        }
        said.refused(&["closed", "Permission denied"]);
    }
    closed(0o700);
}

/// It is one by its other files: nobody says that there is none, or takes it for something else.
#[test]
fn a_store_without_its_mark_is_a_damaged_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let data = path("data");
    play(&data, 1, 4);
    fs::remove_file(data.join("FORMAT")).expect("it is there");
    let what = ["the file FORMAT is missing", "muninn repair"];
    backup(&data, &path("no"), None).refused(&what);
    run_on(&data, &["stats", "--game", "rosenkoenig"]).refused(&what);
    run_on(&data, &["query", "SELECT 1"]).refused(&what);
    assert!(!path("no").exists());
    let repaired = repair(&data, &path("new"));
    assert_eq!(repaired.code, Some(1), "{}", repaired.error);
    backup(&path("new"), &path("good"), None).ok();
}

/// Seeds and tokens are in it, whoever made the folder.
#[test]
fn a_store_is_for_its_owner_alone_wherever_it_lies() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for name in ["served", "simulated"] {
        fs::create_dir(path(name)).expect("a folder");
        let open = fs::Permissions::from_mode(0o755);
        fs::set_permissions(path(name), open).expect("it is ours");
    }
    let server = Process::serve(&path("served"), &["--query", "on"]);
    Table::rosenkoenig(&server.client()).play(&mut Dice::new(2), 5);
    until("the tables", || path("served").join("tables.sqlite").exists());
    server.stop();
    simulate(&path("simulated"), "--game rosenkoenig --matches 2");
    run_on(&path("simulated"), &["query", "SELECT 1"]).ok();
    run_on(&path("simulated"), &["stats", "--game", "rosenkoenig"]).ok();
    assert!(path("simulated/statistics.json").exists());
    // Tables of private matches have what only their tokens read.
    let mut export = muninn();
    export.args(["export", "--private", "--data"]).arg(path("simulated"));
    run(export.arg("--out").arg(path("exported"))).ok();
    let mut folders = ["served", "simulated", "exported"].map(path).to_vec();
    while let Some(folder) = folders.pop() {
        for file in names(&folder) {
            let mode = fs::metadata(&file).expect("a file").permissions().mode();
            assert!(file.is_dir() || mode & 0o077 == 0, "{} has mode {mode:o}", file.display());
            folders.extend(Some(file).filter(|file| file.is_dir()));
        }
    }
}

/// What root makes there, the service could not read: it would not start any more.
#[test]
fn root_writes_nothing_into_the_store_of_somebody_else() {
    let (_folder, [data]) = acceptance::places(["data"]);
    simulate(&data, "--game rosenkoenig --matches 1");
    let format = data.join("FORMAT");
    // Only root gives files away, and only root can do this damage.
    if chown(&format, Some(12_345), None).is_err() {
        return;
    }
    let before = files::read(&data);
    for args in [&["stats", "--game", "rosenkoenig"][..], &["query", "SELECT 1"], &["serve"]] {
        run_on(&data, args).refused(&["id 12345", "runuser"]);
    }
    assert_eq!(files::read(&data), before);
    // What only reads may be run by root.
    run_on(&data, &["verify"]).ok();
}

#[test]
fn a_server_that_breaks_off_says_why_in_its_log() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    of_later(&path("data"), &path("later"));
    let log = fs::File::create(path("log")).expect("a file for the log");
    let mut serve = Process::command(&path("later"));
    let server = Process::spawn(serve.args(["--log", "info"]).stderr(log));
    let door = server.operator().address.to_string();
    let said = run(muninn().args(["backup", "--operator", &door, "--out"]).arg(path("no")));
    said.refused(&["the server broke off; its log says why"]);
    assert!(!path("no").exists() && !path("no.partial").exists());
    server.stop();
    let log = fs::read_to_string(path("log")).expect("a log");
    assert!(
        log.contains("position 5: ") && log.contains("format 9 is unknown"),
        "the log says why"
    );
}

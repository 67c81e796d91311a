//! A disk that is full in the middle: the end is clean, with place and reason, and nothing is left half written.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use acceptance::process::{self, Process};
use acceptance::{Table, files, muninn, not_tested, simulate, until};
use serde_json::{Value, json};

use crate::imported::{document, import, written};
use crate::running::in_turn;
use crate::world::play;
use crate::{Said, backup, names, restore, run};

/// The program where this folder is a disk of this size, and what is left there; `None` where no disk can be made, which is said.
fn on_small_disk(folder: &Path, size: &str, args: &[&str]) -> Option<Said> {
    on_small_disk_with("", folder, size, args)
}

/// The same where a file of this name was there before: nothing is left if it is the only one, and as it was.
fn on_small_disk_with(good: &str, folder: &Path, size: &str, args: &[&str]) -> Option<Said> {
    let program = muninn();
    // For root as it is; for others in a name space where they are root.
    let tried = ["-m", "-rm"].into_iter().map(|rights| {
        let script = "mount -t tmpfs -o size=$1 none \"$0\" || exit 77; good=$2; shift 2
            test -z \"$good\" || echo good >\"$0/$good\" || exit 77
            \"$@\"; code=$?
            test \"$(ls \"$0\")\" = \"$good\" || exit $code
            test -z \"$good\" || echo good | cmp - \"$0/$good\" || exit $code
            echo nothing is left >&2; exit $code";
        let mut inside = Command::new("unshare");
        inside.args([rights, "sh", "-c", script]).arg(folder).args([size, good]);
        run(inside.arg(program.get_program()).args(args))
    });
    let said =
        tried.into_iter().find(|said| said.code != Some(77) && !said.error.starts_with("unshare"));
    if said.is_none() {
        not_tested("disk", "no disk can be mounted here, so none can be full");
    }
    said
}

/// The program with files of at most so many blocks of 512 bytes.
fn limited(blocks: u64, args: &[&str]) -> Said {
    let program = muninn();
    let script = format!("ulimit -f {blocks}; exec \"$@\"");
    let mut limited = Command::new("sh");
    limited.args(["-c", &script, "sh"]).arg(program.get_program()).args(args);
    run(limited.stdin(Stdio::null()))
}

#[test]
fn a_full_disk_in_the_middle_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_string_lossy().into_owned();
    let (data, good) = (path("data"), path("good"));
    play(&data, 10, 200);
    backup(&data, &good, None).ok();
    let (from, into) = (text("good"), text("new"));
    fs::create_dir(path("disk")).expect("a folder");
    let out = text("disk/out");
    if let Some(said) =
        on_small_disk(&path("disk"), "16k", &["backup", "--data", &text("data"), "--out", &out])
    {
        said.refused(&["the archive cannot be written", "No space left"]);
        assert!(said.error.contains("nothing is left"), "{}", said.error);
    }
    // One segment of the log, where hundreds of commits take several.
    let said = limited(1100, &["restore", "--from", &from, "--data", &into]);
    // Who writes may notice it, or who reads what was written.
    said.refused(&["after feed position", "File too large"]);
    assert!(!path("new").exists() && !path("new.partial").exists());
    restore(&[&good], &path("new"), &[]).ok();
    // Files that may not grow are as full a disk, for who writes an archive too.
    let out = text("out");
    let scratch = limited(40, &["backup", "--data", &text("data"), "--out", &out]);
    scratch.refused(&["File too large"]);
    let door = Process::serve(&path("new"), &[]);
    let address = door.operator().address.to_string();
    limited(40, &["backup", "--operator", &address, "--out", &out]).refused(&["File too large"]);
    door.stop();
    assert!(!path("out").exists() && !path("out.partial").exists());
}

#[test]
fn a_full_disk_under_who_takes_a_backup_at_the_door_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 10, 200);
    fs::create_dir(path("disk")).expect("a folder");
    let server = Process::serve(&path("data"), &[]);
    let door = server.operator().address.to_string();
    let ask = ["backup", "--operator", &door, "--out"];
    let out = path("disk/out").to_string_lossy().into_owned();
    if let Some(said) = on_small_disk(&path("disk"), "16k", &[&ask[..], &[&out]].concat()) {
        said.refused(&["disk/out: ", "No space left"]);
        assert!(said.error.contains("nothing is left"), "{}", said.error);
    }
    // Files that may not grow are as full a disk.
    let out = path("out").to_string_lossy().into_owned();
    let said = in_turn(|| limited(40, &[&ask[..], &[&out]].concat()));
    said.refused(&["/out: ", "File too large"]);
    assert!(!path("out").exists() && !path("out.partial").exists());
    // The server does not mind, and its door is open for the next one.
    Table::rosenkoenig(&server.client());
    in_turn(|| run(muninn().args(ask).arg(&out))).ok();
    server.stop();
}

/// Whether a file is not derived of others.
fn is_of_store(file: &Path) -> bool {
    let is_in_log = file.parent().is_some_and(|parent| parent.ends_with("log"));
    is_in_log || file.ends_with("HEAD") || file.ends_with("FORMAT")
}

#[test]
fn a_full_disk_in_the_middle_of_a_repair_leaves_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_string_lossy().into_owned();
    simulate(&path("data"), "--game voluspa --matches 120 --seed 5");
    let before = fs::read(path("data/log/db")).expect("a file");
    for name in ["disk", "scratch"] {
        fs::create_dir(path(name)).expect("a folder");
    }
    let repair = |scratch: &str, out: &str| {
        let [data, scratch, out] = [text("data"), text(scratch), text(out)];
        ["repair", "--data", &data, "--scratch", &scratch, "--out", &out].map(str::to_owned)
    };
    let on_disk = |size: &str, args: &[String]| {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        on_small_disk(&path("disk"), size, &args)
    };
    // No space for the copy that is read.
    if let Some(said) = on_disk("1m", &repair("disk", "new")) {
        // What it takes, and what is to be free beside it, are told apart.
        let size: u64 = files::read(&path("data"))
            .iter()
            .filter(|(file, _)| is_of_store(file))
            .map(|(_, bytes)| bytes.len() as u64)
            .sum();
        let told = format!("a copy of the store takes {size}, and 67108864 more must stay free");
        said.refused(&["/disk has ", "bytes free", &told]);
        assert!(said.error.contains("nothing is left"), "{}", said.error);
    }
    // Space for a part of the new store.
    if let Some(said) = on_disk("16m", &repair("scratch", "disk/new")) {
        said.refused(&["the new store cannot be written after feed position"]);
        assert!(said.error.contains("nothing is left"), "{}", said.error);
    }
    // The copy itself, or the first file of the new store.
    let args = repair("scratch", "new");
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    limited(1100, &args).refused(&["File too large"]);
    assert_eq!(names(&path("scratch")).len(), 0, "the copy is gone");
    assert!(!path("new").exists() && !path("new.partial").exists());
    assert!(fs::read(path("data/log/db")).expect("a file") == before, "the store is as it was");
    run(muninn().args(args)).ok();
}

#[test]
fn a_full_disk_in_the_middle_of_an_import_leaves_the_store_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let (data, other) = (path("data"), path("other"));
    let server = Process::serve(&other, &["--bot-pause", "0"]);
    let bots = json!({"game": "delphi", "seats": [{"bot": "greedy"}, {"bot": "greedy"}]});
    let table = Table::open(&server.client(), &bots);
    until("the bots' end", || table.info()["status"] == "finished");
    let file = written(folder.path(), &document(&table));
    server.stop();
    play(&data, 3, 20);
    backup(&data, &path("before"), None).ok();
    let before = fs::read(path("before")).expect("a file");
    let blocks = fs::metadata(data.join("log/db")).expect("a file").len() / 512;
    let [into, from] = [&data, &file].map(|path| path.to_string_lossy().into_owned());
    let args = ["import", "--data", &into, "--match", &from];
    // Nothing is left of a store that cannot be made.
    let new = path("new").to_string_lossy().into_owned();
    limited(0, &["import", "--data", &new, "--match", &from]).refused(&[&new]);
    assert!(!path("new").exists());
    // Before the first byte of it, and behind ever more of it.
    for blocks in [0, blocks / 8, blocks / 4, blocks / 2, blocks - 1] {
        let said = limited(blocks, &args);
        if said.code == Some(0) {
            break;
        }
        said.refused(&[]);
        let is_clear = said.error.contains(&into) || said.error.contains("the store");
        assert!(is_clear, "place and reason: {}", said.error);
        let (code, found) = process::verify(&data);
        assert_eq!(code, Some(0), "with {blocks} blocks: {found}");
        let out = path(&format!("with-{blocks}"));
        backup(&data, &out, None).ok();
        assert!(fs::read(out).expect("a file") == before, "with {blocks} blocks: it is changed");
    }
    let told = import(&data, &file).ok();
    assert!(told.contains(&table.id), "{told}");
    assert_eq!(process::verify(&data).0, Some(0));
}

#[test]
fn a_full_disk_under_a_report_or_a_picture_leaves_no_part_of_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let text = |name: &str| path(name).to_string_lossy().into_owned();
    let told = simulate(&path("data"), "--game rosenkoenig --matches 5 --format ndjson");
    let first: Value = serde_json::from_str(told.lines().next().expect("a line")).expect("JSON");
    let id = first["match"].as_str().expect("an id");
    fs::create_dir(path("disk")).expect("a folder");
    let (data, page, picture) = (text("data"), text("disk/page.html"), text("disk/picture.svg"));
    symlink(&page, path("page")).expect("a link");
    symlink("disk/picture.svg", path("picture")).expect("a link");
    for (args, name, file, link) in [
        (
            ["report", "--game", "rosenkoenig", "--players", "bots", "--out"],
            "page.html",
            page.as_str(),
            text("page"),
        ),
        (
            ["picture", "--match", id, "--format", "replay", "--output"],
            "picture.svg",
            picture.as_str(),
            text("picture"),
        ),
    ] {
        // A good one that is there stays as it is, also where the way to it is a link.
        for (good, out) in [("", file), (name, file), ("", link.as_str()), (name, link.as_str())] {
            let args = [&args[..], &[out, "--data", data.as_str()]].concat();
            let said = on_small_disk_with(good, &path("disk"), "8k", &args);
            let Some(said) = said else { return };
            said.refused(&[file, "No space left"]);
            assert!(said.error.contains("nothing is left"), "{}", said.error);
            assert!(Path::new(&link).is_symlink(), "{link} is a link");
        }
    }
}

#[test]
fn a_report_or_a_picture_replaces_the_file_and_not_the_way_to_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let told = simulate(&path("data"), "--game rosenkoenig --matches 1 --format ndjson");
    let first: Value = serde_json::from_str(told.lines().next().expect("a line")).expect("JSON");
    let id = first["match"].as_str().expect("an id");
    let picture = |out: &Path| {
        let mut picture = muninn();
        picture.args(["picture", "--match", id, "--data"]).arg(path("data"));
        run(picture.arg("--output").arg(out)).ok()
    };
    let is_picture = |name: &str| {
        let text = fs::read_to_string(path(name)).expect("a file");
        assert!(text.starts_with("<svg") && text.trim_end().ends_with("</svg>"), "{name}: {text}");
    };
    fs::create_dir(path("site")).expect("a folder");
    symlink("site/first.svg", path("first")).expect("a link");
    // It leads to nothing yet.
    picture(&path("first"));
    is_picture("site/first.svg");
    fs::write(path("site/first.svg"), "old").expect("a file");
    let group = fs::Permissions::from_mode(0o640);
    fs::set_permissions(path("site/first.svg"), group).expect("it is ours");
    // What is left of a command that was cut off is in nobody's way.
    fs::write(path("site/first.svg.partial"), "<svg").expect("a file");
    picture(&path("first"));
    is_picture("site/first.svg");
    let found = fs::metadata(path("site/first.svg")).expect("a file").permissions();
    assert_eq!(found.mode() & 0o777, 0o640);
    assert_eq!(names(&path("site")), [path("site/first.svg")]);
    assert!(path("first").is_symlink());
    // What is no file takes the bytes itself.
    assert!(picture(Path::new("/dev/stdout")).starts_with("<svg"));
    assert_eq!(picture(Path::new("/dev/null")), "");
    let mut report = muninn();
    report.args(["report", "--game", "rosenkoenig", "--players", "bots", "--data"]);
    report.arg(path("data")).arg("--out").arg(path("site/first.svg"));
    run(&mut report).ok();
    let page = fs::read_to_string(path("site/first.svg")).expect("a file");
    assert!(page.starts_with("<!"), "{page:.40}");
    assert_eq!(names(&path("site")), [path("site/first.svg")]);
}

#[test]
fn what_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    play(&path("data"), 1, 4);
    // In the place of the file that becomes the statistics, and of the folder of the pages.
    fs::create_dir(path("data/statistics.new")).expect("a folder");
    run(muninn().args(["stats", "--data"]).arg(path("data"))).refused(&["data/statistics.json: "]);
    fs::write(path("man"), "no folder").expect("a file");
    run(muninn().args(["man", "--out"]).arg(path("man"))).refused(&["/man: "]);
}

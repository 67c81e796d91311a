//! A folder that cannot be written: said at the start, in words; nothing hangs, nothing is made elsewhere.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use acceptance::process::Process;
use acceptance::{Dice, Table, files, muninn, run};

/// Whether the program itself spoke, and not what was to start it.
fn is_said(output: &Output) -> bool {
    let said = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    let said = String::from_utf8_lossy(&said);
    said.contains("error: ") || said.contains(" matches, ")
}

/// Runs the program where `folder` is read-only: mounted so where that may be done, else by its permissions.
fn run_read_only(folder: &Path, args: &[&str]) -> Output {
    let program = muninn();
    for rights in ["-m", "-rm"] {
        let mut inside = Command::new("unshare");
        let script = "mount --bind \"$0\" \"$0\" && mount -o remount,ro,bind \"$0\" && exec \"$@\"";
        inside.args([rights, "sh", "-c", script]).arg(folder);
        let output = inside.arg(program.get_program()).args(args).output();
        if let Ok(output) = output
            && is_said(&output)
        {
            return output;
        }
    }
    let everything = [folder.to_owned(), folder.join("store"), folder.join("store/log")];
    let all = |mode| {
        for path in everything.iter().filter(|path| path.exists()) {
            fs::set_permissions(path, Permissions::from_mode(mode)).expect("it is ours");
        }
    };
    all(0o555);
    let output = muninn().args(args).output();
    all(0o755);
    output.expect("the program runs")
}

#[test]
fn a_folder_that_cannot_be_written_is_refused_in_words() {
    let (folder, [store, new]) = acceptance::places(["store", "new"]);
    let server = Process::serve(&store, &[]);
    let table = Table::rosenkoenig(&server.client());
    table.play(&mut Dice::new(2), 10);
    let commits = server.client().commits(&table.id, "").ok();
    server.stop();
    for data in [&store, &new] {
        let path = data.to_string_lossy();
        let args = ["serve", "--data", &path, "--listen", "127.0.0.1:0"];
        let Output { status, stdout, stderr } = run_read_only(folder.path(), &args);
        let message = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(1), "{args:?}: {message}");
        assert_eq!(stdout, b"", "{args:?}");
        let line = message.lines().last().unwrap_or("");
        let why = line.contains("Read-only file system") || line.contains("Permission denied");
        assert!(line.starts_with("error: ") && line.contains(path.as_ref()) && why, "{message}");
    }
    assert!(!new.exists());
    let before = files::read(&store);
    let path = store.to_string_lossy();
    let Output { status, stdout, stderr } =
        run_read_only(folder.path(), &["verify", "--data", &path]);
    let said = String::from_utf8_lossy(&stdout);
    assert_eq!(status.code(), Some(0), "{said}{}", String::from_utf8_lossy(&stderr));
    assert!(said.contains("nothing differs"), "{said}");
    // A backup and an export read a copy, too; nothing of a store that is only read changes, wherever it lies.
    let out = tempfile::tempdir().expect("another folder");
    let into = |name: &str| out.path().join(name).to_string_lossy().into_owned();
    let ran = |args: &[&str]| {
        let Output { status, stdout, stderr } = run_read_only(folder.path(), args);
        let said = [stdout, stderr].concat();
        assert_eq!(status.code(), Some(0), "{args:?}: {}", String::from_utf8_lossy(&said));
        assert!(files::read(&store) == before, "{args:?} leaves it as it is");
    };
    ran(&["backup", "--data", &path, "--out", &into("archive"), "--scratch", &into("")]);
    ran(&["export", "--data", &path, "--out", &into("tables")]);
    run(muninn().args(["backup", "--data", &path, "--out", &into("again")])).ok();
    assert!(files::read(&store) == before);
    assert_eq!(fs::read(into("archive")).ok(), fs::read(into("again")).ok());
    let names = fs::read_dir(out.path()).expect("a folder").count();
    assert_eq!(names, 3, "no copy is left");
    let server = Process::serve(&store, &[]);
    assert_eq!(server.client().commits(&table.id, "").ok(), commits);
    server.stop();
}

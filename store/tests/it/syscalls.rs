//! No acknowledgement without a sync of the log behind its write.

use std::env;
use std::fs;
use std::io::{self, Write as _};
use std::process::{Command, Stdio};

use store::{Commit, Config, Store, Write};

use crate::child;
use crate::content;

/// The function that syncs also counts, after the disk said yes, and nothing else does. So when writes go one after another,
/// each must find the count raised when its ticket resolves. What the sync is for the kernel, [`traced`] shows.
#[test]
fn each_acknowledgement_comes_after_a_sync() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path(), Config::default()).expect("it opens");
    let stream = content::stream(0);
    for number in 1..=50 {
        let before = store.syncs();
        let commit = Commit { stream, number, bytes: b"small".to_vec(), header: None };
        store.submit(Write { commit: Some(commit), ..Write::default() }).wait().expect("durable");
        assert!(store.syncs() > before, "commit {number} was acknowledged without a sync");
        let before = store.syncs();
        let note = (number.to_string().into_bytes(), b"value".to_vec());
        store.submit(Write { notes: vec![note], ..Write::default() }).wait().expect("durable");
        assert!(store.syncs() > before, "a note was acknowledged without a sync");
    }
}

/// What traces system calls, where it is installed.
fn strace() -> Option<Command> {
    let is_there = Command::new("strace").arg("-V").stdout(Stdio::null()).status().is_ok();
    if !is_there {
        let said = "NOT TESTED: strace is not installed, so the system calls cannot be looked at\n";
        let is_needed = env::var("TESTS_NEED")
            .is_ok_and(|needed| needed.split_whitespace().any(|one| one == "strace"));
        assert!(!is_needed, "{said}");
        drop(io::stderr().write_all(said.as_bytes()));
    }
    is_there.then(|| Command::new("strace"))
}

/// The same, seen by the kernel: the log's bytes are written, then synced, then acknowledged; and `HEAD` follows the sync.
#[test]
fn traced() {
    let Some(mut strace) = strace() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace");
    let data = folder.path().join("data");
    let writer = child::command(&data, 1, 30);
    strace.args(["-f", "-y", "-s", "12", "-e", "trace=write,pwrite64,fdatasync", "-o"]).arg(&trace);
    let mut traced = child::under(strace, &writer);
    let lines = child::lines(traced.spawn().expect("strace runs"), |_, _| {});
    assert_eq!(lines.len(), 30, "the traced child wrote all");

    let mut calls = Calls::default();
    let text = fs::read_to_string(&trace).expect("a trace");
    text.lines().for_each(|line| calls.see(line));
    assert_eq!(calls.acknowledged, 30, "{text}");
}

/// Killed at each of the calls that make a store, it goes on at the next start, and nobody finds damage before.
#[test]
fn killed_while_it_is_made() {
    let scratch = tempfile::tempdir().expect("a folder");
    let mut killed = 0;
    for (call, number) in ["mkdir", "openat", "write", "ftruncate", "fsync"]
        .into_iter()
        .flat_map(|call| (1..=12).map(move |number| (call, number)))
    {
        let folder = tempfile::tempdir().expect("a folder");
        let data = folder.path().join("data");
        let Some(mut strace) = strace() else { return };
        strace.args(["-f", "-o", "/dev/null", "-e"]).arg(format!("trace={call}"));
        strace.arg("-e").arg(format!("inject={call}:signal=KILL:when={number}"));
        let mut command = child::under(strace, &child::command(&data, 1, 1));
        killed += u32::from(!command.output().expect("strace runs").status.success());
        if fs::read(data.join("FORMAT")).is_ok_and(|mark| mark.ends_with(b"\n")) {
            let looked = Store::inspect(&data, scratch.path()).expect("it can be read");
            assert_eq!(looked.check(&mut |_| {}).damage, [], "{call} {number}");
        }
        let store = Store::open(&data, Config::default())
            .unwrap_or_else(|error| panic!("{call} {number}: {error}"));
        content::assert_whole(&store);
    }
    assert!(killed > 20, "{killed}");
}

/// Follows a trace of one writer that sends one commit after another.
#[derive(Default)]
struct Calls {
    /// The log was written since the last acknowledgement,
    is_written: bool,
    /// and then synced successfully,
    is_synced: bool,
    /// and then `HEAD` was written.
    is_noted: bool,
    /// Threads that are within a sync that began after the write.
    syncing: Vec<String>,
    acknowledged: usize,
}

impl Calls {
    fn see(&mut self, line: &str) {
        let (thread, call) =
            line.split_once(char::is_whitespace).expect("strace -f names the thread");
        let is_log = call.contains("/log/db>");
        let is_done = call.ends_with("= 0");
        if call.contains("pwrite64") && (is_log || call.contains("resumed")) {
            self.is_written |= !call.contains("unfinished") && !call.contains("= -1");
        } else if call.contains("fdatasync(") && is_log && self.is_written {
            if call.contains("unfinished") {
                self.syncing.push(thread.to_owned());
            }
            self.is_synced |= is_done;
        } else if call.contains("fdatasync resumed")
            && self.syncing.iter().any(|other| other == thread)
        {
            self.is_synced |= is_done;
        } else if call.contains("/HEAD>") {
            // The first writes make the file.
            assert!(self.is_synced || self.acknowledged == 0, "HEAD runs ahead: {line}");
            self.is_noted = self.is_synced;
        } else if call.contains("write(1<") && call.contains("acknowledg") {
            assert!(self.is_synced && self.is_noted, "acknowledged, but not synced: {line}");
            *self = Calls { acknowledged: self.acknowledged + 1, ..Calls::default() };
        }
    }
}

//! How soon a server with very many matches starts, and how much memory that takes.
//!
//! `cargo bench -p acceptance --bench start`. The real program on a store with `START_MATCHES` (1,000,000) matches, in `START_FOLDER` if that is
//! given, and kept there for the next time; else in a temporary folder.
//!
//! 1. A few hundred short matches are played through the server. The store is filled with copies of them under ids of their own: their
//!    chains do not name the match, so the chain of each copy is right; only its tokens lead to the match that was copied.
//! 2. The server is started, at first without the file of the list, which it makes; then cold (root empties the system's cache of the
//!    disk) and warm. Told are: the store alone, in a process of its own; the first response; the first page of the list; the
//!    peak of resident memory.
//! 3. With `START_DATABASE=1` the store is copied into a PostgreSQL that is started for it, and the server is started on that.

#![expect(clippy::print_stdout, reason = "a bench says what it measured")]

#[cfg(feature = "postgres")]
mod database;
#[cfg(feature = "postgres")]
#[expect(dead_code, reason = "the tests of the store need more of it")]
#[path = "../../../store/tests/it/cluster.rs"]
mod postgres;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use acceptance::disk::refuse_memory;
use acceptance::process::{Process, megabytes, memory_kib};
use acceptance::{copies, files};

/// How many matches are played; the others are copies.
const PLAYED: usize = 300;

fn main() {
    let mut args = std::env::args().skip_while(|arg| arg != "open").skip(1);
    if let Some(data) = args.next() {
        return open(Path::new(&data));
    }
    let matches =
        std::env::var("START_MATCHES").map_or(1_000_000, |text| text.parse().expect("a number"));
    let folder = std::env::var_os("START_FOLDER").map(PathBuf::from);
    refuse_memory(&folder.clone().unwrap_or_else(std::env::temp_dir));
    let temporary = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.unwrap_or_else(|| temporary.path().to_owned());
    let data = folder.join("data");
    if !data.exists() {
        let begun = Instant::now();
        let commits = copies::make(&data, PLAYED, matches);
        println!(
            "{matches} matches, {commits} commits, made in {:.0} s",
            begun.elapsed().as_secs_f64()
        );
    }
    println!("{:.0} MB on disk", megabytes(files::size(&data)));
    for file in ["list.sqlite", "list.sqlite-wal", "list.sqlite-shm", "list.sums"] {
        drop(fs::remove_file(data.join(file)));
    }
    start(&data, &[], "without the file of the list").stop();
    #[cfg(feature = "postgres")]
    if std::env::var_os("START_DATABASE").is_some() {
        return database::measure(&data, &folder);
    }
    for _ in 0..3 {
        if cold() {
            store(&data, "cold");
        }
        if cold() {
            start(&data, &[], "cold").stop();
        }
        store(&data, "warm");
        start(&data, &[], "warm").stop();
    }
}

/// Empties the system's cache of the disk, if that is allowed.
fn cold() -> bool {
    let synced = Command::new("sync").status();
    synced.is_ok() && fs::write("/proc/sys/vm/drop_caches", "3").is_ok()
}

/// Opens the store alone, in a process of its own.
fn store(data: &Path, how: &str) {
    let own = std::env::current_exe().expect("a bench is a program");
    let mut command = Command::new(own);
    let opened = command.arg("open").arg(data).stderr(Stdio::inherit()).output();
    print!(
        "the store alone, {how:<28} {}",
        String::from_utf8_lossy(&opened.expect("it runs").stdout)
    );
}

fn open(data: &Path) {
    let start = Instant::now();
    let store = store::Store::open(data, store::Config::default()).expect("the store opens");
    let (took, peak) = (start.elapsed(), memory_kib(std::process::id(), "VmHWM:"));
    println!("{:>8.2} s, {:.0} MB", took.as_secs_f64(), megabytes(1024 * peak.unwrap_or(0)));
    drop(store);
}

/// Starts the server, with these arguments besides, and asks it for the list.
fn start(data: &Path, more: &[&str], how: &str) -> Process {
    let start = Instant::now();
    let server = Process::serve(data, more);
    let ready = start.elapsed();
    let first_peak = server.peak_mb();
    let client = server.client();
    let list = loop {
        let page = client.matches("limit=100");
        if page.status == 200 {
            break start.elapsed();
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    let asked = Instant::now();
    let pages = 50;
    for number in 0..pages {
        let name = format!("player=Player+{number}&limit=20");
        assert_eq!(client.matches(&name).status, 200);
    }
    let page = asked.elapsed() / pages;
    println!(
        "the server, {how:<33} {:>8.2} s, {first_peak:.0} MB; with the list {:.2} s, {:.0} MB; a page by name {:.1} ms",
        ready.as_secs_f64(),
        list.as_secs_f64(),
        server.peak_mb(),
        page.as_secs_f64() * 1e3
    );
    server
}

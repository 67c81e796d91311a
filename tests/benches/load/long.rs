//! A long run: who comes goes again, and leaves nothing in memory and no file open.

use std::fs;
use std::time::{Duration, Instant};

use actix_web::rt;

use crate::backups::run;
use crate::setting;
use crate::streams::{open, play, watch};
use acceptance::frugal::{muninn_with, request};
use acceptance::http::Connection;
use acceptance::process::{Process, megabytes};

/// New matches in each slice of time, and streams that watch them.
const MATCHES: usize = 50;
const STREAMS: usize = 200;
const SLICE: Duration = Duration::from_secs(10);
/// Slices after which the caches are full.
const WARM: usize = 3;
/// Until the server has closed the connections of those who went.
const QUIET: Duration = Duration::from_secs(8);

/// What a process holds.
#[derive(Clone, Copy)]
struct Held {
    kib: u64,
    descriptors: usize,
}

fn held(server: &Process) -> Held {
    std::thread::sleep(QUIET);
    let folder = format!("/proc/{}/fd", server.child.id());
    let descriptors = fs::read_dir(folder).expect("Linux").count();
    Held { kib: server.resident_kib(), descriptors }
}

pub(crate) fn measure() {
    let length = Duration::from_secs(60 * setting("LOAD_MINUTES", 1) as u64);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let caches = ["--matches-mib", "2", "--cache-mib", "16"];
    let archive = folder.path().join("archive");
    let slice = |server: &Process| {
        let (address, door) = (server.address, server.operator().address.to_string());
        let commands = rt::System::new().block_on(async {
            let matches = open(address, MATCHES);
            let streams = watch(address, &matches, STREAMS).await;
            let times = play(address, &matches, SLICE).await;
            drop(streams);
            times.len()
        });
        // A part of the feed, by one who reads it all.
        let mut reader = Connection::open(address).expect("the server listens");
        reader.write(&request("GET", "/v1/events.ndjson?limit=1000", None, "")).expect("it reads");
        assert_eq!(reader.read(false).expect("it answers").status, 200);
        drop(fs::remove_file(&archive));
        run(&["backup", "--operator", &door, "--out"], &archive);
        commands
    };
    let show = |name: &str, Held { kib, descriptors }: Held| {
        println!("{name:<44} {:>10.0} MB, {descriptors} descriptors", megabytes(1024 * kib));
    };
    let (server, _) = muninn_with(folder.path(), &caches);
    // Caches are full after the first ones.
    let mut commands: usize = (0..WARM).map(|_| slice(&server)).sum();
    let first = held(&server);
    show("after three slices of the long run", first);
    let (start, mut slices) = (Instant::now(), WARM);
    while start.elapsed() < length {
        commands += slice(&server);
        slices += 1;
    }
    let last = held(&server);
    let name = format!("after {slices} slices, {commands} commands");
    show(&name, last);
    server.stop();
    // What a larger store takes is no leak: a server that just started on it takes that too.
    let (server, _) = muninn_with(folder.path(), &caches);
    for _ in 0..WARM {
        slice(&server);
    }
    let fresh = held(&server);
    show("another server on that store, three slices", fresh);
    println!(
        "{:<44} {:>10.2} (goal at most 1.25), {:+} descriptors (goal 0)",
        "memory after / of the other server",
        last.kib as f64 / fresh.kib as f64,
        last.descriptors as i64 - first.descriptors as i64
    );
    server.stop();
}

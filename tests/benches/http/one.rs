//! One writer alone: how much longer a command takes than the disk needs to keep its bytes.

use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::path::Path;
use std::time::{Duration, Instant};

use actix_web::rt;
use testkit::figure;

use crate::{ROUNDS, game, play_with, record_size};
use acceptance::frugal::muninn;

/// Bytes that are written and synced one after the other.
const SYNCED: usize = 2_000;

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (server, address) = muninn(folder.path());
    let games: Vec<_> = (0..64).map(game).collect();
    let bytes = record_size(address);
    let (mut disk, mut http, mut used) = (Vec::new(), Vec::new(), 0.0);
    for round in 0..ROUNDS {
        disk.extend(synced(folder.path(), bytes));
        let (_, times, cpu) =
            rt::System::new().block_on(play_with(1, address, &games, round, &server));
        http.extend(times);
        used += cpu;
    }
    let p50 = |times: &mut Vec<Duration>| {
        times.sort_unstable();
        times[times.len() / 2].as_secs_f64() * 1e6
    };
    let cpu = 1e6 * used / http.len() as f64;
    let (disk, http) = (p50(&mut disk), p50(&mut http));
    println!(
        "{:<44} p50 {http:.0} us, the disk {disk:.0} us: {:.2} times (goal 1.3), {cpu:.0} us of CPU",
        "POST /commands, one writer",
        http / disk
    );
    figure("fdatasync of the same bytes / POST /commands of one writer", disk / http);
}

/// How long it takes to write so many bytes and to sync them, each time: like the store into a file that has its size already, since a file that
/// grows has its new size synced, too.
fn synced(folder: &Path, bytes: usize) -> Vec<Duration> {
    let mut file = File::create(folder.join("synced")).expect("writable");
    let filled = file.write_all(&vec![0; SYNCED * bytes]).and_then(|()| file.sync_all());
    filled.and_then(|()| file.rewind()).expect("writable");
    let block = vec![7; bytes];
    let each = |_| {
        let start = Instant::now();
        file.write_all(&block).and_then(|()| file.sync_data()).expect("writable");
        start.elapsed()
    };
    (0..SYNCED).map(each).collect()
}

//! `POST /commands` while somebody takes all events as Parquet, again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use actix_web::rt;

use crate::{CONNECTIONS, Game, ROUNDS, game, median, play, show};
use acceptance::frugal::{export, muninn};

/// Finished matches that are taken.
const MATCHES: &str = "5000";

pub(crate) fn measure() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let asked = format!("--game copenhagen --matches {MATCHES}");
    acceptance::simulate(&folder.path().join("data"), &asked);
    let (server, address) = muninn(folder.path());
    let games: Vec<Game> = (0..CONNECTIONS as u64 * 3).map(game).collect();
    let (mut alone, mut beside, mut taken) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        let play = || rt::System::new().block_on(play(address, &games, round, &server)).0;
        alone.push(play());
        let (stop, bytes) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let taker = {
            let (stop, bytes) = (Arc::clone(&stop), Arc::clone(&bytes));
            thread::spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    export(address, &stop, &bytes);
                }
            })
        };
        let start = Instant::now();
        beside.push(play());
        let time = start.elapsed().as_secs_f64();
        taken.push(bytes.load(Ordering::Relaxed) as f64 / time);
        stop.store(true, Ordering::Relaxed);
        taker.join().expect("it takes until it is stopped");
    }
    let alone = show("POST /commands, nobody takes tables", "commands", &alone);
    let beside = show("the same, somebody takes all events", "commands", &beside);
    println!(
        "{:<44} {:>9.0} %, {:.1} MB of Parquet a second beside",
        "beside / alone",
        100.0 * beside / alone,
        median(taken) / 1e6
    );
}

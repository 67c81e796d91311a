//! `POST /commands` while somebody takes all events as Parquet, again and again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use actix_web::rt;

use crate::{CONNECTIONS, Game, ROUNDS, game, median, play, show};
use acceptance::frugal::{muninn, request};
use acceptance::http::Connection;

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
                    take(address, &stop, &bytes);
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

/// Takes the table once, or until it is stopped.
fn take(address: std::net::SocketAddr, stop: &AtomicBool, bytes: &AtomicU64) {
    let mut connection = Connection::open(address).expect("the server listens");
    let path = "/v1/tables/events.parquet";
    let request = request("GET", path, None, "");
    connection.write(&request).expect("the server reads");
    let head = connection.read_head().expect("the server answers");
    assert_eq!(head.status, 200);
    while !stop.load(Ordering::Relaxed) {
        let chunk = connection.read_chunk().expect("the server sends");
        if chunk.is_empty() {
            return;
        }
        bytes.fetch_add(chunk.len() as u64, Ordering::Relaxed);
    }
}

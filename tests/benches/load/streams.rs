//! Thousands of streams, and matches played at full speed.

use std::cell::Cell;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::{Duration, Instant};

use actix_web::rt;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use acceptance::client::Pool;
use acceptance::process::{cpu, megabytes};

use crate::setting;
use acceptance::frugal::{self, Client, Match, muninn_with, request};

/// Matches in which nothing happens.
const IDLE_MATCHES: usize = 100;

/// What one stream has got so far.
#[derive(Default)]
pub(crate) struct Seen {
    commits: Cell<u64>,
    bytes: Cell<u64>,
    /// When its last commit came.
    last: Cell<Option<Instant>>,
}

pub(crate) fn measure() {
    let streams = setting("LOAD_STREAMS", 10_000);
    let matches = setting("LOAD_MATCHES", 200);
    let length = Duration::from_secs(setting("LOAD_SECONDS", 10) as u64);
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Streams and players are more than the connections that a server takes by default.
    let (server, address) = muninn_with(folder.path(), &["--connections", "0"]);
    println!("{:<44} {:>10.0} MB", "memory of the empty server", server.resident_mb());
    rt::System::new().block_on(async {
        let alone = play(address, &open(address, matches), length).await;
        report("commands, no stream open", &alone);
        let before = 1024 * server.resident_kib();
        let (played, idle) = (open(address, matches), open(address, IDLE_MATCHES));
        let watching = streams * setting("LOAD_WATCHING", 5) / 100;
        let started = Instant::now();
        let watchers = watch(address, &played, watching).await;
        let idlers = watch(address, &idle, streams - watching).await;
        let opened = started.elapsed();
        println!(
            "{:<44} {:>10.0} /s",
            format!("{streams} streams opened"),
            streams as f64 / opened.as_secs_f64()
        );
        settle(&watchers, &[1]).await;
        settle(&idlers, &[1]).await;
        let after = 1024 * server.resident_kib();
        println!(
            "{:<44} {:>10.1} kB ({:.0} MB to {:.0} MB)",
            "memory of a stream",
            (after - before) as f64 / 1e3 / streams as f64,
            megabytes(before),
            megabytes(after)
        );
        let (own, ours) = (server.cpu(), cpu("self"));
        let bytes: u64 = watchers.iter().map(|seen| seen.bytes.get()).sum();
        let times = play(address, &played, length).await;
        let answered = Instant::now();
        report(&format!("commands, {streams} streams open"), &times);
        let last = last_commits(address, &played).await;
        settle(&watchers, &last).await;
        // What came before the last answer is not late.
        let late = watchers.iter().filter_map(|seen| seen.last.get()).max();
        let late = late.map(|came| came.saturating_duration_since(answered)).unwrap_or_default();
        settle(&idlers, &[1]).await;
        let bytes = watchers.iter().map(|seen| seen.bytes.get()).sum::<u64>() - bytes;
        let messages = times.len() * watching / matches;
        println!(
            "{:<44} {:>10} ({:.0} MB), the last {:.1} ms after the last answer",
            "messages to those who watch",
            messages,
            megabytes(bytes),
            late.as_secs_f64() * 1e3
        );
        println!(
            "{:<44} {:>10.0} %, of the clients {:.0} %",
            "CPU of the server while it was played",
            100.0 * (server.cpu() - own) / length.as_secs_f64(),
            100.0 * (cpu("self") - ours) / length.as_secs_f64()
        );
        println!("{:<44} {:>10.0} MB", "memory at the end", server.resident_mb());
        println!("every one of {streams} streams got every commit once and in order");
    });
}

fn report(name: &str, times: &[Duration]) {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |share: usize| sorted[(sorted.len() - 1) * share / 1000].as_secs_f64() * 1e3;
    let seconds = setting("LOAD_SECONDS", 10) as f64;
    println!(
        "{name:<44} {:>10.0} /s, p50 {:.1} ms, p99 {:.1} ms, longest {:.0} ms",
        times.len() as f64 / seconds,
        at(500),
        at(990),
        at(1000)
    );
}

pub(crate) fn open(address: SocketAddr, count: usize) -> Vec<Match> {
    let client = acceptance::Client::new(address, Pool::default());
    (0..count).map(|_| frugal::open(&client)).collect()
}

/// Plays all matches at the same time, as fast as they go; the time of each command.
pub(crate) async fn play(
    address: SocketAddr,
    matches: &[Match],
    length: Duration,
) -> Vec<Duration> {
    let mut players = Vec::new();
    for one in matches {
        players.push((vec![Client::connect(address).await], one.requests.clone()));
    }
    frugal::play(players, length).await
}

/// Opens streams, the matches taking turns; reading goes on in tasks of their own.
pub(crate) async fn watch(address: SocketAddr, matches: &[Match], count: usize) -> Vec<Rc<Seen>> {
    let mut all = Vec::new();
    for one in matches.iter().cycle().take(count) {
        let path = format!("/v1/matches/{}/stream", one.id);
        let mut stream = TcpStream::connect(address).await.expect("the server listens");
        let asked = request("GET", &path, None, "");
        stream.write_all(&asked).await.expect("the server reads");
        let seen = Rc::new(Seen::default());
        let own = Rc::clone(&seen);
        rt::spawn(async move { follow(stream, &own).await });
        all.push(seen);
        // So many at a time: who waits longer than five seconds for its turn is sent away.
        if all.len().is_multiple_of(64) {
            settle_from(&all[all.len() - 64..]).await;
        }
    }
    all
}

/// Reads a stream for ever; each commit must be the one after the one before.
async fn follow(mut stream: TcpStream, seen: &Seen) {
    const KEY: &[u8] = b"\"commit\":";
    let mut buffer = Vec::new();
    loop {
        let read = stream.read_buf(&mut buffer).await.unwrap_or(0);
        if read == 0 {
            let said = String::from_utf8_lossy(&buffer);
            return println!("A STREAM ENDED after {} commits: {said}", seen.commits.get());
        }
        seen.bytes.set(seen.bytes.get() + read as u64);
        let mut done = 0;
        while let Some(end) = buffer[done..].windows(2).position(|pair| pair == b"\n\n") {
            let message = &buffer[done..done + end];
            if let Some(at) = message.windows(KEY.len()).position(|window| window == KEY) {
                let digits =
                    message[at + KEY.len()..].iter().take_while(|byte| byte.is_ascii_digit());
                let commit = digits.fold(0, |number, digit| number * 10 + u64::from(digit - b'0'));
                assert_eq!(commit, seen.commits.get() + 1, "once, and in order");
                seen.commits.set(commit);
                seen.last.set(Some(Instant::now()));
            }
            done += end + 2;
        }
        buffer.drain(..done);
    }
}

/// Waits until each of these streams has begun.
async fn settle_from(some: &[Rc<Seen>]) {
    while some.iter().any(|seen| seen.commits.get() == 0) {
        rt::time::sleep(Duration::from_millis(1)).await;
    }
}

async fn last_commits(address: SocketAddr, matches: &[Match]) -> Vec<u64> {
    let mut client = Client::connect(address).await;
    let mut last = Vec::new();
    for one in matches {
        let (_, info) =
            client.send(&request("GET", &format!("/v1/matches/{}", one.id), None, "")).await;
        let info: Value = serde_json::from_slice(&info).expect("JSON");
        last.push(info["commit"].as_u64().expect("a number"));
    }
    last
}

/// Waits until every stream has the last commit of its match.
async fn settle(all: &[Rc<Seen>], last: &[u64]) {
    let start = Instant::now();
    loop {
        let behind =
            all.iter().zip(last.iter().cycle()).filter(|(seen, last)| seen.commits.get() != **last);
        let behind = behind.count();
        if behind == 0 {
            return;
        }
        assert!(start.elapsed() < Duration::from_secs(60), "{behind} streams lack commits");
        rt::time::sleep(Duration::from_millis(5)).await;
    }
}

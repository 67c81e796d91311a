//! Bots of one match: one server plays each move, and the other goes on when it dies.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use acceptance::preload::library;
use acceptance::{Client, Table};
use serde_json::json;

use crate::Two;

/// How long the commits of a match become no more, at most, until somebody has played again.
fn next_commit(client: &Client, id: &str) -> Duration {
    let commit = || client.info(id).ok()["version"].as_u64().expect("a number");
    let (start, before) = (Instant::now(), commit());
    while commit() == before {
        assert!(start.elapsed() < Duration::from_secs(15), "nobody plays for the bots");
        thread::sleep(Duration::from_millis(20));
    }
    start.elapsed()
}

#[test]
fn bots_play_each_move_once_and_go_on_when_their_server_dies() {
    let Some(mut two) = Two::start() else { return };
    let clients = two.clients();
    let seats = json!({"game": "delphi", "seats": [{"bot": "random"}, {"bot": "random"}]});
    let open = |nth: usize| clients[nth % 2].open(&seats).created()["match"].clone();
    let ids: Vec<String> = (0..12).map(|nth| open(nth).as_str().expect("an id").into()).collect();
    // Both servers have their part of the matches by then, and all are played.
    for id in &ids {
        next_commit(&clients[1], id);
    }
    thread::sleep(Duration::from_secs(5));
    let operators = two.operators();
    let played = operators.each_ref().map(played);
    assert!(played.iter().all(|count| *count > 0), "each server plays for some: {played:?}");
    two.kill_first();
    let waits: Vec<Duration> = ids.iter().map(|id| next_commit(&clients[1], id)).collect();
    println!("after the death of a server the bots waited {:?} at most", waits.iter().max());
    for id in &ids {
        let commits = clients[1].commits(id, "limit=1000").ok();
        let commits = commits["items"].as_array().expect("a list");
        let numbers: Vec<u64> = commits.iter().filter_map(|one| one["commit"].as_u64()).collect();
        assert_eq!(numbers, (1..=commits.len() as u64).collect::<Vec<_>>());
    }
}

/// A person may take a command back, so a bot waits three seconds, also where its server has the match no longer in memory, and its clock is
/// behind that of the server to which the command was sent.
#[test]
fn a_bot_waits_for_who_may_take_back_wherever_that_was_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let clock = library(folder.path(), "crash/clock.c");
    let start = |at: usize, server: &mut Command| {
        server.args(["--matches-mib", "0", "--bot-pause", "100"]);
        if let Some(clock) = clock.as_ref().filter(|_| at == 1) {
            server.env("LD_PRELOAD", clock).env("MUNINN_CLOCK", "3600");
        }
    };
    let Some(two) = Two::start_each(start) else { return };
    let [_, here] = two.clients();
    let seats = json!([{}, {"bot": "random"}]);
    let body = json!({"game": "rosenkoenig", "options": {"start": "red"}, "seats": seats, "take_back": true});
    let tables: Vec<Table> = (0..12).map(|_| Table::open(&here, &body)).collect();
    // Both have their part of the matches by then.
    thread::sleep(Duration::from_secs(5));
    let acted: Vec<Instant> = tables
        .iter()
        .map(|table| {
            table.act(&table.legal()[0]);
            Instant::now()
        })
        .collect();
    let mut waited = vec![None; tables.len()];
    while waited.contains(&None) {
        for (nth, table) in tables.iter().enumerate() {
            if waited[nth].is_none() && table.info()["commit"] == 3 {
                waited[nth] = Some(acted[nth].elapsed());
            }
        }
        assert!(acted[0].elapsed() < Duration::from_secs(60), "nobody plays: {waited:?}");
    }
    assert!(
        waited.iter().flatten().all(|waited| *waited > Duration::from_millis(2_900)),
        "{waited:?}"
    );
}

/// How many commands a server has played for bots.
fn played(operator: &Client) -> u64 {
    let metrics = operator.get("/metrics").text();
    let lines = metrics.lines().filter(|line| line.starts_with("muninn_bot_commands_total{"));
    let count = |line: &str| line.rsplit(' ').next().and_then(|count| count.parse::<u64>().ok());
    lines.filter_map(count).sum()
}

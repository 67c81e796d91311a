//! Linearizability: the histories of clients at both servers, checked.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use acceptance::{Client, Dice, Table};
use serde_json::Value;

use crate::history::{Operation, What, misfit};
use crate::{Two, postgres};

/// How many matches are played at once, and how many clients play each of them.
const MATCHES: usize = 3;
const CLIENTS: usize = 4;
/// For how long.
const TIME: Duration = Duration::from_secs(6);
const PAUSE: Duration = Duration::from_millis(500);

#[test]
fn versions_are_linearizable_at_two_servers() {
    let Some(two) = Two::start() else { return };
    check(&two, &|| {});
}

/// All sessions of both servers with the database end again and again. What is not answered may have happened; nothing else differs.
#[test]
fn versions_are_linearizable_while_sessions_end() {
    let Some(two) = Two::start() else { return };
    let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()";
    check(&two, &|| drop(postgres::sql(&two.database, end)));
}

/// Plays for a while, with `disturb` now and then, and checks the histories.
fn check(two: &Two, disturb: &dyn Fn()) {
    let clients = two.clients();
    let tables: Vec<Table> = (0..MATCHES).map(|at| Table::rosenkoenig(&clients[at % 2])).collect();
    let is_over = AtomicBool::new(false);
    let histories: Vec<Vec<Operation>> = thread::scope(|scope| {
        let players: Vec<Vec<_>> = tables
            .iter()
            .map(|table| {
                let player = |at: usize| {
                    let table = table.through(&clients[at % 2]);
                    let is_over = &is_over;
                    scope.spawn(move || play(&table, at as u64, is_over))
                };
                (0..CLIENTS).map(player).collect()
            })
            .collect();
        let start = Instant::now();
        while start.elapsed() < TIME {
            thread::sleep(PAUSE);
            disturb();
        }
        is_over.store(true, Ordering::Relaxed);
        let joined = |players: Vec<thread::ScopedJoinHandle<'_, Vec<Operation>>>| {
            players.into_iter().flat_map(|player| player.join().expect("no panic")).collect()
        };
        players.into_iter().map(joined).collect()
    });
    for history in histories {
        assert!(history.len() > 20, "only {} operations", history.len());
        if let Some((commits, next)) = misfit(&history, 1) {
            panic!("after {commits} commits none of these fits: {next:?}");
        }
        // The checker sees a single read that is late: one that shows the commit before the last that was answered when it was asked.
        assert!(misfit(&with_a_stale_read(history), 1).is_some());
    }
}

/// Reads, and acts where it can, until it is over.
fn play(table: &Table, seed: u64, is_over: &AtomicBool) -> Vec<Operation> {
    let mut history = Vec::new();
    let mut dice = Dice::new(seed);
    while !is_over.load(Ordering::Relaxed) {
        let asked = Instant::now();
        let info = table.spectator().info(&table.id);
        if info.status == 503 {
            continue;
        }
        let info = info.ok();
        let what = What::Read(commit(&info));
        history.push(Operation { what, asked, answered: Some(Instant::now()) });
        let Some(seat) = info["active_seat"].as_u64() else { break };
        let mine = table.seat(usize::try_from(seat).expect("a seat"));
        history.extend(act(table, &mine, &mut dice));
    }
    history
}

/// One command of whoever was to act; nothing if somebody else was faster.
fn act(table: &Table, mine: &Client, dice: &mut Dice) -> Option<Operation> {
    let legal = mine.legal_commands(&table.id, "");
    let legal = (legal.status == 200).then(|| legal.json())?;
    // Somebody else may have ended the match meanwhile.
    let legal = legal["items"].as_array().filter(|legal| !legal.is_empty())?;
    let command = &legal[dice.below(legal.len())];
    let asked = Instant::now();
    let answer = mine.command(&table.id, command);
    let answered = Some(Instant::now());
    match answer.status {
        201 => Some(Operation { what: What::Accepted(commit(&answer.json())), asked, answered }),
        503 if answer.json()["code"] == "outcome_unknown" => {
            Some(Operation { what: What::Unanswered, asked, answered: None })
        }
        409 | 422 | 503 => None,
        status => panic!("{status}: {}", answer.text()),
    }
}

fn commit(value: &Value) -> u64 {
    value["commit"].as_u64().expect("a number")
}

/// The same with one more read, that shows what was before the last answer.
fn with_a_stale_read(mut history: Vec<Operation>) -> Vec<Operation> {
    let accepted = history.iter().filter_map(|operation| match operation.what {
        What::Accepted(number) => Some((number, operation.answered?)),
        What::Read(_) | What::Unanswered => None,
    });
    let (number, answered) = accepted.max().expect("somebody acted");
    let asked = answered + Duration::from_nanos(1);
    history.push(Operation { what: What::Read(number - 1), asked, answered: Some(asked) });
    history
}

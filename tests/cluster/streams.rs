//! Live streams at one server of what happens at the other.

use std::thread;
use std::time::{Duration, Instant};

use acceptance::{Dice, Table};
use serde_json::{Value, json};

use crate::Two;

/// How many commands are played under a stream.
const COMMANDS: usize = 100;

#[test]
fn a_stream_has_what_the_other_server_was_told_once_in_order_and_soon() {
    let Some(two) = Two::start() else { return };
    let clients = two.clients();
    let mut waits = Vec::new();
    let mut dice = Dice::new(7);
    while waits.len() < COMMANDS {
        let table = Table::rosenkoenig(&clients[0]);
        let stream = clients[1].stream(&table.id, "", None);
        let watching = thread::spawn(move || {
            stream.map(|message| (message, Instant::now())).collect::<Vec<_>>()
        });
        let mut answered = Vec::new();
        while table.active().is_some() {
            table.play(&mut dice, 1);
            answered.push(Instant::now());
        }
        let seen = watching.join().expect("it does not panic");
        let commits: Vec<u64> = seen.iter().map(|(message, _)| commit(&message.data)).collect();
        assert_eq!(commits, (1..=answered.len() as u64 + 1).collect::<Vec<u64>>());
        // The first one was there before.
        let late = seen[1..].iter().zip(&answered);
        waits.extend(late.map(|((_, seen), answered)| seen.saturating_duration_since(*answered)));
    }
    waits.sort();
    let at = |percent: usize| waits[waits.len() * percent / 100];
    println!(
        "from the answer to the stream at the other server: p50 {:?}, p99 {:?}",
        at(50),
        at(99)
    );
    // Without being told, a server would ask only every half second.
    assert!(at(50) < Duration::from_millis(250), "{:?}", at(50));
}

/// A stream at the server that dies goes on at the other one, from the last message: together they have everything once.
#[test]
fn a_stream_goes_on_at_the_other_server_when_its_own_is_killed() {
    let Some(mut two) = Two::start() else { return };
    let clients = two.clients();
    let mut dice = Dice::new(8);
    let table = Table::dealt(&clients[1], &json!({}));
    let mut stream = clients[0].stream(&table.id, "", None);
    let mut seen = Vec::new();
    let mut next = |stream: &mut acceptance::stream::Stream| {
        let message = stream.try_next().expect("it goes on").expect("a message");
        seen.push(commit(&message.data));
        message.id
    };
    next(&mut stream);
    let mut last = 0;
    for turn in 0..10 {
        // Also at the server that will die.
        table.through(&clients[turn % 2]).play(&mut dice, 1);
        last = next(&mut stream);
    }
    two.kill_first();
    assert!(!matches!(stream.try_next(), Ok(Some(_))), "nothing was committed since");
    table.play(&mut dice, 5);
    let mut stream = clients[1].stream(&table.id, "", Some(last));
    for _ in 0..5 {
        next(&mut stream);
    }
    table.play(&mut dice, 1);
    next(&mut stream);
    assert_eq!(seen, (1..=17).collect::<Vec<u64>>());
    table.owner().close(&table.id);
    assert_eq!(stream.rest().len(), 1, "the end of the match ends the stream");
    let body = json!({"game": "rosenkoenig", "seats": [{}, {}]});
    assert_eq!(Table::open(&clients[1], &body).version(), 2, "the other server goes on");
}

fn commit(data: &Value) -> u64 {
    data["commit"].as_u64().expect("a number")
}

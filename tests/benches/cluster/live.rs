//! From the answer to a command at one server to the message in a stream at the other.

use std::thread;
use std::time::{Duration, Instant};

use acceptance::{Dice, Table};

use crate::row;
use crate::stores::{Databases, Server};

const COMMITS: usize = 1_000;
/// Between two commands: nothing waits for anything.
const PAUSE: Duration = Duration::from_millis(2);

pub(crate) fn measure() {
    for (name, databases) in [("one database", Databases::one()), ("three", Databases::three())] {
        let servers = Server::two(&databases);
        for (what, at) in [("the same server", 0), ("the other server", 1)] {
            let mut waits = Vec::new();
            let mut dice = Dice::new(7);
            while waits.len() < COMMITS {
                waits.extend(match_under(&servers, at, &mut dice));
            }
            let rate = waits.len() as f64 / waits.iter().sum::<Duration>().as_secs_f64();
            println!("{}", row(&format!("answer to stream at {what}, {name}"), rate, &mut waits));
        }
    }
}

/// Plays a match at the first server under a stream at one of them; how long after each answer its message came, zero where it came before.
fn match_under(servers: &[Server; 2], at: usize, dice: &mut Dice) -> Vec<Duration> {
    let table = Table::rosenkoenig(&servers[0].process.client());
    let stream = servers[at].process.client().stream(&table.id, "", None);
    let watching = thread::spawn(move || stream.map(|_| Instant::now()).collect::<Vec<_>>());
    let mut answered = Vec::new();
    while let Some(seat) = table.active() {
        let legal = table.seat(seat).legal_commands(&table.id, "").items();
        let command = &legal[dice.below(legal.len())];
        let answer = table.seat(seat).command(&table.id, command);
        answered.push(Instant::now());
        assert_eq!(answer.status, 201);
        thread::sleep(PAUSE);
    }
    let seen = watching.join().expect("it does not panic");
    assert_eq!(seen.len(), answered.len() + 1, "each commit once");
    // The first one was there before.
    seen[1..].iter().zip(&answered).map(|(seen, at)| seen.saturating_duration_since(*at)).collect()
}

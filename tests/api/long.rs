//! A match of thousands of events: every version of it is at hand.

use serde_json::{Value, json};

use crate::{restarted, server};
use acceptance::{Dice, Table};

/// More than the length from which positions are kept while a match is played.
const EVENTS: u64 = 2_600;

/// Looks at versions all over the match, in no order; each must be the one that the replay shows.
fn looks_like(table: &Table, frames: &[Value], dice: &mut Dice) {
    for _ in 0..60 {
        let frame = &frames[dice.below(frames.len())];
        let view = table.spectator().view(&table.id, &format!("at={}", frame["version"])).ok();
        assert_eq!(view, frame["view"], "{}", frame["version"]);
    }
}

#[test]
fn any_version_of_a_long_match_is_the_one_that_its_replay_shows() {
    let (server, folder) = server();
    let request = json!({"game": "rosenkoenig", "seats": [{}, {}], "take_back": true});
    let mut table = Table::open(&server.client(), &request);
    let mut dice = Dice::new(11);
    let (mut version, mut rounds) = (0, 0_u32);
    while version < EVENTS {
        let Some(seat) = table.active() else {
            // Chance has ended it early.
            table = Table::open(&server.client(), &request);
            continue;
        };
        let seat = table.seat(seat);
        let legal = table.legal();
        let command = &legal[dice.below(legal.len())];
        version = seat.command(&table.id, command).created()["version"].as_u64().expect("a number");
        // Now and then something stands, so that positions differ.
        rounds += 1;
        if !rounds.is_multiple_of(40) && seat.take_back(&table.id).status == 201 {
            version += 1;
        }
    }
    let replay = |table: &Table| -> Vec<Value> {
        let text = table.spectator().replay(&table.id, "").text();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let frames = replay(&table);
    assert_eq!(frames.len() as u64, table.version());
    looks_like(&table, &frames, &mut dice);
    // What was kept while it was played is kept while it is loaded, too.
    let server = restarted(server, &folder);
    let table = table.through(&server.client());
    looks_like(&table, &frames, &mut dice);
    assert_eq!(replay(&table), frames);
}

//! What the bot leans to, computed once more by the oracle: the reply of the opponent, heroes, cards.

use std::collections::BTreeSet;

use kernel::Game;
use rosenkoenig::{Command, GAME, PositionForm, Rosenkoenig};
use serde_json::{Value, json};
use testkit::Dice;

use crate::against_oracle::raw;
use crate::oracle::Oracle;

/// Thousandths of a point.
const POINT: i64 = 1_000;
const HERO: i64 = 6 * POINT;
const CARD: i64 = POINT + POINT / 2;

fn lead(oracle: &Oracle, seat: usize) -> i64 {
    let points = |seat| oracle.score(seat).0 as i64;
    points(seat) - points(1 - seat)
}

/// The most that a seat could gain by one play now.
fn reply(oracle: &Oracle, seat: usize) -> i64 {
    let gain = |command: &Value| {
        let mut after = oracle.clone();
        after.play_card(seat, command, &mut Vec::new());
        lead(&after, seat) - lead(oracle, seat)
    };
    let legal = oracle.legal(seat);
    let plays = legal.iter().filter(|command| command["type"] == "PlayCard");
    let can_draw = legal.iter().any(|command| command["type"] == "DrawCard");
    plays.map(gain).chain(can_draw.then_some(0)).max().unwrap_or(0)
}

/// nobody replies to the last stone.
fn is_last_stone(oracle: &Oracle, command: &Value) -> bool {
    command["hero"] == false && oracle.position()["stones_left"] == 1
}

fn expected(oracle: &Oracle, seat: usize, command: &Value) -> i64 {
    if is_last_stone(oracle, command) {
        return 0;
    }
    let other = 1 - seat;
    if command["type"] == "DrawCard" {
        return CARD - POINT * reply(oracle, other);
    }
    let mut after = oracle.clone();
    after.play_card(seat, command, &mut Vec::new());
    let hero = if command["hero"] == true { HERO } else { 0 };
    -hero - POINT * reply(&after, other)
}

#[test]
fn leanings_think_of_the_reply_and_spare_heroes_and_cards() {
    let (mut seen, mut heroes, mut last) = (BTreeSet::new(), 0, 0);
    for seed in 0..4 {
        let mut dice = Dice::new(seed);
        let started =
            GAME.setup(&raw(&json!({})), 2, kernel::newest::<Rosenkoenig>(), &mut dice).unwrap();
        let mut state = started.state;
        let mut oracle = Oracle::new(&serde_json::from_str(started.events[0].full.get()).unwrap());
        while let Some(seat) = oracle.active() {
            let form: PositionForm = serde_json::from_str(state.position().get()).unwrap();
            let position = Rosenkoenig::admit(form).unwrap();
            let legal = oracle.legal(seat);
            let commands = legal.iter().map(|command| serde_json::from_value(command.clone()));
            let commands: Vec<Command> = commands.collect::<Result<_, _>>().unwrap();
            let leanings = Rosenkoenig::leanings(&position, &commands);
            let wanted: Vec<i64> = legal.iter().map(|c| expected(&oracle, seat, c)).collect();
            assert_eq!(leanings, wanted, "{}", oracle.position());
            heroes += legal.iter().filter(|command| command["hero"] == true).count();
            last += legal.iter().filter(|command| is_last_stone(&oracle, command)).count();
            seen.extend(leanings);
            let command = dice.of(&legal).clone();
            let decided = state.decide(&raw(&command), &mut dice).unwrap();
            let events = decided.events.iter();
            let events: Vec<Value> =
                events.map(|event| serde_json::from_str(event.full.get()).unwrap()).collect();
            let shuffled = events.iter().find(|event| event["type"] == "DrawPileReshuffled");
            let shuffled = shuffled.map(|event| event["draw_pile"].clone());
            oracle.play(&command, shuffled.map(|pile| serde_json::from_value(pile).unwrap()));
            state = decided.state;
        }
    }
    assert!(seen.len() > 10 && heroes > 50, "{seen:?}, {heroes} heroes: the test proves little");
    assert!(last > 0, "no last stone: the test proves little");
}

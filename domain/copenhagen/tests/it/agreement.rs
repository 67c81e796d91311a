//! The game and the oracle say the same at every step of random matches: this is how we know that the bit sets are right.

use std::collections::BTreeSet;

use copenhagen::{Command, Copenhagen, Event, Position};
use kernel::{Draft, Game};
use serde_json::{Value, json};
use testkit::{Dice, Walk, Witness};

use crate::oracle::{ABILITIES, COLORS, Facade, Oracle, active, places};
use crate::{positions, strategy};

/// What a run of matches met, so that the test can tell that it has seen enough.
#[derive(Debug, Default)]
struct Met {
    rules: BTreeSet<String>,
    events: BTreeSet<String>,
    reasons: BTreeSet<String>,
    columns: usize,
    lines_at_once: usize,
}

#[test]
fn the_oracle_agrees_in_random_matches() {
    let mut met = Met::default();
    for (seats, seed) in [(2, 1), (3, 2), (4, 3)] {
        play(start(seats, seed), 1_000, seed, &strategy::uniform, &mut met);
    }
    for (seats, seed) in [(2, 11), (3, 12), (4, 13), (2, 14), (2, 15), (3, 16)] {
        play(start(seats, seed), 1_000, seed, &strategy::builder, &mut met);
    }
    assert!(met.columns > 0 && met.lines_at_once > 1, "{met:?}");
    for event in [
        "CoatsOfArmsActivated",
        "AbilityTaken",
        "AbilitiesReactivated",
        "DeckReshuffled",
        "CardDiscarded",
    ] {
        assert!(met.events.contains(event), "no {event} in {met:?}");
    }
    let rules = [
        "C-301", "C-303", "C-402", "C-404", "C-407", "C-502", "C-503", "C-504", "C-505", "C-506",
        "C-508", "C-509", "C-510", "C-604", "C-605",
    ];
    assert!(rules.iter().all(|rule| met.rules.contains(*rule)), "{met:?}");
}

#[test]
fn the_oracle_agrees_from_the_positions_of_the_cases_on() {
    let mut met = Met::default();
    for (seed, json) in (100..).zip(positions::ALL) {
        let position = positions::load(json);
        play(position.clone(), 30, seed, &strategy::uniform, &mut met);
        play(position, 30, seed, &strategy::builder, &mut met);
    }
    assert!(met.reasons.len() == 2 && met.rules.contains("C-603"), "{met:?}");
    assert!(met.events.contains("CoatsOfArmsLapsed"), "{met:?}");
}

fn start(seats: u8, seed: u64) -> Position {
    Walk::<Copenhagen>::new(copenhagen::OptionsAsked {}, seats, Dice::new(seed)).position
}

fn play(
    mut position: Position,
    longest: usize,
    seed: u64,
    choose: &strategy::Choose,
    met: &mut Met,
) {
    let oracle = Oracle::new();
    let mut chance = Witness::new(Dice::new(seed));
    let mut legal = Vec::new();
    for _ in 0..longest {
        strangers(&oracle, &position, &mut chance.dice, met);
        if Copenhagen::active_seat(&position).is_none() {
            met.reasons.insert(json!(position)["result"]["reason"].to_string());
            return;
        }
        legal.clear();
        Copenhagen::legal_commands(&position, &mut legal);
        let before = json!(position);
        let listed: BTreeSet<String> =
            legal.iter().map(|command| json!(command).to_string()).collect();
        assert_eq!(listed, oracle.legal(&before), "the legal commands of {before}");
        let command = legal[choose(&position, &legal, &mut chance.dice)].clone();
        let mut events = Vec::new();
        Copenhagen::decide(&mut Draft::new(&mut position, &mut events, &mut chance), &command)
            .expect("listed");
        let draws = chance.draws.drain(..).map(|draw| {
            assert_eq!(draw.kind, "harbor_refill");
            (draw.candidates, draw.drawn)
        });
        let expected = oracle.next(&before, &json!(command), draws.collect());
        assert_eq!(json!(position), expected, "after {command:?} in {before}");
        check_events(&oracle, &before, &command, &events, met);
    }
}

/// Commands of all kinds, legal or not: both refuse the same by the same rule.
fn strangers(oracle: &Oracle, position: &Position, dice: &mut Dice, met: &mut Met) {
    let before = json!(position);
    for _ in 0..20 {
        let command = stranger(oracle, dice);
        let typed: Command =
            serde_json::from_value(command.clone()).expect("a command of the right form");
        let mut draft = (position.clone(), Vec::new(), dice.clone());
        let decided =
            Copenhagen::decide(&mut Draft::new(&mut draft.0, &mut draft.1, &mut draft.2), &typed);
        let rule = decided.err().map(|refusal| refusal.rule.0);
        assert_eq!(rule, oracle.refused(&before, &command), "{command} in {before}");
        met.rules.extend(rule.map(str::to_owned));
    }
}

fn stranger(oracle: &Oracle, dice: &mut Dice) -> Value {
    let (x, y) = (dice.below(5), dice.below(9));
    match dice.below(12) {
        0 => json!({"type": "TakeCard", "slot": dice.below(7)}),
        1 => json!({"type": "DiscardCard", "color": dice.of(&COLORS)}),
        2 => json!({"type": "PlaceSpecialTile", "x": x, "y": y}),
        3 => json!({"type": "TakeAbility", "ability": dice.of(&ABILITIES)}),
        4 => json!({"type": dice.of(&["EndTaking", "EndTurn", "ReactivateAbilities"])}),
        _ => {
            let kind = &oracle.kinds[dice.below(20)];
            let (own, other) = (kind.color.clone().expect("a color"), *dice.of(&COLORS));
            let mut payment: Vec<String> = vec![own; dice.below(6)];
            payment.extend(vec![other.to_owned(); dice.below(3)]);
            payment.sort_by_key(|card| COLORS.iter().position(|color| card == color));
            json!({"type": "PlaceTile", "tile": kind.id, "orientation": dice.below(8), "x": x, "y": y,
                   "payment": payment})
        }
    }
}

/// Prices, squares, points and coats of arms in the events are those of the oracle.
fn check_events(
    oracle: &Oracle,
    before: &Value,
    command: &Command,
    events: &[Event],
    met: &mut Met,
) {
    let events: Vec<Value> = events.iter().map(|event| json!(event)).collect();
    met.events
        .extend(events.iter().map(|event| event["type"].as_str().expect("a type").to_owned()));
    let find = |name: &str| events.iter().find(|event| event["type"] == name);
    let Some(placed) = find("TilePlaced") else { return };
    let mut facade = Facade::of(oracle, &active(before)["tiles"]);
    let (old_lines, old_coats) = (facade.lines(), facade.coats());
    let empty = facade.clone();
    facade.put(oracle, placed);
    let cells: Vec<Value> = places()
        .filter(|(x, y)| empty.fill[*y][*x] != facade.fill[*y][*x])
        .map(|(x, y)| json!({"x": x, "y": y, "fill": if facade.fill[y][x] == 'W' { "window" } else { "brick" }}))
        .collect();
    assert_eq!(placed["cells"], json!(cells));
    check_price(oracle, &empty, command, &placed["price"]);
    let new_lines = |line: &Value| !old_lines.contains(line);
    let lines: Vec<Value> = facade.lines().into_iter().filter(new_lines).collect();
    let awarded = find("ScoreAwarded");
    assert_eq!(awarded.map_or(json!([]), |event| event["lines"].clone()), json!(lines));
    let points: u64 = lines.iter().map(|line| line["points"].as_u64().expect("a number")).sum();
    assert_eq!(awarded.map_or(json!(0), |event| event["points"].clone()), json!(points));
    met.columns += lines.iter().filter(|line| line["kind"] == "column").count();
    met.lines_at_once = met.lines_at_once.max(lines.len());
    if find("MatchFinished").is_some_and(|event| event["reason"] == "twelve_points") {
        return;
    }
    let (mut cells, mut rows) = facade.coats();
    cells.retain(|cell| !old_coats.0.contains(cell));
    rows.retain(|row| !old_coats.1.contains(row));
    let activated = find("CoatsOfArmsActivated")
        .cloned()
        .unwrap_or(json!({"count": 0, "cells": [], "rows": []}));
    assert_eq!(activated["cells"], json!(cells));
    assert_eq!(activated["rows"], json!(rows));
    assert_eq!(activated["count"], json!(cells.len() + rows.len()));
}

/// The price has the size, the reduction of the oracle, and the discount that makes it the payment.
fn check_price(oracle: &Oracle, empty: &Facade, command: &Command, price: &Value) {
    let Command::PlaceTile { tile, payment, .. } = command else {
        assert!(price.is_null());
        return;
    };
    let part = |key: &str| price[key].as_u64().expect("a number") as usize;
    assert_eq!(part("size"), usize::from(tile.tile().size()));
    let reduced = part("size") - part("same_color");
    assert_eq!(reduced, oracle.price(empty, &json!(command)));
    assert_eq!(reduced - part("construction_discount"), payment.len());
}

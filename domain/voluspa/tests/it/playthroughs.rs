//! Seeded matches as text, for people to read: one with all JSON and what each seat sees, the others drawn as the boards of
//! RULES.md, section 12.

use std::fmt::Write as _;

use kernel::{AnyMatch, Seen};
use serde_json::Value;
use serde_json::value::RawValue;
use testkit::{Dice, Step, check_snapshot, play, playthrough};
use voluspa::Tile;

/// The tiles in the notation of RULES.md, in enum order.
const CODES: [&str; 17] = [
    "Od", "Th", "Tr", "Dr", "Fe", "Sk", "Va", "Lo", "He", "Hm", "Jo", "Se", "Dw", "Fr", "Ra", "Ni",
    "Li",
];

#[test]
fn all_json_of_saga_of_edda_without_late_hel_for_three() {
    let options = r#"{"set": "saga_of_edda", "no_late_hel": true}"#;
    let text = playthrough(voluspa::GAME, options, 3, 2, &choose);
    check_snapshot(path("saga_of_edda_json"), &text);
}

#[test]
fn boards_of_the_base_game_for_two() {
    check_boards("base", "{}", 2, 1);
}

#[test]
fn boards_of_all_modules_for_five() {
    let options = r#"{"set": "custom", "lightning_bolt": true, "custom_types":
        ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"]}"#;
    check_boards("all_modules", options, 5, 4);
}

fn path(name: &str) -> String {
    format!("{}/tests/playthroughs/{name}.txt", env!("CARGO_MANIFEST_DIR"))
}

/// Plays like somebody who likes the powers: half of the choices are a rare kind of command, if there is one.
fn choose(_: &dyn AnyMatch, legal: &[&RawValue], dice: &mut Dice) -> usize {
    let rare =
        ["cover", "exchange", "\"mode\":\"bump\"", "DiscardFreya", "MoveRaven", "\"hermod\""];
    let is_rare = |index: &usize| rare.iter().any(|word| legal[*index].get().contains(word));
    let rare: Vec<usize> = (0..legal.len()).filter(is_rare).collect();
    if !rare.is_empty() && dice.below(2) == 0 { *dice.of(&rare) } else { dice.below(legal.len()) }
}

fn check_boards(name: &str, options: &str, seats: usize, seed: u64) {
    let mut text = format!("Völuspá, {seats} seats, seed {seed}, options\n{options}\n\n");
    let mut number = 0;
    play(voluspa::GAME, options, seats, seed, &choose, &mut |Step { state, events, chosen }| {
        write_events(&mut text, events);
        write_board(&mut text, &json(&state.position()));
        if let Some((seat, legal, _)) = chosen {
            number += 1;
            writeln!(text, "\n{number}. seat {seat}, one of {legal} commands").unwrap();
        }
    });
    check_snapshot(path(name), &text);
}

fn json(raw: &RawValue) -> Value {
    serde_json::from_str(raw.get()).unwrap()
}

fn code(tile: &Value) -> &'static str {
    let tile: Tile = serde_json::from_value(tile.clone()).unwrap();
    CODES[Tile::ALL.iter().position(|other| *other == tile).unwrap()]
}

/// One line for each event: its type, then its fields, cells as `(x, y)` and tiles by their codes.
fn write_events(text: &mut String, events: &[Seen]) {
    for event in events {
        let event = json(&event.full);
        let mut line = format!("   {}", event["type"].as_str().unwrap());
        for (key, value) in event.as_object().unwrap().iter().filter(|(key, _)| *key != "type") {
            let nothing = value.is_null() || key.ends_with("boost") && *value == 0;
            if !nothing {
                write!(line, "  {key} {}", short(key, value)).unwrap();
            }
        }
        text.push_str(&line);
        text.push('\n');
    }
}

fn short(key: &str, value: &Value) -> String {
    if let (Some(x), Some(y)) = (value.get("x"), value.get("y")) {
        return format!("({x}, {y})");
    }
    if matches!(key, "tile" | "under" | "restored") {
        return code(value).to_owned();
    }
    if let Some(items) = value.as_array() {
        return match key {
            "parts" => items.iter().map(part).collect::<Vec<_>>().join(" and "),
            "pile" | "tile_types" => items.iter().map(code).collect::<Vec<_>>().join(" "),
            _ => value.to_string(),
        };
    }
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn part(part: &Value) -> String {
    let bonus = if part["bonus"] == 0 { String::new() } else { format!(" + {}", part["bonus"]) };
    format!("{} {}{bonus} = {}", part["kind"].as_str().unwrap(), part["count"], part["points"])
}

/// The tiles as they lie, the hands, and what is under way.
fn write_board(text: &mut String, position: &Value) {
    let cells = position["board"].as_array().unwrap();
    let numbers =
        |key: &str| cells.iter().map(|cell| cell[key].as_i64().unwrap()).collect::<Vec<_>>();
    let (xs, ys) = (numbers("x"), numbers("y"));
    let (left, right) = (*xs.iter().min().unwrap(), *xs.iter().max().unwrap());
    for y in *ys.iter().min().unwrap()..=*ys.iter().max().unwrap() {
        let mut line = format!("{y:>9} |");
        for x in left..=right {
            let cell = cells.iter().find(|cell| cell["x"] == x && cell["y"] == y);
            let boost = |cell: &Value| match cell["boost"].as_u64().unwrap() {
                0 => "  ".to_owned(),
                boost => format!("+{boost}"),
            };
            line += &cell.map_or(" ..  ".to_owned(), |cell| {
                format!(" {}{}", code(&cell["tile"]), boost(cell))
            });
        }
        writeln!(text, "{}", line.trim_end()).unwrap();
    }
    for (seat, player) in position["players"].as_array().unwrap().iter().enumerate() {
        let hand: Vec<&str> = player["hand"].as_array().unwrap().iter().map(code).collect();
        writeln!(text, "          seat {seat}: {} points, {}", player["score"], hand.join(" "))
            .unwrap();
    }
    let (pile, first) = (position["pile"].as_array().unwrap().len(), left);
    writeln!(
        text,
        "          phase {}, pile {pile}, first column {first}",
        position["phase"].as_str().unwrap()
    )
    .unwrap();
}

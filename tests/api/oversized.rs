//! Positions with more pieces than the box has: refused at once, whatever the game, and the server stays small.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client;
use acceptance::process::Process;
use acceptance::{Answer, Client};
use testkit::pointers_to;

/// A refusal takes no longer, in a build without optimisations on a busy machine.
const PROMPT: Duration = Duration::from_secs(5);

/// How much more memory the server may hold after all that, in KiB.
const ROOM_KIB: u64 = 64 * 1024;

/// Bodies are kept below what the server takes at all.
const LARGEST: usize = 1_000_000;

fn start(client: &Client, game: &str, options: &Value, seats: usize) -> Value {
    let body = json!({"options": options, "seats": seats});
    client.start_position(game, &body).ok()["position"].clone()
}

/// Asks what the position leads to, and for a match that begins with it: both are refused at once, shortly, by the rule.
#[track_caller]
fn is_refused(client: &Client, position: &Value, rule: &str, what: &str) {
    let game = position["game"].as_str().expect("the game's name").to_owned();
    let seats = position["players"].as_array().map_or(2, |players| players.len().clamp(2, 4));
    let opening = json!({"game": game, "seats": vec![json!({}); seats], "position": position});
    let asked = json!({"position": position, "commands": []});
    let ways: [(&str, &dyn Fn() -> Answer); 2] =
        [("analysis", &|| client.analyse(&game, &asked)), ("opening", &|| client.open(&opening))];
    for (way, ask) in ways {
        let began = Instant::now();
        let answer = ask();
        let took = began.elapsed();
        assert!(answer.status == 422, "{what}, {way}: {} after {took:?}", answer.status);
        answer.refused("invalid_position", rule);
        assert!(took < PROMPT, "{what}, {way}: refused after {took:?}");
        assert!(answer.body.len() < 4_000, "{what}, {way}: an answer of {}", answer.body.len());
    }
}

/// A square of tiles without a gap.
fn crowd(count: i64) -> Value {
    let side = (1..).find(|side| side * side >= count).expect("a square is large enough");
    let kinds = ["odin", "thor", "dragon", "fenrir", "valkyrie", "jotunn", "raven"];
    let tile = |place: i64| {
        let kind = kinds[usize::try_from(place).expect("a place") % kinds.len()];
        json!({"x": place % side, "y": place / side, "tile": kind, "boost": 0})
    };
    (0..count).map(tile).collect()
}

#[test]
fn a_board_of_voluspa_larger_than_the_box_is_refused_at_once() {
    let process = Process::alone(&[]);
    let client = process.client();
    let options = json!({"set": "custom", "custom_types": ["hel", "jotunn", "sea_serpent", "freya", "raven"]});
    let start = start(&client, "voluspa", &options, 2);
    is_refused(&client, &oversized(&start, 200), "V-109", "a first one");
    let before = process.peak_kib();
    for count in [1_000, 4_100, 22_900] {
        let what = format!("{count} tiles on the board");
        is_refused(&client, &oversized(&start, count), "V-109", &what);
    }
    for place in ["/pile", "/discard", "/players/1/hand"] {
        let mut position = start.clone();
        let tiles = vec![json!("odin"); 22_900];
        *position.pointer_mut(place).expect("the position has this field") = json!(tiles);
        is_refused(&client, &position, "V-109", place);
    }
    let grown = process.peak_kib() - before;
    assert!(grown < ROOM_KIB, "the server grew by {grown} KiB");
    assert_eq!(client.matches("").ok()["items"], json!([]), "nothing was opened");
}

fn oversized(start: &Value, count: i64) -> Value {
    let mut position = start.clone();
    position["board"] = crowd(count);
    position
}

/// Positions of every game, with something in as many lists as there may be.
fn positions(client: &Client) -> Vec<(Value, &'static str)> {
    let everything =
        ["hel", "hermod", "jotunn", "sea_serpent", "dwarf", "freya", "raven", "niohoggr"];
    let all = json!({"set": "custom", "custom_types": everything, "lightning_bolt": true});
    let mut voluspa = start(client, "voluspa", &all, 3);
    voluspa["discard"] = json!([voluspa["pile"][0]]);
    voluspa["pile"].as_array_mut().expect("tiles").remove(0);
    let mut copenhagen = start(client, "copenhagen", &json!({}), 3);
    copenhagen["discard"] = json!([copenhagen["deck"][0]]);
    copenhagen["deck"].as_array_mut().expect("cards").remove(0);
    let mut rosenkoenig = start(client, "rosenkoenig", &json!({}), 2);
    rosenkoenig["discard_pile"] = json!([rosenkoenig["draw_pile"][0]]);
    rosenkoenig["draw_pile"].as_array_mut().expect("cards").remove(0);
    let mut delphi = start(client, "delphi", &json!({"start_seat": 0}), 3);
    delphi["pending"] =
        json!([{"kind": "advance_god", "steps": 1, "gods": ["ares", "hermes"], "reason": "sigma"}]);
    delphi["stage"] = json!("main");
    delphi["active_seat"] = json!(0);
    delphi["start_queue"] = json!([]);
    delphi["players"][0]["god_choices"] = json!([["ares", "hermes"]]);
    delphi["islands"][0]["seen_by"] = json!([0]);
    vec![(voluspa, "V-109"), (copenhagen, "C-210"), (rosenkoenig, "R-9"), (delphi, "D-131")]
}

/// The position with each element of the array there so often, one after the other: what is sorted stays so.
fn multiplied(position: &Value, pointer: &str, wished: usize) -> Value {
    let mut multiplied = position.clone();
    let array = multiplied.pointer_mut(pointer).and_then(Value::as_array_mut).expect("an array");
    let times = wished.min(LARGEST / json!(array).to_string().len()).max(2);
    let repeated = array.iter().flat_map(|item| std::iter::repeat_n(item.clone(), times));
    *array = repeated.collect();
    multiplied
}

#[test]
fn every_list_of_every_game_is_bounded_by_the_box() {
    let (client, _server) = client();
    for (position, rule) in positions(&client) {
        let asked = json!({"position": position, "commands": []});
        let game = position["game"].as_str().expect("the game's name");
        client.analyse(game, &asked).ok();
        let is_full = |value: &Value| value.as_array().is_some_and(|items| !items.is_empty());
        let found = pointers_to(&position, is_full);
        assert!(found.len() > 5, "{game} has lists");
        for pointer in found {
            for wished in [50, 22_900] {
                let grown = multiplied(&position, &pointer, wished);
                let answer = client.analyse(game, &json!({"position": grown, "commands": []}));
                let named = answer.problem(422, "invalid_position")["rule"].clone();
                let named = named.as_str().expect("a rule").to_owned();
                assert!(named.starts_with(rule), "{pointer} of {game}: {named}");
                is_refused(
                    &client,
                    &grown,
                    &named,
                    &format!("{pointer} of {game}, {wished} times"),
                );
            }
        }
    }
}

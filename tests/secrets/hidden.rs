//! What is hidden, written from the rules of each game alone: where it lies in a position, and what else could lie there.

use std::collections::BTreeSet;

use kernel::{AnyGame, Seat, Viewer};
use serde_json::value::to_raw_value;
use serde_json::{Value, json};
use testkit::Dice;

/// Games in which nothing is ever hidden from anybody.
pub(crate) const OPEN: &[&str] = &[];

/// The part of a position that one viewer cannot see.
struct Hidden {
    /// JSON pointers of the values that are hidden.
    values: Vec<String>,
    /// Lists with hidden values that are kept in order: where the values lie in them tells nothing.
    sorted: Vec<String>,
    /// The order of sorted lists.
    order: Vec<Value>,
}

/// The indices of the list at `pointer` whose value is like this.
fn places(position: &Value, pointer: &str, like: impl Fn(&Value) -> bool) -> Vec<String> {
    let list = position.pointer(pointer).and_then(Value::as_array);
    let list = list.unwrap_or_else(|| panic!("{pointer} is a list"));
    let places = list.iter().enumerate().filter(|(_, value)| like(value));
    places.map(|(at, _)| format!("{pointer}/{at}")).collect()
}

fn seats(list: &Value) -> impl Iterator<Item = Seat> {
    (0..).map(Seat).take(list.as_array().map_or(0, Vec::len))
}

/// What `viewer` cannot see of a position. A game that is not here has no secrets that a test knows of: name them here.
fn hidden(game: &str, position: &Value, viewer: Viewer) -> Hidden {
    let mut hidden = Hidden { values: Vec::new(), sorted: Vec::new(), order: Vec::new() };
    if position["active_seat"].is_null() {
        // A finished match is open.
        return hidden;
    }
    let others =
        |list: &Value| -> Vec<Seat> { seats(list).filter(|seat| !viewer.is(*seat)).collect() };
    match game {
        // R-70: the order of the draw pile.
        "rosenkoenig" => hidden.values = places(position, "/draw_pile", |_| true),
        // Section 4: the hands of the others and the pile, but for the number of Hel in each.
        "voluspa" => {
            let hands = others(&position["players"]).into_iter();
            let hands = hands.map(|seat| format!("/players/{seat}/hand"));
            hidden.sorted = hands.chain(["/pile".to_owned()]).collect();
            hidden.order = position["tile_types"].as_array().cloned().unwrap_or_default();
            for list in &hidden.sorted {
                let tiles = places(position, list, |tile| tile != "hel");
                hidden.values.extend(tiles);
            }
        }
        // Section 2, view: the hands of the others and the deck.
        "copenhagen" => {
            let hands = others(&position["players"]).into_iter();
            let hands = hands.map(|seat| format!("/players/{seat}/hand"));
            hidden.sorted = hands.chain(["/deck".to_owned()]).collect();
            hidden.order = ["red", "yellow", "green", "blue", "purple"].map(Value::from).into();
            for list in &hidden.sorted {
                hidden.values.extend(places(position, list, |_| true));
            }
        }
        // D-132: faces of islands that are neither revealed nor were looked at by the viewer.
        "delphi" => {
            let looked = |island: &Value| match viewer {
                Viewer::Seat(seat) => island["seen_by"]
                    .as_array()
                    .is_some_and(|seen| seen.contains(&Value::from(seat.0))),
                Viewer::Spectator => false,
            };
            let islands = places(position, "/islands", |island| {
                island["revealed"] == false && !looked(island)
            });
            let faces = islands.into_iter().map(|island| island + "/face");
            hidden.values = faces.collect();
        }
        // N-03: the lucky numbers of the others.
        "nim" => {
            let lucky = others(&position["lucky"]).into_iter();
            hidden.values = lucky.map(|seat| format!("/lucky/{seat}")).collect();
        }
        game if OPEN.contains(&game) => {}
        _ => panic!("say in tests/secrets/hidden.rs what is hidden in {game}"),
    }
    hidden
}

/// The position without what `viewer` cannot see: equal for positions that the viewer cannot tell apart.
pub(crate) fn mask(game: &str, position: &Value, viewer: Viewer) -> Value {
    let Hidden { values, sorted, order: _ } = hidden(game, position, viewer);
    let mut masked = position.clone();
    for pointer in &values {
        *masked.pointer_mut(pointer).expect("it was just found") = Value::Null;
    }
    for pointer in &sorted {
        let list = masked.pointer_mut(pointer).and_then(Value::as_array_mut);
        list.expect("it was just found").sort_by_key(Value::to_string);
    }
    masked
}

/// Another position that `viewer` cannot tell from this one, if some tries find one that the game admits.
pub(crate) fn exchange(
    game: &dyn AnyGame,
    position: &Value,
    viewer: Viewer,
    dice: &mut Dice,
) -> Option<Value> {
    let id = game.info().id;
    let Hidden { values, sorted, order } = hidden(id, position, viewer);
    for _ in 0..20 {
        let mut chosen = values.clone();
        dice.shuffle(&mut chosen);
        // Now and then a few alone: then most goes on as it would have.
        if chosen.len() > 2 && dice.below(2) == 0 {
            chosen.truncate(2 + dice.below(2));
        }
        let value = |pointer: &String| position.pointer(pointer).cloned();
        let mut found: Vec<Value> = chosen.iter().filter_map(value).collect();
        dice.shuffle(&mut found);
        let mut other = position.clone();
        for (pointer, value) in chosen.iter().zip(found) {
            *other.pointer_mut(pointer).expect("it was just found") = value;
        }
        for pointer in &sorted {
            let list = other.pointer_mut(pointer).and_then(Value::as_array_mut);
            let place = |value: &Value| order.iter().position(|known| known == value);
            list.expect("it was just found").sort_by_key(place);
        }
        let json = to_raw_value(&other).expect("a value has JSON");
        if other != *position && game.load(&json, game.info().newest()).is_ok() {
            assert_eq!(
                mask(id, position, viewer),
                mask(id, &other, viewer),
                "what is exchanged is hidden"
            );
            return Some(other);
        }
    }
    None
}

/// The texts of the lists and values that `viewer` cannot see, of those that cannot stand anywhere by accident.
pub(crate) fn texts(game: &str, position: &Value) -> Vec<String> {
    let Hidden { values, .. } = hidden(game, position, Viewer::Spectator);
    let mut lists: Vec<&str> =
        values.iter().map(|value| &value[..value.rfind('/').unwrap_or(0)]).collect();
    lists.dedup();
    let text = |list: &str| position.pointer(list).map(Value::to_string);
    lists.into_iter().filter_map(text).filter(|text| text.len() > 20).collect()
}

/// The words of all that a spectator cannot see, as [`names`] looks for them.
pub(crate) fn words(game: &str, position: &Value) -> BTreeSet<String> {
    let Hidden { values, .. } = hidden(game, position, Viewer::Spectator);
    let mut words = BTreeSet::new();
    let values = values.iter().filter_map(|value| position.pointer(value));
    values.for_each(|value| add(value, &mut words));
    words
}

/// The texts of a value, without the names of its fields.
fn add(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            words.insert(spelled(text));
        }
        Value::Array(items) => items.iter().for_each(|item| add(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| add(field, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// `sea_serpent` in JSON is `SeaSerpent` where Rust shows it.
fn spelled(text: &str) -> String {
    text.replace('_', "").to_lowercase()
}

/// Whether a line of a log has one of these words: as JSON, as JSON within JSON however often, or as Rust shows values.
pub(crate) fn names(line: &str, words: &BTreeSet<String>) -> bool {
    // An escaped line break is no letter of the word behind it.
    let line = spelled(&line.replace("\\n", " "));
    line.split(|c: char| !c.is_ascii_alphanumeric()).any(|word| words.contains(word))
}

#[test]
fn what_is_hidden_is_found_in_whatever_form_a_log_has_it() {
    let players = json!([{"hand": ["hel", "sea_serpent"]}]);
    let position = json!({"active_seat": 0, "players": players, "pile": [], "tile_types": []});
    let tiles = words("voluspa", &position);
    for line in [
        r#"TRACE engine: event={"type":"TileDrawn","tile":"sea_serpent"}"#,
        r#"{"event":"{\"type\":\"TileDrawn\",\"tile\":\"sea_serpent\"}"}"#,
        r#"{"event":"RawValue(\"{\\\"tile\\\":\\\"sea_serpent\\\"}\")"}"#,
        "TRACE engine: event=TileDrawn { seat: Seat(0), tile: SeaSerpent }",
    ] {
        assert!(names(line, &tiles), "{line}");
    }
    let cards = words("rosenkoenig", &json!({"active_seat": 0, "draw_pile": ["n1", "se2"]}));
    assert!(names(r#"{"draw_pile":"[\"w3\",\"n1\"]"}"#, &cards));
    for line in [
        r#"DEBUG server::observe: refused request.id="asked" code="illegal_command" rule="R-32""#,
        r#"{"message":"two lines:\n1 and 2","position":"hel"}"#,
    ] {
        assert!(!names(line, &tiles) && !names(line, &cards), "{line}");
    }
}

//! The picture of Völuspá frames what a score counts, and says what may be done.

use std::collections::BTreeMap;

use canvas::{Scene, Style};
use kernel::Viewer;
use roxmltree::Document;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

use crate::matches::{legal, options, picture_of, started};

/// The side of a cell, and how much shorter a frame is than its cells.
const CELL: u64 = 100;
const GAP: u64 = 2;

/// The widths and heights of the frames.
fn frames(svg: &str) -> Vec<(u64, u64)> {
    let document = Document::parse(svg).expect("XML");
    let frames = document
        .descendants()
        .filter(|node| node.attribute("class") == Some("f0 s-gold w4 c last"));
    let side = |text: Option<&str>| text.expect("a side").parse::<u64>().expect("a whole number");
    frames.map(|node| (side(node.attribute("width")), side(node.attribute("height")))).collect()
}

#[test]
fn a_score_frames_as_many_cells_as_it_counts_gaps_too() {
    let (picture, game) = picture_of("voluspa");
    let mut seen = BTreeMap::<String, u32>::new();
    for (seed, options) in
        (0..12).flat_map(|seed| options("voluspa").iter().map(move |o| (seed, o)))
    {
        let mut dice = Dice::new(seed);
        let mut state = started(game, options, 2, &mut dice).state;
        while state.active_seat().is_some() {
            let command = dice.of(&legal(state.as_ref())).clone();
            let decided = state.decide(&command, &mut dice).unwrap();
            state = decided.state;
            let view = state.view(Viewer::Spectator);
            for event in decided.events {
                let told: Value = serde_json::from_str(event.full.get()).unwrap();
                if told["type"] != "ScoreAwarded" {
                    continue;
                }
                let events = [event.full];
                let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
                let scene = Scene { events: &events, ..scene };
                let frames = frames(&(picture.svg)(&scene, Style::default()).expect("a view"));
                for part in told["parts"].as_array().expect("parts") {
                    let long = part["count"].as_u64().expect("a number") * CELL - GAP;
                    let wanted = match part["kind"].as_str() {
                        Some("row") => (long, CELL - GAP),
                        Some("column") => (CELL - GAP, long),
                        _ => continue,
                    };
                    assert!(frames.contains(&wanted), "{told}: {wanted:?} is not in {frames:?}");
                    *seen.entry(told["reason"].to_string()).or_default() += 1;
                }
            }
        }
    }
    let serpents = seen.get("\"sea_serpent\"").copied().unwrap_or(0);
    assert!(serpents > 20 && seen.len() == 3, "{seen:?}");
}

#[test]
fn a_boosted_extra_tile_is_not_said_to_be_left_out() {
    let (picture, game) = picture_of("voluspa");
    let of_type = |command: &str| serde_json::from_str::<Value>(command).unwrap()["type"].clone();
    let mut told = [0; 2];
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let mut state = started(game, options("voluspa")[2], 2, &mut dice).state;
        while state.active_seat().is_some() {
            let view = state.view(Viewer::Spectator);
            let fields: Value = serde_json::from_str(view.get()).unwrap();
            let legal = legal(state.as_ref());
            if fields["phase"] == "hermod" {
                let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
                let text = (picture.text)(&scene).expect("a view");
                let boost = fields["boost"].as_u64().expect("a number");
                let is_boosted = boost > 0;
                assert_eq!(text.contains(", or none"), !is_boosted, "{text}");
                assert_eq!(text.contains(&format!("Hermod, +{boost}")), is_boosted, "{text}");
                let may_skip = legal.iter().any(|command| of_type(command.get()) == "SkipExtra");
                assert!(!(is_boosted && may_skip));
                told[usize::from(is_boosted)] += 1;
            }
            // A Freya is kept for a Hermod.
            let is_freya = |command: &RawValue| of_type(command.get()) == "DiscardFreya";
            let (freya, others): (Vec<_>, Vec<_>) =
                legal.into_iter().partition(|command| is_freya(command));
            let is_first = fields["phase"] == "hermod" && !freya.is_empty();
            let from = if is_first || others.is_empty() { &freya } else { &others };
            let command = dice.of(from).clone();
            state = state.decide(&command, &mut dice).unwrap().state;
        }
    }
    assert!(told.iter().all(|times| *times > 3), "{told:?}");
}

/// The view of a match that has just begun, with a field changed.
fn view_with(field: &str, value: Value) -> Box<RawValue> {
    let (_, game) = picture_of("voluspa");
    let view = started(game, "{}", 2, &mut Dice::new(1)).state.view(Viewer::Spectator);
    let mut view: Value = serde_json::from_str(view.get()).expect("a view");
    view[field] = value;
    RawValue::from_string(view.to_string()).expect("JSON")
}

#[test]
fn what_is_long_pushes_nothing_aside_in_text() {
    let (picture, _) = picture_of("voluspa");
    for (x, y) in [(0, 0), (-123_456, -99_999)] {
        let odin = json!({"x": x, "y": y, "tile": "odin", "boost": 2});
        let thor = json!({"x": x + 1, "y": y, "tile": "thor", "boost": 0});
        let view = view_with("board", json!([odin, thor]));
        let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
        let text = (picture.text)(&scene).expect("a view");
        let lines: Vec<&str> = text.lines().collect();
        let row = lines.iter().position(|line| line.contains("Odin10")).expect("its row");
        let free = |line: &str| line.match_indices('.').map(|(at, _)| at).collect::<Vec<usize>>();
        // The free cells to both sides lie below those of the row before.
        let above = free(lines[row - 1]);
        assert_eq!((above.len(), free(lines[row])), (4, vec![above[0], above[3]]), "{text}");
    }
}

#[test]
fn tiles_far_apart_are_a_list_in_text() {
    let (picture, _) = picture_of("voluspa");
    let at = |n: i32| 3 * n - 2_147_483_600;
    let odin = |n: i32| json!({"x": at(n), "y": at(n), "tile": "odin", "boost": 0});
    let view = view_with("board", (0..200).map(odin).collect());
    let placed = json!({"type": "StartTilePlaced", "tile": "odin", "at": {"x": at(7), "y": at(7)}});
    let events = [RawValue::from_string(placed.to_string()).unwrap()];
    let scene = Scene { events: &events, ..Scene::new("Völuspá", &view, Viewer::Spectator) };
    let text = (picture.text)(&scene).expect("a view");
    let lines = |start: &str| text.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!((lines(" Odin8  ("), lines("[Odin8] (")), (199, 1), "{text}");
    assert!(text.len() < 20_000, "{} bytes", text.len());
}

#[test]
fn what_waits_is_told_with_its_cell_and_with_what_lies_below() {
    let (picture, _) = picture_of("voluspa");
    let hermod = |x: i32| ("hermod", json!({"x": x, "y": 0}));
    let raven = |x: i32, under: Value| ("raven", json!({"at": {"x": x, "y": 0}, "under": under}));
    for ((field, value), told) in [
        (hermod(0), "the Hermod at (0, 0) waits"),
        (hermod(1), "the Hermod at (1, 0) waits"),
        (raven(0, json!("odin")), "the Raven at (0, 0) may fly on; Odin 8 lies below"),
        (raven(0, json!("thor")), "the Raven at (0, 0) may fly on; Thor 7 lies below"),
        (raven(1, Value::Null), "the Raven at (1, 0) may fly on; nothing lies below"),
    ] {
        let view = view_with(field, value);
        let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
        let text = (picture.text)(&scene).expect("a view");
        assert!(text.lines().any(|line| line == told), "{told} is not in {text}");
        let svg = (picture.svg)(&scene, Style::default()).expect("a view");
        let document = Document::parse(&svg).expect("XML");
        let frame = document.descendants().find(|node| {
            node.attribute("class").is_some_and(|classes| classes.ends_with(" waits"))
        });
        let title = frame.and_then(|frame| frame.first_element_child()?.text());
        assert_eq!(title, Some(told));
    }
}

#[test]
fn what_goes_out_of_play_is_highlighted() {
    let (picture, _) = picture_of("voluspa");
    let view = view_with("discard", json!(["hel", "freya"]));
    for (event, tile) in [
        (json!({"type": "FreyaDiscarded", "seat": 0, "boost": 1}), "Freya"),
        (json!({"type": "HelRemoved", "hels": [{"seat": 0, "count": 1}]}), "Hel"),
        (json!({"type": "TileDiscarded", "seat": 0, "tile": "hel", "reason": "surplus"}), "Hel"),
    ] {
        let events = [RawValue::from_string(event.to_string()).unwrap()];
        let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
        let scene = Scene { events: &events, ..scene };
        let svg = (picture.svg)(&scene, Style::default()).expect("a view");
        let document = Document::parse(&svg).expect("XML");
        let rings = document.descendants().filter(|node| {
            node.attribute("class").is_some_and(|classes| classes.ends_with(" last"))
        });
        let titles = rings.filter_map(|ring| ring.parent()?.first_element_child()?.text());
        assert_eq!(titles.collect::<Vec<&str>>(), [format!("1 × {tile}")]);
    }
}

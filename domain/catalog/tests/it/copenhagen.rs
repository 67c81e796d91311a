//! The text picture of Copenhagen shows each tile on the squares that the event says.

use std::collections::BTreeSet;

use canvas::{Picture, Scene, Style};
use kernel::{AnyMatch, Viewer};
use roxmltree::{Document, Node};
use serde_json::Value;
use serde_json::value::RawValue;
use testkit::Dice;

use crate::matches::{legal, picture_of, started};

/// Characters from one facade to the next, and before the first space of a row.
const STEP: usize = 19;
const FIRST: usize = 4;

#[test]
fn every_tile_covers_the_squares_that_the_game_says() {
    let (picture, game) = picture_of("copenhagen");
    let mut seen = BTreeSet::new();
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let mut state = started(game, "{}", 4, &mut dice).state;
        while let Some(command) = choose(state.as_ref(), &seen, &mut dice) {
            let decided = state.decide(&command, &mut dice).unwrap();
            state = decided.state;
            for event in decided.events {
                let event: Value = serde_json::from_str(event.full.get()).unwrap();
                if event["type"] == "TilePlaced" {
                    check(picture, state.as_ref(), &event);
                    seen.insert(shape(&event));
                }
            }
        }
    }
    // 7 kinds with 8 orientations, 13 with 4, the special tile: 109 in all.
    assert!(seen.len() > 90, "only {} shapes were placed", seen.len());
}

#[test]
fn a_kind_of_tile_is_hit_wherever_it_is_clicked() {
    let (picture, game) = picture_of("copenhagen");
    let view = started(game, "{}", 2, &mut Dice::new(1)).state.view(Viewer::Spectator);
    let svg = (picture.svg)(&scene(&view), Style::default()).expect("a view");
    let document = Document::parse(&svg).expect("XML");
    let spot = |node: &Node<'_, '_>| {
        node.attribute("data-spot").is_some_and(|spot| spot.starts_with("tile:"))
    };
    let mut tiles = 0;
    for tile in document.descendants().filter(spot) {
        // What is not painted is not hit, what cannot be seen is: it lies behind all else and is as large.
        let ground =
            tile.children().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "rect")));
        let ground = ground.expect("a ground");
        let classes = ground.attribute("class").expect("classes");
        assert!(classes.starts_with("f-") && classes.ends_with(" hidden"), "{classes}");
        let number =
            |name: &str| ground.attribute(name).expect("a side").parse::<f64>().expect("a number");
        assert!(number("width") > 60.0 && number("height") > 20.0);
        tiles += 1;
    }
    assert_eq!(tiles, 21);
}

fn scene(view: &RawValue) -> Scene<'_> {
    Scene::new("Copenhagen", view, Viewer::Spectator)
}

/// A shape that was not yet placed, if there is one; else anything.
fn choose(state: &dyn AnyMatch, seen: &BTreeSet<String>, dice: &mut Dice) -> Option<Box<RawValue>> {
    let legal = legal(state);
    let new = legal.iter().find(|command| {
        let command: Value = serde_json::from_str(command.get()).expect("JSON");
        command["type"] == "PlaceTile" && !seen.contains(&shape(&command))
    });
    if let Some(new) = new {
        return Some(new.clone());
    }
    (!legal.is_empty()).then(|| dice.of(&legal).clone())
}

fn shape(tile: &Value) -> String {
    format!("{} {}", tile["tile"], tile["orientation"])
}

/// The squares of the event, as letters of the text picture.
fn check(picture: &Picture, state: &dyn AnyMatch, event: &Value) {
    let view = state.view(Viewer::Spectator);
    let text = (picture.text)(&scene(&view)).expect("a view");
    let heads = |line: &&str| line.contains("0 Seat 0 ") && line.contains("1 Seat 1 ");
    let top = text.lines().position(|line| heads(&line)).expect("the heads");
    let number = |value: &Value| usize::try_from(value.as_u64().expect("a number")).expect("small");
    for cell in event["cells"].as_array().expect("cells") {
        let (x, y) = (number(&cell["x"]), number(&cell["y"]));
        let row = text.lines().nth(top + 1 + y).expect("nine rows");
        let shown = row.chars().nth(number(&event["seat"]) * STEP + FIRST + 2 * x);
        let initial = event["tile"].as_str().and_then(|id| id.chars().next()).expect("an id");
        let expected = if cell["fill"] == "brick" { initial.to_ascii_uppercase() } else { initial };
        assert_eq!(shown, Some(expected), "{event} at ({x}, {y}) in\n{text}");
    }
}

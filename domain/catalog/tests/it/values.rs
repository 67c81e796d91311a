//! The values that the tiles of Völuspá show are those that the catalogue serves and the program plays with.

use canvas::{Scene, Style};
use kernel::{AnyGame, Viewer};
use roxmltree::Document;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

use crate::matches::{picture_of, started};

/// A table with one tile of each kind, none beside another.
fn one_of_each(voluspa: &dyn AnyGame, kinds: &[Value]) -> Box<RawValue> {
    let state = started(voluspa, "{}", 2, &mut Dice::new(1)).state;
    let mut position: Value = serde_json::from_str(state.position().get()).expect("JSON");
    let cell = |(place, kind): (usize, &Value)| json!({"x": 2 * place, "y": 0, "tile": kind["type"], "boost": 0});
    position["board"] = kinds.iter().enumerate().map(cell).collect();
    position["pile"] = json!([]);
    position["players"][0]["hand"] = json!(["odin"]);
    position["players"][1]["hand"] = json!(["odin"]);
    let position = RawValue::from_string(position.to_string()).expect("JSON");
    voluspa
        .load(&position, voluspa.info().newest())
        .expect("it fits the box")
        .view(Viewer::Spectator)
}

#[test]
fn tiles_show_their_printed_values() {
    let (picture, voluspa) = picture_of("voluspa");
    let data: Value = serde_json::from_str(voluspa.data().get()).unwrap();
    let kinds = data["tiles"].as_array().unwrap();
    let view = one_of_each(voluspa, kinds);
    let scene = Scene::new("Völuspá", &view, Viewer::Spectator);
    let svg = (picture.svg)(&scene, Style::default()).unwrap();
    let document = Document::parse(&svg).unwrap();
    let texts = document.descendants().filter(|node| node.is_text());
    let shown: Vec<&str> = texts.filter_map(|node| node.text()).map(str::trim).collect();
    for kind in kinds {
        let id = kind["type"].as_str().unwrap();
        let value = &kind["value"];
        let name = match id {
            "sea_serpent" => "Serpent".to_owned(),
            "lightning_bolt" => "Bolt".to_owned(),
            plain => plain[..1].to_uppercase() + &plain[1..],
        };
        let words = if value.is_null() { name } else { format!("{name} {value}") };
        assert!(shown.iter().any(|text| text.contains(&words)), "{words} is not in {shown:?}");
    }
}

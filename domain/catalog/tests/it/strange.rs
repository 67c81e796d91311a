//! Views come from clients too: what does not fit is an error in words, never a panic, and never a huge answer.

use canvas::{Scene, Style};
use kernel::Viewer;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use testkit::Dice;

use crate::matches::{moments, pictures};

/// The most that one answer may hold, in bytes.
const ANSWER_MAX: usize = 1 << 20;

/// Puts something else in place of one value somewhere in the JSON.
fn spoil(json: &mut Value, dice: &mut Dice) {
    let strange = [
        json!(null),
        json!(-1),
        json!(255),
        json!(65_535),
        json!(i32::MAX),
        json!(i32::MIN),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1.5),
        json!(true),
        json!("finished"),
        json!("\u{0}<é"),
        json!([]),
        json!({}),
    ];
    match json {
        Value::Object(fields) if !fields.is_empty() && dice.below(12) > 0 => {
            let count = fields.len();
            let value = fields.values_mut().nth(dice.below(count));
            spoil(value.expect("it is one of them"), dice);
        }
        Value::Array(items) if !items.is_empty() && dice.below(12) > 0 => {
            let at = dice.below(items.len());
            match dice.below(8) {
                0 => {
                    items.remove(at);
                }
                1 => items.push(items[at].clone()),
                _ => spoil(&mut items[at], dice),
            }
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => *json = strange[dice.below(strange.len())].clone(),
    }
}

#[test]
fn a_spoiled_view_is_refused_or_drawn() {
    for (picture, game) in pictures() {
        let mut dice = Dice::new(5);
        let (mut drawn, mut refused) = (0, 0);
        moments(game, 150, |moment| {
            for _ in 0..30 {
                let mut view: Value = serde_json::from_str(moment.view.get()).unwrap();
                for _ in 0..=dice.below(3) {
                    spoil(&mut view, &mut dice);
                }
                let view = RawValue::from_string(view.to_string()).unwrap();
                let scene = Scene { view: &view, ..moment.scene("Title", &[]) };
                match (picture.svg)(&scene, Style::default()) {
                    Ok(svg) => {
                        assert!(svg.len() < ANSWER_MAX, "{} bytes", svg.len());
                        roxmltree::Document::parse(&svg).unwrap();
                        drawn += 1;
                    }
                    Err(unreadable) => {
                        assert!(!unreadable.to_string().is_empty());
                        refused += 1;
                    }
                }
                if let Ok(text) = (picture.text)(&scene) {
                    assert!(text.len() < ANSWER_MAX);
                }
            }
        });
        assert!(drawn > 50 && refused > 50, "{}: {drawn}, {refused}", picture.game);
    }
}

#[test]
fn spoiled_events_are_drawn_without_them() {
    for (picture, game) in pictures() {
        let mut dice = Dice::new(9);
        moments(game, 100, |moment| {
            let spoiled = moment.events.iter().map(|event| {
                let mut event: Value = serde_json::from_str(event.get()).unwrap();
                spoil(&mut event, &mut dice);
                RawValue::from_string(event.to_string()).unwrap()
            });
            let events: Vec<Box<RawValue>> = spoiled.collect();
            let scene = Scene { events: &events, ..moment.scene("Title", &[]) };
            let svg = (picture.svg)(&scene, Style::default()).unwrap();
            assert!(svg.len() < ANSWER_MAX);
            (picture.text)(&scene).unwrap();
        });
    }
}

#[test]
fn what_is_no_view_is_refused_in_words() {
    let huge = format!("[{}]", "{},".repeat(100_000).trim_end_matches(','));
    for (picture, _) in pictures() {
        for text in ["null", "{}", "[]", "\"view\"", "1e999", &huge] {
            let Ok(view) = RawValue::from_string(text.to_owned()) else { continue };
            let scene = Scene::new("Title", &view, Viewer::Spectator);
            assert!((picture.svg)(&scene, Style::default()).is_err());
            assert!((picture.text)(&scene).is_err());
        }
    }
}

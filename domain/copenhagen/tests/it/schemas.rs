//! The JSON Schemas against the JSON that the game writes.

use copenhagen::{Copenhagen, Options, Position};
use kernel::{Draft, Game, Schemas, Secret, Viewer};
use serde::Serialize;
use serde_json::{Value, json};
use testkit::Dice;

use crate::{positions, strategy};

const REFERENCE: &str = "#/components/schemas/";

/// Each schema that is referred to exists, so that the document that collects them is whole.
#[test]
fn schemas_are_complete() {
    let schemas = copenhagen::GAME.schemas();
    let all = serde_json::to_string(&schemas.components).unwrap();
    let referred = all.split(REFERENCE).skip(1).map(|rest| rest.split('"').next().unwrap());
    let missing: Vec<&str> =
        referred.filter(|name| !schemas.components.contains_key(*name)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// What the game writes has exactly the fields that its schema requires, in objects of objects too.
#[test]
fn schemas_require_what_is_written() {
    let schemas = copenhagen::GAME.schemas();
    for json in positions::ALL {
        let position = positions::load(json);
        check(&schemas, "position", &position);
        check_play(&schemas, position, 5);
    }
    let mut dice = Dice::new(1);
    let events = Copenhagen::setup(Options {}, 3, kernel::newest::<Copenhagen>(), &mut dice)
        .expect("three seats");
    let start = Copenhagen::start(&events[0], kernel::newest::<Copenhagen>()).expect("the start");
    check(&schemas, "event", &events[0]);
    check(&schemas, "event_view", &events[0].seen(&start, Viewer::Spectator));
    check_play(&schemas, start, 1_000);
}

fn check_play(schemas: &Schemas, mut position: Position, longest: usize) {
    let mut dice = Dice::new(7);
    for _ in 0..longest {
        check(schemas, "view", &Copenhagen::view(&position, Viewer::Spectator));
        Copenhagen::standing(&position)
            .iter()
            .flatten()
            .for_each(|place| check(schemas, "place", place));
        let (mut legal, mut events) = (Vec::new(), Vec::new());
        Copenhagen::legal_commands(&position, &mut legal);
        if legal.is_empty() {
            return;
        }
        let command = &legal[strategy::builder(&position, &legal, &mut dice)];
        check(schemas, "command", command);
        Copenhagen::decide(&mut Draft::new(&mut position, &mut events, &mut dice), command)
            .expect("listed");
        for event in &events {
            check(schemas, "event", event);
            check(schemas, "event_view", &event.seen(&position, Viewer::Spectator));
        }
    }
}

fn check<T: Serialize>(schemas: &Schemas, role: &str, item: &T) {
    let value = serde_json::to_value(item).expect("plain data has JSON");
    let schema = &schemas.components[&schemas.roles[role]];
    if let Err(problem) = fits(schemas, schema, &value) {
        panic!("{role}: {problem} in {value}");
    }
}

/// Enough of JSON Schema for what the game uses.
fn fits(schemas: &Schemas, schema: &Value, value: &Value) -> Result<(), String> {
    if let Some(reference) = schema["$ref"].as_str() {
        return fits(schemas, &schemas.components[reference.trim_start_matches(REFERENCE)], value);
    }
    if let Some(choices) = schema["oneOf"].as_array() {
        let problems: Vec<String> =
            choices.iter().filter_map(|one| fits(schemas, one, value).err()).collect();
        let fitting = choices.len() - problems.len();
        return if fitting == 1 {
            Ok(())
        } else {
            Err(format!("{fitting} of {} fit: {problems:?}", choices.len()))
        };
    }
    if let Some(words) = schema["enum"].as_array() {
        return words
            .contains(value)
            .then_some(())
            .ok_or_else(|| format!("{value} is none of {words:?}"));
    }
    fits_type(schemas, schema, value)
}

/// The same for a schema with a `type`.
fn fits_type(schemas: &Schemas, schema: &Value, value: &Value) -> Result<(), String> {
    let name = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if !schema["type"].to_string().contains(name) {
        return Err(format!("{value} is no {}", schema["type"]));
    }
    match value {
        Value::Number(number) => {
            let (least, most) = (schema["minimum"].as_i64(), schema["maximum"].as_i64());
            let number = number.as_i64().ok_or("no integer")?;
            let inside = number >= least.unwrap_or(i64::MIN) && number <= most.unwrap_or(i64::MAX);
            inside
                .then_some(())
                .ok_or_else(|| format!("{number} is not from {least:?} to {most:?}"))
        }
        Value::Array(items) => {
            items.iter().try_for_each(|item| fits(schemas, &schema["items"], item))
        }
        Value::Object(fields) => {
            let none = Vec::new();
            let required = schema["required"].as_array().unwrap_or(&none);
            let all =
                required.iter().all(|key| fields.contains_key(key.as_str().unwrap_or_default()));
            // A position that is sent may leave its edition out.
            let told = fields.contains_key("edition");
            let left_out = usize::from(told && !required.contains(&json!("edition")));
            if !all || required.len() + left_out != fields.len() {
                return Err(format!("required are {required:?}"));
            }
            fields
                .iter()
                .try_for_each(|(key, field)| fits(schemas, &schema["properties"][key], field))
        }
        Value::Null | Value::Bool(_) | Value::String(_) => Ok(()),
    }
}

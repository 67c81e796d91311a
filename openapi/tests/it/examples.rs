//! The examples in the document.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Map, Value, json};

use crate::document::{document, operations};

/// The media types of a body with their examples.
fn media(body: &Value) -> impl Iterator<Item = &Value> {
    body["content"].as_object().into_iter().flat_map(|content| content.values())
}

#[test]
fn the_server_still_answers_as_recorded() {
    let committed = fs::read_to_string(openapi::folder().join("examples.json")).unwrap();
    let recorded = openapi::record(env!("CARGO_BIN_EXE_openapi").as_ref()).unwrap();
    let same =
        committed.lines().zip(recorded.lines()).enumerate().find(|(_, (old, new))| old != new);
    assert!(
        committed == recorded,
        "openapi/examples.json is stale, first in line {same:?}: cargo run -p openapi"
    );
}

#[test]
fn every_recorded_example_is_in_the_document() {
    let text = fs::read_to_string(openapi::folder().join("examples.json")).unwrap();
    let recorded: Value = serde_json::from_str(&text).unwrap();
    let document = document();
    for (id, example) in recorded["operations"].as_object().unwrap() {
        let all = operations(&document);
        let (_, operation) = all.iter().find(|(_, o)| o["operationId"] == *id).unwrap();
        let shown = |body: &Value| -> BTreeSet<String> {
            media(body)
                .flat_map(|m| m["examples"].as_object().cloned().unwrap_or_default())
                .map(|(name, _)| name)
                .collect()
        };
        let names = |examples: &Value| {
            examples.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>()
        };
        assert_eq!(names(&example["requests"]), shown(&operation["requestBody"]), "{id}");
        for (status, examples) in example["responses"].as_object().unwrap() {
            assert_eq!(names(examples), shown(&operation["responses"][status]), "{id} {status}");
        }
    }
}

#[test]
fn every_operation_has_an_example_of_success() {
    let document = document();
    for (name, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        let good = responses.iter().filter(|(status, _)| status.starts_with('2'));
        let shown =
            good.flat_map(|(_, response)| media(response)).any(|m| m["examples"].is_object());
        assert!(shown, "{name} has no example of success");
        let body = &operation["requestBody"];
        let needed = body["required"] == json!(true);
        assert!(
            !needed || media(body).all(|m| m["examples"].is_object()),
            "{name} has no example of a request"
        );
    }
}

/// Tools put the first example into the field for the body.
#[test]
fn the_first_example_of_a_request_succeeds() {
    let document = document();
    for (name, operation) in operations(&document) {
        for media in media(&operation["requestBody"]) {
            let Some((first, _)) = media["examples"].as_object().and_then(|all| all.iter().next())
            else {
                continue;
            };
            let answers = operation["responses"].as_object().unwrap();
            let good = answers.iter().filter(|(status, _)| status.starts_with('2'));
            let shown = good.flat_map(|(_, answer)| self::media(answer));
            assert!(
                shown.into_iter().any(|media| media["examples"].get(first).is_some()),
                "{name}: {first} is refused"
            );
        }
    }
}

#[test]
fn every_example_fits_its_schema() {
    let document = document();
    let mut checked = 0;
    let check = |what: &str, media: &Value| {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": document["components"],
            "allOf": [media["schema"]],
        });
        let validator = jsonschema::options().should_validate_formats(true).build(&schema).unwrap();
        let examples = media["examples"].as_object().into_iter().flatten();
        examples
            .map(|(name, example)| {
                let errors: Vec<String> = validator
                    .iter_errors(&example["value"])
                    .map(|e| format!("{}: {e}", e.instance_path))
                    .collect();
                assert!(errors.is_empty(), "{what}, {name}: {}", errors.join("; "));
            })
            .count()
    };
    for (name, operation) in operations(&document) {
        checked += media(&operation["requestBody"]).map(|media| check(&name, media)).sum::<usize>();
        for (status, response) in operation["responses"].as_object().unwrap() {
            checked += media(response)
                .map(|media| check(&format!("{name} {status}"), media))
                .sum::<usize>();
        }
    }
    assert!(checked > 60, "only {checked} examples");
}

/// The same with one more field in every object, but in commands, and in `asked`, which is a map of texts.
fn with_more(json: &Value, is_command: &dyn Fn(&Value) -> bool) -> Value {
    match json {
        Value::Object(fields) if !is_command(json) => {
            let more = |(name, value): (&String, &Value)| {
                let is_map = name == "asked";
                let value = if is_map { value.clone() } else { with_more(value, is_command) };
                (name.clone(), value)
            };
            let mut fields: Map<String, Value> = fields.iter().map(more).collect();
            fields.insert("added_later".to_owned(), json!(1));
            Value::Object(fields)
        }
        Value::Array(items) => items.iter().map(|item| with_more(item, is_command)).collect(),
        Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            json.clone()
        }
    }
}

#[test]
fn an_answer_with_more_fields_still_fits_its_schema() {
    let document = document();
    let validator = |schema: &Value| {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": document["components"],
            "allOf": [schema],
        });
        jsonschema::validator_for(&schema).unwrap()
    };
    let command = validator(&json!({"$ref": "#/components/schemas/Command"}));
    let mut checked = 0;
    for (name, operation) in operations(&document) {
        let answers = operation["responses"].as_object().unwrap().iter();
        for (_, answer) in answers.filter(|(status, _)| status.starts_with('2')) {
            for media in media(answer) {
                let fits = validator(&media["schema"]);
                for (example, value) in media["examples"].as_object().into_iter().flatten() {
                    let more = with_more(&value["value"], &|json: &Value| command.is_valid(json));
                    checked += usize::from(more != value["value"]);
                    if let Err(error) = fits.validate(&more) {
                        panic!("{name}, {example}: {error} at {}", error.instance_path);
                    }
                }
            }
        }
    }
    assert!(checked > 40, "{checked}");
}

#[test]
fn a_wrong_example_is_noticed() {
    let document = document();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "components": document["components"],
        "$ref": "#/components/schemas/RosenkoenigCommand",
    });
    let validator = jsonschema::validator_for(&schema).unwrap();
    assert!(validator.is_valid(&json!({"type": "PlayCard", "card": "n1", "hero": false})));
    for wrong in [
        json!({"type": "PlayCard", "card": "n1"}),
        json!({"type": "PlayCard", "card": "n4", "hero": false}),
        json!({"type": "DrawCard", "card": "n1"}),
        json!({"type": "Pass"}),
    ] {
        assert!(!validator.is_valid(&wrong), "{wrong}");
    }
}

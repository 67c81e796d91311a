//! The document itself.

use std::collections::BTreeSet;
use std::fs;

use openapi::RECORDED;
use serde_json::{Value, json};

const COMMAND: &str = "cargo run -p openapi";

/// The largest document that clients should have to load, in bytes; on the wire it is a tenth of that.
const SIZE_MAX: usize = 500_000;

/// The problem codes of the platform's contract.
const CODES: &[&str] = &[
    "malformed",
    "token_required",
    "token_invalid",
    "not_yours",
    "hidden",
    "not_found",
    "method_not_allowed",
    "request_timeout",
    "version_conflict",
    "not_active_seat",
    "match_finished",
    "match_not_started",
    "seat_taken",
    "idempotency_conflict",
    "ticket_used",
    "version_gone",
    "too_large",
    "unsupported_media_type",
    "illegal_command",
    "invalid_position",
    "invalid_options",
    "chance_outcome",
    "not_reached",
    "version_unknown",
    "rate_limited",
    "quota_reached",
    "internal",
    "unavailable",
    "outcome_unknown",
];

/// Codes of operations that the contract does not have.
const MORE_CODES: &[&str] =
    &["query_off", "query_forbidden", "query_wrong", "query_too_much", "damaged", "format_unknown"];

pub(crate) fn document() -> Value {
    serde_json::from_str(&openapi::document(catalog::games(), Some(RECORDED)).json).unwrap()
}

/// All operations with their method and path.
pub(crate) fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, operations): (&String, &'_ Value)| -> Vec<(String, Value)> {
        let operations = operations.as_object().unwrap();
        operations
            .iter()
            .map(|(method, operation)| (format!("{method} {path}"), operation.clone()))
            .collect()
    };
    let names = paths.iter().flat_map(of_path).map(|(name, _)| name);
    let all = paths.values().flat_map(|path| path.as_object().unwrap().values());
    names.zip(all).collect()
}

fn references<'a>(json: &'a Value, found: &mut BTreeSet<&'a str>) {
    match json {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            let mapping = fields.get("mapping").and_then(Value::as_object);
            found.extend(mapping.into_iter().flat_map(|m| m.values()).filter_map(Value::as_str));
            // An example may hold a schema with references of its own.
            let others = fields.iter().filter(|(name, _)| *name != "examples");
            others.for_each(|(_, value)| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn the_committed_document_is_fresh() {
    let committed = fs::read_to_string(openapi::folder().join("openapi.json")).unwrap();
    let fresh = openapi::document(catalog::games(), Some(RECORDED)).json;
    assert!(committed == openapi::laid_out(&fresh), "openapi/openapi.json is stale: {COMMAND}");
}

#[test]
fn the_document_is_small_enough_to_load() {
    let size = openapi::document(catalog::games(), Some(RECORDED)).json.len();
    assert!(size < SIZE_MAX, "{size} bytes");
}

/// The schemas that these references lead to, themselves included.
fn closure<'a>(document: &'a Value, mut due: Vec<&'a str>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    while let Some(reference) = due.pop() {
        if found.insert(reference) {
            let mut next = BTreeSet::new();
            references(document.pointer(&reference[1..]).unwrap(), &mut next);
            due.extend(next);
        }
    }
    found
}

#[test]
fn an_error_leads_to_few_schemas() {
    let document = document();
    let problem = "#/components/schemas/Problem";
    let found = closure(&document, vec![problem]);
    assert!(found.contains(problem) && found.len() < 5, "{found:?}");
    let conflicts: Vec<String> = operations(&document)
        .into_iter()
        .filter(|(_, operation)| {
            let mut found = BTreeSet::new();
            references(operation, &mut found);
            found.contains("#/components/schemas/VersionConflict")
        })
        .map(|(name, _)| name)
        .collect();
    let expected = ["post /v1/matches/{id}/commands", "post /v1/matches/{id}/take-back"];
    assert_eq!(conflicts, expected, "what was missed leads to the schemas of all games");
}

#[test]
fn printed_data_fit_their_schema_and_only_that() {
    let document = document();
    let schema = |name: &str| json!({"components": document["components"], "$ref": format!("#/components/schemas/{name}")});
    let catalogue = &document["components"]["schemas"]["GameInfo"]["discriminator"]["mapping"];
    for game in catalog::games() {
        let info = catalogue[game.info().id].as_str().unwrap();
        let info = document.pointer(&info[1..]).unwrap();
        assert_eq!(info["properties"]["id"]["const"], game.info().id);
        let data: Value = serde_json::from_str(game.data().get()).unwrap();
        for other in catalog::games() {
            let prefix = other.schemas().roles["event"].strip_suffix("Event").unwrap().to_owned();
            let validator = jsonschema::validator_for(&schema(&(prefix + "PrintedData"))).unwrap();
            let same = other.info().id == game.info().id;
            assert_eq!(validator.is_valid(&data), same, "{}", other.info().id);
        }
    }
}

#[test]
fn every_reference_resolves_and_every_schema_is_used() {
    let document = document();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    for reference in &found {
        let pointer = reference.strip_prefix('#').unwrap();
        assert!(document.pointer(pointer).is_some(), "{reference} is missing");
    }
    for name in document["components"]["schemas"].as_object().unwrap().keys() {
        let reference = format!("#/components/schemas/{name}");
        assert!(found.contains(reference.as_str()), "nothing refers to {name}");
    }
}

#[test]
fn every_operation_is_described() {
    let document = document();
    let mut ids = BTreeSet::new();
    for (name, operation) in operations(&document) {
        for field in ["summary", "description", "operationId"] {
            assert!(
                !operation[field].as_str().unwrap_or_default().is_empty(),
                "{name} has no {field}"
            );
        }
        assert_eq!(operation["tags"].as_array().unwrap().len(), 1, "{name}");
        assert!(
            ids.insert(operation["operationId"].as_str().unwrap()),
            "{name}: its id is not its own"
        );
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('4')), "{name} has no problem");
        assert!(responses.keys().any(|status| status.starts_with('2')), "{name} has no success");
        for (status, response) in responses {
            let shared = response["$ref"].as_str().and_then(|at| at.strip_prefix('#'));
            let response = shared.map_or(response, |at| document.pointer(at).unwrap());
            assert!(response["description"].is_string(), "{name} {status}");
        }
    }
}

#[test]
fn every_code_of_the_contract_is_there() {
    let document = document();
    let codes = document["components"]["schemas"]["ProblemCode"]["enum"].as_array().unwrap();
    let codes: BTreeSet<&str> = codes.iter().filter_map(Value::as_str).collect();
    assert_eq!(codes, CODES.iter().chain(MORE_CODES).copied().collect());
}

#[test]
fn requests_are_closed_and_their_limits_are_told() {
    let document = document();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if name.ends_with("Request") && schema["properties"].is_object() {
            assert_eq!(schema["additionalProperties"], false, "{name}");
        }
        for (field, property) in schema["properties"].as_object().into_iter().flatten() {
            if property["type"] == "integer" {
                assert!(
                    property["minimum"].is_i64() && property["maximum"].is_i64(),
                    "{name}.{field}"
                );
            }
        }
    }
}

#[test]
fn every_tag_of_a_union_leads_to_one_variant() {
    let document = document();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let tagged = schemas.iter().filter(|(_, schema)| schema["discriminator"].is_object());
    for (name, schema) in tagged {
        let property = schema["discriminator"]["propertyName"].as_str().unwrap();
        let mapping = schema["discriminator"]["mapping"].as_object().unwrap();
        let variants: BTreeSet<&str> =
            schema["oneOf"].as_array().unwrap().iter().filter_map(|v| v["$ref"].as_str()).collect();
        assert_eq!(variants, mapping.values().filter_map(Value::as_str).collect(), "{name}");
        for (tag, variant) in mapping {
            let variant = document.pointer(&variant.as_str().unwrap()[1..]).unwrap();
            let of_variant = &variant["properties"][property];
            let named = of_variant["$ref"].as_str().and_then(|r| document.pointer(&r[1..]));
            let told = named.map_or(&of_variant["const"], |named| &named["enum"][0]);
            assert_eq!(told, tag, "{name}");
            assert!(variant["required"].as_array().unwrap().contains(&property.into()), "{name}");
        }
    }
}

/// Is this the parameter of that name, or a reference to it?
fn is_parameter(parameter: &Value, name: &str) -> bool {
    let shared = parameter["$ref"].as_str().and_then(|at| at.rsplit('/').next());
    parameter["name"] == name || shared == Some(name)
}

/// Codes of problems that have the text of a rule.
const RULED: &[&str] = &["`illegal_command`", "`invalid_options`", "`invalid_position`"];

#[test]
fn who_can_ask_for_a_language_is_told_which_one_it_is() {
    let document = document();
    let (mut spoken, mut ruled) = (0, 0);
    for (name, operation) in operations(&document) {
        let parameters = operation["parameters"].as_array().map(Vec::as_slice).unwrap_or_default();
        let has = |wanted| parameters.iter().any(|known| is_parameter(known, wanted));
        assert!(!has("lang") || has("Accept-Language"), "{name}");
        for (status, answer) in operation["responses"].as_object().unwrap() {
            let shared = answer["$ref"].as_str().and_then(|at| at.strip_prefix('#'));
            let answer = shared.map_or(answer, |at| document.pointer(at).unwrap());
            let told = answer["headers"]["Content-Language"].is_object();
            if status.starts_with('2') {
                assert!(!told || has("Accept-Language"), "{name} {status}");
                assert!(told || !has("lang"), "{name} {status}");
                spoken += usize::from(told);
            } else if status != "304" {
                assert!(told, "{name} {status}: a problem has a title");
                let codes = answer["description"].as_str().unwrap();
                let is_ruled = RULED.iter().any(|code| codes.contains(code));
                assert!(!is_ruled || has("Accept-Language"), "{name} {status}");
                ruled += usize::from(is_ruled);
            }
        }
    }
    assert!(spoken > 5 && ruled > 5, "{spoken} {ruled}");
}

#[test]
fn what_is_no_text_is_told_as_bytes() {
    let document = document();
    let mut bytes = 0;
    for (name, operation) in operations(&document) {
        for answer in operation["responses"].as_object().unwrap().values() {
            for (kind, media) in answer["content"].as_object().into_iter().flatten() {
                let is_json = kind.contains("json");
                let is_text = is_json || kind.starts_with("text/") || kind == "image/svg+xml";
                let is_bytes = media["schema"]["format"] == "binary";
                assert_eq!(is_bytes, !is_text, "{name}: {kind}");
                bytes += usize::from(is_bytes);
            }
        }
    }
    assert!(bytes > 2, "{bytes}");
}

#[test]
fn only_what_a_client_alone_sends_is_closed() {
    let document = document();
    let mut found = BTreeSet::new();
    for (_, operation) in operations(&document) {
        references(&operation["responses"], &mut found);
    }
    let answered = closure(&document, found.into_iter().collect());
    assert!(answered.len() > 300, "{}", answered.len());
    for at in answered.into_iter().filter(|at| !at.contains("Command")) {
        let schema = document.pointer(&at[1..]).unwrap();
        assert_ne!(schema["additionalProperties"], false, "{at}: a later version may say more");
    }
    // The same for the schemas of each game alone.
    for (id, schemas) in openapi::document(catalog::games(), None).schemas {
        let schemas: Value = serde_json::from_str(schemas.get()).unwrap();
        for role in ["view", "event_view", "event", "position", "place"] {
            let Some(all) = schemas[role]["$defs"].as_object() else { continue };
            for (name, schema) in all.iter().filter(|(name, _)| !name.contains("Command")) {
                assert_ne!(schema["additionalProperties"], false, "{id}, {role}: {name}");
            }
        }
    }
}

#[test]
fn an_option_that_a_game_does_not_have_fits_no_schema() {
    let document = document();
    let asked = |request: &str| {
        let reference = format!("#/components/schemas/{request}/properties/options");
        json!({"components": document["components"], "$ref": reference})
    };
    let own = openapi::document(catalog::games(), None).schemas;
    let mut schemas = vec![("PositionRequest".to_owned(), asked("PositionRequest"))];
    for game in catalog::games() {
        let id = game.info().id;
        let request = game.schemas().roles["event"].replace("Event", "OpenRequest");
        schemas.push((request.clone(), asked(&request)));
        let alone: Value = serde_json::from_str(own[id].get()).unwrap();
        schemas.push((id.to_owned(), alone["options"].clone()));
    }
    for (name, schema) in schemas {
        let validator = jsonschema::validator_for(&schema).unwrap();
        assert!(validator.is_valid(&json!({})), "{name}: a missing option has its default");
        assert!(!validator.is_valid(&json!({"unknown": 1})), "{name}");
    }
}

#[test]
fn what_a_link_sends_is_a_whole_expression() {
    for (name, operation) in operations(&document()) {
        for response in operation["responses"].as_object().unwrap().values() {
            for link in response["links"].as_object().into_iter().flat_map(|links| links.values()) {
                let body = &link["requestBody"];
                assert!(body.is_null() || body.is_string(), "{name}: {body}");
            }
        }
    }
}

#[test]
fn parameters_are_a_list_or_not_there() {
    let document: Value = serde_json::from_str(include_str!("../../openapi.json")).expect("JSON");
    let paths = document["paths"].as_object().expect("paths").values();
    for operation in paths.flat_map(|path| path.as_object().expect("a path").values()) {
        let parameters = operation.get("parameters");
        assert!(parameters.is_none_or(Value::is_array), "{}", operation["operationId"]);
    }
}

#[test]
fn half_commands_fit_their_schema_and_strange_ones_do_not() {
    let document = document();
    for game in catalog::games() {
        let title = game.info().id;
        let prefix = title[..1].to_uppercase() + &title[1..];
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "components": document["components"],
            "$ref": format!("#/components/schemas/{prefix}HalfCommand"),
        });
        let validator = jsonschema::validator_for(&schema).unwrap();
        let fixtures: Vec<Value> = serde_json::from_str(game.info().fixtures).unwrap();
        let mut kinds = BTreeSet::new();
        for fixture in &fixtures {
            let position = serde_json::value::to_raw_value(&fixture["position"]).unwrap();
            let state = game.load(&position, game.info().newest()).unwrap();
            let legal: Vec<Value> = serde_json::from_str(state.legal_commands().get()).unwrap();
            for command in legal {
                kinds.insert(command["type"].to_string());
                assert!(command.get("spot").is_none(), "what half a command names is no field");
                for field in command.as_object().unwrap().keys() {
                    let mut half = command.clone();
                    half.as_object_mut().unwrap().remove(field);
                    half["spot"] = json!("cell:0,0");
                    assert!(validator.is_valid(&half), "{title}: {half}");
                    half["spots"] = json!([]);
                    assert!(!validator.is_valid(&half), "{title}: {half}");
                }
            }
        }
        assert!(!kinds.is_empty(), "{title}");
        assert!(
            !validator.is_valid(&json!({"type": "PlayCrd"})) && !validator.is_valid(&json!({}))
        );
    }
}

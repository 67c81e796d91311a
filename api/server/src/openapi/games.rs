//! The schemas of the games in the document, and alone.

use std::collections::BTreeSet;

use kernel::{AnyGame, Schemas};
use serde_json::{Map, Value, json};

use super::shape;

const COMPONENTS: &str = "#/components/schemas/";

/// Names in the document that mean "of any game", and the role of a game's schema that they stand for.
const ANY: &[(&str, &[&str])] = &[
    ("Options", &["options"]),
    ("Position", &["position"]),
    ("View", &["view"]),
    ("Command", &["command"]),
    ("Event", &["event"]),
    ("EventView", &["event_view", "event"]),
    ("Place", &["place"]),
];

/// Adds the schemas of all games, and those that mean "of any game".
pub(super) fn add(document: &mut Value, games: &[&'static dyn AnyGame]) {
    let all: Vec<Schemas> = games.iter().map(|game| game.schemas()).collect();
    let components = document["components"]["schemas"]
        .as_object_mut()
        .expect("a document has schemas");
    for schemas in &all {
        components.extend(schemas.components.clone());
    }
    components.extend(platform_events());
    for (name, roles) in ANY {
        let of = |role: &&str| {
            all.iter()
                .map(|schemas| schemas.roles[role].clone())
                .collect::<Vec<_>>()
        };
        let mut names: Vec<String> = roles.iter().flat_map(of).collect();
        if name.starts_with("Event") {
            names.extend([
                "EventPositionLoaded".to_owned(),
                "EventCommandTakenBack".to_owned(),
            ]);
        }
        let description = components
            .get(*name)
            .map_or(Value::Null, |schema| schema["description"].clone());
        let any: Vec<Value> = names
            .iter()
            .map(|name| json!({"$ref": format!("{COMPONENTS}{name}")}))
            .collect();
        components.insert(
            (*name).to_owned(),
            json!({"description": description, "anyOf": any}),
        );
    }
}

fn platform_events() -> [(String, Value); 2] {
    let loaded = json!({
        "type": "object",
        "description": "The match begins from a given position: the only event of its first commit. Redacted like a view.",
        "required": ["type", "position"],
        "properties": {
            "type": {"type": "string", "const": "PositionLoaded"},
            "position": {"anyOf": [{"$ref": format!("{COMPONENTS}Position")}, {"$ref": format!("{COMPONENTS}View")}]},
        },
    });
    let taken_back = json!({
        "type": "object",
        "description": "A command was taken back: the position is again the one at `to_version`; the skipped events stay.",
        "required": ["type", "seat", "to_version"],
        "properties": {
            "type": {"type": "string", "const": "CommandTakenBack"},
            "seat": {"$ref": format!("{COMPONENTS}Seat")},
            "to_version": {"type": "integer", "format": "int64", "minimum": 1, "maximum": shape::INTEGER_MAX},
        },
    });
    [
        ("EventPositionLoaded".to_owned(), loaded),
        ("EventCommandTakenBack".to_owned(), taken_back),
    ]
}

/// JSON Schemas (2020-12) of a game by role, each complete in itself.
pub(crate) fn json_schemas(game: &dyn AnyGame) -> Value {
    let Schemas { roles, components } = game.schemas();
    let mut document = json!({"components": {"schemas": components}, "paths": {}});
    shape::shape(&mut document);
    let text = document["components"]["schemas"]
        .to_string()
        .replace(COMPONENTS, "#/$defs/");
    let defs: Map<String, Value> = serde_json::from_str(&text).expect("it was just written");
    let schema = |name: &String| {
        let mut found = BTreeSet::new();
        reach(name, &defs, &mut found);
        let defs: Map<String, Value> = found
            .into_iter()
            .map(|name| (name.clone(), defs[&name].clone()))
            .collect();
        json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$ref": format!("#/$defs/{name}"),
            "$defs": defs,
        })
    };
    Value::Object(
        roles
            .iter()
            .map(|(role, name)| ((*role).to_owned(), schema(name)))
            .collect(),
    )
}

/// All definitions that `name` needs.
fn reach(name: &str, defs: &Map<String, Value>, found: &mut BTreeSet<String>) {
    if !found.insert(name.to_owned()) {
        return;
    }
    let mut targets = Vec::new();
    references(&defs[name], &mut targets);
    for target in targets {
        reach(&target, defs, found);
    }
}

fn references(schema: &Value, targets: &mut Vec<String>) {
    match schema {
        Value::Object(fields) => {
            let target = fields
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|r| r.strip_prefix("#/$defs/"));
            targets.extend(target.map(str::to_owned));
            fields.values().for_each(|value| references(value, targets));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, targets)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

//! The schemas of the events of the platform, which the log of any game's match may hold.

use journal::PlatformSchemas;
use serde_json::{Map, Value, json};

use super::references::reference;

/// The event that takes back a command.
const TAKEN_BACK: &str = "EventCommandTakenBack";

/// Adds their schemas; returns the names.
pub(super) fn add(schemas: &mut Map<String, Value>) -> Vec<String> {
    let PlatformSchemas { events, components } = PlatformSchemas::new();
    for (name, schema) in components {
        schemas.entry(name).or_insert(schema);
    }
    schemas.insert(TAKEN_BACK.to_owned(), taken_back());
    let mut names = Vec::new();
    for (kind, schema) in events {
        let name = format!("Event{kind}");
        schemas.insert(name.clone(), schema);
        names.push(name);
    }
    names.push(TAKEN_BACK.to_owned());
    names
}

fn taken_back() -> Value {
    json!({
        "type": "object",
        "description": "A command was taken back: the position is the one at `to_version` again; the skipped events remain in the stream.",
        "required": ["type", "seat", "to_version"],
        "properties": {
            "type": {"type": "string", "const": "CommandTakenBack"},
            "seat": {"$ref": reference("Seat")["$ref"], "description": "The seat that took it back."},
            "to_version": {"type": "integer", "format": "int64", "minimum": 1, "description": "The version before the command."},
        },
    })
}

//! Makes schemas good for generators: limits, required fields, closed requests, clean words.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::references::reach;

/// The greatest integer that every JSON reader keeps exactly, 2^53 - 1.
const INTEGER_MAX: i64 = 9_007_199_254_740_991;

/// Fields of answers that are left out where they do not apply, and of positions in requests, by the name of the schema, which may have that
/// of a game before it.
const OPTIONAL: &[(&str, &[&str])] = &[
    ("Readiness", &["behind"]),
    ("CommandPage", &["spots", "labels", "points"]),
    ("CommitEntry", &["patch", "moves"]),
    ("MatchView", &["pieces"]),
    ("PatchStep", &["value"]),
    ("Accepted", &["events", "legal_commands", "spots", "labels", "moves"]),
    ("DryRun", &["completions", "refused", "exhaustive"]),
    ("Problem", &["rule", "rule_text", "step", "current_version", "errors"]),
    ("VersionConflict", &["rule", "rule_text", "step", "current_version", "missed", "errors"]),
    ("Step", &["position", "legal_commands"]),
    ("EventTableOpened", &["sandbox"]),
    ("SeatOpened", &["bot_version"]),
    ("Sandbox", &["replies"]),
    ("Position", &["edition", "version"]),
];

/// Shapes all schemas of the document. `asked` are the names that requests begin with, `answered` those that answers begin with.
///
/// Every field of an answer is always there; what does not apply is null. What a client sends is closed: a field too many is a mistake.
/// What the server sends is open: a later version may say more. What goes both ways is open too, but for commands: they are only what a client
/// may send.
pub(super) fn shape(document: &mut Value, asked: &BTreeSet<&str>, answered: &BTreeSet<&str>) {
    each_object(document, &mut limit_integer);
    each_object(document, &mut may_be_null);
    each_object(document, &mut clean_words);
    let schemas = &document["components"]["schemas"];
    let (asked, answered) = (reach(schemas, asked), reach(schemas, answered));
    let schemas =
        document["components"]["schemas"].as_object_mut().expect("a document has schemas");
    for (name, schema) in schemas {
        let optional = OPTIONAL
            .iter()
            .find(|(known, _)| name.ends_with(known))
            .map_or(&[][..], |(_, fields)| fields);
        if answered.contains(name) {
            require(schema, optional);
        }
        for field in optional {
            let properties = schema.get_mut("properties");
            properties.and_then(|all| all.get_mut(field)).into_iter().for_each(never_null);
        }
        close(schema, asked.contains(name) && (is_command(name) || !answered.contains(name)));
    }
}

/// Is this a command, or a part of one that has its name?
fn is_command(name: &str) -> bool {
    name.contains("Command")
}

/// Calls `change` on every object of a document, then on those inside of it.
pub(crate) fn each_object(value: &mut Value, change: &mut impl FnMut(&mut Value)) {
    if value.is_object() {
        change(value);
    }
    match value {
        Value::Object(fields) => fields.values_mut().for_each(|value| each_object(value, change)),
        Value::Array(items) => items.iter_mut().for_each(|item| each_object(item, change)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Is this one of the types that a schema allows?
pub(super) fn is_type(schema: &Value, kind: &str) -> bool {
    match &schema["type"] {
        Value::String(only) => only == kind,
        Value::Array(kinds) => kinds.iter().any(|one| one == kind),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => false,
    }
}

fn array_mut<'a>(schema: &'a mut Value, field: &str) -> Option<&'a mut Vec<Value>> {
    schema.get_mut(field)?.as_array_mut()
}

/// Every integer gets limits, and the format of the registry that they fit.
fn limit_integer(schema: &mut Value) {
    if !is_type(schema, "integer") {
        return;
    }
    let (least, most) = match schema["format"].as_str().unwrap_or_default() {
        "uint8" | "u-int8" => (0, 255),
        "uint16" | "u-int16" => (0, 65_535),
        "uint32" | "u-int32" => (0, 4_294_967_295),
        "uint64" | "u-int64" => (0, INTEGER_MAX),
        "int8" => (-128, 127),
        "int16" => (-32_768, 32_767),
        "int64" => (-INTEGER_MAX, INTEGER_MAX),
        _ => (i64::from(i32::MIN), i64::from(i32::MAX)),
    };
    let least = schema["minimum"].as_i64().unwrap_or(least);
    let most = schema["maximum"].as_i64().unwrap_or(most);
    let small = i64::from(i32::MIN) <= least && most <= i64::from(i32::MAX);
    schema["format"] = json!(if small { "int32" } else { "int64" });
    schema["minimum"] = json!(least);
    schema["maximum"] = json!(most);
}

/// What may be null is `anyOf` with null: some validators take null for a fitting value of a union with a discriminator, and then find
/// two fitting parts of a `oneOf`. What a field means is said at the field, not inside.
fn may_be_null(schema: &mut Value) {
    let Some([value, null]) = array_mut(schema, "oneOf").map(Vec::as_mut_slice) else {
        return;
    };
    if null["type"] != "null" {
        return;
    }
    let fields = value.as_object_mut();
    let description = fields.and_then(|fields| fields.remove("description"));
    let any = schema["oneOf"].take();
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("oneOf");
        fields.insert("anyOf".to_owned(), any);
        fields.extend(description.map(|words| ("description".to_owned(), words)));
    }
}

/// Descriptions come from the documentation of Rust types: links to other types become plain names, line ends become spaces.
fn clean_words(schema: &mut Value) {
    if let Some(words) = schema["description"].as_str() {
        let paragraphs = words.split("\n\n").map(|text| text.replace('\n', " "));
        let words = paragraphs.collect::<Vec<_>>().join("\n\n");
        schema["description"] = json!(words.replace("[`", "`").replace("`]", "`"));
    }
}

/// Takes null out of what a field may be.
pub(super) fn never_null(schema: &mut Value) {
    if let Some(kinds) = array_mut(schema, "type") {
        kinds.retain(|kind| kind != "null");
        if kinds.len() == 1 {
            schema["type"] = kinds[0].clone();
        }
    }
    for union in ["oneOf", "anyOf"] {
        let Some([value, null]) = schema[union].as_array().map(Vec::as_slice) else {
            continue;
        };
        if null["type"] == "null" {
            let mut value = value.clone();
            if let Some(description) = schema.get("description") {
                value["description"] = description.clone();
            }
            *schema = value;
        }
    }
}

fn require(schema: &mut Value, optional: &[&str]) {
    if let Some(properties) = schema["properties"].as_object() {
        let required = properties.keys().filter(|name| !optional.contains(&name.as_str()));
        let required: Vec<&String> = required.collect();
        schema["required"] = json!(required);
    }
}

fn close(schema: &mut Value, closed: bool) {
    let Some(fields) = schema.as_object_mut() else {
        return;
    };
    if closed && fields.contains_key("properties") {
        fields.insert("additionalProperties".to_owned(), json!(false));
    } else if !closed && fields.get("additionalProperties") == Some(&json!(false)) {
        fields.remove("additionalProperties");
    }
}

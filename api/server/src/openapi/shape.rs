//! Makes schemas good for generators: named variants, discriminators, limits, required fields.

use serde_json::{Map, Value, json};

/// The greatest integer that every JSON reader keeps exactly, 2^53 - 1.
pub(super) const INTEGER_MAX: i64 = 9_007_199_254_740_991;

const COMPONENTS: &str = "#/components/schemas/";

/// Fields of answers that are left out where they do not apply.
const OPTIONAL: &[(&str, &[&str])] = &[
    ("Problem", &["rule", "step", "current_version", "errors"]),
    ("Step", &["position", "legal_commands"]),
];

/// Shapes all schemas of the document.
pub(super) fn shape(document: &mut Value) {
    name_variants(document);
    limit_integers(document);
    let schemas = document["components"]["schemas"]
        .as_object_mut()
        .expect("a document has schemas");
    for (name, schema) in schemas {
        if !is_request(name) {
            require_all(name, schema);
        }
    }
}

/// Is the schema that of a body that a client writes, with fields that may be left out?
fn is_request(name: &str) -> bool {
    name.ends_with("Request") || name.ends_with("Options")
}

/// Variants of tagged enums become schemas of their own, with a constant tag, and the enum gets a discriminator.
fn name_variants(document: &mut Value) {
    let schemas = document["components"]["schemas"]
        .as_object_mut()
        .expect("a document has schemas");
    let mut named = Map::new();
    for (name, schema) in schemas.iter_mut() {
        let Some(variants) = schema.get_mut("oneOf").and_then(Value::as_array_mut) else {
            continue;
        };
        let tags: Option<Vec<String>> = variants.iter().map(tag).collect();
        let Some(tags) = tags else { continue };
        let mut mapping = Map::new();
        for (variant, tag) in variants.iter_mut().zip(tags) {
            let own = format!("{name}{tag}");
            let target = format!("{COMPONENTS}{own}");
            let mut schema = std::mem::replace(variant, json!({"$ref": target}));
            schema["properties"]["type"] = json!({"type": "string", "const": tag});
            mapping.insert(tag, json!(target));
            named.insert(own, schema);
        }
        schema["discriminator"] = json!({"propertyName": "type", "mapping": mapping});
    }
    schemas.extend(named);
}

/// The tag of a variant, if it has one.
fn tag(variant: &Value) -> Option<String> {
    match variant["properties"]["type"]["enum"]
        .as_array()
        .map(Vec::as_slice)
    {
        Some([tag]) => tag.as_str().map(str::to_owned),
        Some(_) | None => None,
    }
}

/// Every integer gets a format of the registry and limits.
fn limit_integers(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            let format = fields
                .get("format")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let is_integer = match fields.get("type") {
                Some(Value::String(kind)) => kind == "integer",
                Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "integer"),
                Some(_) | None => false,
            };
            if is_integer {
                let (format, least, most) = match format.as_str() {
                    "uint8" | "u-int8" => ("int32", 0, 255),
                    "uint16" | "u-int16" => ("int32", 0, 65_535),
                    "uint32" | "u-int32" => ("int64", 0, 4_294_967_295),
                    "uint64" | "u-int64" => ("int64", 0, INTEGER_MAX),
                    "int8" => ("int32", -128, 127),
                    "int16" => ("int32", -32_768, 32_767),
                    "int64" => ("int64", -INTEGER_MAX, INTEGER_MAX),
                    _ => ("int32", i64::from(i32::MIN), i64::from(i32::MAX)),
                };
                fields.insert("format".to_owned(), json!(format));
                fields.entry("minimum").or_insert(json!(least));
                fields.entry("maximum").or_insert(json!(most));
            }
            fields.values_mut().for_each(limit_integers);
        }
        Value::Array(items) => items.iter_mut().for_each(limit_integers),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Every field of an answer is always there; what does not apply is null.
fn require_all(name: &str, schema: &mut Value) {
    let optional = OPTIONAL
        .iter()
        .find(|(known, _)| *known == name)
        .map_or(&[][..], |(_, fields)| fields);
    require(schema, optional);
}

fn require(schema: &mut Value, optional: &[&str]) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::Object(properties)) = fields.get("properties") {
                let required = properties
                    .keys()
                    .filter(|name| !optional.contains(&name.as_str()));
                let required: Vec<&String> = required.collect();
                let required = json!(required);
                fields.insert("required".to_owned(), required);
            }
            fields
                .values_mut()
                .for_each(|value| require(value, optional));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| require(item, optional)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

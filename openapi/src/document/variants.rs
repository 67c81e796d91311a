//! Variants of enums: each gets a name, a constant tag, and a place in its enum's discriminator.

use kernel::pascal;
use serde_json::{Map, Value, json};

use super::references::{COMPONENTS, reference, target};

/// Gives every variant that is written in place a schema of its own: with a tag, its enum gets a discriminator; without one, it is
/// named by its first required field.
pub(super) fn name(schemas: &mut Map<String, Value>) {
    let enums: Vec<(String, Vec<Value>)> = schemas
        .iter()
        .filter_map(|(name, schema)| Some((name.clone(), schema["oneOf"].as_array()?.clone())))
        .collect();
    for (name, variants) in enums {
        let variants: Vec<Value> = variants.iter().map(|v| flat(v, schemas)).collect();
        if let Some(property) = variants.first().and_then(tag_property)
            && let Some(tags) = variants.iter().map(|v| tag(v, &property)).collect()
        {
            tagged(schemas, &name, variants, &property, tags);
        } else if let Some(keys) = variants.iter().map(key).collect() {
            untagged(schemas, &name, variants, keys);
        } else {
            words(schemas, &name);
        }
    }
}

/// A single word beside other variants, such as `spectator` beside the seats, gets a schema of its own.
fn words(schemas: &mut Map<String, Value>, name: &str) {
    let mut variants = schemas[name]["oneOf"].clone();
    for variant in variants.as_array_mut().into_iter().flatten() {
        let Some([word]) = variant["enum"].as_array().map(Vec::as_slice) else {
            continue;
        };
        let own = format!("{name}{}", pascal(word.as_str().unwrap_or_default()));
        // An enum of one: some generators do not try another variant when a constant differs.
        schemas.insert(own.clone(), json!({"type": "string", "enum": [word], "description": "A variant that is a single word."}));
        *variant = reference(&own);
    }
    schemas[name]["oneOf"] = variants;
}

fn tagged(
    schemas: &mut Map<String, Value>,
    name: &str,
    variants: Vec<Value>,
    property: &str,
    tags: Vec<String>,
) {
    let mut mapping = Map::new();
    let mut references = Vec::new();
    for (mut variant, tag) in variants.into_iter().zip(tags) {
        variant["properties"][property] = json!({"type": "string", "const": tag});
        let own = format!("{name}{}", pascal(&tag));
        mapping.insert(tag, json!(format!("{COMPONENTS}{own}")));
        references.push(reference(&own));
        schemas.insert(own, variant);
    }
    schemas[name]["oneOf"] = json!(references);
    schemas[name]["discriminator"] = json!({"propertyName": property, "mapping": mapping});
}

fn untagged(schemas: &mut Map<String, Value>, name: &str, variants: Vec<Value>, keys: Vec<String>) {
    let mut references = Vec::new();
    for (variant, key) in variants.into_iter().zip(keys) {
        let own = format!("{name}{}", pascal(&key));
        references.push(reference(&own));
        schemas.insert(own, variant);
    }
    schemas[name]["oneOf"] = json!(references);
}

/// A variant that wraps a struct is that struct and the tag, in two parts; a closed struct would refuse the tag. Here it is one object, with
/// what stands beside the parts.
pub(super) fn flat(variant: &Value, schemas: &Map<String, Value>) -> Value {
    let Some(parts) = variant["allOf"].as_array() else {
        return variant.clone();
    };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for part in parts.iter().chain([variant]) {
        let part = target(part).and_then(|name| schemas.get(name)).unwrap_or(part);
        properties.extend(part["properties"].as_object().cloned().unwrap_or_default());
        required.extend(part["required"].as_array().cloned().unwrap_or_default());
    }
    json!({
        "type": "object",
        "description": variant["description"],
        "properties": properties,
        "required": required,
    })
}

/// The property that is a constant in this variant, if there is one.
fn tag_property(variant: &Value) -> Option<String> {
    let properties = variant["properties"].as_object()?;
    properties.keys().find(|name| tag(variant, name).is_some()).cloned()
}

fn tag(variant: &Value, property: &str) -> Option<String> {
    match variant["properties"][property]["enum"].as_array().map(Vec::as_slice) {
        Some([tag]) => tag.as_str().map(str::to_owned),
        Some(_) | None => None,
    }
}

/// The first required field of an object that is written in place.
fn key(variant: &Value) -> Option<String> {
    variant["required"][0].as_str().map(str::to_owned)
}

/// The names of all variants of a schema, through enums of enums and other unions; its own name if it is none.
pub(super) fn leaves(name: &str, schemas: &Map<String, Value>) -> Vec<String> {
    let schema = &schemas[name];
    match schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array()) {
        None => vec![name.to_owned()],
        Some(variants) => variants
            .iter()
            .filter_map(target)
            .flat_map(|variant| leaves(variant, schemas))
            .collect(),
    }
}

/// Do two schemas describe the same JSON, but for words and limits?
pub(super) fn alike(one: &Value, other: &Value) -> bool {
    const ASIDE: &[&str] = &[
        "additionalProperties",
        "description",
        "format",
        "maximum",
        "maxItems",
        "minimum",
        "minItems",
        "required",
    ];
    match (one, other) {
        (Value::Object(one), Value::Object(other)) => {
            let told = |key: &&String| !ASIDE.contains(&key.as_str());
            one.keys().filter(told).eq(other.keys().filter(told))
                && one.keys().filter(told).all(|key| match key.as_str() {
                    "properties" => alike_properties(&one[key], &other[key]),
                    _ => alike(&one[key], &other[key]),
                })
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike(one, other))
        }
        (one, other) => one == other,
    }
}

fn alike_properties(one: &Value, other: &Value) -> bool {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
        return false;
    };
    one.keys().eq(other.keys()) && one.keys().all(|name| alike(&one[name], &other[name]))
}

//! The schema of printed data: they are constants, and so their own fields and values say what it is.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

/// The schema that all these values have. An object whose fields are numbers, such as numbers of players, is a map.
pub(super) fn schema(values: &[&Value]) -> Value {
    let mut kinds = BTreeSet::new();
    let (mut items, mut fields) = (Vec::new(), BTreeMap::<&str, Vec<&Value>>::new());
    for value in values {
        kinds.insert(match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "integer",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        });
        items.extend(value.as_array().into_iter().flatten());
        for (name, value) in value.as_object().into_iter().flatten() {
            fields.entry(name).or_default().push(value);
        }
    }
    let kinds: Vec<&str> = kinds.into_iter().collect();
    let is_list = kinds.contains(&"array");
    let mut schema = match kinds.as_slice() {
        [one] => json!({"type": one}),
        several => json!({"type": several}),
    };
    if is_list {
        // Of a list that is always empty nothing is known.
        schema["items"] = if items.is_empty() { json!({}) } else { self::schema(&items) };
    }
    if !fields.is_empty() {
        if fields.keys().all(|name| name.parse::<u32>().is_ok()) {
            let all: Vec<&Value> = fields.into_values().flatten().collect();
            schema["additionalProperties"] = self::schema(&all);
        } else {
            schema["properties"] =
                fields.iter().map(|(name, values)| (*name, self::schema(values))).collect();
        }
    }
    schema
}

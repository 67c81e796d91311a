//! Where in a JSON document something is.

use serde_json::Value;

/// JSON pointers to all values of a document, itself included; those inside of a value come before it.
pub(crate) fn pointers(value: &Value, pointer: String) -> Vec<String> {
    let below = |key: &str, value: &Value| pointers(value, format!("{pointer}/{key}"));
    let mut all: Vec<String> = match value {
        Value::Object(fields) => {
            fields.iter().flat_map(|(key, field)| below(&escaped(key), field)).collect()
        }
        Value::Array(items) => {
            let items = items.iter().enumerate();
            items.flat_map(|(place, item)| below(&place.to_string(), item)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    all.push(pointer);
    all
}

fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// JSON pointers to the values of a document that are `wanted`; those inside of a value come before it.
pub fn pointers_to(document: &Value, wanted: impl Fn(&Value) -> bool) -> Vec<String> {
    let mut all = pointers(document, String::new());
    all.retain(|pointer| document.pointer(pointer).is_some_and(&wanted));
    all
}

/// Every reference in a document: what its fields `$ref` say.
pub fn references(document: &Value) -> Vec<String> {
    match document {
        Value::Object(fields) => {
            let own = fields.get("$ref").and_then(Value::as_str).map(str::to_owned);
            own.into_iter().chain(fields.values().flat_map(references)).collect()
        }
        Value::Array(items) => items.iter().flat_map(references).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

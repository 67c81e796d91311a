//! References to the schemas of a document, and what they reach.

use std::collections::BTreeSet;

use serde_json::{Value, json};

/// Where references to schemas point.
pub(crate) const COMPONENTS: &str = "#/components/schemas/";

/// A reference to a schema of the document.
pub(crate) fn reference(name: &str) -> Value {
    json!({"$ref": format!("{COMPONENTS}{name}")})
}

/// The name of the schema that this one refers to, if it does.
pub(crate) fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(COMPONENTS)
}

/// The names of all schemas that some JSON refers to.
pub(crate) fn targets(json: &Value) -> BTreeSet<String> {
    let below = match json {
        Value::Object(fields) => fields.values().flat_map(targets).collect(),
        Value::Array(items) => items.iter().flat_map(targets).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => BTreeSet::new(),
    };
    let own = target(json).map(str::to_owned);
    below.into_iter().chain(own).collect()
}

/// All schemas that these ones need, themselves included.
pub(crate) fn reach(schemas: &Value, names: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut due: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = due.pop() {
        if found.insert(name.clone()) {
            due.extend(targets(&schemas[&name]));
        }
    }
    found
}

pub(crate) fn names(owned: &BTreeSet<String>) -> BTreeSet<&str> {
    owned.iter().map(String::as_str).collect()
}

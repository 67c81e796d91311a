//! Parameters and bodies as clients send them.

use serde_json::{Value, json};

use super::operations::operations;
use super::shape;

/// Takes out two keywords that mislead generators; the schemas of each game (`GET /v1/games/{game}`) keep them.
///
/// They prefer a `title` to the name of the schema, which says of which game it is. And they take `default` for a promise that a field is
/// always there, and then ask for it in requests too: its description says what it is when it is left out.
pub(super) fn drop_misleading(document: &mut Value) {
    let schemas = document["components"]["schemas"].as_object_mut();
    for schema in schemas.into_iter().flat_map(|schemas| schemas.values_mut()) {
        schema.as_object_mut().map(|schema| schema.remove("title"));
        let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
        for field in fields.into_iter().flat_map(|fields| fields.values_mut()) {
            let default = field.as_object_mut().and_then(|field| field.remove("default"));
            let text = field["description"].as_str().unwrap_or_default();
            if let Some(default) = default
                && !text.contains("efault")
            {
                field["description"] = json!(format!("{text} Default: `{default}`."));
            }
        }
    }
}

/// A parameter that may be left out is never null, since null cannot be written in a path, a query or a header.
pub(super) fn clean(document: &mut Value) {
    for operation in operations(document) {
        let parameters = operation.get_mut("parameters");
        for parameter in parameters.and_then(Value::as_array_mut).into_iter().flatten() {
            shape::never_null(&mut parameter["schema"]);
        }
        if let Some(body) = operation.get_mut("requestBody") {
            let schema = &mut body["content"]["application/json"]["schema"];
            let optional = schema["oneOf"].is_array();
            shape::never_null(schema);
            if optional {
                body["required"] = json!(false);
            }
        }
    }
}

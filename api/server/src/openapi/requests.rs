//! Parameters and bodies as clients send them.

use serde_json::{Value, json};

use super::{operations, shape};

/// What a parameter or a body may be left out of is never null: there is no way to write null in a path, a query or a header.
pub(super) fn clean(document: &mut Value) {
    for operation in operations(document) {
        let parameters = operation.get_mut("parameters");
        for parameter in parameters
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
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

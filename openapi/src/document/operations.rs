//! The operations of a document.

use serde_json::Value;

/// All operations of the document.
pub(crate) fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().expect("a document has paths");
    paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut())
}

/// The operation's id.
pub(crate) fn id_of(operation: &Value) -> String {
    operation["operationId"].as_str().unwrap_or_default().to_owned()
}

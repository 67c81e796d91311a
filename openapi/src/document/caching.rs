//! Entity tags: which operations have them, and the answer 304.

use serde_json::{Value, json};

use super::operations::{id_of, operations};

/// What is answered with an entity tag.
const TAGGED: &[&str] = &[
    "getMatch",
    "getView",
    "getFixedView",
    "getChangingView",
    "getViewPatch",
    "getWords",
    "listLegalCommands",
    "listCommits",
    "listEvents",
    "getPosition",
    "getLedger",
    "getBoardSvg",
    "getBoardText",
    "getGameSvg",
];

/// Adds the header If-None-Match, the headers of the answer, and 304.
pub(super) fn add(document: &mut Value) {
    let tagged = |operation: &&mut Value| TAGGED.contains(&id_of(operation).as_str());
    for operation in operations(document).filter(tagged) {
        let parameter = json!({
            "name": "If-None-Match",
            "in": "header",
            "description": "The ETag of a response that the client has: if nothing has changed since, the response is 304",
            "required": false,
            "schema": {"type": "string"},
        });
        if let Some(parameters) = operation.get_mut("parameters").and_then(Value::as_array_mut) {
            parameters.retain(|known| known["name"] != parameter["name"]);
            parameters.push(parameter);
        }
        let header =
            |description: &str| json!({"description": description, "schema": {"type": "string"}});
        operation["responses"]["200"]["headers"] = json!({
            "ETag": header("The value to send as If-None-Match next time"),
            "Cache-Control": header("How long the response may be cached: a year, if it cannot change any more, but a day, if it is a picture with a player's name; an hour for words and pictures of a game; else it must be revalidated"),
        });
        operation["responses"]["304"] =
            json!({"description": "Nothing has changed since the response with this ETag"});
    }
}

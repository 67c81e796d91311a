//! Links: which value of an answer is which parameter of the next request.

use serde_json::{Value, json};

use super::operations::{id_of, operations};

/// What may be done with a match that was just opened.
const OF_MATCH: &[&str] =
    &["getMatch", "getView", "listCommits", "listEvents", "getReplay", "takeSeat"];

/// Adds the links.
pub(super) fn add(document: &mut Value) {
    for operation in operations(document) {
        let id = id_of(operation);
        let responses = &mut operation["responses"];
        match id.as_str() {
            "openMatch" | "createBranch" => {
                for next in OF_MATCH {
                    let parameters = json!({"id": "$response.body#/match"});
                    responses["201"]["links"][next] =
                        json!({"operationId": next, "parameters": parameters});
                }
            }
            "listGames" => {
                for next in ["getGame", "createPosition"] {
                    let parameters = json!({"game": "$response.body#/items/0/id"});
                    responses["200"]["links"][next] =
                        json!({"operationId": next, "parameters": parameters});
                }
            }
            "listTables" => {
                for next in ["getTableCsv", "getTableNdjson", "getTableParquet"] {
                    let parameters = json!({"table": "$response.body#/items/0/name"});
                    responses["200"]["links"][next] =
                        json!({"operationId": next, "parameters": parameters});
                }
            }
            "createPosition" => {
                responses["200"]["links"]["analyse"] = json!({
                    "operationId": "analyse",
                    // A part of a body cannot be an expression, only a whole one.
                    "description": "The legal commands in the position, and the results of commands: send `position` of this response as `position`",
                    "parameters": {"game": "$request.path.game"},
                });
            }
            _ => {}
        }
    }
}

//! The problems that each operation may answer with.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::problem::codes;

/// Codes by operation; those of [`everywhere`] come on top.
fn codes_of(operation: &str) -> &'static [(u16, &'static str)] {
    const MATCH: &[(u16, &str)] = &[
        (401, "token_required, token_invalid"),
        (403, "not_yours"),
        (404, "not_found"),
    ];
    const SEEN: &[(u16, &str)] = &[
        (401, "token_required, token_invalid"),
        (403, "not_yours, hidden"),
        (404, "not_found"),
        (422, "version_unknown"),
    ];
    const BODY: (u16, &str) = (413, "too_large");
    const TYPE: (u16, &str) = (415, "unsupported_media_type");
    const STORE: (u16, &str) = (503, "unavailable");
    match operation {
        "getGame" => &[(404, "not_found")],
        "createPosition" => &[
            (404, "not_found"),
            BODY,
            TYPE,
            (422, "invalid_options, chance_outcome"),
        ],
        "analyse" => &[
            (404, "not_found"),
            BODY,
            TYPE,
            (422, "invalid_position, illegal_command, chance_outcome"),
        ],
        "openMatch" => &[
            (404, "not_found"),
            (409, "idempotency_conflict"),
            BODY,
            TYPE,
            (422, "invalid_options, invalid_position"),
            STORE,
        ],
        "getMatch" => MATCH,
        "takeSeat" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "seat_taken, match_finished"),
            BODY,
            TYPE,
            STORE,
        ],
        "closeMatch" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "match_finished"),
            STORE,
        ],
        "createBranch" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours, hidden"),
            (404, "not_found"),
            BODY,
            TYPE,
            (422, "invalid_options, invalid_position, version_unknown"),
            STORE,
        ],
        "submitCommand" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (
                409,
                "version_conflict, not_active_seat, match_finished, match_not_started, idempotency_conflict",
            ),
            BODY,
            TYPE,
            (422, "illegal_command"),
            STORE,
        ],
        "takeBack" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "version_conflict, match_finished"),
            BODY,
            TYPE,
            (422, "illegal_command"),
            STORE,
        ],
        "getView" | "listLegalCommands" | "getReplay" | "getPosition" | "getStream" => SEEN,
        "listCommits" | "listEvents" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours, hidden"),
            (404, "not_found"),
        ],
        "getReadiness" => &[STORE],
        _ => &[],
    }
}

/// What every operation may answer.
const EVERYWHERE: &[(u16, &str)] = &[(400, "malformed"), (500, "internal")];

/// Adds the problems to all operations.
pub(super) fn add(document: &mut Value) {
    let all: Vec<&str> = codes().collect();
    document["components"]["schemas"]["Problem"]["properties"]["code"]["enum"] = json!(all);
    let paths = document["paths"]
        .as_object_mut()
        .expect("a document has paths");
    for operation in paths
        .values_mut()
        .filter_map(Value::as_object_mut)
        .flat_map(|path| path.values_mut())
    {
        let id = operation["operationId"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        let codes: BTreeMap<u16, &str> = EVERYWHERE.iter().chain(codes_of(&id)).copied().collect();
        for (status, codes) in codes {
            let schema = json!({"$ref": "#/components/schemas/Problem"});
            operation["responses"][status.to_string()] = json!({
                "description": codes,
                "content": {"application/problem+json": {"schema": schema}},
            });
        }
    }
}

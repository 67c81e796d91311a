//! The problems that each operation may answer with.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

use super::{id_of, operations, reference};
use crate::problem::table::{KINDS, kind};
use crate::problem::{Problem, ProblemPlace};

/// Codes by operation; those of [`everywhere`] come on top.
fn codes_of(operation: &str) -> &'static [(u16, &'static str)] {
    const MATCH: &[(u16, &str)] =
        &[(401, "token_required, token_invalid"), (403, "not_yours"), (404, "not_found"), MATCHES];
    const SEEN: &[(u16, &str)] = &[
        (401, "token_required, token_invalid"),
        (403, "not_yours, hidden"),
        (404, "not_found"),
        (422, "version_unknown"),
        MATCHES,
    ];
    const BODY: (u16, &str) = (413, "too_large");
    const TYPE: (u16, &str) = (415, "unsupported_media_type");
    match operation {
        "getGame" | "getGameStats" | "listGamePlayers" => &[(404, "not_found")],
        "getPlayer" => &[(404, "not_found"), STORE],
        "createPosition" => {
            &[(404, "not_found"), BODY, TYPE, (422, "invalid_options, chance_outcome")]
        }
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
            WRITE,
        ],
        "getMatch" => MATCH,
        "takeSeat" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "seat_taken, match_finished"),
            BODY,
            TYPE,
            WRITE,
        ],
        "closeMatch" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "match_finished"),
            WRITE,
        ],
        "createBranch" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours, hidden"),
            (404, "not_found"),
            BODY,
            TYPE,
            (422, "invalid_options, invalid_position, version_unknown"),
            WRITE,
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
            WRITE,
        ],
        "takeBack" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours"),
            (404, "not_found"),
            (409, "version_conflict, match_finished"),
            BODY,
            TYPE,
            (422, "illegal_command"),
            WRITE,
        ],
        "getView" | "listLegalCommands" | "getReplay" | "getPosition" | "getStream"
        | "getLedger" => SEEN,
        "getBoardSvg" | "getBoardText" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours, hidden"),
            (404, "not_found"),
            (422, "version_unknown, invalid_position"),
            MATCHES,
        ],
        "drawSvg" | "drawText" => &[(404, "not_found"), BODY, TYPE, (422, "invalid_position")],
        "listCommits" | "listEvents" => &[
            (401, "token_required, token_invalid"),
            (403, "not_yours, hidden"),
            (404, "not_found"),
            MATCHES,
        ],
        "getReadiness" => &[STORE],
        "getTableCsv" | "getTableNdjson" | "getTableParquet" | "getTablesTar" => {
            &[(404, "not_found"), STORE]
        }
        "runQuery" | "runQueryCsv" | "runQueryParquet" => &[
            (403, "query_off, query_forbidden"),
            BODY,
            TYPE,
            (422, "query_wrong, query_too_much"),
            STORE,
        ],
        _ => &[],
    }
}

/// What the store answers when it takes no writes.
const STORE: (u16, &str) = (503, "unavailable");
/// What it answers about matches.
const MATCHES: (u16, &str) = (503, "unavailable, damaged");
/// The same for what writes: it may have been under way when the disk failed.
const WRITE: (u16, &str) = (503, "unavailable, outcome_unknown, damaged");

/// Answers that are the same for all operations, by name.
const SHARED: &[(u16, &str)] = &[(429, "RateLimited"), (500, "Internal"), (503, "Unavailable")];

/// What every operation may answer.
const EVERYWHERE: &[(u16, &str)] = &[(400, "malformed"), (500, "internal")];

/// What all but these may answer too: who watches over the server is never limited.
const LIMITED: &[(u16, &str)] = &[(429, "rate_limited")];
const UNLIMITED: [&str; 2] = ["getHealth", "getReadiness"];

/// Adds the problems to all operations.
pub(super) fn add(document: &mut Value) {
    let schemas = &mut document["components"]["schemas"];
    for (name, schema) in
        [(Problem::name(), Problem::schema()), (ProblemPlace::name(), ProblemPlace::schema())]
    {
        schemas[&*name] =
            serde_json::to_value(schema).expect("a schema is plain data, which always has JSON");
    }
    schemas["Problem"]["properties"]["code"] = reference("ProblemCode");
    let all: Vec<&str> = KINDS.iter().map(|kind| kind.code).collect();
    schemas["ProblemCode"] = json!({
        "type": "string",
        "description": "The kind of problem, for programs. Later versions may have more.",
        "enum": all,
    });
    for operation in operations(document) {
        let id = id_of(operation);
        let limited: &[_] = if UNLIMITED.contains(&id.as_str()) { &[] } else { LIMITED };
        let all = EVERYWHERE.iter().chain(limited).chain(codes_of(&id));
        let codes: BTreeMap<u16, &str> = all.copied().collect();
        for (status, codes) in codes {
            let shared = SHARED.iter().find(|(of, _)| *of == status);
            operation["responses"][status.to_string()] = match shared {
                Some((_, name)) => json!({"$ref": format!("#/components/responses/{name}")}),
                None => response(codes),
            };
        }
    }
    for (status, name) in SHARED {
        let all = EVERYWHERE.iter().chain(LIMITED).chain([&WRITE]);
        let codes = all.filter(|(of, _)| of == status).map(|(_, codes)| *codes);
        let mut response = response(&codes.collect::<Vec<_>>().join(", "));
        if matches!(status, 429 | 503) {
            response["headers"]["Retry-After"] = json!({
                "description": "When to try again, in seconds",
                "schema": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 3600},
            });
        }
        document["components"]["responses"][name] = response;
    }
}

/// A problem with one of these codes.
fn response(codes: &str) -> Value {
    let titles: Vec<String> =
        codes.split(", ").map(|code| format!("`{code}`: {}", kind(code).title)).collect();
    json!({
        "description": titles.join("; "),
        "content": {"application/problem+json": {"schema": reference("Problem")}},
    })
}

/// Each code with the method and path of each operation that may answer with it.
pub(super) fn by_code(document: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, operations) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            let own = EVERYWHERE.iter().chain(LIMITED).chain(codes_of(&id_of(operation)));
            let answered =
                own.filter(|(status, _)| operation["responses"].get(status.to_string()).is_some());
            for code in answered.flat_map(|(_, codes)| codes.split(", ")) {
                found.push((code.to_owned(), format!("{} {path}", method.to_uppercase())));
            }
        }
    }
    found
}

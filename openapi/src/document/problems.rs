//! The problems that each operation may answer with.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use utoipa::{PartialSchema, ToSchema};

use server::problem::{KINDS, Problem, ProblemPlace, kind};

use super::languages::{CONTENT_LANGUAGE, content_language};
use super::operations::{id_of, operations};
use super::references::reference;

/// Where a handler declares the codes of its problems; those of [`EVERYWHERE`], [`MALFORMED`] and [`LIMITED`] come on top.
const DECLARED: &str = "x-problems";

/// Answers that are the same for all operations, by name.
const SHARED: &[(u16, &str)] = &[
    (400, "Malformed"),
    (401, "Unauthorized"),
    (404, "NotFound"),
    (408, "RequestTimeout"),
    (413, "TooLarge"),
    (415, "UnsupportedMediaType"),
    (429, "RateLimited"),
    (500, "Internal"),
    (503, "Unavailable"),
];

/// What every operation may answer.
const EVERYWHERE: &str = "internal";

/// What all but this one may answer too, which reads nothing of its request. Health and readiness read nothing either; but linters ask for a 4xx
/// of each operation, and these have no other.
const MALFORMED: &str = "malformed";
const UNREAD: &str = "getAsyncapi";

/// What those may answer too whose request has a body.
const TIMEOUT: &str = "request_timeout";

/// What all but these may answer too: who watches over the server is never limited.
const LIMITED: &str = "rate_limited";
const UNLIMITED: [&str; 2] = ["getHealth", "getReadiness"];

/// The schema of answers that may have the code `version_conflict`.
const CONFLICT: &str = "VersionConflict";

/// The codes that an operation as its handler declares it may answer with.
fn codes(operation: &Value) -> impl Iterator<Item = &'static str> {
    let own = operation[DECLARED].as_array().into_iter().flatten();
    let own: Vec<&str> = own.map(|code| kind(code.as_str().unwrap_or_default()).code).collect();
    let id = id_of(operation);
    let malformed = (id != UNREAD).then_some(MALFORMED);
    let limited = (!UNLIMITED.contains(&id.as_str())).then_some(LIMITED);
    let timeout = operation["requestBody"].is_object().then_some(TIMEOUT);
    malformed.into_iter().chain([EVERYWHERE]).chain(limited).chain(timeout).chain(own)
}

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
    // Both are what a seat that acted gets; what it has missed leads to the schemas of all games.
    let mut conflict = schemas["Problem"].clone();
    conflict["description"] = json!(
        "An error, RFC 9457; if the match is past the expected version, with the commits that the caller missed."
    );
    conflict["properties"]["missed"] = reference("CommitPage");
    conflict["properties"]["missed"]["description"] = json!(
        "With the code `version_conflict`, if the client expected an earlier version, the first commits after it, at most 100, as the \
         caller sees them. The rest is in the log of commits, after `next`."
    );
    schemas[CONFLICT] = conflict;
    for operation in operations(document) {
        let mut by_status: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
        codes(operation)
            .for_each(|code| by_status.entry(kind(code).status).or_default().push(code));
        let fields = operation.as_object_mut().expect("an operation is an object");
        if fields.remove(DECLARED).is_none() && fields["responses"].get("500").is_some() {
            // Finished before.
            continue;
        }
        for (status, codes) in by_status {
            let shared = SHARED.iter().find(|(of, _)| *of == status);
            operation["responses"][status.to_string()] = match shared {
                Some((_, name)) => json!({"$ref": format!("#/components/responses/{name}")}),
                None => response(&codes),
            };
        }
    }
    for (status, name) in SHARED {
        let of_status = KINDS.iter().filter(|kind| kind.status == *status);
        let mut response = response(&of_status.map(|kind| kind.code).collect::<Vec<_>>());
        if matches!(status, 429 | 503) {
            response["headers"]["Retry-After"] = json!({
                "description": "When to retry, in seconds",
                "schema": {"type": "integer", "format": "int32", "minimum": 1, "maximum": 3600},
            });
        }
        if *status == 401 {
            response["headers"]["WWW-Authenticate"] = json!({
                "description": "`Bearer`: a token is sent as `Authorization: Bearer <token>`",
                "schema": {"type": "string"},
            });
        }
        document["components"]["responses"][name] = response;
    }
}

/// A problem with one of these codes.
fn response(codes: &[&str]) -> Value {
    let titles: Vec<String> =
        codes.iter().map(|code| format!("`{code}`: {}", kind(code).title)).collect();
    let schema = if codes.contains(&"version_conflict") { CONFLICT } else { "Problem" };
    let mut response = json!({
        "description": titles.join("; "),
        "content": {"application/problem+json": {"schema": reference(schema)}},
        "headers": {CONTENT_LANGUAGE: content_language()},
    });
    if codes.contains(&"version_gone") {
        response["headers"]["Link"] = json!({
            "description": "The complete view, to get instead of the patch",
            "schema": {"type": "string"},
        });
    }
    response
}

/// Each code with the method and path of each operation that may answer with it, from the document as the handlers declare it.
pub(super) fn by_code(declared: &Value) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (path, operations) in declared["paths"].as_object().into_iter().flatten() {
        for (method, operation) in operations.as_object().into_iter().flatten() {
            for code in codes(operation) {
                found.push((code.to_owned(), format!("{} {path}", method.to_uppercase())));
            }
        }
    }
    found
}

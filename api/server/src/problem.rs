//! Errors as `application/problem+json` (RFC 9457): one table from codes to HTTP.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use engine::Error;
use serde::Serialize;
use utoipa::ToSchema;

/// Every code with its status and title. The description is what `detail` cannot say in general.
const CODES: &[(&str, u16, &str)] = &[
    ("malformed", 400, "The request is malformed"),
    ("token_required", 401, "A token is required"),
    ("token_invalid", 401, "The token is invalid"),
    ("not_yours", 403, "The token is not good for this"),
    ("hidden", 403, "This is hidden"),
    ("not_found", 404, "Not found"),
    ("method_not_allowed", 405, "The method is not allowed here"),
    ("version_conflict", 409, "The match is at another version"),
    ("not_active_seat", 409, "Another seat is to act"),
    ("match_finished", 409, "The match is over"),
    ("match_not_started", 409, "The match has not started"),
    ("seat_taken", 409, "The seat is taken"),
    (
        "idempotency_conflict",
        409,
        "The idempotency key was used for another request",
    ),
    ("too_large", 413, "The body is too large"),
    (
        "unsupported_media_type",
        415,
        "The media type is not supported",
    ),
    ("illegal_command", 422, "A rule forbids the command"),
    ("invalid_position", 422, "A rule forbids the position"),
    ("invalid_options", 422, "A rule forbids the options"),
    (
        "chance_outcome",
        422,
        "A forced outcome of chance does not fit",
    ),
    ("version_unknown", 422, "There is no such version"),
    ("rate_limited", 429, "Too many requests"),
    ("internal", 500, "Something went wrong in the server"),
    ("unavailable", 503, "The server cannot do this now"),
];

/// All codes, for the document.
pub(crate) fn codes() -> impl Iterator<Item = &'static str> {
    CODES.iter().map(|(code, _, _)| *code)
}

/// The title of a code of the table, for the document.
pub(crate) fn title_of(code: &str) -> &'static str {
    let known = CODES.iter().find(|(known, _, _)| *known == code);
    known
        .map(|(_, _, title)| *title)
        .expect("the code is in the table")
}

/// An error, RFC 9457.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, a URI reference.
    pub r#type: String,
    /// The kind in words.
    pub title: &'static str,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What happened here, for people.
    pub detail: String,
    /// The kind, for programs.
    pub code: &'static str,
    /// The id of the request, also in the header X-Request-Id.
    pub request_id: String,
    /// The number of the game's rule that was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// The index of the command in an analysis.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The version of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_version: Option<u64>,
    /// Where in the request the problem lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<ProblemPlace>>,
    /// Headers of the answer, such as Retry-After.
    #[serde(skip)]
    headers: Vec<(&'static str, String)>,
}

/// A place in the request.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ProblemPlace {
    /// A JSON pointer into the body, or the name of a parameter.
    pub pointer: String,
    /// What is wrong there.
    pub detail: String,
}

impl Problem {
    /// A problem of the table.
    pub(crate) fn new(code: &'static str, detail: impl Into<String>) -> Self {
        let (code, status, title) = CODES
            .iter()
            .find(|(known, _, _)| *known == code)
            .copied()
            .expect("the code is in the table");
        let problem = Problem {
            r#type: format!("/problems/{code}"),
            title,
            status,
            detail: detail.into(),
            code,
            request_id: String::new(),
            rule: None,
            step: None,
            current_version: None,
            errors: None,
            headers: Vec::new(),
        };
        match status {
            401 => problem.header("WWW-Authenticate", "Bearer"),
            429 | 503 => problem.header("Retry-After", "5"),
            _ => problem,
        }
    }

    /// With a header; it takes the place of one with the same name.
    pub(crate) fn header(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.headers.retain(|(known, _)| *known != name);
        self.headers.push((name, value.into()));
        self
    }

    /// A malformed request, with the place.
    pub(crate) fn malformed(pointer: &str, detail: impl Into<String>) -> Self {
        let detail = detail.into();
        let place = ProblemPlace {
            pointer: pointer.to_owned(),
            detail: detail.clone(),
        };
        Problem {
            errors: Some(vec![place]),
            ..Problem::new("malformed", detail)
        }
    }

    /// The problem that a bare status means: for answers that the web framework made.
    pub(crate) fn of_status(status: StatusCode) -> Self {
        let code = match status.as_u16() {
            404 => "not_found",
            405 => "method_not_allowed",
            413 => "too_large",
            415 => "unsupported_media_type",
            429 => "rate_limited",
            503 => "unavailable",
            400..=499 => "malformed",
            _ => "internal",
        };
        Problem::new(
            code,
            status.canonical_reason().unwrap_or("An error occurred"),
        )
    }

    fn rule(self, rule: Option<kernel::Rule>) -> Self {
        Problem {
            rule: rule.map(|rule| rule.to_string()),
            ..self
        }
    }

    fn version(self, current: Option<u64>) -> Self {
        Problem {
            current_version: current,
            ..self
        }
    }

    fn step(self, step: Option<usize>) -> Self {
        Problem { step, ..self }
    }

    /// The body with the id of its request.
    pub(crate) fn body(mut self, request_id: &str) -> String {
        request_id.clone_into(&mut self.request_id);
        serde_json::to_string(&self).expect("a problem is plain data, which always has JSON")
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.detail)
    }
}

impl std::error::Error for Problem {}

/// The answer carries the problem along; the middleware writes it out, since it knows the request's id.
impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        for (name, value) in &self.headers {
            response.insert_header((*name, value.as_str()));
        }
        response.extensions_mut().insert(self.clone());
        response.finish()
    }
}

impl From<Error> for Problem {
    fn from(error: Error) -> Self {
        let detail = error.to_string();
        let new = |code| Problem::new(code, detail.clone());
        match error {
            Error::NotFound(_) => new("not_found"),
            Error::TokenRequired(_) => new("token_required"),
            Error::TokenInvalid => new("token_invalid"),
            Error::NotYours(_) => new("not_yours"),
            Error::Hidden(_) => new("hidden"),
            Error::Malformed { detail, pointer } => Problem::malformed(&pointer, detail),
            Error::VersionConflict {
                expected: _,
                current,
            } => new("version_conflict").version(Some(current)),
            Error::NotActiveSeat {
                active: _,
                current,
                rule,
            } => new("not_active_seat").version(Some(current)).rule(rule),
            Error::MatchFinished {
                how: _,
                current,
                rule,
            } => new("match_finished").version(Some(current)).rule(rule),
            Error::MatchNotStarted { current } => new("match_not_started").version(Some(current)),
            Error::SeatTaken { seat: _, current } => new("seat_taken").version(Some(current)),
            Error::IdempotencyConflict { current } => new("idempotency_conflict").version(current),
            Error::IllegalCommand {
                refusal,
                current,
                step,
            } => Problem::new("illegal_command", refusal.reason)
                .rule(Some(refusal.rule))
                .version(current)
                .step(step),
            Error::InvalidPosition(refusal) => {
                Problem::new("invalid_position", refusal.reason).rule(Some(refusal.rule))
            }
            Error::InvalidOptions(refusal) => {
                Problem::new("invalid_options", refusal.reason).rule(Some(refusal.rule))
            }
            Error::ChanceOutcome { detail: _, step } => new("chance_outcome").step(step),
            Error::VersionUnknown { detail: _, current } => {
                new("version_unknown").version(Some(current))
            }
            Error::Unavailable(source) => {
                tracing::error!(error = %source, "the store refuses a write");
                Problem::new("unavailable", "nothing was stored; try again later")
            }
            Error::Read(source) => internal(&source),
            Error::Stream(source) => internal(&source),
        }
    }
}

/// The cause goes to the log, never to the client.
pub(crate) fn internal(cause: &dyn std::fmt::Display) -> Problem {
    tracing::error!(error = %cause, "a request failed");
    Problem::new(
        "internal",
        "the cause is in the server's log, under the id of this request",
    )
}

//! Errors as `application/problem+json` (RFC 9457): one table from codes to HTTP.

mod table;

use std::borrow::Cow;

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, ResponseError};
use engine::{Error, Quota};
use flood::Flood;
use kernel::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

pub use self::table::{Again, KINDS, Kind, kind};
use crate::commits::CommitPage;
use crate::metrics::Limit;
use crate::request_id;

/// An error, RFC 9457.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Problem {
    /// The kind of problem, a URI reference.
    pub r#type: String,
    /// A short description of the kind of problem.
    pub title: Cow<'static, str>,
    /// The HTTP status.
    #[schema(minimum = 400, maximum = 599)]
    pub status: u16,
    /// What is wrong with this request, for people.
    pub detail: String,
    /// The kind, for programs.
    pub code: &'static str,
    /// The id of the request, also in the header X-Request-Id.
    pub request_id: String,
    /// The number of the rule that was broken.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule: Option<&'static str>,
    /// The text of that rule, as in the catalogue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_text: Option<String>,
    /// The index of the command in an analysis, or in what a sandbox plays when it is opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The version of the match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub current_version: Option<u64>,
    /// What a `VersionConflict` has in addition: as a part of every problem it would lead from each answer to all schemas of all games.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    pub(crate) missed: Option<Box<CommitPage>>,
    /// The places in the request that are wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<ProblemPlace>>,
    /// Headers of the answer, such as Retry-After.
    #[serde(skip)]
    pub(crate) headers: Vec<(&'static str, String)>,
    /// The limit that was reached, for the metrics.
    #[serde(skip)]
    pub(crate) limit: Option<Limit>,
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
        let Kind { status, title, .. } = *table::kind(code);
        let problem = Problem {
            r#type: format!("/problems/{code}"),
            title: Cow::Borrowed(title),
            status,
            detail: detail.into(),
            code,
            request_id: String::new(),
            rule: None,
            rule_text: None,
            step: None,
            current_version: None,
            missed: None,
            errors: None,
            headers: Vec::new(),
            limit: None,
        };
        match status {
            401 => problem.header("WWW-Authenticate", "Bearer"),
            // Nobody mends a store in seconds.
            _ if code == "damaged" => problem.header("Retry-After", "3600"),
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

    /// The refusal by a limit, which is counted.
    pub(crate) fn of_limit(self, limit: Limit) -> Self {
        Problem { limit: Some(limit), ..self }
    }

    /// A malformed request, with the place.
    pub(crate) fn malformed(pointer: &str, detail: impl Into<String>) -> Self {
        Problem::new("malformed", detail).at(pointer)
    }

    /// The same with the place of what is wrong.
    pub(crate) fn at(self, pointer: &str) -> Self {
        let place = ProblemPlace { pointer: pointer.to_owned(), detail: self.detail.clone() };
        Problem { errors: Some(vec![place]), ..self }
    }

    /// No problem, but no body either: what a request with the method HEAD gets in place of work for a body that nobody reads.
    pub(crate) fn bodiless() -> Self {
        Problem { status: StatusCode::OK.as_u16(), ..Problem::new("internal", "nobody reads it") }
    }

    /// It is unknown whether a request was carried out.
    pub(crate) fn outcome_unknown() -> Self {
        let Kind { code, detail, .. } = *table::kind("outcome_unknown");
        Problem::new(code, detail)
    }

    /// The same problem for a command with an idempotency key: where the match could not be read, the first command with that key may
    /// well have been stored.
    pub(crate) fn with_key(self) -> Self {
        if self.code == "unavailable" { Problem::outcome_unknown() } else { self }
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
        Problem::new(code, status.canonical_reason().unwrap_or("An error occurred"))
    }

    /// A refusal by a rule, with its place where that is known.
    fn refused(code: &'static str, refusal: Refusal) -> Self {
        let Refusal { rule, reason, pointer } = refusal;
        let detail = reason.clone();
        let errors = pointer.map(|pointer| vec![ProblemPlace { pointer, detail }]);
        Problem { errors, ..Problem::new(code, reason).rule(Some(rule)) }
    }

    fn rule(self, rule: Option<kernel::Rule>) -> Self {
        Problem { rule: rule.map(|kernel::Rule(number)| number), ..self }
    }

    fn version(self, current: Option<u64>) -> Self {
        Problem { current_version: current, ..self }
    }

    fn step(self, step: Option<usize>) -> Self {
        Problem { step, ..self }
    }

    /// The body with the id of its request.
    pub(crate) fn body(mut self, request_id: &str) -> String {
        request_id.clone_into(&mut self.request_id);
        shorten(&mut self.detail);
        for ProblemPlace { pointer, detail } in self.errors.iter_mut().flatten() {
            shorten(pointer);
            shorten(detail);
        }
        serde_json::to_string(&self).expect("a problem is plain data, which always has JSON")
    }
}

/// What was sent is quoted in what is wrong with it, but not at length.
fn shorten(text: &mut String) {
    const MOST: usize = 1_000;
    if let Some((end, _)) = text.char_indices().nth(MOST) {
        text.truncate(end);
        text.push('\u{2026}');
    }
}

impl Kind {
    /// A problem of this kind as it may look.
    pub(crate) fn example(&self) -> Problem {
        let problem = Problem {
            request_id: "019b8f3a-5c00-7000-8000-000000000001".to_owned(),
            ..Problem::new(self.code, self.detail)
        };
        match (self.code, self.status) {
            ("malformed", _) => Problem {
                errors: Some(vec![ProblemPlace {
                    pointer: "limit".to_owned(),
                    detail: self.detail.to_owned(),
                }]),
                ..problem
            },
            ("illegal_command", _) => Problem { rule: Some("R-45"), ..problem.version(Some(9)) },
            ("version_unknown", _) => problem.version(Some(12)),
            (_, 409) => problem.version(Some(9)),
            _ => problem,
        }
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
        if self.status_code().is_success() {
            return response.finish();
        }
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
            Error::TooLarge => new("too_large"),
            Error::Malformed { detail, pointer } => Problem::malformed(&pointer, detail),
            Error::VersionConflict { expected: _, current } => {
                new("version_conflict").version(Some(current))
            }
            Error::VersionGone { since: _, to: _, current, most: _ } => {
                new("version_gone").version(Some(current))
            }
            Error::NotActiveSeat { active: _, current, rule } => {
                new("not_active_seat").version(Some(current)).rule(rule)
            }
            Error::MatchFinished { how: _, current, rule } => {
                new("match_finished").version(Some(current)).rule(rule)
            }
            Error::MatchNotStarted { current } => new("match_not_started").version(Some(current)),
            Error::SeatTaken { seat: _, current } => new("seat_taken").version(Some(current)),
            Error::TicketUsed => new("ticket_used"),
            Error::QuotaReached { quota, most: _ } => {
                let (limit, wait) = match quota {
                    // Somebody has to end one; bots end theirs by themselves.
                    Quota::Matches => (Limit::Matches, "3600"),
                    Quota::BotMatches => (Limit::BotMatches, "60"),
                };
                new("quota_reached").of_limit(limit).header("Retry-After", wait)
            }
            Error::Full { most: _ } => {
                new("unavailable").of_limit(Limit::LiveMatches).header("Retry-After", "3600")
            }
            Error::IdempotencyConflict { current } => new("idempotency_conflict").version(current),
            Error::IllegalCommand { refusal, current, step } => {
                Problem::refused("illegal_command", refusal).version(current).step(step)
            }
            Error::InvalidPosition(refusal) => {
                Problem::refused("invalid_position", refusal.within("/position"))
            }
            Error::InvalidOptions(refusal) => {
                Problem::refused("invalid_options", refusal.within("/options"))
            }
            Error::ChanceOutcome { detail: _, step } => new("chance_outcome").step(step),
            Error::NotReached { detail: _ } => new("not_reached"),
            Error::VersionUnknown { detail: _, current } => {
                new("version_unknown").version(Some(current))
            }
            Error::NotListed { .. } | Error::StillTold(_) => {
                Problem::new("unavailable", error.to_string())
            }
            // It was logged when it was found.
            Error::Outdated => Problem::new("unavailable", OUTDATED_DETAIL),
            Error::Unavailable(source) => {
                log(&REFUSED, "the store refuses a write", &source);
                Problem::new("unavailable", "nothing was stored; try again later")
            }
            Error::OutcomeUnknown(why) => {
                log(&UNKNOWN, "it is unknown whether a write was stored", &why);
                Problem::outcome_unknown()
            }
            Error::Read(source) if source.is_of_store() => {
                log(&UNREADABLE, "a part of the store cannot be read", &source);
                Problem::new("unavailable", UNREADABLE_DETAIL)
            }
            Error::Read(source) => damaged(&source),
            Error::Stream(source) => damaged(&source),
            // The cause was logged when it was set aside.
            Error::Damaged(damaged) => Problem::new("damaged", damaged.told()),
        }
    }
}

const OUTDATED_DETAIL: &str = "a newer program writes to the same store, and this server's program writes no more: nothing was stored; try again at another server";
const UNREADABLE_DETAIL: &str = "a part of what is stored cannot be read now; nothing was stored";

/// What a disk that fails, or a client that asks for a damaged match again and again, would fill the log with.
static REFUSED: Flood = Flood::new();
static UNKNOWN: Flood = Flood::new();
static UNREADABLE: Flood = Flood::new();
static DAMAGED: Flood = Flood::new();
static FAILED: Flood = Flood::new();

/// A line about what failed, with the id of the request in which it did, if it was in one.
fn log(flood: &Flood, what: &'static str, cause: &dyn std::fmt::Display) {
    flood.line(|more| {
        let id = request_id::current();
        tracing::error!(request.id = id.as_deref(), error = %cause, more, "{what}");
    });
}

fn damaged(cause: &dyn std::fmt::Display) -> Problem {
    log(&DAMAGED, "what is stored is damaged", cause);
    Problem::new("damaged", "something that the response needs is damaged; see the server's log")
}

const INTERNAL_DETAIL: &str = "the cause is in the server's log, under the id of this request";

/// The cause goes to the log, never to the client.
pub(crate) fn internal(cause: &dyn std::fmt::Display) -> Problem {
    log(&FAILED, "a request failed", cause);
    Problem::new("internal", INTERNAL_DETAIL)
}

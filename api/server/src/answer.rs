//! Answers that need more than JSON: entity tags, caching, pages.

use std::fmt::Display;

use actix_web::http::header::{self, HeaderValue};
use actix_web::{HttpMessage, HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use engine::{ANSWER_BYTES, Caller, Error, Seen};
use journal::Bytes32;
use serde::Serialize;

use crate::language::header_of;
use crate::problem::Problem;
use crate::request::Seen as Asked;

/// A JSON answer about a match at a version that is the same for everybody, with its entity tag; 304 where the client has it.
///
/// The tag is the version and whether the match is finished: then more may be shown.
pub(crate) fn at_version(
    request: &HttpRequest,
    version: impl Display,
    fixed: bool,
    json: String,
) -> HttpResponse {
    let tag = format!("{version}{}", if fixed { ".final" } else { "" });
    tagged(request, &tag, fixed, "application/json", json)
}

/// The same for what each seat sees in its own way. The tag says which one it was: a browser that has what another seat saw asks with the tag
/// of that, whatever `Vary` says, and must not be told that it has it already.
pub(crate) fn as_seen(
    request: &HttpRequest,
    version: impl Display,
    fixed: bool,
    json: String,
) -> HttpResponse {
    at_version(request, format!("{version}{}", of_seat(request)), fixed, json)
}

/// What tells the tags of seats apart; nothing for a spectator.
pub(crate) fn of_seat(request: &HttpRequest) -> String {
    match request.extensions().get::<Asked>().map(|asked| asked.caller) {
        Some(Caller::Seat(seat)) => format!(".seat{seat}"),
        Some(Caller::Owner | Caller::Stranger) | None => String::new(),
    }
}

/// How long an answer may be kept by whoever does not ask whether it has changed.
#[derive(Clone, Copy)]
pub(crate) enum Kept {
    No,
    /// It never changes, but that a name in it may be forgotten.
    Day,
    Year,
}

impl From<bool> for Kept {
    /// Whether it never changes.
    fn from(fixed: bool) -> Self {
        if fixed { Kept::Year } else { Kept::No }
    }
}

/// An answer of any media type about a match, with this entity tag; 304 where the client has it.
pub(crate) fn tagged(
    request: &HttpRequest,
    tag: &str,
    kept: impl Into<Kept>,
    kind: &'static str,
    body: String,
) -> HttpResponse {
    let tag = format!("\"{tag}\"");
    // What was read with a token may be of a private match.
    let signed = request.headers().contains_key(header::AUTHORIZATION);
    let caching = match (kept.into(), signed) {
        (Kept::No, _) => "private, no-cache",
        (Kept::Day, false) => "public, max-age=86400, immutable",
        (Kept::Day, true) => "private, max-age=86400, immutable",
        (Kept::Year, false) => "public, max-age=31536000, immutable",
        (Kept::Year, true) => "private, max-age=31536000, immutable",
    };
    let known = is_known(request, &tag);
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, HeaderValue::from_static(caching)))
        .insert_header((header::VARY, HeaderValue::from_static("Authorization")));
    if known { response.finish() } else { fitting(&mut response, kind, body) }
}

/// An answer in one piece, unless it is too large for that.
pub(crate) fn fitting(
    response: &mut HttpResponseBuilder,
    kind: &'static str,
    body: String,
) -> HttpResponse {
    if body.len() > ANSWER_BYTES {
        return Problem::from(Error::TooLarge).error_response();
    }
    response.content_type(kind).body(body)
}

/// The same for something that the engine has seen.
pub(crate) fn seen(request: &HttpRequest, seen: Seen) -> HttpResponse {
    as_seen(request, seen.version, seen.fixed, Box::<str>::from(seen.json).into_string())
}

/// A page for people, or a part of one, under a policy of what it may load. Good for an hour, then for asking whether it changed.
pub(crate) fn page(
    request: &HttpRequest,
    media_type: &str,
    policy: &'static str,
    text: String,
) -> HttpResponse {
    let tag = format!("\"{}\"", &Bytes32::hash(&[text.as_bytes()]).hex()[..16]);
    let known = is_known(request, &tag);
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .insert_header((header::CONTENT_SECURITY_POLICY, policy));
    if known { response.finish() } else { response.content_type(media_type).body(text) }
}

/// JSON that holds for every match, in a language. Good for an hour, then for asking whether it changed.
pub(crate) fn in_language(request: &HttpRequest, language: &str, text: String) -> HttpResponse {
    let tag = format!("\"{}\"", &Bytes32::hash(&[text.as_bytes()]).hex()[..16]);
    let known = is_known(request, &tag);
    let mut response = if known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header((header::ETAG, tag))
        .insert_header((header::CACHE_CONTROL, "public, max-age=3600"))
        .insert_header((header::CONTENT_LANGUAGE, header_of(language)))
        .insert_header((header::VARY, "Accept-Language"));
    if known { response.finish() } else { fitting(&mut response, "application/json", text) }
}

/// Does the client have the answer with this tag?
pub(crate) fn is_known(request: &HttpRequest, tag: &str) -> bool {
    let known =
        request.headers().get_all(header::IF_NONE_MATCH).filter_map(|value| value.to_str().ok());
    known
        .flat_map(|value| value.split(','))
        .map(str::trim)
        .map(|known| known.strip_prefix("W/").unwrap_or(known))
        .any(|known| known == tag || known == "*")
}

/// A JSON answer.
pub(crate) fn json<T: Serialize>(value: &T) -> HttpResponse {
    fitting(&mut HttpResponse::Ok(), "application/json", text(value))
}

/// The JSON of plain data.
pub(crate) fn text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data always has JSON")
}

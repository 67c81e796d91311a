//! Answers that need more than JSON: entity tags, caching, pages.

use actix_web::http::header::{self, HeaderValue};
use actix_web::web::Bytes;
use actix_web::{HttpRequest, HttpResponse, HttpResponseBuilder, ResponseError};
use engine::{ANSWER_BYTES, Error, Seen};
use journal::Bytes32;
use serde::Serialize;

use crate::language::header_of;
use crate::problem::Problem;

/// A JSON answer about a match at a version, with its entity tag; 304 where the client has it.
pub(crate) fn at_version(
    request: &HttpRequest,
    version: u64,
    fixed: bool,
    json: String,
) -> HttpResponse {
    tagged(request, &tag_at(version, &json), fixed, "application/json", json)
}

/// The tag of an answer about a match at a version. The version alone would not do: each seat sees something else, and a browser that has what
/// another one saw asks with the tag of that, whatever `Vary` says; and in a store that was restored from a backup the match may have gone on in
/// another way.
pub(crate) fn tag_at(version: u64, body: &str) -> String {
    format!("{version}.{}", tag_of(body))
}

/// The tag of an answer that has no version.
pub(crate) fn tag_of(body: &str) -> String {
    let Bytes32(hash) = Bytes32::hash(&[body.as_bytes()]);
    let first = hash.first_chunk().copied().unwrap_or_default();
    format!("{:016x}", u64::from_be_bytes(first))
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
    body: impl Into<Bytes>,
) -> HttpResponse {
    let body = body.into();
    if body.len() > ANSWER_BYTES {
        return Problem::from(Error::TooLarge).error_response();
    }
    response.content_type(kind).body(body)
}

/// The same for something that the engine has seen.
pub(crate) fn seen(request: &HttpRequest, seen: Seen) -> HttpResponse {
    at_version(request, seen.version, seen.fixed, Box::<str>::from(seen.json).into_string())
}

/// A page for people, or a part of one, under a policy of what it may load. Good for an hour, then for asking whether it changed.
pub(crate) fn page(
    request: &HttpRequest,
    media_type: &str,
    policy: &'static str,
    text: String,
) -> HttpResponse {
    let tag = format!("\"{}\"", tag_of(&text));
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
    let tag = format!("\"{}\"", tag_of(&text));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_in_one_piece_has_eight_mebibytes_at_most() {
        let status = |bytes: usize| {
            let answer = fitting(&mut HttpResponse::Ok(), "application/json", " ".repeat(bytes));
            answer.status().as_u16()
        };
        assert_eq!((status(8 << 20), status((8 << 20) + 1)), (200, 413));
    }
}

//! What the server needs of the OpenAPI document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use actix_web::HttpRequest;
use actix_web::http::Method;
use actix_web::web::Data;
use serde_json::value::RawValue;

/// What is made when somebody first asks for it: making all documents would take most of the time of a start.
pub type Made<T> = LazyLock<T, Box<dyn FnOnce() -> T + Send>>;

/// The OpenAPI document of a server that has one game alone: less to load, and less to read.
pub struct OfGame {
    /// The id of the game.
    pub id: &'static str,
    /// The name of the game, for people.
    pub title: &'static str,
    /// The document as text.
    pub json: Made<String>,
}

/// The finished documents, and what the server looks up in them. The crate `openapi` makes it from what [`declared`](crate::declared) returns.
pub struct Document {
    /// The OpenAPI document as text.
    pub json: Made<String>,
    /// The same with the types of one game alone; the one that is shown first comes first.
    pub of_games: Vec<OfGame>,
    /// The AsyncAPI document of the streams as text.
    pub asyncapi: Made<String>,
    /// Each path, such as `/v1/games/{game}`, with its methods.
    pub paths: Vec<(String, Vec<Method>)>,
    /// The media type of what GET of a path returns, where that is always the same.
    pub media_types: BTreeMap<String, String>,
    /// Each problem code with an operation that may answer with it, such as `GET /v1/games/{game}`.
    pub problems: Vec<(String, String)>,
    /// JSON Schemas of each game, by its id.
    pub schemas: BTreeMap<&'static str, Made<Box<RawValue>>>,
}

/// Pages for people, beside the documented paths. All are read with GET.
const PAGES: &[&str] = &["/problems/", "/problems/{code}"];

impl Document {
    /// The operations that may answer with a problem of this code.
    pub(crate) fn operations_with(&self, code: &str) -> impl Iterator<Item = &str> {
        let of_code = self.problems.iter().filter(move |(known, _)| known == code);
        of_code.map(|(_, operation)| operation.as_str())
    }

    /// The media type of what GET of a path returns, where that is always the same.
    pub(crate) fn media_type(&self, path: &str) -> Option<&str> {
        let mut types = self.media_types.iter();
        types.find(|(template, _)| fits(template, path)).map(|(_, media_type)| media_type.as_str())
    }

    /// What a path fits, if there is such a path.
    pub(crate) fn template(&self, path: &str) -> Option<&str> {
        let mut paths = self.paths.iter();
        paths.find(|(template, _)| fits(template, path)).map(|(template, _)| template.as_str())
    }

    /// The methods that a path takes, if there is such a path.
    pub(crate) fn methods(&self, path: &str) -> Option<&[Method]> {
        let mut paths = self.paths.iter();
        let found = paths.find(|(template, _)| fits(template, path));
        let page = || PAGES.iter().find(|template| fits(template, path));
        found
            .map(|(_, methods)| methods.as_slice())
            .or_else(|| page().map(|_| [Method::GET].as_slice()))
    }
}

/// May a request have stored something, whatever its answer is? The operations that store are those of which nobody may know the outcome.
pub(crate) fn may_store(request: &HttpRequest) -> bool {
    let document = request.app_data::<Data<Document>>();
    let Some((document, pattern)) = document.zip(request.match_pattern()) else { return false };
    let operation = format!("{} {pattern}", request.method());
    !is_tried(request)
        && document.operations_with("outcome_unknown").any(|known| known == operation)
}

/// Is a command only tried out? Then nothing is stored.
pub(crate) fn is_tried(request: &HttpRequest) -> bool {
    request.query_string().split('&').any(|part| part == "dry_run=true")
}

/// Does a path fit a template such as `/v1/games/{game}` or `/v1/tables/{table}.csv`?
pub(crate) fn fits(template: &str, path: &str) -> bool {
    let (templates, segments) = (template.split('/'), path.split('/'));
    let fits = |(template, segment): (&str, &str)| match template.split_once('}') {
        Some((_, end)) => segment.strip_suffix(end).is_some_and(|name| !name.is_empty()),
        None => template == segment,
    };
    templates.clone().count() == segments.clone().count() && templates.zip(segments).all(fits)
}

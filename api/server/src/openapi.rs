//! The OpenAPI document: collected from the routes, completed with the schemas of the games, and made good for generators.
//!
//! utoipa writes what Rust types say. What it does not say is added here: variants of enums get names, a constant tag and a
//! discriminator; integers get their limits; response fields are required, since every field is always present; requests are closed;
//! every operation lists its problems and has recorded examples.

mod asyncapi;
mod by_game;
mod caching;
mod examples;
mod games;
mod links;
mod problems;
mod requests;
mod shape;
mod variants;

use std::collections::{BTreeMap, BTreeSet};

use actix_web::App;
use actix_web::http::Method;
use kernel::{AnyGame, RuleText};
use serde::Serialize;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;

pub(crate) use engine::by_game::{Command, EventView, Position, View};
pub(crate) use games::json_schemas;

/// Where references to schemas point.
const COMPONENTS: &str = "#/components/schemas/";

/// The document, and the table of paths for 405.
pub struct Document {
    /// The document as text.
    pub json: String,
    /// The AsyncAPI document of the streams as text.
    pub asyncapi: String,
    paths: Vec<(Vec<String>, Vec<Method>)>,
    problems: Vec<(String, String)>,
    rules: BTreeMap<String, String>,
}

/// Pages for people, beside the documented paths. All are read with GET.
const PAGES: &[&str] = &["/problems/", "/problems/{code}"];

impl Document {
    /// The document of a server with these games.
    #[must_use]
    pub fn new(games: &[&'static dyn AnyGame]) -> Self {
        Self::with_examples(games, examples::RECORDED)
    }

    /// The same with other examples: JSON as the package `openapi` records it.
    ///
    /// # Panics
    /// If the examples are not of that form.
    #[must_use]
    pub fn with_examples(games: &[&'static dyn AnyGame], examples: &str) -> Self {
        let mut document = collect();
        let problems = problems::by_code(&document);
        finish(&mut document, games, examples);
        let paths = document["paths"].as_object().expect("a document has paths");
        let paths = paths.iter().map(|(path, operations)| {
            let operations = operations.as_object().expect("a path has operations");
            let methods = operations.keys().filter_map(|method| method.to_uppercase().parse().ok());
            (path.split('/').map(str::to_owned).collect(), methods.collect())
        });
        let pages = PAGES.iter().map(|path| {
            let path = path.split('/').map(str::to_owned).collect();
            (path, vec![Method::GET])
        });
        Document {
            paths: paths.chain(pages).collect(),
            problems,
            rules: games
                .iter()
                .flat_map(|game| journal::rules::of(*game))
                .map(|RuleText { rule, text }| (rule, text))
                .collect(),
            json: text(&document),
            asyncapi: text(&asyncapi::of(&document)),
        }
    }

    /// The operations that may answer with a problem of this code, such as `GET /v1/games/{game}`.
    pub(crate) fn operations_with(&self, code: &str) -> impl Iterator<Item = &str> {
        let of_code = self.problems.iter().filter(move |(known, _)| known == code);
        of_code.map(|(_, operation)| operation.as_str())
    }

    /// What a rule says. Rules of different games have different numbers.
    pub(crate) fn rule(&self, number: &str) -> Option<&str> {
        self.rules.get(number).map(String::as_str)
    }

    /// The methods that a path takes, if there is such a path.
    #[must_use]
    pub(crate) fn methods(&self, path: &str) -> Option<Vec<Method>> {
        let segments: Vec<&str> = path.split('/').collect();
        let fits = |template: &Vec<String>| {
            template.len() == segments.len()
                && template
                    .iter()
                    .zip(&segments)
                    .all(|(t, s)| t == s || (t.starts_with('{') && !s.is_empty()))
        };
        self.paths.iter().find(|(template, _)| fits(template)).map(|(_, methods)| methods.clone())
    }
}

/// Indented by one space: deep as it is, the document is a fifth smaller than with two.
fn text(document: &Value) -> String {
    let mut text = Vec::new();
    let mut writer = Serializer::with_formatter(&mut text, PrettyFormatter::with_indent(b" "));
    document.serialize(&mut writer).expect("a JSON value is written to memory");
    text.push(b'\n');
    String::from_utf8(text).expect("JSON is UTF-8")
}

/// What the routes say.
fn collect() -> Value {
    let (_, api) =
        App::new().into_utoipa_app().configure(crate::routes::register).split_for_parts();
    serde_json::to_value(api).expect("a document is plain data, which always has JSON")
}

/// Makes the document complete and good. What is finished stays as it is.
fn finish(document: &mut Value, games: &[&'static dyn AnyGame], examples: &str) {
    head(document);
    requests::clean(document);
    problems::add(document);
    caching::add(document);
    links::add(document);
    // What the text of a message holds: no derive can say it.
    document["components"]["schemas"]["StreamMessage"]["properties"]["data"]["contentSchema"] =
        reference("CommitEntry");
    // Which other columns there are depends on the table.
    document["components"]["schemas"]["TableRow"]["additionalProperties"] = json!(true);
    games::add(document, games);
    let schemas = document["components"]["schemas"].as_object_mut();
    variants::name(schemas.expect("a document has schemas"));
    let (asked, answered) = (named(document, "requestBody"), named(document, "responses"));
    shape::shape(document, &names(&asked), &names(&answered));
    requests::drop_misleading(document);
    drop_unused(document);
    examples::add(document, games, examples);
}

fn head(document: &mut Value) {
    document["openapi"] = json!("3.1.0");
    document["info"] = json!({
        "title": "Muninn",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "An event-sourced engine for board games",
        "description": "Open a match, follow the legal commands, watch it live, and prove afterwards that nothing was changed. \
            Every match is an immutable chain of commits; every state can be rebuilt at every version for every viewer.\n\n\
            The first match: `openMatch` gives a token for each seat; `listLegalCommands` with the token of the seat that is to act \
            says what it may do; `submitCommand` does it. `analyse` answers what if, and needs no match.\n\n\
            What belongs to a game has its name in front: `RosenkoenigCommand`, `RosenkoenigView`. The same name without a game, \
            `Command`, `View`, is that of any game. Answers may get more fields in later versions; requests are exact.",
        "contact": {"name": "The authors of Muninn"},
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    document["servers"] = json!([{"url": "/", "description": "This server"}]);
    document["tags"] = json!([
        {"name": "games", "description": "The catalogue: rules, printed data, schemas"},
        {"name": "analysis", "description": "What-if on any position; nothing is stored"},
        {"name": "matches", "description": "Open, list, join and close matches"},
        {"name": "play", "description": "Look at the table and act"},
        {"name": "history", "description": "The logs, every frame, and live streams"},
        {"name": "feed", "description": "All events of all public matches"},
        {"name": "tables", "description": "Finished matches as tables: CSV, JSON lines, Parquet, SQL"},
        {"name": "stats", "description": "Statistics of finished matches, and players"},
        {"name": "operation", "description": "Health, metrics, this document"},
    ]);
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document["components"]["securitySchemes"]["token"] =
        serde_json::to_value(token).expect("a scheme is plain data, which always has JSON");
    document["components"]["securitySchemes"]["token"]["description"] =
        json!("The token of a seat, or of the owner, as given when the match was opened");
    document["security"] = json!([{}]);
}

/// All operations of the document.
fn operations(document: &mut Value) -> impl Iterator<Item = &mut Value> {
    let paths = document["paths"].as_object_mut().expect("a document has paths");
    paths.values_mut().filter_map(Value::as_object_mut).flat_map(|path| path.values_mut())
}

/// The operation's id.
fn id_of(operation: &Value) -> String {
    operation["operationId"].as_str().unwrap_or_default().to_owned()
}

/// A reference to a schema of the document.
fn reference(name: &str) -> Value {
    json!({"$ref": format!("{COMPONENTS}{name}")})
}

/// The name of the schema that this one refers to, if it does.
fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix(COMPONENTS)
}

/// The names of all schemas that some JSON refers to.
fn targets(json: &Value) -> BTreeSet<String> {
    let below = match json {
        Value::Object(fields) => fields.values().flat_map(targets).collect(),
        Value::Array(items) => items.iter().flat_map(targets).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => BTreeSet::new(),
    };
    let own = target(json).map(str::to_owned);
    below.into_iter().chain(own).collect()
}

/// All schemas that these ones need, themselves included.
fn reach(schemas: &Value, names: &BTreeSet<&str>) -> BTreeSet<String> {
    let mut due: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let mut found = BTreeSet::new();
    while let Some(name) = due.pop() {
        if found.insert(name.clone()) {
            due.extend(targets(&schemas[&name]));
        }
    }
    found
}

fn names(owned: &BTreeSet<String>) -> BTreeSet<&str> {
    owned.iter().map(String::as_str).collect()
}

/// The schemas that this part of some operation names.
fn named(document: &mut Value, part: &str) -> BTreeSet<String> {
    operations(document).flat_map(|operation| targets(&operation[part])).collect()
}

/// Takes out the schemas that nothing refers to.
fn drop_unused(document: &mut Value) {
    let used = targets(&document["paths"]);
    let used = reach(&document["components"]["schemas"], &names(&used));
    let schemas = document["components"]["schemas"].as_object_mut();
    schemas.expect("a document has schemas").retain(|name, _| used.contains(name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::Erased;
    use testkit::Nim;

    static TWO: &[&dyn AnyGame] = &[catalog::GAMES[0], &Erased::<Nim>::NEW];

    #[test]
    fn finishing_twice_is_finishing_once() {
        for games in [catalog::GAMES, TWO] {
            let mut document = collect();
            finish(&mut document, games, examples::RECORDED);
            let once = document.clone();
            finish(&mut document, games, examples::RECORDED);
            assert_eq!(once, document);
        }
    }
}

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
mod generators;
mod languages;
mod links;
mod operations;
mod order;
mod platform;
mod printed;
mod problems;
mod references;
mod requests;
mod shape;
mod shared;
mod variants;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use kernel::AnyGame;
use serde_json::{Value, json};
use server::{Document, Made, OfGame};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

pub(crate) use examples::BEGINNING;
use games::Game;
use operations::operations;
use references::{names, reach, reference, targets};
pub(crate) use shape::each_object;

/// The examples that [`record`](crate::record) has written.
pub const RECORDED: &str = include_str!("../examples.json");

/// The document of a server with these games, with examples or without.
///
/// # Panics
/// If the examples are not of the form that [`record`](crate::record) writes.
#[must_use]
pub fn document(known: &[&'static dyn AnyGame], examples: Option<&'static str>) -> Document {
    let declared = server::declared();
    let paths = declared["paths"].as_object().expect("a document has paths");
    let media_types = paths.iter().filter_map(|(path, operations)| {
        let content = operations["get"]["responses"]["200"]["content"].as_object()?;
        // Of several it depends on the request, and text has parameters.
        let only = content
            .keys()
            .next()
            .filter(|only| content.len() == 1 && !only.starts_with("text/"))?;
        Some((path.clone(), only.clone()))
    });
    let methods = paths.iter().map(|(path, operations)| {
        let operations = operations.as_object().expect("a path has operations");
        let methods = operations.keys().filter_map(|method| method.to_uppercase().parse().ok());
        (path.clone(), methods.collect())
    });
    let schemas = |known: &&'static dyn AnyGame| {
        let known = *known;
        (known.info().id, made(move || Game::new(known).json_schemas()))
    };
    let finished = |known: &[&'static dyn AnyGame]| {
        let known = known.to_vec();
        move || {
            let mut document = server::declared();
            let games: Vec<Game> = known.iter().map(|game| Game::new(*game)).collect();
            finish(&mut document, &games, examples);
            document
        }
    };
    let (all, streams) = (finished(known), finished(known));
    Document {
        paths: methods.collect(),
        media_types: media_types.collect(),
        problems: problems::by_code(&declared),
        schemas: known.iter().map(schemas).collect(),
        json: made(move || shared(all())),
        of_games: of_games(known, examples),
        asyncapi: made(move || laid_out(&asyncapi::of(&streams()).to_string())),
    }
}

/// What `make` makes, when somebody asks for it.
fn made<T>(make: impl FnOnce() -> T + Send + 'static) -> Made<T> {
    LazyLock::new(Box::new(make))
}

/// A document as text, with what is the same for several operations in it once.
fn shared(mut document: Value) -> String {
    shared::share(&mut document);
    document.to_string() + "\n"
}

/// The document for each game alone; that with examples comes first.
fn of_games(games: &[&'static dyn AnyGame], examples: Option<&'static str>) -> Vec<OfGame> {
    let of_game = |known: &'static dyn AnyGame| {
        let kernel::Info { id, title, .. } = *known.info();
        let make = move || {
            let mut document = server::declared();
            finish(&mut document, &[Game::new(known)], examples);
            let about = document["info"]["description"].as_str().unwrap_or_default();
            let others = "the document of all games is [/openapi.json](/openapi.json).";
            let about = format!("{about}\n\nThese are the types of {title} alone; {others}");
            document["info"]["description"] = json!(about);
            shared(document)
        };
        OfGame { id, title, json: made(make) }
    };
    let mut all: Vec<OfGame> = games.iter().map(|game| of_game(*game)).collect();
    all.sort_by_key(|of| !examples.is_some_and(|examples| examples::are_of(examples, of.id)));
    all
}

/// A document as people read it: indented by one space, and what fits into a line stands in one. Clients load it without spaces.
///
/// # Panics
/// If it is no JSON.
#[must_use]
pub fn laid_out(document: &str) -> String {
    let mut text = String::new();
    write(&serde_json::from_str(document).expect("a document is JSON"), 0, &mut text);
    text + "\n"
}

/// What is longer than this, with what stands before it on its line, is written in several lines.
const LINE: usize = 140;

fn write(value: &Value, depth: usize, text: &mut String) {
    let line = value.to_string();
    let parts: Vec<(String, &Value)> = match value {
        _ if depth + line.len() <= LINE => Vec::new(),
        Value::Array(items) => items.iter().map(|item| (String::new(), item)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (format!("{}:", json!(name)), value)).collect()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    if parts.is_empty() {
        text.push_str(&line);
        return;
    }
    let (open, close) = if value.is_array() { ('[', ']') } else { ('{', '}') };
    let mut before = open;
    for (name, part) in parts {
        text.push(before);
        text.push('\n');
        text.push_str(&" ".repeat(depth + 1));
        text.push_str(&name);
        write(part, depth + 1, text);
        before = ',';
    }
    text.push('\n');
    text.push_str(&" ".repeat(depth));
    text.push(close);
}

/// Makes the document complete and good. What is finished stays as it is.
fn finish(document: &mut Value, games: &[Game], examples: Option<&str>) {
    head(document);
    requests::clean(document);
    tell_bytes(document);
    problems::add(document);
    caching::add(document);
    languages::add(document);
    links::add(document);
    // What the text of a message holds: no derive can say it.
    document["components"]["schemas"]["StreamMessage"]["properties"]["data"]["contentSchema"] =
        reference("CommitEntry");
    // Which other columns there are depends on the table.
    document["components"]["schemas"]["TableRow"]["additionalProperties"] = json!(true);
    let schemas = document["components"]["schemas"].as_object_mut();
    let schemas = schemas.expect("a document has schemas");
    games::add(schemas, games);
    by_game::split(schemas, games);
    variants::name(schemas);
    let (asked, answered) = (named(document, "requestBody"), named(document, "responses"));
    shape::shape(document, &names(&asked), &names(&answered));
    requests::drop_misleading(document);
    generators::help(document, &names(&asked), &names(&answered));
    drop_unused(document);
    if let Some(examples) = examples {
        examples::add(document, games, examples);
    }
}

fn head(document: &mut Value) {
    document["openapi"] = json!("3.1.0");
    document["info"] = json!({
        "title": "Muninn",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "An event-sourced engine for board games",
        "description": "Open a match, follow the legal commands, watch it live, and prove afterwards that nothing was changed. \
            Every match is an immutable chain of commits; every state can be rebuilt at every version for every viewer.\n\n\
            The first match: `openMatch` returns a token for each seat, null for open seats and those of bots; `listLegalCommands`, \
            with the token of the seat to act, lists what it may do; `submitCommand` does it. `analyse` answers what-if questions, and needs no match.\n\n\
            Schemas of a game begin with its name: `RosenkoenigCommand`, `RosenkoenigView`. The same name without a game, \
            `Command`, `View`, means that of any game. Responses may get more fields in later versions; requests are strict. What both \
            have, such as a position, is open in its schema all the same.",
        "contact": {"name": "The authors of Muninn"},
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    document["servers"] = json!([{"url": "/", "description": "This server"}]);
    document["tags"] = json!([
        {"name": "games", "description": "The catalogue: rules, printed data, schemas"},
        {"name": "analysis", "description": "What-if analysis of any position; nothing is stored"},
        {"name": "matches", "description": "Open, list, join and close matches"},
        {"name": "play", "description": "See the table and act"},
        {"name": "history", "description": "The logs, every frame, and live streams"},
        {"name": "feed", "description": "All events of all public matches"},
        {"name": "tables", "description": "Finished matches as tables, in CSV, JSON lines and Parquet, and by SQL"},
        {"name": "stats", "description": "Statistics of finished matches, and players"},
        {"name": "operation", "description": "Health and this document"},
    ]);
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document["components"]["securitySchemes"]["token"] =
        serde_json::to_value(token).expect("a scheme is plain data, which always has JSON");
    document["components"]["securitySchemes"]["token"]["description"] = json!(
        "The token of a seat, or of the owner, as issued when the match was opened or the seat was taken"
    );
    document["security"] = json!([{}]);
}

/// Media types whose bodies are bytes, not text.
const BYTES: &[&str] = &["application/vnd.apache.parquet", "application/x-tar"];

/// Says of bodies that are bytes that they are no text.
fn tell_bytes(document: &mut Value) {
    for operation in operations(document) {
        let answers = operation["responses"].as_object_mut().into_iter().flatten();
        let contents = answers.filter_map(|(_, answer)| answer.get_mut("content")?.as_object_mut());
        for (_, media) in contents.flatten().filter(|(kind, _)| BYTES.contains(&kind.as_str())) {
            media["schema"]["format"] = json!("binary");
        }
    }
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

    #[test]
    fn finishing_twice_is_finishing_once() {
        let two: &[&dyn AnyGame] = &[catalog::games()[0], &Erased::<Nim>::NEW];
        for games in [catalog::games(), two] {
            let games: Vec<Game> = games.iter().map(|game| Game::new(*game)).collect();
            let mut document = server::declared();
            finish(&mut document, &games, Some(RECORDED));
            let once = document.clone();
            finish(&mut document, &games, Some(RECORDED));
            assert_eq!(once, document);
        }
    }
}

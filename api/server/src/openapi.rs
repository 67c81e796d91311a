//! The OpenAPI document: collected from the routes, completed with the schemas of the games, and made good for generators.
//!
//! utoipa writes what Rust types say. Four things it does not say are added here: variants of tagged enums get names, a `const` tag and
//! a discriminator; integers get their limits; response fields are required, since every field is always present; and every
//! operation lists its problems.

mod games;
mod problems;
mod shape;

use actix_web::App;
use actix_web::http::Method;
use kernel::AnyGame;
use serde_json::{Value, json};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_actix_web::AppExt;

pub(crate) use engine::look::{Command, EventView, Position, View};
pub(crate) use games::json_schemas;

/// The document, and the table of paths for 405.
pub struct Document {
    /// The document as text.
    pub json: String,
    paths: Vec<(Vec<String>, Vec<Method>)>,
}

impl Document {
    /// The document of a server with these games.
    #[must_use]
    pub fn new(games: &[&'static dyn AnyGame]) -> Self {
        let document = build(games);
        let paths = document["paths"].as_object().expect("a document has paths");
        let paths = paths.iter().map(|(path, operations)| {
            let operations = operations.as_object().expect("a path has operations");
            let methods = operations
                .keys()
                .filter_map(|method| method.to_uppercase().parse().ok());
            (
                path.split('/').map(str::to_owned).collect(),
                methods.collect(),
            )
        });
        let json = serde_json::to_string_pretty(&document).expect("a JSON value has text") + "\n";
        Document {
            paths: paths.collect(),
            json,
        }
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
        self.paths
            .iter()
            .find(|(template, _)| fits(template))
            .map(|(_, methods)| methods.clone())
    }
}

fn build(games: &[&'static dyn AnyGame]) -> Value {
    let (_, api) = App::new()
        .into_utoipa_app()
        .configure(crate::routes::register)
        .split_for_parts();
    let mut document =
        serde_json::to_value(api).expect("a document is plain data, which always has JSON");
    document["openapi"] = json!("3.1.0");
    document["info"] = json!({
        "title": "Muninn",
        "version": env!("CARGO_PKG_VERSION"),
        "summary": "An event-sourced engine for board games",
        "description": "Open a match, follow the legal commands, watch it live, and prove afterwards that nothing was changed. \
            Every match is an immutable chain of commits; every state can be rebuilt at every version for every viewer.",
        "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
    });
    document["servers"] = json!([{"url": "/"}]);
    document["tags"] = json!([
        {"name": "games", "description": "The catalogue: rules, printed data, schemas"},
        {"name": "analysis", "description": "What-if on any position; nothing is stored"},
        {"name": "matches", "description": "Open, list, join and close matches"},
        {"name": "play", "description": "Look at the table and act"},
        {"name": "history", "description": "The logs, every frame, and live streams"},
        {"name": "feed", "description": "All events of all public matches"},
        {"name": "operation", "description": "Health, metrics, this document"},
    ]);
    let token = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    document["components"]["securitySchemes"]["token"] =
        serde_json::to_value(token).expect("a scheme is plain data, which always has JSON");
    document["components"]["securitySchemes"]["token"]["description"] =
        json!("The token of a seat, or of the owner, as given when the match was opened");
    document["security"] = json!([{}]);
    games::add(&mut document, games);
    shape::shape(&mut document);
    problems::add(&mut document);
    document
}

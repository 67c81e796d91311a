//! Whatever a stream may hold occurs in a recorded one: each mark of a commit, each type of event and command, and of the events of the platform each
//! field and each word.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use acceptance::files::unpacked_lines;
use serde_json::Value;

use crate::recipe::Recipe;
use crate::{ROOT, archives, names, versions};

/// The marks of commits: a spectator sees all of it, finished, closed, with the tag of a request.
const FLAGS: u64 = 1 | 2 | 4 | 8;

/// What recorded commits hold.
#[derive(Default)]
struct Found {
    flags: u64,
    /// Types, fields and words.
    parts: BTreeSet<String>,
    /// The game of each match.
    games: BTreeMap<String, String>,
}

impl Found {
    /// Reads a file of the store's commits, whose lines name their match, or follow one that does.
    fn read(&mut self, file: &Path, schemas: &Value) {
        let mut id = String::new();
        for line in unpacked_lines(file) {
            if line["match"].is_string() {
                id = named(&line["match"]);
            }
            // Notes have a text too.
            if let (true, Some(text)) = (line["hash"].is_string(), line["text"].as_str()) {
                self.flags |= line["flags"].as_u64().expect("flags");
                self.commit(&id, &serde_json::from_str(text).expect("JSON"), schemas);
            }
        }
    }

    fn commit(&mut self, id: &str, commit: &Value, schemas: &Value) {
        let events = commit["events"].as_array().expect("events");
        if commit["commit"] == 1 {
            let opened = events.last().expect("commit 1 ends with `TableOpened`");
            self.games.insert(id.to_owned(), named(&opened["game"]));
        }
        let game = self.games.get(id).expect("its first commit was read").clone();
        for event in events {
            let kind = named(&event["type"]);
            if schemas[format!("Event{kind}")].is_object() {
                self.holds(event, &kind);
            }
            self.parts.insert(format!("{game}: Event {kind}"));
        }
        if commit["command"].is_object() {
            self.parts.insert(format!("{game}: Command {}", named(&commit["command"]["type"])));
        }
    }

    /// The fields and words of an event of the platform; what is null is not there.
    fn holds(&mut self, value: &Value, at: &str) {
        match value {
            Value::Null => return,
            Value::Bool(_) | Value::Number(_) => {}
            Value::String(word) => {
                self.parts.insert(format!("{at}: {word}"));
            }
            Value::Array(items) => items.iter().for_each(|item| self.holds(item, at)),
            Value::Object(fields) => {
                fields.iter().for_each(|(name, field)| self.holds(field, &format!("{at}/{name}")));
            }
        }
        self.parts.insert(at.to_owned());
    }
}

fn named(value: &Value) -> String {
    value.as_str().expect("a name").to_owned()
}

/// Adds the fields and words that a value of this schema may have.
fn may_hold(schema: &Value, schemas: &Value, at: &str, wanted: &mut BTreeSet<String>) {
    if let Some(path) = schema["$ref"].as_str() {
        let name = path.rsplit('/').next().unwrap_or_default();
        return may_hold(&schemas[name], schemas, at, wanted);
    }
    let ways = ["anyOf", "oneOf", "allOf"].iter().filter_map(|word| schema[*word].as_array());
    let items = schema.get("items");
    ways.flatten().chain(items).for_each(|part| may_hold(part, schemas, at, wanted));
    let words = schema["enum"].as_array().into_iter().flatten().filter_map(Value::as_str);
    wanted.extend(words.map(|word| format!("{at}: {word}")));
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        may_hold(field, schemas, &at, wanted);
        wanted.insert(at);
    }
}

/// The types of a game's events or commands.
fn kinds(schemas: &Value, game: &str, role: &str) -> BTreeSet<String> {
    let types = &schemas[format!("{}{role}", kernel::pascal(game))]["oneOf"];
    let kind = |one: &Value| {
        let path = one["$ref"].as_str().expect("a type has a name");
        named(&schemas[path.rsplit('/').next().unwrap_or_default()]["properties"]["type"]["const"])
    };
    types.as_array().expect("a choice of types").iter().map(kind).collect()
}

/// All that the document describes.
fn wanted(schemas: &Value) -> BTreeSet<String> {
    let mut wanted = BTreeSet::new();
    for info in catalog::games().iter().map(|game| game.info()) {
        for role in ["Event", "Command"] {
            let kinds = kinds(schemas, info.id, role);
            wanted.extend(kinds.into_iter().map(|kind| format!("{}: {role} {kind}", info.id)));
        }
        wanted.insert(format!("{}: Event PositionLoaded", info.id));
    }
    for (name, schema) in schemas.as_object().expect("schemas by name") {
        let kind = name.strip_prefix("Event").unwrap_or_default();
        if schema["properties"]["type"]["const"] == kind {
            may_hold(schema, schemas, kind, &mut wanted);
        }
    }
    assert!(wanted.contains("TableOpened/sandbox/replies"), "the document is read wrongly");
    wanted
}

fn document() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/openapi.json");
    serde_json::from_str(&fs::read_to_string(path).expect("a file")).expect("JSON")
}

/// The platform takes every event of such a type for its own, before the game reads it.
#[test]
fn no_game_names_an_event_like_one_of_the_platform() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let names = schemas.as_object().expect("schemas by name").keys();
    let of_platform = |name: &String| {
        let kind = name.strip_prefix("Event")?;
        (schemas[name]["properties"]["type"]["const"] == kind).then(|| kind.to_owned())
    };
    let mut platform: BTreeSet<String> = names.filter_map(of_platform).collect();
    // Its schema differs from game to game.
    platform.insert("PositionLoaded".to_owned());
    assert_eq!(platform.len(), 6, "{platform:?}");
    for info in catalog::games().iter().map(|game| game.info()) {
        let kinds = kinds(schemas, info.id, "Event");
        assert!(kinds.contains("MatchStarted") && kinds.is_disjoint(&platform), "{}", info.id);
    }
}

/// The files of all versions, and the archives: only these have a private match.
fn files() -> Vec<PathBuf> {
    let root = Path::new(ROOT);
    let archived = archives::FILES.map(|name| root.join(archives::FOLDER).join(name));
    let of_version = |(version, _): &(&str, Recipe)| {
        let folder = root.join(version);
        let files = names(&folder).into_iter().filter(|name| name.ends_with(".zst"));
        files.map(|name| folder.join(name)).collect::<Vec<_>>()
    };
    versions().iter().flat_map(of_version).chain(archived).collect()
}

#[test]
fn whatever_a_stream_may_hold_is_recorded() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let mut found = Found::default();
    files().iter().for_each(|file| found.read(file, schemas));
    let wanted = wanted(schemas);
    let missing: Vec<_> = wanted.difference(&found.parts).collect();
    assert!(missing.is_empty(), "in no recorded stream (CONTRIBUTING.md): {missing:#?}");
    assert_eq!(found.flags, FLAGS, "each mark, and no other");
}

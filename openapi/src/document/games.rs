//! The schemas of the games in the document, and alone.

use std::collections::{BTreeMap, BTreeSet};

use kernel::{AnyGame, Tracked};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};
use utoipa::PartialSchema;

use super::order::ordered;
use super::platform;
use super::references::{COMPONENTS, reach, reference, target};
use super::{printed, shape, variants};

/// Names in the document that mean "of any game", and the role of a game's schema that they stand for.
pub(super) const ANY: &[(&str, &str)] = &[
    ("Options", "options"),
    ("MatchOptions", "match_options"),
    ("Position", "position"),
    ("View", "match_view"),
    ("Command", "command"),
    ("Event", "event"),
    ("EventView", "event_view"),
    ("Place", "place"),
    ("PrintedData", "data"),
];

/// The name of the schema of a piece.
const PIECE: &str = "Piece";

/// What `submitCommand` takes with `dry_run` beside a `Command`.
const HALF_COMMAND: &str = "HalfCommand";

/// The schemas of one game, with names for all variants.
pub(super) struct Game {
    pub(super) id: &'static str,
    /// From role to the name of its schema.
    pub(super) roles: BTreeMap<&'static str, String>,
    /// From name to schema.
    schemas: Map<String, Value>,
}

impl Game {
    pub(super) fn new(known: &dyn AnyGame) -> Self {
        let kernel::Schemas { roles, components } = known.schemas();
        let mut game =
            Game { id: known.info().id, roles, schemas: components.into_iter().collect() };
        game.drop_forms();
        variants::name(&mut game.schemas);
        game.name_game();
        game.add_version();
        game.add_match_options();
        game.add_match_view();
        game.add_log_events();
        game.add_data(known.data().get());
        game
    }

    /// `FieldForm` is how a field is written, which is all that a client knows of it: it is called `Field` here.
    fn drop_forms(&mut self) {
        let forms: Vec<(String, String)> = self
            .schemas
            .keys()
            .filter_map(|form| Some((form.clone(), form.strip_suffix("Form")?.to_owned())))
            .collect();
        for (form, name) in forms {
            let other = self.schemas.get(&name);
            if other.is_some_and(|other| *other != self.schemas[&form]) {
                continue;
            }
            let schema = self.schemas.remove(&form);
            self.schemas.extend(schema.map(|schema| (name.clone(), schema)));
            for schema in self.schemas.values_mut() {
                rename(schema, &form, &name);
            }
            for role in self.roles.values_mut().filter(|role| **role == form) {
                role.clone_from(&name);
            }
        }
    }

    /// The options of a match, defaults filled in: what a position has as `options`.
    fn add_match_options(&mut self) {
        let position = &self.schemas[&self.roles["position"]];
        if let Some(name) = target(&position["properties"]["options"]) {
            self.roles.insert("match_options", name.to_owned());
        }
    }

    /// The view of a match, which has its version beside what the game shows.
    fn add_match_view(&mut self) {
        let name = format!("{}MatchView", self.prefix());
        let mut schema = json!({
            "type": "object",
            "description": "A match of this game at a version, as a viewer may see it.",
            "allOf": [reference(&self.roles["view"])],
            "required": ["version"],
            "properties": {
                "version": {"type": "integer", "format": "int64", "minimum": 1, "description": "The version."},
                "pieces": {"type": "array", "items": reference(PIECE), "description": "With `include=pieces`: the pieces that everybody sees, by kind and number."},
            },
        });
        if self.is_named("view") {
            // What tells the views of one game from those of another.
            schema["properties"]["game"] = self.constant();
        }
        self.schemas.insert(name.clone(), schema);
        self.schemas.insert(PIECE.to_owned(), json!(Tracked::schema()));
        self.roles.insert("match_view", name);
    }

    /// What stands in a log: events as a viewer may see them, in full where the match is finished, and those of the platform.
    fn add_log_events(&mut self) {
        let Game { id: _, roles, schemas } = self;
        let full = variants::leaves(&roles["event"], schemas);
        let mut names = Vec::new();
        for seen in variants::leaves(&roles["event_view"], schemas) {
            let same = full.iter().find(|full| variants::alike(&schemas[*full], &schemas[&seen]));
            names.push(same.unwrap_or(&seen).clone());
        }
        names.extend(full);
        let prefix = prefix(roles);
        let loaded = format!("{prefix}EventPositionLoaded");
        let position = [&roles["view"], &roles["position"]].map(|name| reference(name));
        schemas.insert(
            loaded.clone(),
            json!({
                "type": "object",
                "description": "The match began from a given position: the first event of its first commit. Redacted like a view.",
                "required": ["type", "position"],
                "properties": {
                    "type": {"type": "string", "const": "PositionLoaded"},
                    "position": {"anyOf": position, "description": "The position in full when the match is finished, otherwise the view of it."},
                },
            }),
        );
        names.push(loaded);
        names.extend(platform::add(schemas));
        let mut known = BTreeSet::new();
        names.retain(|name| known.insert(name.clone()));
        let any: Vec<Value> = names.iter().map(|name| reference(name)).collect();
        let log = format!("{prefix}EventView");
        schemas.insert(
            log.clone(),
            json!({
                "description": "An event in the log of a match of this game, as the viewer may see it and in full when the match is finished; or an event of the platform.",
                "anyOf": any,
            }),
        );
        roles.insert("event_view", log);
    }

    /// The printed data are what they are: their schema says which fields they have.
    fn add_data(&mut self, data: &str) {
        let data: Value = serde_json::from_str(data).expect("printed data are JSON");
        let mut schema = printed::schema(&[&data]);
        schema["description"] = json!("The printed data of this game.");
        let name = format!("{}PrintedData", self.prefix());
        self.schemas.insert(name.clone(), schema);
        self.roles.insert("data", name);
    }

    /// Half a command: any fields of the commands of this game, and the spot that it names. The engine completes it, so no type of ours has
    /// its shape.
    fn half_command(&self) -> Value {
        let commands = variants::leaves(&self.roles["command"], &self.schemas);
        let mut kinds = Vec::new();
        let mut fields: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for command in &commands {
            let properties = self.schemas[command]["properties"].as_object();
            for (name, schema) in properties.into_iter().flatten() {
                if name == "type" {
                    kinds.push(schema["const"].clone());
                    continue;
                }
                let known = fields.entry(name).or_default();
                for mut schema in ways(schema) {
                    // What it means depends on the command.
                    schema.as_object_mut().map(|schema| schema.remove("description"));
                    if !known.contains(&schema) {
                        known.push(schema);
                    }
                }
            }
        }
        let mut properties = Map::new();
        for (name, schemas) in fields {
            properties.insert(name.to_owned(), self.any_way(schemas));
        }
        let about = |text: &str| json!({"type": "string", "description": text});
        properties.insert("type".to_owned(), about("The type of the command."));
        properties["type"]["enum"] = json!(kinds);
        properties
            .insert("spot".to_owned(), about("A spot of the picture that the command names."));
        json!({
            "type": "object",
            "description": "Half a command of this game, for dry runs: its `type`, or a `spot` that it names, or both, and the fields that are already chosen.",
            "minProperties": 1,
            "properties": properties,
        })
    }

    /// What may be any of these, with the words of several enums in one enum: some generators cannot join two enums that have names.
    fn any_way(&self, ways: Vec<Value>) -> Value {
        let words = |way: &Value| {
            let schema = target(way).and_then(|name| self.schemas.get(name)).unwrap_or(way);
            schema["enum"].as_array().filter(|_| schema["type"] == "string").cloned()
        };
        let (enums, mut any): (Vec<Value>, Vec<Value>) =
            ways.iter().cloned().partition(|way| words(way).is_some());
        let mut all = Vec::new();
        for word in enums.iter().filter_map(words).flatten() {
            if !all.contains(&word) {
                all.push(word);
            }
        }
        if enums.len() > 1 {
            any.insert(0, json!({"type": "string", "enum": all}));
        } else {
            any = ways;
        }
        if any.len() == 1 { any.remove(0) } else { json!({"anyOf": any}) }
    }

    /// The view of a match in one piece: some generators leave out what stands beside `allOf`.
    fn whole_match_view(&self) -> Value {
        let schema = &self.schemas[&self.roles["match_view"]];
        if self.schemas[&self.roles["view"]]["properties"].is_object() {
            return variants::flat(schema, &self.schemas);
        }
        let own = json!({
            "type": "object",
            "required": schema["required"],
            "properties": schema["properties"],
        });
        json!({"description": schema["description"], "allOf": [schema["allOf"][0], own]})
    }

    /// The objects that the schema of this role may be.
    pub(super) fn objects(&self, role: &str) -> Vec<&Value> {
        let name = self.roles.get(role);
        let leaves = name.map(|name| variants::leaves(name, &self.schemas)).unwrap_or_default();
        let schemas = leaves.iter().filter_map(|name| self.schemas.get(name));
        schemas.filter(|schema| schema["type"] == "object").collect()
    }

    /// Views and positions with a property `game` have the game's own name there, which tells them from those of other games.
    fn name_game(&mut self) {
        for role in ["view", "position"] {
            let schema = self.schemas.get_mut(&self.roles[role]);
            if let Some(game) = schema.and_then(|schema| schema["properties"].get_mut("game")) {
                *game = constant(self.id);
            }
        }
    }

    /// A position in a request may have the version of the view that it was made from.
    fn add_version(&mut self) {
        let schema = self.schemas.get_mut(&self.roles["position"]);
        let properties = schema.and_then(|schema| schema.get_mut("properties")?.as_object_mut());
        let version = json!({
            "type": "integer",
            "format": "uint64",
            "description": "In requests, the version of the view that it was made from may be here; it has no meaning.",
        });
        if let Some(properties) = properties {
            properties.insert("version".to_owned(), version);
        }
    }

    /// What the names of the game's schemas begin with.
    pub(super) fn prefix(&self) -> &str {
        prefix(&self.roles)
    }

    /// The schema of the game's own name.
    pub(super) fn constant(&self) -> Value {
        constant(self.id)
    }

    /// Does the schema of this role say which game it is?
    fn is_named(&self, role: &str) -> bool {
        let schema = self.roles.get(role).and_then(|name| self.schemas.get(name));
        schema.is_some_and(|schema| schema["properties"]["game"]["const"] == self.id)
    }

    /// JSON Schemas (2020-12) of a game by role, each complete in itself.
    pub(super) fn json_schemas(&self) -> Box<RawValue> {
        let Game { id: _, roles, schemas } = self;
        let asked: BTreeSet<&str> =
            ["options", "position", "command"].iter().map(|role| roles[role].as_str()).collect();
        let answered: BTreeSet<&str> = roles
            .iter()
            .filter(|(role, _)| **role != "options")
            .map(|(_, name)| name.as_str())
            .collect();
        let mut document = json!({"components": {"schemas": schemas}});
        shape::shape(&mut document, &asked, &answered);
        let schemas = &document["components"]["schemas"];
        let schema = |name: &String| {
            let needed = reach(schemas, &BTreeSet::from([name.as_str()]));
            let defs: Map<String, Value> =
                needed.into_iter().map(|name| (name.clone(), schemas[&name].clone())).collect();
            json!({
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$ref": format!("{COMPONENTS}{name}"),
                "$defs": defs,
            })
        };
        let schemas: BTreeMap<&str, Value> =
            roles.iter().map(|(role, name)| (*role, schema(name))).collect();
        let text = json!(schemas).to_string().replace(COMPONENTS, "#/$defs/");
        RawValue::from_string(text).expect("it was just written")
    }
}

fn prefix<'a>(roles: &'a BTreeMap<&'static str, String>) -> &'a str {
    roles["event"].strip_suffix("Event").unwrap_or_default()
}

fn constant(id: &str) -> Value {
    json!({"type": "string", "const": id, "description": "The name of the game."})
}

/// Adds the schemas of all games, and those that mean "of any game".
pub(super) fn add(components: &mut Map<String, Value>, games: &[Game]) {
    let mut halves = Vec::new();
    for game in games {
        components.extend(game.schemas.clone());
        components.insert(game.roles["match_view"].clone(), game.whole_match_view());
        let half = format!("{}{HALF_COMMAND}", game.prefix());
        halves.push(reference(&half));
        components.insert(half, game.half_command());
    }
    components.insert(
        HALF_COMMAND.to_owned(),
        json!({"description": "Half a command, by game.", "anyOf": halves}),
    );
    components["CommandRequest"]["properties"]["command"] = json!({
        "description": "One of the legal commands; with `dry_run` also half of one.",
        "anyOf": [reference("Command"), reference(HALF_COMMAND)],
    });
    for (name, role) in ANY {
        let mut any = any_of(games, role);
        if let Some(known) = components.get(*name) {
            any["description"] = known["description"].clone();
        }
        components.insert((*name).to_owned(), any);
    }
}

/// What a field may be: one of these, where it is a choice that is written in place, such as that with null.
fn ways(schema: &Value) -> Vec<Value> {
    let choice = schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array());
    choice.cloned().unwrap_or_else(|| vec![schema.clone()])
}

/// The schema of one of the games, whichever it is.
fn any_of(games: &[Game], role: &str) -> Value {
    let with_role: Vec<(&Game, &String)> = ordered(games, role)
        .into_iter()
        .filter_map(|game| Some((game, game.roles.get(role)?)))
        .collect();
    let any: Vec<Value> = with_role.iter().map(|(_, name)| reference(name)).collect();
    let mapping: Option<Map<String, Value>> = with_role
        .iter()
        .map(|(game, name)| {
            let target = json!(format!("{COMPONENTS}{name}"));
            game.is_named(role).then(|| (game.id.to_owned(), target))
        })
        .collect();
    match (any.as_slice(), mapping) {
        ([], _) => json!({"type": "object"}),
        ([one], _) => one.clone(),
        (_, Some(mapping)) => json!({
            "oneOf": any,
            "discriminator": {"propertyName": "game", "mapping": mapping},
        }),
        (_, None) => json!({"anyOf": any}),
    }
}

fn rename(schema: &mut Value, from: &str, to: &str) {
    shape::each_object(schema, &mut |object| {
        if target(object) == Some(from) {
            object["$ref"] = json!(format!("{COMPONENTS}{to}"));
        }
    });
}

//! Schemas of the platform that carry something of a game, once for each game: a client of one game needs no cast.
//!
//! `EventPage` becomes `RosenkoenigEventPage` and so on, each with events of its own game alone, and `EventPage` means any of them.
//! Where there is a field `game`, or in the catalogue `id`, it tells which one: a constant in each, and the discriminator of them all.

use serde_json::{Map, Value, json};

use super::games::{ANY, Game};
use super::order::ordered;
use super::references::{COMPONENTS, reference, target};
use super::shape::each_object;

/// What is split, parts before what they are parts of.
const SPLIT: &[&str] = &[
    "CommitEntry",
    "EventEntry",
    "Frame",
    "CommandPage",
    "CommitPage",
    "EventPage",
    "FeedEntry",
    "MatchInfo",
    "OpenRequest",
    "GameInfo",
];

/// Splits the schemas. What is split already stays as it is.
pub(super) fn split(schemas: &mut Map<String, Value>, games: &[Game]) {
    let mut done: Vec<&str> = Vec::new();
    // What tells a commit of one game from one of another is its events.
    let games = ordered(games, "event_view");
    for name in SPLIT {
        let whole = schemas.get(*name).cloned().unwrap_or_default();
        if !whole["properties"].is_object() {
            continue;
        }
        done.push(name);
        // In the catalogue a game's own name is its id.
        let tag = if *name == "GameInfo" { "id" } else { "game" };
        let named = whole["properties"].get(tag).is_some();
        let mut mapping = Map::new();
        let mut any = Vec::new();
        for game in &games {
            let mut own = whole.clone();
            narrow(&mut own, game, &done);
            if named {
                own["properties"][tag] = game.constant();
            }
            let own_name = format!("{}{name}", game.prefix());
            mapping.insert(game.id.to_owned(), json!(format!("{COMPONENTS}{own_name}")));
            any.push(reference(&own_name));
            schemas.insert(own_name, own);
        }
        let mut all = json!({"description": whole["description"]});
        if named {
            all["oneOf"] = json!(any);
            all["discriminator"] = json!({"propertyName": tag, "mapping": mapping});
        } else {
            all["anyOf"] = json!(any);
        }
        schemas.insert((*name).to_owned(), all);
    }
    flatten(schemas, "FeedLine");
}

/// Puts the members of unions in this union in their place: some generators have no way to tell whether something is of an inner one.
fn flatten(schemas: &mut Map<String, Value>, name: &str) {
    let Some(members) = schemas.get(name).and_then(|union| union["oneOf"].as_array()) else {
        return;
    };
    let inner = |member: &Value| {
        let union = target(member).and_then(|name| schemas.get(name))?;
        union["oneOf"].as_array().cloned()
    };
    let flat: Vec<Value> = members
        .iter()
        .flat_map(|member| inner(member).unwrap_or_else(|| vec![member.clone()]))
        .collect();
    schemas[name]["oneOf"] = json!(flat);
}

/// Replaces references to what any game has by those to what this game has.
fn narrow(schema: &mut Value, game: &Game, done: &[&str]) {
    each_object(schema, &mut |object| {
        let own = target(object).and_then(|name| {
            let role = ANY.iter().find(|(any, _)| *any == name);
            let of_role = role.and_then(|(_, role)| game.roles.get(role).cloned());
            of_role.or_else(|| done.contains(&name).then(|| format!("{}{name}", game.prefix())))
        });
        if let Some(own) = own {
            object["$ref"] = json!(format!("{COMPONENTS}{own}"));
        }
    });
}

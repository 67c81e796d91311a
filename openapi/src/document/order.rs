//! The order of the members of a union that nothing tells apart.
//!
//! Most generators take the first member that fits, and drop the fields that it does not have. So who says more comes first.

use serde_json::{Map, Value};

use super::games::Game;

/// The games in an order in which what one of them has in this role does not pass for what an earlier one has. Otherwise they stay as they are.
pub(super) fn ordered<'a>(games: &'a [Game], role: &str) -> Vec<&'a Game> {
    let mut left: Vec<(&Game, Vec<&Value>)> =
        games.iter().map(|game| (game, game.objects(role))).collect();
    let mut ordered = Vec::new();
    while !left.is_empty() {
        let first = left.iter().position(|(game, objects)| {
            !left.iter().any(|(other, others)| other.id != game.id && loses(objects, others))
        });
        // In a ring nobody can be first; a test finds out what is lost then.
        let (game, _) = left.remove(first.unwrap_or(0));
        ordered.push(game);
    }
    ordered
}

/// Would one of these objects take one of the others, and lose fields of it?
fn loses(objects: &[&Value], others: &[&Value]) -> bool {
    objects.iter().any(|object| others.iter().any(|other| swallows(object, other)))
}

/// Has the other one all fields of this one and more, and no constant that differs?
fn swallows(object: &Value, other: &Value) -> bool {
    let none = Map::new();
    let own = object["properties"].as_object().unwrap_or(&none);
    let more = other["properties"].as_object().unwrap_or(&none);
    own.len() < more.len()
        && own.iter().all(|(name, schema)| {
            more.get(name).is_some_and(|other| {
                let (one, other) = (&schema["const"], &other["const"]);
                one.is_null() || other.is_null() || one == other
            })
        })
}

//! What generators of clients misread. The schemas of each game (`GET /v1/games/{game}`) stay as they are.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::references::{reach, target};
use super::shape::{each_object, is_type};

/// Says of every object whether it may have other fields, and leaves no words at the members of unions. `asked` are the names that requests
/// begin with, `answered` those that answers begin with.
///
/// Generators take an object of which no field is told for one that has none, and drop what it has. And a member with a description of its
/// own is no plain reference for them: they never declare the type that it gets.
pub(super) fn help(document: &mut Value, asked: &BTreeSet<&str>, answered: &BTreeSet<&str>) {
    let schemas = &mut document["components"]["schemas"];
    let answered = reach(schemas, answered);
    // What only a client sends is closed; without any field it is, too.
    for name in reach(schemas, asked).difference(&answered) {
        say(&mut schemas[name], false);
    }
    each_object(document, &mut |schema| say(schema, true));
    each_object(document, &mut plain_members);
}

/// Says whether an object of which no field is told may have any.
fn say(schema: &mut Value, open: bool) {
    let told = ["properties", "additionalProperties"].iter().any(|key| schema.get(key).is_some());
    if is_type(schema, "object") && !told {
        schema["additionalProperties"] = json!(open);
    }
}

fn plain_members(schema: &mut Value) {
    for union in ["oneOf", "anyOf"] {
        let members = schema.get_mut(union).and_then(Value::as_array_mut);
        for member in members.into_iter().flatten().filter(|member| target(member).is_some()) {
            member.as_object_mut().map(|member| member.remove("description"));
        }
    }
}

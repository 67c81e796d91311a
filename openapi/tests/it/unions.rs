//! What generators make of unions and objects.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::document::document;

/// The name of the schema that this one refers to.
fn target(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str()?.strip_prefix("#/components/schemas/")
}

/// The members of a union.
fn members(schema: &Value) -> Option<&Vec<Value>> {
    schema["oneOf"].as_array().or_else(|| schema["anyOf"].as_array())
}

/// The schemas that a value of this one may have, in the order in which they are tried.
fn tried<'a>(schemas: &'a Value, name: &'a str) -> Vec<&'a str> {
    let Some(members) = members(&schemas[name]) else { return vec![name] };
    members.iter().filter_map(target).flat_map(|member| tried(schemas, member)).collect()
}

/// Which fields are lost if what is of the second schema is taken for the first? `None` if the first one refuses it.
fn lost<'a>(first: &Value, second: &'a Value) -> Option<BTreeSet<&'a str>> {
    if [first, second].iter().any(|schema| schema["type"] != "object") {
        return None;
    }
    let fields = second["properties"].as_object()?;
    let mut required = first["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let has_all = required.all(|name| fields.contains_key(name));
    let told_apart = fields.iter().any(|(name, field)| {
        let known = &first["properties"][name]["const"];
        !known.is_null() && !field["const"].is_null() && *known != field["const"]
    });
    let names = fields.keys().map(String::as_str);
    let more: BTreeSet<&str> =
        names.filter(|name| first["properties"].get(*name).is_none()).collect();
    let is_refused = first["additionalProperties"] == json!(false) && !more.is_empty();
    (has_all && !told_apart && !is_refused).then_some(more)
}

/// Most generators take the first member that fits.
#[test]
fn no_member_of_a_union_takes_a_later_one_and_loses_its_fields() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let mut alike = 0;
    for name in schemas.as_object().unwrap().keys() {
        let tried = tried(schemas, name);
        for (place, first) in tried.iter().enumerate() {
            for second in &tried[place + 1..] {
                if let Some(lost) = lost(&schemas[*first], &schemas[*second]) {
                    alike += 1;
                    assert!(lost.is_empty(), "{name}: {first} takes {second} without {lost:?}");
                }
            }
        }
    }
    assert!(alike > 10, "{alike}: games have events of the same form");
}

/// Calls `check` on every part of a schema, with its place.
fn each(schema: &Value, place: &str, check: &mut impl FnMut(&Value, &str)) {
    check(schema, place);
    let fields = schema.as_object().into_iter().flatten();
    for (name, part) in fields.filter(|(name, _)| *name != "examples") {
        each(part, &format!("{place}/{name}"), check);
    }
    for part in schema.as_array().into_iter().flatten() {
        each(part, place, check);
    }
}

#[test]
fn schemas_have_no_form_that_generators_misread() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let words = |member: &&Value| {
        let named = target(member).map_or(&Value::Null, |name| &schemas[name]);
        named["enum"].is_array() && named["type"] == "string"
    };
    each(schemas, "", &mut |schema, place| {
        let is_bare = schema["properties"].is_null() && schema["additionalProperties"].is_null();
        assert!(schema["type"] != "object" || !is_bare, "{place}: which fields does it have?");
        let is_beside = schema["allOf"].is_array() && schema["properties"].is_object();
        assert!(!is_beside, "{place}: fields beside allOf are left out");
        let members = members(schema).map(Vec::as_slice).unwrap_or_default();
        let described = members.iter().any(|member| {
            target(member).is_some() && member.as_object().is_some_and(|fields| fields.len() > 1)
        });
        assert!(!described, "{place}: a member is a reference and nothing else");
        let enums = members.iter().filter(words).count();
        assert!(enums < 2, "{place}: one enum can have all words");
    });
}

//! The JSON Schemas of the game hang together.

use kernel::{AnyGame, Erased};
use rosenkoenig::Rosenkoenig;
use serde_json::Value;

fn references<'a>(value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str));
            fields.values().for_each(|value| references(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| references(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_reference_has_a_schema_of_this_game_or_the_kernel() {
    let schemas = Erased::<Rosenkoenig>::NEW.schemas();
    for (name, schema) in &schemas.components {
        assert!(name.starts_with("Rosenkoenig") || name == "Seat" || name == "Viewer", "{name}");
        let mut found = Vec::new();
        references(schema, &mut found);
        for reference in found {
            let target = reference.strip_prefix("#/components/schemas/").unwrap();
            assert!(schemas.components.contains_key(target), "{name} refers to {target}");
        }
    }
    assert!(schemas.roles.values().all(|name| schemas.components.contains_key(name)));
}

#[test]
fn a_card_is_one_of_24_texts_in_card_order() {
    let schemas = Erased::<Rosenkoenig>::NEW.schemas();
    let listed = &schemas.components["RosenkoenigCard"]["enum"];
    assert_eq!(*listed, serde_json::json!(crate::oracle::cards()));
}

//! The JSON Schemas have the cards and the bounds of the specification.

use serde_json::Value;

#[test]
fn a_card_is_one_of_24_texts_in_card_order() {
    let schemas = rosenkoenig::GAME.schemas();
    let listed = &schemas.components["RosenkoenigCard"]["enum"];
    assert_eq!(*listed, serde_json::json!(crate::oracle::cards()));
}

/// What is counted in this game, with the most that the specification allows (sections 3, 5 and 10).
const MOST: [(&str, u64); 11] = [
    ("x", 8),
    ("y", 8),
    ("heroes_left", 4),
    ("stones_left", 52),
    ("stones", 52),
    ("size", 52),
    ("largest_area", 52),
    ("points", 52 * 52),
    ("draw_pile_left", 24),
    ("count", 24),
    ("rank", 2),
];

/// Every property of every schema, by name.
fn properties<'a>(schema: &'a Value, found: &mut Vec<(&'a str, &'a Value)>) {
    match schema {
        Value::Object(fields) => {
            let own = fields.get("properties").and_then(Value::as_object).into_iter().flatten();
            found.extend(own.map(|(name, property)| (name.as_str(), property)));
            fields.values().for_each(|value| properties(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| properties(value, found)),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn numbers_have_the_bounds_of_the_specification() {
    let schemas = rosenkoenig::GAME.schemas();
    let mut met = std::collections::BTreeSet::new();
    for (name, schema) in &schemas.components {
        let mut found = Vec::new();
        properties(schema, &mut found);
        for (property, schema) in found {
            if schema["type"] == "integer" {
                let most = schema["maximum"].as_u64();
                let expected = MOST.iter().find(|(known, _)| *known == property);
                let expected = expected.map(|(_, most)| *most);
                assert_eq!(most, expected, "{property} of {name}");
                met.insert(property);
            }
        }
    }
    assert!(MOST.iter().all(|(name, _)| met.contains(name)), "{met:?}");
}

//! JSON that is nearly that of a command, a fact or a position, and must be refused.

use std::collections::BTreeSet;

use kernel::Game;
use serde_json::{Map, Value};

use crate::pointers::pointers_to;

/// The JSON object with an unknown field, with its first field twice, and with each field missing, also in the objects within it. What was tried
/// of an object that stands at the same place and looks alike is `known`, and is not tried again. An edition may be missing.
pub(super) fn broken(json: &str, known: &mut BTreeSet<String>) -> Vec<String> {
    let document: Value = serde_json::from_str(json).expect("it was just written");
    let mut all = vec![json.replacen('{', r#"{"unknown_field":1,"#, 1)];
    if let Some((key, value)) = document.as_object().and_then(|fields| fields.iter().next()) {
        all.push(json.replacen('{', &format!("{{{}:{value},", Value::from(key.as_str())), 1));
    }
    for pointer in pointers_to(&document, Value::is_object) {
        let fields = document.pointer(&pointer).and_then(Value::as_object);
        let fields = fields.expect("the pointer was found in this value");
        let place = place(&pointer, fields);
        for key in fields.keys().filter(|key| *key != "edition") {
            if known.insert(format!("{place} {key}")) {
                all.push(without(&document, &pointer, key));
            }
        }
    }
    all
}

/// Where an object stands, whatever its place in a list, and how it looks: its fields, and its kind.
fn place(pointer: &str, fields: &Map<String, Value>) -> String {
    let steps = pointer.split('/');
    let steps: Vec<&str> =
        steps.map(|step| if step.parse::<usize>().is_ok() { "*" } else { step }).collect();
    let keys: Vec<&String> = fields.keys().collect();
    let kinds = ["type", "kind"].map(|tag| fields.get(tag).and_then(Value::as_str));
    format!("{} {keys:?} {kinds:?}", steps.join("/"))
}

fn without(document: &Value, pointer: &str, key: &str) -> String {
    let mut document = document.clone();
    let fields = document.pointer_mut(pointer).and_then(Value::as_object_mut);
    fields.expect("the pointer was found in this value").remove(key);
    document.to_string()
}

/// Whether a position is refused: by its shape, or when it is loaded, as without a field that only some editions have.
pub(super) fn is_refused<G: Game>(position: &str) -> bool {
    let form = serde_json::from_str::<G::PositionForm>(position);
    !form.is_ok_and(|form| G::admit(form).is_ok())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::{Value, json};

    use super::{broken, is_refused};
    use crate::Nim;

    #[test]
    fn fields_of_objects_within_are_missing_too() {
        let fact = json!({"cities": [{"at": 1}, {"at": 2}], "edition": 1}).to_string();
        let mut known = BTreeSet::new();
        let expected = [
            r#"{"unknown_field":1,"cities":[{"at":1},{"at":2}],"edition":1}"#,
            r#"{"cities":[{"at":1},{"at":2}],"cities":[{"at":1},{"at":2}],"edition":1}"#,
            r#"{"cities":[{},{"at":2}],"edition":1}"#,
            r#"{"edition":1}"#,
        ];
        assert_eq!(broken(&fact, &mut known), expected);
        assert_eq!(broken(&fact, &mut known), expected[..2], "the others are known");
        let mut other = |fact: &str| broken(fact, &mut known).len() - 2;
        assert_eq!(other(r#"{"cities":[],"edition":1}"#), 0);
        assert_eq!(other(r#"{"cities":[{"kind":"ship"}],"edition":1}"#), 1);
        assert_eq!(other(r#"{"cities":[{"kind":"port"}],"edition":1}"#), 1);
    }

    #[test]
    fn a_position_is_refused_by_its_shape_or_when_it_is_loaded() {
        let position = |heaps: Value| {
            let position =
                json!({"heaps": heaps, "lucky": [3, 4], "active_seat": 0, "winner": null});
            position.to_string()
        };
        assert!(!is_refused::<Nim>(&position(json!([1]))));
        assert!(is_refused::<Nim>(&position(json!(1))), "by its shape");
        assert!(is_refused::<Nim>(&position(json!([]))), "by N-30");
    }
}

//! Parameters and headers that several operations have, written once.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::operations::operations;

/// Moves what is declared more than once to the components. Of each name the most frequent declaration moves, and has its name there.
pub(super) fn share(document: &mut Value) {
    move_out(document, "parameters", |operation| {
        // Not by its index, which would write a null where there are none.
        let parameters = operation.get_mut("parameters").and_then(Value::as_array_mut);
        let parameters = parameters.into_iter().flatten();
        parameters.map(|p| (p["name"].as_str().unwrap_or_default().to_owned(), p)).collect()
    });
    move_out(document, "headers", |operation| {
        let responses = operation["responses"].as_object_mut().into_iter().flatten();
        let headers =
            responses.filter_map(|(_, answer)| answer.get_mut("headers")?.as_object_mut());
        headers.flatten().map(|(name, header)| (name.clone(), header)).collect()
    });
}

fn move_out(
    document: &mut Value,
    section: &str,
    declared: fn(&mut Value) -> Vec<(String, &mut Value)>,
) {
    let mut counts = BTreeMap::<(String, String), (usize, Value)>::new();
    for operation in operations(document) {
        for (name, declaration) in declared(operation) {
            let count = counts.entry((name, declaration.to_string()));
            count.or_insert((0, declaration.clone())).0 += 1;
        }
    }
    let mut shared = BTreeMap::<String, (usize, Value)>::new();
    for ((name, _), (count, declaration)) in counts {
        let best = shared.entry(name).or_insert((1, Value::Null));
        if count > best.0 {
            *best = (count, declaration);
        }
    }
    for operation in operations(document) {
        for (name, declaration) in declared(operation) {
            if shared[&name].1 == *declaration {
                *declaration = json!({"$ref": format!("#/components/{section}/{name}")});
            }
        }
    }
    for (name, (_, declaration)) in shared.into_iter().filter(|(_, (count, _))| *count > 1) {
        document["components"][section][name] = declaration;
    }
}

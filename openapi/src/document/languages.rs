//! The languages of texts: the header that asks for one, and the header that says which one it is.

use serde_json::{Value, json};

use super::operations::{id_of, operations};

/// What has texts in a language, beside what has the parameter `lang`.
const SPOKEN: &[&str] = &["listGames", "getGame"];

/// What a rule may refuse: the problem has the text of the rule in a language.
const RULED: &[&str] = &["analyse", "createPosition", "openMatch", "createBranch", "takeBack"];

/// Adds the headers Accept-Language and Content-Language.
pub(super) fn add(document: &mut Value) {
    for operation in operations(document) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let asked = parameters.iter().any(|known| known["name"] == "lang");
        let id = id_of(operation);
        let spoken = asked || SPOKEN.contains(&id.as_str());
        if !spoken && !RULED.contains(&id.as_str()) {
            continue;
        }
        let parameter = json!({
            "name": "Accept-Language",
            "in": "header",
            "description": "The languages of the texts, in order of preference. English if there is none of them",
            "required": false,
            "schema": {"type": "string"},
        });
        let others = parameters.into_iter().filter(|known| known["name"] != parameter["name"]);
        operation["parameters"] = others.chain([parameter.clone()]).collect();
        let answers = operation["responses"].as_object_mut().into_iter().flatten();
        for (_, answer) in answers.filter(|(status, _)| spoken && status.starts_with('2')) {
            answer["headers"][CONTENT_LANGUAGE] = content_language();
        }
    }
}

/// The header that says which language it is.
pub(super) const CONTENT_LANGUAGE: &str = "Content-Language";

/// What it is.
pub(super) fn content_language() -> Value {
    json!({"description": "The language of the texts, if there are any", "schema": {"type": "string"}})
}

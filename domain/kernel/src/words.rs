//! The words of a game in one language, as data: what it calls its pieces, and templates for sentences about them.
//!
//! They are TOML. `[commands]` has a template for each type of command, or a table by the values of a field: `[commands.PlaceTile.mode]`.
//! A template has fields, `{tile}`, whose values are said by the table of that name, `[values.tile]`; `{as:color}` is the field `as` by
//! the table `color`. A value that the table lacks is said plainly. What is an object is said by a template, `at = "({x}, {y})"`, and a list
//! by its items. What stands in brackets is left out where a value in it is null or false, or was said before.

use serde_json::{Map, Value};

use crate::Info;

/// The words of a game in one language.
#[derive(Clone, Debug)]
pub struct Words {
    /// The language, `en`.
    pub language: &'static str,
    table: Value,
}

impl Words {
    /// The words in the first of these languages that the game has, otherwise in its first one. A language may have a region: `de-AT`.
    ///
    /// # Panics
    /// If the game has no words, or they are no TOML: a test reads them.
    #[must_use]
    pub fn of(info: &Info, wished: &[&str]) -> Self {
        let known = wished.iter().find_map(|wish| {
            let wish = wish.split('-').next().unwrap_or_default();
            info.words.iter().find(|(language, _)| language.eq_ignore_ascii_case(wish))
        });
        let (language, text) =
            known.or(info.words.first()).expect("every game has words in some language");
        let table: toml::Table = text.parse().expect("a game's words are TOML: a test reads them");
        Words { language, table: serde_json::json!(table) }
    }

    /// A command in words. `fields` are those of its JSON, and what is said beside them.
    #[must_use]
    pub fn command(&self, fields: &Map<String, Value>) -> String {
        let kind = fields.get("type").and_then(Value::as_str).unwrap_or_default();
        let mut template = &self.table["commands"][kind];
        while let Some((field, by_value)) =
            template.as_object().and_then(|table| table.iter().next())
        {
            template = &by_value[plain(fields.get(field).unwrap_or(&Value::Null))];
        }
        match template.as_str() {
            Some(template) => self.fill(template, fields),
            None => kind.to_owned(),
        }
    }

    /// Is there a template for commands of this type?
    #[must_use]
    pub fn speaks_of(&self, kind: &str) -> bool {
        !self.table["commands"][kind].is_null()
    }

    fn fill(&self, template: &str, fields: &Map<String, Value>) -> String {
        let (mut text, mut said) = (String::new(), Vec::new());
        let mut rest = template;
        while let Some((before, part)) = rest.split_once('[') {
            let (part, behind) = part.split_once(']').unwrap_or((part, ""));
            text += &self.say(before, fields, &mut said).0;
            let mut new = Vec::new();
            let (part, whole) = self.say(part, fields, &mut new);
            if whole && !new.iter().any(|value| said.contains(value)) {
                text += &part;
                said.extend(new);
            }
            rest = behind;
        }
        text + &self.say(rest, fields, &mut said).0
    }

    /// A part of a template without brackets, and whether no value in it is null or false.
    fn say(
        &self,
        part: &str,
        fields: &Map<String, Value>,
        said: &mut Vec<String>,
    ) -> (String, bool) {
        let (mut text, mut rest, mut whole) = (String::new(), part, true);
        while let Some((before, field)) = rest.split_once('{') {
            let (field, behind) = field.split_once('}').unwrap_or((field, ""));
            let (field, table) = field.split_once(':').unwrap_or((field, field));
            let value = fields.get(field).unwrap_or(&Value::Null);
            whole &= !matches!(value, Value::Null | Value::Bool(false));
            let value = self.value(table, value);
            text += before;
            text += &value;
            said.push(value);
            rest = behind;
        }
        (text + rest, whole)
    }

    fn value(&self, table: &str, value: &Value) -> String {
        let known = &self.table["values"][table];
        match value {
            Value::Object(fields) => self.fill(known.as_str().unwrap_or_default(), fields),
            Value::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| self.value(table, item)).collect();
                let groups = items.chunk_by(|one, other| one == other);
                let groups: Vec<String> = groups
                    .map(|group| match group.len() {
                        1 => group[0].clone(),
                        count => format!("{count} {}", group[0]),
                    })
                    .collect();
                if groups.is_empty() {
                    known["none"].as_str().unwrap_or_default().to_owned()
                } else {
                    groups.join(" + ")
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                let value = plain(value);
                known[&value].as_str().map_or(value.replace('_', " "), str::to_owned)
            }
        }
    }
}

/// A value as it is looked up: a string without its quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::Words;
    use serde_json::{Value, json};

    #[test]
    fn templates_say_fields_tables_lists_and_what_is_not_said_yet() {
        let table = json!({
            "commands": {
                "Use": "Use the {color} die[ as {as:color}]",
                "Call": "Call[ for {at}][ ({color})]",
                "Pay": "Pay {cards:color}",
                "Play": "Play{hero}",
                "Lay": {"mode": {"lay": "Lay {tile}", "null": "Leave it"}},
            },
            "values": {
                "color": {"red": "scarlet", "none": "nothing"},
                "at": "({x}, {y})",
                "hero": {"true": " with a hero", "false": ""},
            },
        });
        let words = Words { language: "en", table };
        let say = |command: Value| words.command(command.as_object().expect("an object"));
        let cases = [
            (json!({"type": "Use", "color": "red", "as": "red"}), "Use the scarlet die"),
            (json!({"type": "Use", "color": "red", "as": "blue"}), "Use the scarlet die as blue"),
            (json!({"type": "Call", "at": null, "color": null}), "Call"),
            (json!({"type": "Call", "at": {"x": 0, "y": -1}, "color": null}), "Call for (0, -1)"),
            (json!({"type": "Pay", "cards": ["blue", "red", "red"]}), "Pay blue + 2 scarlet"),
            (json!({"type": "Pay", "cards": []}), "Pay nothing"),
            (json!({"type": "Lay", "mode": "lay", "tile": "sea_serpent"}), "Lay sea serpent"),
            (json!({"type": "Lay", "mode": null}), "Leave it"),
            (json!({"type": "Play", "hero": false}), "Play"),
            (json!({"type": "Play", "hero": true}), "Play with a hero"),
            (json!({"type": "Unheard"}), "Unheard"),
        ];
        for (command, label) in cases {
            assert_eq!(say(command), label);
        }
    }
}

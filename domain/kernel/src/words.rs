//! The words of a game in one language, as data: what it calls its pieces, and templates for sentences about them.
//!
//! They are TOML, and JSON for clients; docs/contract.md, "Words", says what they contain and how a template is read.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::{Info, RuleText};

/// A file of words is not TOML.
#[derive(Clone, Debug, thiserror::Error)]
#[error("the words in `{language}` are not TOML: {source}")]
pub struct WordsError {
    /// The language of the file.
    pub language: String,
    /// Where it is wrong.
    #[source]
    pub source: Box<toml::de::Error>,
}

/// The words of a game in every language that it has.
#[derive(Clone, Debug)]
pub struct Lexicon {
    languages: Vec<Arc<Words>>,
}

impl Lexicon {
    /// The words of a game with these rules. Files are TOML by language, `("de", "...")`: those for every game come `before` the game's own, and
    /// those that add to it or change it come `behind`. What a language lacks, cases of an entry too, is taken from the game's first language.
    ///
    /// # Errors
    /// If a file is not TOML.
    pub fn new(
        info: &Info,
        rules: &[RuleText],
        before: &[(&str, &str)],
        behind: &[(&str, &str)],
    ) -> Result<Self, WordsError> {
        let files: Vec<&(&str, &str)> = before.iter().chain(info.words).chain(behind).collect();
        let first = info.words.first().map_or("en", |(language, _)| language);
        let mut names = vec![first];
        for (language, _) in &files {
            if !names.contains(language) {
                names.push(language);
            }
        }
        let mut base = told(info, rules);
        let mut languages = Vec::new();
        for language in names {
            let mut table = base.clone();
            for (_, text) in files.iter().filter(|(known, _)| *known == language) {
                let wrong =
                    |error| WordsError { language: language.to_owned(), source: Box::new(error) };
                complete(&mut table, text.parse().map_err(wrong)?);
            }
            if language == first {
                base.clone_from(&table);
            }
            languages.push(Arc::new(Words { language: language.to_owned(), table }));
        }
        Ok(Lexicon { languages })
    }

    /// The words in the first of these languages that the game has, otherwise in its first one. A language may have a region: `de-AT`.
    #[must_use]
    pub fn of<S: AsRef<str>>(&self, wished: &[S]) -> &Arc<Words> {
        let of = |wish: &str| {
            self.languages.iter().find(|words| words.language.eq_ignore_ascii_case(wish))
        };
        let found = |wish: &str| of(wish).or_else(|| of(wish.split('-').next()?));
        let is_named = |words: &Arc<Words>| {
            let mut named = wished.iter().filter_map(|wish| found(wish.as_ref()));
            named.any(|named| Arc::ptr_eq(named, words))
        };
        let known = wished.iter().find_map(|wish| match wish.as_ref() {
            "*" => self.languages.iter().find(|words| !is_named(words)),
            wish => found(wish),
        });
        known.or(self.languages.first()).expect("a lexicon has its first language")
    }

    /// The languages; the first one is the fallback.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().map(|words| words.language.as_str())
    }
}

/// What the catalogue says is the beginning of the words in the first language.
fn told(info: &Info, rules: &[RuleText]) -> Map<String, Value> {
    let rules: Map<String, Value> =
        rules.iter().map(|rule| (rule.rule.clone(), Value::from(rule.text.as_str()))).collect();
    let told =
        [("title", info.title.into()), ("text", info.text.into()), ("rules", Value::Object(rules))];
    told.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Takes the entries of a file over those that are known.
fn complete(known: &mut Map<String, Value>, file: toml::Table) {
    for (section, entries) in file {
        let entries = serde_json::json!(entries);
        match (known.get_mut(&section), entries) {
            (Some(Value::Object(known)), Value::Object(entries)) => {
                for (name, entry) in entries {
                    take(known, name, entry);
                }
            }
            (_, entries) => {
                known.insert(section, entries);
            }
        }
    }
}

/// Takes an entry over the one that is known: case by case, unless they go by different fields.
fn take(known: &mut Map<String, Value>, name: String, entry: Value) {
    match (known.get_mut(&name), entry) {
        (Some(Value::Object(known)), Value::Object(cases)) if !goes_otherwise(&cases, known) => {
            if cases.contains_key("other") {
                // A language may have no form of its own for one.
                known.retain(|case, _| case.parse::<u64>().is_err());
            }
            for (case, entry) in cases {
                take(known, case, entry);
            }
        }
        (_, entry) => {
            known.insert(name, entry);
        }
    }
}

/// Do cases go by another field than those that are known?
fn goes_otherwise(cases: &Map<String, Value>, known: &Map<String, Value>) -> bool {
    let is_choice = |of: &Map<String, Value>| of.len() == 1 && of.values().all(Value::is_object);
    is_choice(cases) && is_choice(known) && !cases.keys().eq(known.keys())
}

/// The words of a game in one language.
#[derive(Clone, Debug)]
pub struct Words {
    /// The language, `en`.
    pub language: String,
    table: Map<String, Value>,
}

impl Words {
    /// All of them, as clients get them.
    #[must_use]
    pub fn table(&self) -> &Map<String, Value> {
        &self.table
    }

    /// What the words say in a place: `entry(&["values", "tile", "odin"])`.
    #[must_use]
    pub fn entry(&self, path: &[&str]) -> Option<&Value> {
        let (first, rest) = path.split_first()?;
        rest.iter().try_fold(self.table.get(*first)?, |entry, name| entry.get(*name))
    }

    /// A command in words. `fields` are those of its JSON, and what is said beside them.
    #[must_use]
    pub fn command(&self, fields: Map<String, Value>) -> String {
        self.of_type("commands", &Value::Object(fields))
    }

    /// An event in words, as somebody sees it.
    #[must_use]
    pub fn event(&self, event: &Value) -> String {
        self.of_type("events", event)
    }

    /// A spot of the picture in words, `kind:parts`.
    #[must_use]
    pub fn spot(&self, spot: &str) -> Option<String> {
        let (kind, parts) = spot.split_once(':')?;
        let template = self.entry(&["spots", kind])?.as_str()?;
        let mut all = vec![String::new()];
        for letter in parts.chars() {
            let behind = all.last_mut()?;
            // A minus is no sign of its own behind a letter or a digit.
            if letter == ',' || letter == '-' && behind.ends_with(char::is_alphanumeric) {
                all.push(String::new());
            } else {
                behind.push(letter);
            }
        }
        Some(self.fill(template, &serde_json::json!(all)))
    }

    fn of_type(&self, section: &str, thing: &Value) -> String {
        let kind = thing["type"].as_str().unwrap_or_default();
        let template = self.entry(&[section, kind]).and_then(|entry| chosen(entry, thing));
        template.map_or_else(|| kind.to_owned(), |template| self.fill(template, thing))
    }

    /// A value in words, by the table of this name.
    #[must_use]
    pub fn say(&self, table: &str, value: &Value) -> String {
        if let Value::Array(items) = value {
            return self.list(table, items);
        }
        let entry = self.entry(&["values", table]);
        match (entry.and_then(|entry| chosen(entry, value)), value) {
            (Some(template), _) => self.fill(template, value),
            (None, Value::Null) => String::new(),
            (None, value) => plain(value).replace('_', " "),
        }
    }

    /// Items one after the other; equal ones that follow each other are counted.
    fn list(&self, table: &str, items: &[Value]) -> String {
        let of = |name, otherwise: &'static str| {
            let entry =
                self.entry(&["lists", table, name]).or(self.entry(&["lists", "other", name]));
            entry.and_then(Value::as_str).unwrap_or(otherwise)
        };
        let groups = items.chunk_by(|one, other| one == other);
        let groups: Vec<String> = groups
            .map(|group| {
                let item = self.say(table, &group[0]);
                match group.len() {
                    1 => item,
                    count => format!("{count} {item}"),
                }
            })
            .collect();
        match groups.split_last() {
            None => of("none", "").to_owned(),
            Some((last, [])) => last.clone(),
            Some((last, before)) => before.join(of("join", ", ")) + of("last", ", ") + last,
        }
    }

    fn fill(&self, template: &str, about: &Value) -> String {
        let (mut text, mut said) = (String::new(), Vec::new());
        let mut rest = template;
        while let Some((before, part)) = rest.split_once('[') {
            let (part, behind) = part.split_once(']').unwrap_or((part, ""));
            text += &self.part(before, about, &mut said).0;
            let mut new = Vec::new();
            let (part, whole) = self.part(part, about, &mut new);
            if whole && !new.iter().any(|value| said.contains(value)) {
                text += &part;
                said.extend(new);
            }
            rest = behind;
        }
        text + &self.part(rest, about, &mut said).0
    }

    /// A part of a template without brackets, and whether it says something of all its values.
    fn part(&self, part: &str, about: &Value, said: &mut Vec<(String, Value)>) -> (String, bool) {
        let (mut text, mut rest, mut whole) = (String::new(), part, true);
        while let Some((before, field)) = rest.split_once('{') {
            let (field, behind) = field.split_once('}').unwrap_or((field, ""));
            let last = field.rsplit('.').next().unwrap_or(field);
            let (path, table) = field.split_once(':').unwrap_or((field, last));
            let value = at(about, path);
            whole &= !matches!(value, Value::Null | Value::Bool(false))
                && value.as_array().is_none_or(|items| !items.is_empty());
            text += before;
            text += &self.say(table, &value);
            said.push((table.to_owned(), value));
            rest = behind;
        }
        (text + rest, whole)
    }
}

/// What is at a path, `price.size` or `fields.0`; `count` of a list is how many items it has, and nothing is at an empty path but the value.
fn at(about: &Value, path: &str) -> Value {
    let steps = path.split('.').filter(|step| !step.is_empty());
    steps.fold(about.clone(), |value, step| match (&value, step.parse::<usize>()) {
        (Value::Array(items), Ok(place)) => items.get(place).cloned().unwrap_or_default(),
        (Value::Array(items), Err(_)) if step == "count" => items.len().into(),
        (value, _) => value.get(step).cloned().unwrap_or_default(),
    })
}

/// The template of an entry that fits a value.
fn chosen<'a>(mut entry: &'a Value, value: &Value) -> Option<&'a str> {
    while let Value::Object(cases) = entry {
        entry = if value.is_object() {
            let (field, cases) = cases.iter().next()?;
            cases.get(plain(&at(value, field))).or(cases.get("other"))?
        } else {
            cases.get(&plain(value)).or(cases.get("other"))?
        };
    }
    entry.as_str()
}

/// A value as it is looked up: a string without its quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{Words, complete};
    use serde_json::{Map, Value, json};

    fn words(toml: &str) -> Words {
        let mut table = Map::new();
        complete(&mut table, toml.parse().expect("TOML"));
        Words { language: "en".to_owned(), table }
    }

    #[test]
    fn templates_say_fields_tables_lists_and_what_is_not_said_yet() {
        let words = words(
            r#"
            [commands]
            Use = "Use the {color} die[ as {as:color}]"
            Call = "Call[ for {at}][ ({color})]"
            Pay = "Pay {cards:color}"
            Play = "Play{hero}"
            Lay = { mode = { lay = "Lay {tile}", null = "Leave it" } }
            Score = { kind = { row = { points = { 0 = "Nothing", other = "{points} for the row" } }, other = "{points}" } }
            Shuffle = "{pile.count} cards, first {pile.0:color}[ of {pile:color}]"
            See = "See {face:tile}{under:unseen}"
            Turn = "{seat} to act[, not {passed:seat}]"
            [values]
            seat = { 1 = "Bo", 2 = "Bo" }
            color = { red = "scarlet" }
            at = "({x}, {y})"
            hero = { true = " with a hero", false = "" }
            points = { 1 = "1 point", other = "{} points" }
            tile = { null = "a tile", odin = "Odin" }
            unseen = { null = "", other = " over {:tile}" }
            [lists]
            color = { none = "nothing" }
            other = { join = ", ", last = " and " }
            "#,
        );
        let say = |command: Value| words.command(command.as_object().expect("an object").clone());
        let cases = [
            (json!({"type": "Use", "color": "red", "as": "red"}), "Use the scarlet die"),
            (json!({"type": "Use", "color": "red", "as": "blue"}), "Use the scarlet die as blue"),
            (json!({"type": "Call", "at": null, "color": null}), "Call"),
            (json!({"type": "Call", "at": {"x": 0, "y": -1}, "color": null}), "Call for (0, -1)"),
            (json!({"type": "Pay", "cards": ["blue", "red", "red"]}), "Pay blue and 2 scarlet"),
            (json!({"type": "Pay", "cards": ["a", "b", "c"]}), "Pay a, b and c"),
            (json!({"type": "Pay", "cards": []}), "Pay nothing"),
            (json!({"type": "Lay", "mode": "lay", "tile": "sea_serpent"}), "Lay sea serpent"),
            (json!({"type": "Lay", "mode": null}), "Leave it"),
            (json!({"type": "Play", "hero": false}), "Play"),
            (json!({"type": "Play", "hero": true}), "Play with a hero"),
            (json!({"type": "Score", "kind": "row", "points": 0}), "Nothing"),
            (json!({"type": "Score", "kind": "row", "points": 1}), "1 point for the row"),
            (json!({"type": "Score", "kind": "column", "points": 2}), "2 points"),
            (json!({"type": "Shuffle", "pile": []}), "0 cards, first "),
            (json!({"type": "Shuffle", "pile": ["red"]}), "1 cards, first scarlet of scarlet"),
            (json!({"type": "See", "face": null, "under": "odin"}), "See a tile over Odin"),
            (json!({"type": "See", "face": "odin", "under": null}), "See Odin"),
            (json!({"type": "Turn", "seat": 0, "passed": [1, 2]}), "0 to act, not Bo and Bo"),
            (json!({"type": "Turn", "seat": 2, "passed": [1]}), "Bo to act, not Bo"),
            (json!({"type": "Turn", "seat": 2, "passed": []}), "Bo to act"),
            (json!({"type": "Unheard"}), "Unheard"),
        ];
        for (command, label) in cases {
            assert_eq!(say(command), label);
        }
    }

    #[test]
    fn another_file_completes_tables_and_replaces_templates() {
        let mut english = words(
            "title = 'A'\n[events]\nLay = { mode = { a = '1' } }\n[values]\ntile = { a = 'A', b = 'B' }",
        );
        let file = "[events]\nLay = '2'\n[values]\ntile = { b = 'C' }\nnew = '{}'";
        complete(&mut english.table, file.parse().expect("TOML"));
        let whole = json!({
            "title": "A", "events": {"Lay": "2"}, "values": {"tile": {"a": "A", "b": "C"}, "new": "{}"},
        });
        assert_eq!(Value::Object(english.table), whole);
    }

    #[test]
    fn what_a_language_lacks_in_an_entry_is_taken_case_by_case() {
        let base = "
            [commands]
            P.mode = { a = '1', b = '2' }
            Q.mode = { a = '1', b = '2' }
            [values]
            p.kind = { a = 'A', b = 'B' }
            n = { 1 = 'one', other = '{}' }
            reason = { a = 'A', other = '{}' }
            m = { 1 = 'one', other = '{}' }
            [lists]
            other = { none = '', join = ', ' }
        ";
        let file = "
            [commands]
            P.mode = { a = 'x' }
            Q.count = { 1 = 'x', other = 'y' }
            [values]
            p.kind = { a = 'X' }
            n = { other = '{} z' }
            reason = { other = 'by {}' }
            m = { 1 = 'z' }
            [lists]
            other = { join = '; ' }
        ";
        let mut words = words(base);
        complete(&mut words.table, file.parse().expect("TOML"));
        let whole = json!({
            "commands": {
                "P": {"mode": {"a": "x", "b": "2"}},
                "Q": {"count": {"1": "x", "other": "y"}},
            },
            "values": {
                "p": {"kind": {"a": "X", "b": "B"}},
                // Who has a word for all other numbers needs none for one.
                "n": {"other": "{} z"},
                "reason": {"a": "A", "other": "by {}"},
                "m": {"1": "z", "other": "{}"},
            },
            "lists": {"other": {"none": "", "join": "; "}},
        });
        assert_eq!(Value::Object(words.table), whole);
    }
}

//! The words of every game say everything that its schemas know, in every language, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use kernel::{AnyGame, AnyMatch, Info, Lexicon, Schemas, Viewer, Words};
use serde_json::{Map, Value, json};

use crate::matches::{moments, picture_of, pictures};
use crate::spots::{languages, positions};

/// Sections that the first language has for all: nothing in them is of a language.
const SHARED: [&str; 2] = ["below", "quotes"];

/// What is wrong with the words of one game in one language.
struct Check<'a> {
    words: &'a Words,
    schemas: &'a Schemas,
    /// Tables that something is said by.
    used: BTreeSet<String>,
    wrong: Vec<String>,
}

impl<'a> Check<'a> {
    fn says(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(format!("{}: {}", self.words.language, what()));
        }
    }

    /// The same names on both sides.
    fn same(&mut self, place: &str, said: &BTreeSet<String>, due: &BTreeSet<String>) {
        for name in due.difference(said) {
            self.says(false, || format!("{place} lacks {name}"));
        }
        for name in said.difference(due) {
            self.says(false, || format!("{place} has {name}, which is superfluous"));
        }
    }

    fn keys(&self, path: &[&str]) -> BTreeSet<String> {
        keys(self.words.entry(path).unwrap_or(&Value::Null))
    }

    /// What a schema may be: references followed, the cases of a choice one by one; null is told apart.
    fn cases(&self, schema: &'a Value) -> (Vec<&'a Value>, bool) {
        if let Some(name) = schema["$ref"].as_str() {
            let name = name.rsplit('/').next().unwrap_or_default();
            return self.cases(&self.schemas.components[name]);
        }
        if let Some(parts) = schema["allOf"].as_array() {
            let parts = parts.iter().flat_map(|part| self.cases(part).0);
            let properties = parts.filter_map(|part| part["properties"].as_object()).flatten();
            let properties: Map<String, Value> =
                properties.map(|(name, of)| (name.clone(), of.clone())).collect();
            return (vec![Box::leak(Box::new(json!({"properties": properties})))], false);
        }
        let several = ["oneOf", "anyOf"].iter().find_map(|kind| schema[*kind].as_array());
        if let Some(several) = several {
            let cases: Vec<_> = several.iter().map(|schema| self.cases(schema)).collect();
            let null = cases.iter().any(|(_, null)| *null);
            return (cases.into_iter().flat_map(|(cases, _)| cases).collect(), null);
        }
        let types = types(schema);
        let null = types.contains(&"null");
        (if types == ["null"] { Vec::new() } else { vec![schema] }, null)
    }

    /// The schemas at a path into one of these, and whether null may be there.
    fn at(&self, cases: &[&'a Value], path: &str) -> (Vec<&'a Value>, bool) {
        let (mut cases, mut null) = (cases.to_vec(), false);
        for step in path.split('.').filter(|step| !step.is_empty()) {
            let mut found = Vec::new();
            for case in cases {
                let next = match case.get("items") {
                    None => case["properties"].get(step),
                    Some(items) if step.parse::<usize>().is_ok() => Some(items),
                    Some(_) => Some(&*NUMBER).filter(|_| step == "count"),
                };
                // What only some forms of an event have is null in the others.
                let (next, may) = next.map_or((Vec::new(), true), |next| self.cases(next));
                null |= may;
                found.extend(next);
            }
            cases = found;
        }
        (cases, null)
    }

    /// An entry says a value of one of these schemas.
    fn entry(&mut self, place: &str, entry: &Value, cases: &[&'a Value]) {
        if let Some(template) = entry.as_str() {
            return self.template(place, template, cases);
        }
        let by_case = entry.as_object().cloned().unwrap_or_default();
        if !cases.iter().any(|case| case["properties"].is_object()) {
            self.known(place, entry, cases, false);
            for (value, entry) in &by_case {
                self.entry(&format!("{place}.{value}"), entry, cases);
            }
            return;
        }
        self.says(by_case.len() == 1, || format!("{place} is neither template nor choice"));
        for (field, by_value) in &by_case {
            let (values, null) = self.at(cases, field);
            self.says(!values.is_empty(), || format!("{place} asks for {field}"));
            self.known(&format!("{place}.{field}"), by_value, &values, null);
            for (value, entry) in by_value.as_object().into_iter().flatten() {
                let of: Vec<&Value> =
                    cases.iter().copied().filter(|case| may_be(case, field, value)).collect();
                self.entry(&format!("{place}.{field}.{value}"), entry, &of);
            }
        }
    }

    /// A table has each of these values, and no other.
    fn known(&mut self, place: &str, table: &Value, cases: &[&'a Value], null: bool) {
        let said = keys(table);
        let open = said.contains("other");
        let due: BTreeSet<String> = cases.iter().flat_map(|case| values(case)).collect();
        let missing = due.difference(&said).next().filter(|_| !open);
        self.says(missing.is_none(), || format!("{place} lacks {missing:?}"));
        self.says(open || !due.is_empty(), || format!("{place} lacks other"));
        self.says(open || !null || said.contains("null"), || format!("{place} lacks null"));
        let odd = said.iter().find(|value| {
            !due.is_empty() && !due.contains(*value) && !["null", "other"].contains(&value.as_str())
        });
        self.says(odd.is_none(), || format!("{place} has {odd:?}, which is superfluous"));
    }

    fn template(&mut self, place: &str, template: &str, cases: &[&'a Value]) {
        for (number, part) in template.split(['[', ']']).enumerate() {
            for field in part.split('{').skip(1).filter_map(|rest| rest.split('}').next()) {
                let last = field.rsplit('.').next().unwrap_or(field);
                let (path, table) = field.split_once(':').unwrap_or((field, last));
                let (values, null) = self.at(cases, path);
                // Labels have what a piece looks like beside the fields of the command.
                let drawn = path == "drawn" && number % 2 == 1;
                self.says(drawn || !values.is_empty(), || format!("{place} says {{{field}}}"));
                self.value(place, table, &values, null && number % 2 == 0);
            }
        }
    }

    /// Values of these schemas are said by a table.
    fn value(&mut self, place: &str, table: &str, cases: &[&'a Value], null: bool) {
        let items: Vec<&Value> = cases.iter().map(|case| &case["items"]).collect();
        if !items.is_empty() && items.iter().all(|items| !items.is_null()) {
            for items in items {
                let (cases, null) = self.cases(items);
                self.value(place, table, &cases, null);
            }
            return;
        }
        let place = format!("{place}, by {table}");
        // The names of seats come from the platform, and from the match.
        let plain = cases.iter().all(|case| {
            let few = !values(case).is_empty() && types(case) != ["integer"];
            !few && !case["properties"].is_object()
        });
        let entry = self.words.entry(&["values", table]).cloned();
        match entry {
            None => self.says(plain && !null, || format!("{place}: there is no such table")),
            Some(entry) if self.used.insert(table.to_owned()) || null => {
                if null && entry.is_object() {
                    let said = keys(&entry);
                    let safe = said.contains("null") || said.contains("other");
                    self.says(safe, || format!("{place}: null has no word"));
                }
                self.entry(&place, &entry, cases);
            }
            Some(_) => {}
        }
    }
}

/// The schema of how many items a list has.
static NUMBER: LazyLock<Value> = LazyLock::new(|| json!({"type": "integer"}));

fn keys(entry: &Value) -> BTreeSet<String> {
    entry.as_object().into_iter().flat_map(Map::keys).cloned().collect()
}

fn types(schema: &Value) -> Vec<&str> {
    let several = schema["type"].as_array().into_iter().flatten();
    several.chain(schema.get("type")).filter_map(Value::as_str).collect()
}

/// All values of a schema that has few.
fn values(schema: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    match (schema["enum"].as_array(), schema.get("const")) {
        (Some(values), _) => values.iter().map(text).collect(),
        (None, Some(value)) => vec![text(value)],
        (None, None) if schema["maximum"].as_u64().is_some_and(|most| most < 10) => {
            let (least, most) = (schema["minimum"].as_u64(), schema["maximum"].as_u64());
            (least.unwrap_or_default()..=most.unwrap_or_default()).map(|n| n.to_string()).collect()
        }
        (None, None) if types(schema).contains(&"boolean") => {
            vec!["true".to_owned(), "false".to_owned()]
        }
        (None, None) => Vec::new(),
    }
}

/// May the field of an object have the value?
fn may_be(schema: &Value, field: &str, value: &str) -> bool {
    let values = values(&schema["properties"][field]);
    value == "other" || values.is_empty() || values.iter().any(|known| known == value)
}

/// The type of a command or event.
fn tag(schema: &Value) -> String {
    values(&schema["properties"]["type"]).pop().expect("a tag")
}

/// `ScoreReason` to `score_reason`.
fn snake(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// What the words of a game in a language lack or have too much.
fn wrong(game: &dyn AnyGame, words: &Words, schemas: &Schemas) -> Vec<String> {
    let mut check = Check { words, schemas, used: BTreeSet::new(), wrong: Vec::new() };
    let role = |role: &str| &schemas.components[&schemas.roles[role]];
    for (section, role) in [("events", role("event_view")), ("commands", role("command"))] {
        let mut by_type: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for variant in check.cases(role).0 {
            by_type.entry(tag(variant)).or_default().push(variant);
        }
        check.same(section, &check.keys(&[section]), &by_type.keys().cloned().collect());
        for (kind, variants) in &by_type {
            let entry = words.entry(&[section, kind]).cloned().unwrap_or_default();
            check.entry(&format!("{section}.{kind}"), &entry, variants);
            for shared in SHARED.iter().filter(|_| section == "events") {
                match (words.entry(&[shared, kind]), *shared) {
                    (Some(Value::String(list)), "below") => {
                        check.template("below", &format!("{{{list}}}"), variants);
                    }
                    (Some(Value::Object(by_case)), "quotes") => {
                        check.entry("quotes", &Value::Object(by_case.clone()), variants);
                    }
                    _ => {}
                }
            }
        }
        if section == "commands" {
            let types = by_type.keys().cloned().collect();
            check.same("values.command", &check.keys(&["values", "command"]), &types);
            let fields =
                by_type.values().flatten().flat_map(|variant| keys(&variant["properties"]));
            let fields = fields.filter(|field| field != "type").collect();
            check.same("questions", &check.keys(&["questions"]), &fields);
            for variant in by_type.values().flatten() {
                // A field that its command's template does not say may have a table of its own name.
                let told = words.entry(&["commands", &tag(variant)]).map(Value::to_string);
                let told = told.unwrap_or_default();
                for (field, schema) in variant["properties"].as_object().into_iter().flatten() {
                    let said = told.contains(&format!("{{{field}}}"))
                        || told.contains(&format!("{{{field}:"));
                    if !said && words.entry(&["values", field]).is_some() {
                        let (cases, null) = check.cases(schema);
                        check.value("a question", field, &cases, null);
                    }
                }
            }
        }
    }
    let options: BTreeSet<String> =
        check.cases(role("options")).0.iter().flat_map(|case| keys(&case["properties"])).collect();
    check.same("options", &check.keys(&["options"]), &options);
    for option in options {
        let mut due: BTreeSet<String> = ["name", "help"].map(str::to_owned).into();
        let (cases, _) = check.at(&check.cases(role("options")).0, &option);
        let items = cases.iter().flat_map(|case| check.cases(&case["items"]).0);
        if cases.iter().copied().chain(items).any(|case| case["enum"].is_array()) {
            due.insert("table".to_owned());
            let table = words.entry(&["options", &option, "table"]).and_then(Value::as_str);
            check.value(&option, table.unwrap_or_default(), &cases, false);
        }
        check.same(&format!("options.{option}"), &check.keys(&["options", &option]), &due);
    }
    let prefix = schemas.roles["command"].strip_suffix("Command").expect("a name").to_owned();
    for (name, schema) in &schemas.components {
        // The id of the game is no word.
        if schema["enum"].is_array() && schema["enum"] != json!([game.info().id]) {
            let table = snake(name.strip_prefix(&prefix).unwrap_or(name));
            check.value("an enum", &table, &[schema], false);
        }
    }
    check.value("standing", "place", &check.cases(role("place")).0, false);
    check.used.insert("command".to_owned());
    let spots = words.entry(&["spots"]).cloned().unwrap_or_default();
    for template in spots.as_object().into_iter().flatten().filter_map(|(_, spot)| spot.as_str()) {
        let tables = template.split(['{', '}']).filter_map(|field| field.split_once(':'));
        check.used.extend(tables.map(|(_, table)| table.to_owned()));
    }
    let used = check.used.clone();
    check.same("values", &check.keys(&["values"]), &used);
    let due = game.rules().into_iter().map(|rule| rule.rule).collect();
    check.same("rules", &check.keys(&["rules"]), &due);
    check.wrong
}

#[test]
fn everything_has_words_in_every_language_and_nothing_else_has() {
    let mut all = Vec::new();
    for (_, game) in pictures() {
        let schemas = game.schemas();
        for words in languages(game) {
            let wrong = wrong(game, &words, &schemas);
            all.extend(wrong.into_iter().map(|what| format!("{}, {what}", game.info().id)));
        }
    }
    assert!(all.is_empty(), "{all:#?}");
}

/// No language says anything by leaving it to the first one, but what is of no language.
#[test]
fn every_language_has_a_file_that_is_whole() {
    let mut missing = Vec::new();
    for (_, game) in pictures() {
        let info = game.info();
        // As if each language were the only one.
        let alone = |(language, text): (&'static str, &'static str)| {
            let info = Info { words: vec![(language, text)].leak(), ..info.clone() };
            let lexicon = Lexicon::new(&info, &[], &[], &[]).expect("TOML");
            Arc::clone(lexicon.of(&[language]))
        };
        let first = alone(info.words[0]);
        for words in info.words[1..].iter().map(|file| alone(*file)) {
            let has = |section: &str, name: &str| words.entry(&[section, name]).is_some();
            let language = &words.language;
            let due = first.table().iter().filter(|(name, _)| !SHARED.contains(&name.as_str()));
            for (section, entries) in due {
                let gone = keys(entries).into_iter().filter(|name| !has(section, name));
                missing
                    .extend(gone.map(|name| format!("{} {language}: {section}.{name}", info.id)));
            }
            let translated = words.table()["text"] != info.text;
            missing.extend((!translated).then(|| format!("{} {language}: text", info.id)));
            let rules = game.rules().into_iter().filter(|rule| !has("rules", &rule.rule));
            missing.extend(rules.map(|rule| format!("{} {language}: {}", info.id, rule.rule)));
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

/// What stands behind a number in the plural, in English and in German.
const PLURALS: &[&str] = &[
    "are ",
    "cards",
    "Freya",
    "oracle cards",
    "points",
    "return ",
    "stones",
    "tasks",
    "tiles",
    "Aufgaben",
    "Karten",
    "kommen ",
    "Orakelkarten",
    "Punkte",
    "sind ",
    "Steine",
];

/// What is never one, since a match has two players or more, and at most ten of 24 cards are on hands; and what is no number.
const MANY: &[&str] = &["seats", "draw_pile.count", "deck"];

/// Templates with a number before a plural that have no sentence for one beside them.
fn without_one(entry: &Value, one: bool, wrong: &mut Vec<String>) {
    match entry {
        Value::String(template) => {
            for (field, behind) in
                template.split('{').skip(1).filter_map(|rest| rest.split_once("} "))
            {
                let plural = PLURALS.iter().any(|plural| behind.starts_with(plural));
                if plural && !one && !MANY.contains(&field) {
                    wrong.push(template.clone());
                }
            }
        }
        Value::Object(cases) => {
            for (case, entry) in cases {
                without_one(entry, one || cases.contains_key("1") && case != "1", wrong);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
    }
}

#[test]
fn what_is_counted_has_a_sentence_for_one() {
    let mut wrong = Vec::new();
    for (_, game) in pictures() {
        for words in languages(game) {
            for place in [&["events"][..], &["values", "place"], &["values", "points"]] {
                without_one(words.entry(place).unwrap_or(&Value::Null), false, &mut wrong);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let mut old = Vec::new();
    without_one(&json!("{seat} holds {count} tiles too many."), false, &mut old);
    assert_eq!(old.len(), 1);
}

/// Said with the templates, everything that happens in random matches is a sentence, for whoever may see it.
#[test]
fn events_and_spots_of_random_matches_are_said() {
    let mut odd = BTreeSet::new();
    for (picture, game) in pictures() {
        for words in languages(game) {
            let mut said = |what: &str, text: String| {
                let strange = ["{", "}", "[", "]", "()", "_", "  ", "null", " .", " ,"];
                if text.is_empty() || strange.iter().any(|strange| text.contains(strange)) {
                    odd.insert(format!("{} {}, {what}: {text}", picture.game, words.language));
                }
            };
            moments(game, 120, |moment| {
                for event in &moment.events {
                    let event: Value = serde_json::from_str(event.get()).expect("JSON");
                    let kind = event["type"].as_str().expect("a tag");
                    let text = words.event(&event);
                    assert_ne!(text, kind, "it has a template");
                    said(kind, text);
                    let below = words.entry(&["below", kind]).and_then(Value::as_str);
                    if let Some((field, table)) = below.and_then(|below| below.split_once(':')) {
                        for item in event[field].as_array().expect("a list") {
                            said(table, words.say(table, item));
                        }
                    }
                }
            });
            positions(game, |state: &dyn AnyMatch| {
                let (_, choices) = state.choices(&words);
                for spot in choices.into_iter().flat_map(|choice| choice.spots) {
                    let text = words.spot(&spot).unwrap_or_default();
                    said(&spot, text);
                }
            });
        }
    }
    assert!(odd.is_empty(), "{odd:#?}");
}

#[test]
fn what_a_viewer_may_not_see_is_said_without_it() {
    let (_, voluspa) = picture_of("voluspa");
    let mut hidden = 0;
    for words in languages(voluspa) {
        moments(voluspa, 40, |moment| {
            for event in &moment.events {
                let event: Value = serde_json::from_str(event.get()).expect("JSON");
                if moment.viewer == Viewer::Spectator && event["type"] == "TileDrawn" {
                    let a_tile = words.say("tile", &Value::Null);
                    assert!(words.event(&event).contains(&a_tile) && !a_tile.is_empty());
                    hidden += 1;
                }
            }
        });
    }
    assert!(hidden > 10, "{hidden}");
}

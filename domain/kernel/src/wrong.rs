//! What is wrong with JSON that somebody sent, in words of our own: readers of JSON speak to programmers.

mod search;

use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

use self::search::{field, is_given, stranger, unique, word};
use crate::json::Fields;

/// How many allowed values are told.
const ALLOWED_MOST: usize = 40;

/// In a longer text the place is not looked for: as values in memory it may take a hundred times as much.
const LOOKED_THROUGH: usize = 64 << 10;

/// A value that is longer is not told.
const SHOWN_MOST: usize = 100;

/// A pointer that is longer is not told.
const POINTER_MOST: usize = 1_000;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// A JSON pointer to the place, as exactly as it is known.
    pub pointer: String,
    /// A sentence, with the nearest name and what is allowed.
    pub detail: String,
}

impl Wrong {
    /// What `error` says of `text`. `place` is a pointer to what was being read.
    ///
    /// # Example
    /// ```
    /// #[derive(Debug, serde::Deserialize)]
    /// #[serde(tag = "type", deny_unknown_fields)]
    /// enum Command {
    ///     PlayCard { card: String },
    ///     DrawCard {},
    /// }
    ///
    /// let text = r#"{"type": "PlayCrd"}"#;
    /// let error = serde_json::from_str::<Command>(text).unwrap_err();
    /// let wrong = kernel::Wrong::of(&error, text.as_bytes(), "");
    /// assert_eq!(wrong.pointer, "/type");
    /// assert_eq!(wrong.detail, "there is no `PlayCrd` here, did you mean `PlayCard`? Allowed are `PlayCard`, `DrawCard`");
    /// ```
    #[must_use]
    pub fn of(error: &serde_json::Error, text: &[u8], place: &str) -> Self {
        let (line, column) = (error.line(), error.column());
        let said = error.to_string();
        let said = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
        let looked_through = text.len() <= LOOKED_THROUGH;
        let last = offset(text, line, column).filter(|_| looked_through);
        let found = last.and_then(|last| around(text, last));
        let found = found.filter(|(pointer, _)| pointer.starts_with(place));
        // Where the text is JSON, and only what was looked for is not there, a pointer says it better.
        let (exact, at) = match &found {
            Some((pointer, _)) => (&**pointer, String::new()),
            None => (place, format!(" at line {line}, column {column}")),
        };
        let detail = match error.classify() {
            Category::Data => {
                let root = looked_through.then(|| serde_json::from_slice(text).ok()).flatten();
                let read = last.and_then(|last| text.get(..=last)).unwrap_or_default();
                let in_text = read.trim_ascii_end().ends_with(b"\"");
                let stopped = Stopped { at: exact, in_text };
                return Wrong::in_data(said, &root.unwrap_or_default(), place, stopped);
            }
            Category::Eof | Category::Io => format!("the JSON ends too early,{at}"),
            Category::Syntax if said.starts_with("recursion") => {
                format!("the JSON is nested too deeply{at}")
            }
            Category::Syntax if said.starts_with("trailing char") => match &found {
                // The text is JSON, so it is the list that goes on.
                Some(_) => "the list has too many items".to_owned(),
                None => format!("after the JSON follows something else,{at}"),
            },
            Category::Syntax if said.starts_with("number out of range") => {
                format!("a number is too large{at}")
            }
            Category::Syntax if said.contains("surrogate") || said.contains("hex escape") => {
                format!("a text has a part of a character{at}")
            }
            Category::Syntax => match &found {
                Some((_, value)) => format!("{} is {}", wanted("enum"), in_short(value)),
                None => format!("this is no JSON{at}"),
            },
        };
        Wrong { pointer: exact.to_owned(), detail }
    }

    /// What a reader says of the parameters of a request; `name` is that of the one it was reading, `.` where it was reading none.
    #[must_use]
    pub fn of_query(said: &str, name: &str) -> Self {
        let named =
            if name == "." { "a parameter".to_owned() } else { format!("the parameter `{name}`") };
        let is = |starts: &[&str]| starts.iter().any(|start| said.starts_with(start));
        let detail = if is(&["invalid digit", "cannot parse integer", "number too"]) {
            format!("{named} must be a whole number, 0 or more")
        } else if is(&["provided string was not"]) {
            format!("{named} must be true or false")
        } else if is(&["unknown field"]) {
            let name = said.split('`').nth(1).unwrap_or_default();
            match said.split_once(", expected ") {
                Some((_, expected)) => no_such("as a parameter", name, expected),
                None => format!("there is no `{name}` as a parameter: this request has none"),
            }
        } else {
            let stopped = Stopped { at: "", in_text: false };
            Wrong::in_data(said, &Value::Null, "", stopped).detail
        };
        let pointer = match name {
            "." if is(&["unknown field", "duplicate field"]) => said.split('`').nth(1),
            "." => None,
            name => Some(name),
        };
        Wrong { pointer: pointer.unwrap_or("query").to_owned(), detail }
    }

    /// The same of what is JSON, but not what it should be. The reader stopped at `place` or below it.
    fn in_data(said: &str, root: &Value, place: &str, stopped: Stopped<'_>) -> Self {
        let Stopped { at: exact, in_text } = stopped;
        let part = root.pointer(place).unwrap_or(root);
        let here = root.pointer(exact);
        let below = |found: Option<String>| exact.to_owned() + &found.unwrap_or_default();
        let is_key = |name: &str| in_text && here.is_some_and(|here| here.get(name).is_some());
        let quoted = |said: &str| said.split('`').nth(1).unwrap_or_default().to_owned();
        let (what, expected) = said.split_once(", expected ").unwrap_or((said, ""));
        if what.starts_with("unknown variant") {
            let name = quoted(what);
            let found = if is_key(&name) {
                field("", &name)
            } else {
                here.and_then(|here| word(here, &name))
            };
            return Wrong { pointer: below(found), detail: no_such("here", &name, expected) };
        }
        if what.starts_with("unknown field") {
            let name = quoted(what);
            let is_place = place.rsplit_once('/').is_some_and(|(_, last)| last == step(&name));
            let pointer = match (is_place, is_key(&name)) {
                (true, _) => place.to_owned(),
                (false, true) => below(field("", &name)),
                (false, false) => below(here.and_then(|here| stranger(here, &name, expected))),
            };
            let detail = if what.ends_with("there are no fields") {
                format!("there is no `{name}` as a field: this object has none")
            } else {
                no_such("as a field", &name, if expected.is_empty() { said } else { expected })
            };
            return Wrong { pointer, detail };
        }
        let detail = if what.starts_with("missing field") {
            format!("the field `{}` is missing", quoted(what))
        } else if what.starts_with("duplicate field") {
            format!("the field `{}` is there twice", quoted(what))
        } else if let Some(given) =
            what.strip_prefix("invalid type: ").or(what.strip_prefix("invalid value: "))
        {
            let pointer = match here.filter(|_| !exact.is_empty()) {
                Some(value) if is_given(value, given) => exact.to_owned(),
                Some(_) | None => {
                    // An object or a list may be the whole, unless that is read as an object and is one.
                    let is_within = place.is_empty() && root.is_object();
                    let is_within = is_within || !matches!(given, "map" | "sequence");
                    let found = is_within.then(|| unique(part, given)).flatten();
                    found.map_or(exact.to_owned(), |at| place.to_owned() + &at)
                }
            };
            return Wrong {
                pointer,
                detail: format!("{} is {}", wanted(expected), given_as(given)),
            };
        } else if what.starts_with("invalid length") {
            let number = |said: &str| said.rsplit(' ').next()?.parse::<u64>().ok();
            match (number(what), number(expected)) {
                (Some(given), Some(due)) => {
                    format!("this has the length {given}, and should have {due}")
                }
                _ => "a list or a text has the wrong length".to_owned(),
            }
        } else if what.starts_with("data did not match any variant") {
            "this has none of the forms that it may have".to_owned()
        } else {
            said.to_owned()
        };
        Wrong { pointer: exact.to_owned(), detail }
    }
}

/// Where a reader of JSON stopped.
#[derive(Clone, Copy)]
struct Stopped<'a> {
    /// A pointer to the innermost value there.
    at: &'a str,
    /// Was the last that it read a text or a key? Tagged enums are read as a whole first, so a mistake in one may be anywhere below.
    in_text: bool,
}

/// The names in a list of what is expected.
fn allowed(expected: &str) -> Vec<&str> {
    expected.split('`').skip(1).step_by(2).collect()
}

/// There is no such name; but there are others.
fn no_such(place: &str, name: &str, expected: &str) -> String {
    let allowed = allowed(expected);
    let mut told = format!("there is no `{name}` {place}");
    if let Some(nearest) = nearest(name, &allowed) {
        told += &format!(", did you mean `{nearest}`?");
    } else if !allowed.is_empty() {
        told += ".";
    }
    let listed: Vec<_> =
        allowed.iter().take(ALLOWED_MOST).map(|name| format!("`{name}`")).collect();
    let more = allowed.len().saturating_sub(ALLOWED_MOST);
    match (listed.is_empty(), more) {
        (true, _) => told,
        (false, 0) => format!("{told} Allowed are {}", listed.join(", ")),
        (false, more) => format!("{told} Allowed are {} and {more} more", listed.join(", ")),
    }
}

/// The name that is most like another one, if one is much like it.
///
/// # Example
/// ```
/// assert_eq!(kernel::nearest("placetile", &["PlaceTile", "DiscardTile"]), Some("PlaceTile"));
/// assert_eq!(kernel::nearest("seat", &["position", "commands"]), None);
/// ```
#[must_use]
pub fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    let plain = |name: &str| -> Vec<char> {
        let letters = name.chars().filter(|letter| letter.is_alphanumeric());
        letters.flat_map(char::to_lowercase).take(64).collect()
    };
    let name = plain(name);
    let far = |known: &&&str| distance(&name, &plain(known));
    let found = known.iter().min_by_key(far)?;
    (far(&found) <= (name.len() / 3).max(1)).then_some(*found)
}

/// How many letters are to be put in, left out or changed.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], at + 1);
        for (column, known) in other.iter().enumerate() {
            let changed = corner + usize::from(letter != known);
            corner = row[column + 1];
            row[column + 1] = changed.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

/// What should be there.
fn wanted(expected: &str) -> String {
    let expected = expected.strip_prefix("a ").or(expected.strip_prefix("an ")).unwrap_or(expected);
    let integer = |bits: &str| bits.parse::<u8>().is_ok() || bits == "size";
    let told = match expected {
        "string"
        | "borrowed string"
        | "str"
        | "string or bytes"
        | "string or map"
        | "map with a single key" => "a text",
        "boolean" => "true or false",
        "map" | "object" => "an object",
        "sequence" => "a list",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "i32" => "a whole number from -2147483648 to 2147483647",
        _ if expected.strip_prefix('u').is_some_and(integer) => "a whole number, 0 or more,",
        _ if expected.strip_prefix('i').is_some_and(integer) => "a whole number",
        _ if expected.contains("struct") || expected.starts_with("internally") => "an object",
        _ if expected.starts_with("tuple") || expected.starts_with("array") => "a list",
        _ if expected.contains("enum") || expected.contains("variant") => "one of the known words",
        _ if expected.is_empty() => "something else",
        _ => return format!("what should be {expected}"),
    };
    format!("what should be {told}")
}

/// What is there instead.
fn given_as(given: &str) -> String {
    let value = given.split_once(' ').map_or("", |(_, value)| value).trim_matches('`');
    match given.split(' ').next().unwrap_or_default() {
        "map" => "an object".to_owned(),
        "sequence" => "a list".to_owned(),
        "null" | "unit" | "Option" => "null".to_owned(),
        "boolean" => value.to_owned(),
        "integer" | "string" => value.to_owned(),
        "floating" => value.trim_start_matches("point `").to_owned(),
        _ => "something else".to_owned(),
    }
}

/// What is there instead, as it was sent.
fn in_short(value: &str) -> &str {
    match value.as_bytes().first() {
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(_) if value.len() <= SHOWN_MOST => value,
        Some(_) | None => "something else",
    }
}

/// Where the byte is that a line and a column name, both from 1.
fn offset(text: &[u8], line: usize, column: usize) -> Option<usize> {
    let before = text.split(|byte| *byte == b'\n').take(line.checked_sub(1)?);
    Some(before.map(|line| line.len() + 1).sum::<usize>() + column.checked_sub(1)?)
}

/// The innermost value of which this is a part, with a pointer to it; nothing if the text is no JSON.
fn around(text: &[u8], at: usize) -> Option<(String, &str)> {
    let is_there = |part: &RawValue| {
        let start = part.get().as_ptr().addr() - text.as_ptr().addr();
        (start..start + part.get().len()).contains(&at)
    };
    let mut value: &RawValue = serde_json::from_slice(text).ok()?;
    let mut pointer = String::new();
    while pointer.len() <= POINTER_MOST {
        let parts = match value.get().as_bytes().first()? {
            b'{' => serde_json::from_str::<Fields<'_>>(value.get()).ok()?.0,
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(value.get()).ok()?;
                let items = items.into_iter().enumerate();
                items.map(|(number, item)| (number.to_string(), item)).collect()
            }
            _ => Vec::new(),
        };
        let Some((name, part)) = parts.into_iter().find(|(_, part)| is_there(part)) else {
            return Some((pointer, value.get()));
        };
        pointer += &format!("/{}", step(&name));
        value = part;
    }
    None
}

/// A step of a JSON pointer (RFC 6901).
#[must_use]
pub fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::{Deserialize, Serialize};
    use serde_json::{Value, json};

    use super::Wrong;

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Cell {
        x: u8,
        y: u8,
    }

    #[derive(PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Colour {
        Red,
        Green,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(tag = "type", deny_unknown_fields)]
    enum Move {
        Put { at: Cell, colour: Colour },
    }

    #[derive(Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Table {
        at: Cell,
        by: String,
        colours: Vec<Colour>,
        left: BTreeMap<Colour, u8>,
        moves: Vec<Move>,
        next: Option<Cell>,
    }

    /// Where a table is wrong that has this instead of some of its fields, and what says so.
    #[track_caller]
    fn wrong(other: &Value, place: &str) {
        let mut table = json!({
            "at": {"x": 1, "y": 2}, "by": "blue", "colours": [], "left": {}, "moves": [], "next": null,
        });
        let fields = table.as_object_mut().expect("an object");
        fields.extend(other.as_object().cloned().unwrap_or_default());
        for text in [table.to_string(), format!("{table:#}")] {
            let error = serde_json::from_str::<Table>(&text).err().expect("it does not fit");
            let Wrong { pointer, detail } = Wrong::of(&error, text.as_bytes(), "");
            assert_eq!(pointer, place, "{detail}: {text}");
        }
    }

    #[test]
    fn an_unknown_field_or_word_is_where_the_reader_stopped() {
        wrong(&json!({"x": 1}), "/x");
        wrong(&json!({"x": 1, "p": 1, "q": 2, "r": 3}), "/p");
        wrong(&json!({"next": {"x": 1, "y": 1, "by": 1}}), "/next/by");
        wrong(&json!({"colours": ["red", "blue"]}), "/colours/1");
        wrong(&json!({"left": {"blue": 1}}), "/left/blue");
    }

    #[test]
    fn in_what_is_read_as_a_whole_the_place_is_looked_for() {
        let put = |at: &Value, colour: &str, more: &Value| {
            let mut put = json!({"type": "Put", "at": at, "colour": colour});
            put.as_object_mut().expect("an object").extend(more.as_object().cloned().expect("one"));
            json!({"moves": [{"type": "Put", "at": {"x": 1, "y": 1}, "colour": "red"}, put]})
        };
        let cell = json!({"x": 1, "y": 1});
        wrong(&put(&cell, "blue", &json!({})), "/moves/1/colour");
        wrong(&put(&cell, "red", &json!({"by": 1})), "/moves/1/by");
        wrong(&put(&json!({"x": 1, "y": 1, "colour": 1}), "red", &json!({})), "/moves/1/at/colour");
        wrong(&json!({"moves": [{"type": "Pull", "by": "Pull"}]}), "/moves/0/type");
    }
}

//! What is wrong with JSON that somebody sent, in words of our own: readers of JSON speak to programmers.

use std::ops::ControlFlow;

use serde_json::Value;
use serde_json::error::Category;
use serde_json::value::RawValue;

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
        let found = looked_through.then(|| around(text, line, column)).flatten();
        let found = found.filter(|(pointer, _)| pointer.starts_with(place));
        // Where the text is JSON, and only what was looked for is not there, a pointer says it better.
        let (exact, at) = match &found {
            Some((pointer, _)) => (&**pointer, String::new()),
            None => (place, format!(" at line {line}, column {column}")),
        };
        let detail = match error.classify() {
            Category::Data => {
                let root = looked_through.then(|| serde_json::from_slice(text).ok()).flatten();
                return Wrong::in_data(said, &root.unwrap_or_default(), place, exact);
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
            Wrong::in_data(said, &Value::Null, "", "").detail
        };
        let pointer = match name {
            "." if is(&["unknown field", "duplicate field"]) => said.split('`').nth(1),
            "." => None,
            name => Some(name),
        };
        Wrong { pointer: pointer.unwrap_or("query").to_owned(), detail }
    }

    /// The same of what is JSON, but not what it should be; `exact` is a pointer to where the reader stopped, at `place` or below it.
    fn in_data(said: &str, root: &Value, place: &str, exact: &str) -> Self {
        let part = root.pointer(place).unwrap_or(root);
        let below = |found: Option<String>| place.to_owned() + &found.unwrap_or_default();
        let quoted = |said: &str| said.split('`').nth(1).unwrap_or_default().to_owned();
        let (what, expected) = said.split_once(", expected ").unwrap_or((said, ""));
        if what.starts_with("unknown variant") {
            let name = quoted(what);
            let found = find(part, &|_, value| value.as_str() == Some(&name));
            return Wrong { pointer: below(found), detail: no_such("here", &name, expected) };
        }
        if what.starts_with("unknown field") {
            let name = quoted(what);
            let pointer = match place.rsplit_once('/') {
                Some((_, last)) if last == step(&name) => place.to_owned(),
                _ => below(find(part, &|key, _| key == name)),
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
            let stopped = root.pointer(exact).filter(|_| !exact.is_empty());
            let pointer = match stopped {
                Some(value) if is_given(value, given) => exact.to_owned(),
                Some(_) | None => {
                    // An object or a list may be the whole, unless that is read as an object and is one.
                    let is_within = place.is_empty() && root.is_object();
                    let is_within = is_within || !matches!(given, "map" | "sequence");
                    let found = is_within.then(|| unique(part, given)).flatten();
                    found.map_or(exact.to_owned(), |at| below(Some(at)))
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

/// There is no such name; but there are others.
fn no_such(place: &str, name: &str, expected: &str) -> String {
    let allowed: Vec<&str> = expected.split('`').skip(1).step_by(2).collect();
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

/// The innermost value of which this is a part, with a pointer to it; nothing if the text is no JSON.
fn around(text: &[u8], line: usize, column: usize) -> Option<(String, &str)> {
    let before = text.split(|byte| *byte == b'\n').take(line.checked_sub(1)?);
    let at = before.map(|line| line.len() + 1).sum::<usize>() + column.checked_sub(1)?;
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

/// Whether it is this value that an error shows.
fn is_given(value: &Value, given: &str) -> bool {
    match value {
        Value::Null => given == "null" || given.starts_with("unit"),
        Value::Bool(flag) => given == format!("boolean `{flag}`"),
        Value::Number(number) => {
            given == format!("integer `{number}`") || given == format!("floating point `{number}`")
        }
        Value::String(text) => given == format!("string {text:?}"),
        Value::Array(_) => given == "sequence",
        Value::Object(_) => given == "map",
    }
}

/// Where below `root` the one value is that an error shows; nothing if there are several.
fn unique(root: &Value, given: &str) -> Option<String> {
    let mut found = Vec::new();
    let look = |way: &[Step<'_>], value: &Value| match (is_given(value, given), found.len()) {
        (false, _) => ControlFlow::Continue(()),
        (true, 0) => {
            found.push(pointer(way));
            ControlFlow::Continue(())
        }
        (true, _) => {
            found.clear();
            ControlFlow::Break(())
        }
    };
    each(root, look);
    found.pop().flatten()
}

/// Where the first field or item is that is looked for.
fn find(root: &Value, is_it: &dyn Fn(&str, &Value) -> bool) -> Option<String> {
    let mut found = None;
    let look = |way: &[Step<'_>], value: &Value| {
        let key = match way.last() {
            Some(Step::Field(key)) => key,
            Some(Step::Item(_)) | None => "",
        };
        if !is_it(key, value) {
            return ControlFlow::Continue(());
        }
        found = pointer(way);
        ControlFlow::Break(())
    };
    each(root, look);
    found
}

/// A step of the way to a value.
#[derive(Clone, Copy)]
enum Step<'a> {
    Field(&'a str),
    Item(usize),
}

/// The way as a JSON pointer, which is made only of a way that is asked for; none if it is too long.
fn pointer(way: &[Step<'_>]) -> Option<String> {
    let mut pointer = String::new();
    for step in way {
        pointer += "/";
        match step {
            Step::Field(key) if key.len() > POINTER_MOST => return None,
            Step::Field(key) => pointer += &self::step(key),
            Step::Item(number) => pointer += &number.to_string(),
        }
        if pointer.len() > POINTER_MOST {
            return None;
        }
    }
    Some(pointer)
}

/// Looks at all values below this one, each with the way to it, until `look` has seen enough.
fn each<'a>(root: &'a Value, mut look: impl FnMut(&[Step<'a>], &Value) -> ControlFlow<()>) {
    fn below<'a>(
        value: &'a Value,
        way: &mut Vec<Step<'a>>,
        look: &mut dyn FnMut(&[Step<'a>], &Value) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let parts: Box<dyn Iterator<Item = (Step<'a>, &'a Value)>> = match value {
            Value::Object(fields) => {
                Box::new(fields.iter().map(|(key, value)| (Step::Field(key), value)))
            }
            Value::Array(items) => {
                Box::new(items.iter().enumerate().map(|(at, value)| (Step::Item(at), value)))
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                return ControlFlow::Continue(());
            }
        };
        for (step, value) in parts {
            way.push(step);
            look(way, value)?;
            below(value, way, look)?;
            way.pop();
        }
        ControlFlow::Continue(())
    }
    // It has seen enough, or all.
    let (ControlFlow::Continue(()) | ControlFlow::Break(())) =
        below(root, &mut Vec::new(), &mut look);
}

/// A step of a JSON pointer (RFC 6901).
#[must_use]
pub fn step(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

//! Where something is below a value, as a JSON pointer.

use std::ops::ControlFlow;

use serde_json::Value;

use super::{POINTER_MOST, allowed, step};

/// Whether it is this value that an error shows.
pub(super) fn is_given(value: &Value, given: &str) -> bool {
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
pub(super) fn unique(root: &Value, given: &str) -> Option<String> {
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

/// Where below `root` the first text is that is this word.
pub(super) fn word(root: &Value, word: &str) -> Option<String> {
    let mut found = None;
    let look = |way: &[Step<'_>], value: &Value| {
        if value.as_str() != Some(word) {
            return ControlFlow::Continue(());
        }
        found = pointer(way);
        ControlFlow::Break(())
    };
    each(root, look);
    found
}

/// Where a field of this name is that is not expected: among several, the one in the object with the fewest other such fields.
pub(super) fn stranger(root: &Value, name: &str, expected: &str) -> Option<String> {
    let allowed = allowed(expected);
    let odd = |value: &Value| {
        let fields = value.as_object().filter(|fields| fields.contains_key(name))?;
        Some(fields.keys().filter(|key| !allowed.contains(&key.as_str())).count())
    };
    let mut best = odd(root).map(|odd| (odd, String::new()));
    let look = |way: &[Step<'_>], value: &Value| {
        let fewer = odd(value).filter(|odd| best.as_ref().is_none_or(|(least, _)| odd < least));
        if let Some(odd) = fewer
            && let Some(way) = pointer(way)
        {
            best = Some((odd, way));
        }
        ControlFlow::Continue(())
    };
    each(root, look);
    best.and_then(|(_, way)| field(&way, name))
}

/// A pointer to a field of what is at `way`; none if it is too long.
pub(super) fn field(way: &str, name: &str) -> Option<String> {
    let pointer = format!("{way}/{}", step(name));
    (pointer.len() <= POINTER_MOST).then_some(pointer)
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

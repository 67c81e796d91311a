//! Canonical JSON, RFC 8785, for text without fractions: the bytes that hashes are made of.
//!
//! Everything that Muninn hashes holds integers of at most 53 bits, so the number format of RFC 8785 is the plain decimal one. Keys
//! are sorted here, by UTF-16 code units, whatever order the JSON reader keeps.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

/// The canonical form of a JSON text.
///
/// # Panics
/// If `json` is no JSON: it comes from our own writers.
#[must_use]
pub fn canonical(json: &str) -> String {
    let value: Value = serde_json::from_str(json).expect("what is hashed was written as JSON");
    let mut text = String::with_capacity(json.len());
    write(&value, &mut text);
    text
}

/// The canonical form of a JSON value.
///
/// # Panics
/// Never: canonical JSON is JSON.
#[must_use]
pub fn canonical_raw(json: &RawValue) -> Box<RawValue> {
    RawValue::from_string(canonical(json.get())).expect("canonical JSON is JSON")
}

/// The JSON of plain data.
///
/// # Panics
/// If the data has no JSON, such as a map whose keys are not strings.
pub fn raw<T: Serialize>(value: &T) -> Box<RawValue> {
    to_raw_value(value).expect("plain data always has JSON")
}

fn write(value: &Value, text: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
            text.push('{');
            for (number, (key, value)) in fields.into_iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                quote(key, text);
                text.push(':');
                write(value, text);
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for (number, item) in items.iter().enumerate() {
                if number > 0 {
                    text.push(',');
                }
                write(item, text);
            }
            text.push(']');
        }
        Value::String(string) => quote(string, text),
        Value::Null => text.push_str("null"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::Number(number) => {
            use std::fmt::Write as _;
            let _ = write!(text, "{number}");
        }
    }
}

/// serde_json escapes exactly what RFC 8785 wants escaped, in its way.
fn quote(string: &str, text: &mut String) {
    text.push_str(&serde_json::to_string(string).expect("a string always has JSON"));
}

#[cfg(test)]
mod tests {
    use super::canonical;

    #[test]
    fn keys_are_sorted_by_utf_16_and_strings_escaped_as_in_rfc_8785() {
        let json = r#" {"\u20ac": "Euro", "\r": [1, -2,  {"b": null, "a": true}], "\ufb33": "\u0007\b\/\"", "\ud83d\ude00": "", "1": 0} "#;
        let expected = "{\"\\r\":[1,-2,{\"a\":true,\"b\":null}],\"1\":0,\"€\":\"Euro\",\"😀\":\"\",\"\u{fb33}\":\"\\u0007\\b/\\\"\"}";
        assert_eq!(canonical(json), expected);
    }
}

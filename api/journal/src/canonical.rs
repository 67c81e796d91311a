//! Canonical JSON, RFC 8785, for text without fractions: the bytes that hashes are made of.
//!
//! Everything that Muninn hashes holds integers of at most 53 bits, so the number format of RFC 8785 is the plain decimal one. Keys
//! are sorted here, by UTF-16 code units, whatever order the JSON reader keeps.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Number;
use serde_json::value::{RawValue, to_raw_value};

/// The canonical form of a JSON text.
///
/// # Panics
/// If `json` is no JSON: it comes from our own writers.
#[must_use]
pub fn canonical(json: &str) -> String {
    let mut text = Vec::with_capacity(json.len());
    canonical_into(json, &mut text);
    String::from_utf8(text).expect("JSON that was read from text is text")
}

/// The same, written behind what is in `text` already.
///
/// # Panics
/// If `json` is no JSON.
pub(crate) fn canonical_into(json: &str, text: &mut Vec<u8>) {
    let mut reader = serde_json::Deserializer::from_str(json);
    let read = Part(text).deserialize(&mut reader).and_then(|()| reader.end());
    read.expect("what is hashed was written as JSON");
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

/// The JSON of plain data, written behind what is in `text` already. serde_json escapes in strings exactly what RFC 8785 wants escaped, in
/// its way.
///
/// # Panics
/// As [`raw`].
pub(crate) fn write<T: Serialize + ?Sized>(value: &T, text: &mut Vec<u8>) {
    serde_json::to_writer(text, value).expect("plain data always has JSON");
}

/// A value that is written while it is read.
struct Part<'a>(&'a mut Vec<u8>);

/// The name of a field, borrowed where nothing in it is escaped.
#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

/// By UTF-16 code units; of ASCII those are the bytes.
fn order(Key(a): &Key<'_>, Key(b): &Key<'_>) -> Ordering {
    if a.is_ascii() && b.is_ascii() {
        return a.cmp(b);
    }
    a.encode_utf16().cmp(b.encode_utf16())
}

impl<'de> DeserializeSeed<'de> for Part<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Part<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        write(&(), self.0);
        Ok(())
    }

    fn visit_bool<E>(self, value: bool) -> Result<(), E> {
        write(&value, self.0);
        Ok(())
    }

    fn visit_u64<E>(self, number: u64) -> Result<(), E> {
        write(&number, self.0);
        Ok(())
    }

    fn visit_i64<E>(self, number: i64) -> Result<(), E> {
        write(&number, self.0);
        Ok(())
    }

    /// None of ours; an entry that somebody sends may have one, and is not what was recorded.
    fn visit_f64<E>(self, number: f64) -> Result<(), E> {
        write(&Number::from_f64(number), self.0);
        Ok(())
    }

    fn visit_str<E>(self, string: &str) -> Result<(), E> {
        write(string, self.0);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Part(text) = self;
        text.push(b'[');
        let empty = text.len();
        while items.next_element_seed(Part(text))?.is_some() {
            text.push(b',');
        }
        text.truncate(text.len() - usize::from(text.len() > empty));
        text.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Part(text) = self;
        text.push(b'{');
        let start = text.len();
        let mut fields: Vec<(Key<'de>, Range<usize>)> = Vec::new();
        while let Some(key) = map.next_key::<Key<'de>>()? {
            let from = text.len() - start;
            write(&*key.0, text);
            text.push(b':');
            map.next_value_seed(Part(text))?;
            text.push(b',');
            fields.push((key, from..text.len() - start));
        }
        if !fields.is_sorted_by(|(one, _), (next, _)| order(one, next).is_lt()) {
            let sent = text.split_off(start);
            fields.sort_by(|(one, _), (next, _)| order(one, next));
            // Of a field that is there more than once the last one counts.
            for same in fields.chunk_by(|(one, _), (next, _)| one.0 == next.0) {
                let (_, last) = &same[same.len() - 1];
                text.extend_from_slice(&sent[last.clone()]);
            }
        }
        text.truncate(text.len() - usize::from(text.len() > start));
        text.push(b'}');
        Ok(())
    }
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

    #[test]
    fn what_is_empty_nested_or_there_twice_is_written_once() {
        for (json, expected) in [
            ("{}", "{}"),
            (" [ ] ", "[]"),
            (r#"[[], {}, [{"a": []}]]"#, r#"[[],{},[{"a":[]}]]"#),
            (r#"{"b": 1, "a": {"d": [1, 2], "c": false}}"#, r#"{"a":{"c":false,"d":[1,2]},"b":1}"#),
            (r#"{"a": 1, "a": 2}"#, r#"{"a":2}"#),
            (r#"{"b": 1, "a": {"y": 0}, "b": {"x": 0}, "a": 3}"#, r#"{"a":3,"b":{"x":0}}"#),
            (
                r#"[0, -0, 18446744073709551615, -9223372036854775808, 1.50]"#,
                "[0,-0.0,18446744073709551615,-9223372036854775808,1.5]",
            ),
        ] {
            assert_eq!(canonical(json), expected, "{json}");
        }
    }
}

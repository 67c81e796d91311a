//! Stand-ins for what differs each time: ids, secrets, hashes and times.

use std::collections::BTreeMap;

use journal::Bytes32;
use serde_json::Value;

/// The time of everything.
const TIME: &str = "2026-01-05T18:30:00.000Z";

/// Gives the same stand-in to the same value, wherever it appears.
#[derive(Default)]
pub(crate) struct StandIns {
    known: BTreeMap<String, String>,
    ids: u64,
    hashes: u64,
}

impl StandIns {
    /// This value is the same each time.
    pub(crate) fn keep(&mut self, value: Bytes32) {
        self.known.insert(value.hex(), value.hex());
    }

    /// Puts stand-ins into all strings.
    pub(crate) fn put(&mut self, json: &mut Value) {
        match json {
            Value::String(text) => {
                // In CSV it is a field.
                let fields = text.split(',');
                let fields = fields.map(|field| self.of(field).unwrap_or(field.to_owned()));
                *text = fields.collect::<Vec<_>>().join(",");
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.put(item)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.put(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    fn of(&mut self, text: &str) -> Option<String> {
        if is_time(text) {
            return Some(TIME.to_owned());
        }
        if let Some(known) = self.known.get(text) {
            return Some(known.clone());
        }
        let other = if is_id(text) {
            self.ids += 1;
            format!("019b8f3a-5c00-7000-8000-{:012x}", self.ids)
        } else if Bytes32::from_hex(text).is_some_and(|bytes| bytes != Bytes32::default()) {
            self.hashes += 1;
            Bytes32::hash(&[b"example", &self.hashes.to_be_bytes()]).hex()
        } else {
            return None;
        };
        self.known.insert(text.to_owned(), other.clone());
        Some(other)
    }
}

/// Is it a UUID?
fn is_id(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12] && text.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
}

/// Is it a time as the server writes it, `2026-01-05T18:30:00.000Z`?
fn is_time(text: &str) -> bool {
    let kind = |c: char| if c.is_ascii_digit() { '0' } else { c };
    text.chars().map(kind).eq(TIME.chars().map(kind))
}

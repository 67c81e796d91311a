//! Stand-ins for what differs each time: ids, secrets, hashes and times.

use std::collections::BTreeMap;

use journal::Bytes32;
use serde_json::Value;

/// The time of everything.
const TIME: &str = "2026-01-05T18:30:00.000Z";

/// The form of an id: a UUID.
const ID: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

/// How many digits a hash, a token or a seed has.
const DIGITS: usize = 64;

/// Gives the same stand-in to the same value, wherever it appears.
#[derive(Debug)]
pub struct StandIns {
    known: BTreeMap<String, String>,
    ids: u64,
    hashes: u64,
}

impl Default for StandIns {
    /// Nothing has a stand-in but the hash before the first, which is zero for everybody.
    fn default() -> Self {
        let mut stand_ins = StandIns { known: BTreeMap::new(), ids: 0, hashes: 0 };
        stand_ins.keep(Bytes32::default());
        stand_ins
    }
}

impl StandIns {
    /// This value is the same each time.
    pub fn keep(&mut self, value: Bytes32) {
        self.stand(value, value);
    }

    /// From now on one stands for the other.
    pub fn stand(&mut self, of: Bytes32, value: Bytes32) {
        self.known.insert(of.hex(), value.hex());
    }

    /// The text with stand-ins for all that differs.
    #[must_use]
    pub fn put(&mut self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let inside = told.ends_with(|last: char| last.is_ascii_hexdigit());
            let found = if inside { None } else { found(rest) };
            if let Some(found) = found {
                told.push_str(&self.of(found));
                rest = &rest[found.len()..];
            } else {
                told.push(first);
                rest = &rest[first.len_utf8()..];
            }
        }
        told
    }

    /// The JSON with stand-ins for all that differs.
    ///
    /// # Errors
    /// If what has stand-ins is no JSON, which is a bug.
    pub fn put_json(&mut self, json: &Value) -> serde_json::Result<Value> {
        serde_json::from_str(&self.put(&json.to_string()))
    }

    fn of(&mut self, found: &str) -> String {
        if found.len() == TIME.len() {
            return TIME.to_owned();
        }
        if let Some(known) = self.known.get(found) {
            return known.clone();
        }
        let other = if found.len() == ID.len() {
            self.ids += 1;
            format!("019b8f3a-5c00-7000-8000-{:012x}", self.ids)
        } else {
            self.hashes += 1;
            Bytes32::hash(&[b"example", &self.hashes.to_be_bytes()]).hex()
        };
        self.known.insert(found.to_owned(), other.clone());
        other
    }
}

/// What at the beginning of a text differs each time.
fn found(text: &str) -> Option<&str> {
    let time = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let id = |c: char| if c.is_ascii_hexdigit() { 'x' } else { c };
    let like = |form: &str, kind: &dyn Fn(char) -> char| {
        text.get(..form.len()).filter(|head| head.chars().map(kind).eq(form.chars().map(kind)))
    };
    let digits = text.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let hash = (digits == DIGITS).then(|| &text[..DIGITS]);
    like(TIME, &time).or_else(|| like(ID, &id)).or(hash)
}

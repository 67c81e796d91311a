//! Stand-ins for what differs each time: ids, secrets, hashes and times.

use std::collections::BTreeMap;

use journal::Bytes32;

/// The time of everything.
const TIME: &str = "2026-01-05T18:30:00.000Z";

/// The form of an id: a UUID.
const ID: &str = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

/// How many digits a hash, a token or a seed has.
const DIGITS: usize = 64;

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
        self.stand(value, value);
    }

    /// From now on one stands for the other.
    pub(crate) fn stand(&mut self, of: Bytes32, value: Bytes32) {
        self.known.insert(of.hex(), value.hex());
    }

    /// The text with stand-ins for all that differs.
    pub(crate) fn put(&mut self, text: &str) -> String {
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
            Bytes32::hash(&[b"kit", &self.hashes.to_be_bytes()]).hex()
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

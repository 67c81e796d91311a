//! Reading a game's printed data when the program is compiled.
//!
//! A game is played with the very TOML that the catalogue serves: its constants are read from that text by constant functions, so a
//! value costs no more than a literal, and a value that is missing does not compile. This reader knows the part of TOML that printed
//! data need: tables, arrays of tables, strings without escapes, integers, booleans, arrays and inline tables. Comments stand on
//! lines of their own or behind a value, not inside an array. Each game's tests compare what was read with what a reader of all of
//! TOML finds.

use std::collections::BTreeSet;

use serde_json::Value as Json;

/// A text of TOML.
///
/// # Example
/// ```
/// use kernel::printed::Printed;
/// const DATA: Printed = Printed::of("[hand]\nmost = 5 # cards\n[[tile]]\nid = \"odin\"\n[[tile]]\nid = \"thor\"\n");
/// const MOST: u8 = DATA.table("[hand]").value("most").count();
/// assert_eq!(MOST, 5);
/// let (odin, rest) = DATA.find("[[tile]]").ok_or("the first tile")?;
/// let (thor, rest) = rest.find("[[tile]]").ok_or("the second tile")?;
/// assert!(odin.value("id").is("odin") && thor.value("id").is("thor"));
/// assert!(rest.find("[[tile]]").is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Printed<'a>(&'a [u8]);

/// The entries of one table.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a>(&'a [u8]);

/// A value as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value<'a>(&'a [u8]);

impl<'a> Printed<'a> {
    /// The text.
    #[must_use]
    pub const fn of(toml: &'a str) -> Self {
        Printed(toml.as_bytes())
    }

    /// The entries before the first header.
    #[must_use]
    pub const fn root(self) -> Table<'a> {
        Table(split(self.0, entries(self.0)).0)
    }

    /// The first table with this header, which is given with its brackets, `[hand]` or `[[tiles]]`; and the text behind it.
    #[must_use]
    pub const fn find(self, header: &str) -> Option<(Table<'a>, Printed<'a>)> {
        let mut rest = self.0;
        while !rest.is_empty() {
            let (line, behind) = split(rest, position(rest, b'\n') + 1);
            if line.len() >= header.len() && same(split(line, header.len()).0, header.as_bytes()) {
                let (table, behind) = split(behind, entries(behind));
                return Some((Table(table), Printed(behind)));
            }
            rest = behind;
        }
        None
    }

    /// The first table with this header.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub const fn table(self, header: &str) -> Table<'a> {
        self.find(header).expect("the printed data have no table of this header").0
    }
}

impl<'a> Table<'a> {
    /// The first entry, and the others.
    #[must_use]
    pub const fn first(self) -> Option<(&'a [u8], Value<'a>, Table<'a>)> {
        let mut rest = self.0.trim_ascii_start();
        while !rest.is_empty() && rest[0] == b'#' {
            rest = split(rest, position(rest, b'\n')).1.trim_ascii_start();
        }
        let (key, value) = split(rest, position(rest, b'='));
        if value.is_empty() {
            return None;
        }
        let value = split(value, 1).1;
        let (value, mut behind) = split(value, end(value));
        if !behind.is_empty() && behind[0] == b',' {
            behind = split(behind, 1).1;
        }
        Some((key.trim_ascii(), Value(value.trim_ascii()), Table(behind)))
    }

    /// The value of a key, if it is there.
    #[must_use]
    pub const fn get(self, key: &str) -> Option<Value<'a>> {
        let mut table = self;
        while let Some((name, value, rest)) = table.first() {
            if same(name, key.as_bytes()) {
                return Some(value);
            }
            table = rest;
        }
        None
    }

    /// The value of a key.
    ///
    /// # Panics
    /// If it is not there.
    #[must_use]
    pub const fn value(self, key: &str) -> Value<'a> {
        self.get(key).expect("the printed data have no such key in this table")
    }
}

impl<'a> Value<'a> {
    /// The characters of a string, if it is one.
    #[must_use]
    pub const fn text(self) -> Option<&'a str> {
        if self.0.len() < 2 || self.0[0] != b'"' {
            return None;
        }
        match std::str::from_utf8(self.inner()) {
            Ok(text) => Some(text),
            Err(_) => None,
        }
    }

    /// Is it this string?
    #[must_use]
    pub const fn is(self, text: &str) -> bool {
        matches!(self.text(), Some(own) if same(own.as_bytes(), text.as_bytes()))
    }

    /// The place of this string in a printed list of all that it may be.
    ///
    /// # Panics
    /// If it is not in the list.
    #[must_use]
    pub const fn place_in(self, words: Value<'_>) -> usize {
        let mut place = 0;
        while !same(self.0, words.item(place).0) {
            place += 1;
        }
        place
    }

    /// Is it `true`?
    #[must_use]
    pub const fn is_true(self) -> bool {
        same(self.0, b"true")
    }

    /// The integer, if it is one.
    #[must_use]
    pub const fn number(self) -> Option<i32> {
        match std::str::from_utf8(self.0) {
            Ok(digits) => match i32::from_str_radix(digits, 10) {
                Ok(number) => Some(number),
                Err(_) => None,
            },
            Err(_) => None,
        }
    }

    /// A number of things.
    ///
    /// # Panics
    /// If it is no integer from 0 to 255.
    #[must_use]
    pub const fn count(self) -> u8 {
        match self.number() {
            Some(number @ 0..=255) => number as u8,
            Some(_) | None => panic!("a printed number is not from 0 to 255"),
        }
    }

    /// The entries of an inline table.
    #[must_use]
    pub const fn table(self) -> Table<'a> {
        Table(self.inner())
    }

    /// How many items an array has.
    #[must_use]
    pub const fn len(self) -> usize {
        let mut count = 0;
        while self.get(count).is_some() {
            count += 1;
        }
        count
    }

    /// Has the array no items?
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.get(0).is_none()
    }

    /// The item of an array at a place, if there is one.
    #[must_use]
    pub const fn get(self, place: usize) -> Option<Value<'a>> {
        let (mut rest, mut left) = (self.inner().trim_ascii(), place);
        while !rest.is_empty() {
            let (item, behind) = split(rest, end(rest));
            if left == 0 {
                return Some(Value(item.trim_ascii()));
            }
            left -= 1;
            rest = split(behind, 1).1.trim_ascii();
        }
        None
    }

    /// The item of an array at a place.
    ///
    /// # Panics
    /// If there are fewer.
    #[must_use]
    pub const fn item(self, place: usize) -> Value<'a> {
        self.get(place).expect("a printed array has fewer items")
    }

    /// The counts of an array of this length ([`count`](Value::count)).
    ///
    /// # Panics
    /// If the array has another length, or an item is no count.
    #[must_use]
    pub const fn counts<const N: usize>(self) -> [u8; N] {
        let (mut numbers, mut place) = ([0; N], 0);
        assert!(self.len() == N, "the list has another length");
        while place < N {
            numbers[place] = self.item(place).count();
            place += 1;
        }
        numbers
    }

    /// What stands between the quotes or brackets.
    const fn inner(self) -> &'a [u8] {
        let opened = split(self.0, 1).1;
        split(opened, opened.len().saturating_sub(1)).0
    }
}

/// The whole text as the catalogue serves it, in JSON: all objects of a list have the same fields, null where one has no such value.
pub(crate) fn served(toml: &str) -> Json {
    let table: toml::Table = toml.parse().expect("a game's data are TOML: a test reads them");
    let mut data = serde_json::json!(table);
    fill(&mut data);
    data
}

fn fill(data: &mut Json) {
    if let Some(items) = data.as_array_mut() {
        let objects = items.iter().filter_map(Json::as_object);
        let keys: BTreeSet<String> = objects.flat_map(|fields| fields.keys().cloned()).collect();
        for item in items {
            if let Some(fields) = item.as_object_mut() {
                for key in &keys {
                    fields.entry(key).or_insert(Json::Null);
                }
            }
            fill(item);
        }
    } else if let Some(fields) = data.as_object_mut() {
        fields.values_mut().for_each(fill);
    }
}

/// The first bytes, and the others; all of them if there are not so many.
const fn split(text: &[u8], at: usize) -> (&[u8], &[u8]) {
    text.split_at(if at < text.len() { at } else { text.len() })
}

/// The place of the first such byte, or the length.
const fn position(text: &[u8], byte: u8) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != byte {
        at += 1;
    }
    at
}

const fn same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Where the entries of a table end: at a line that begins with a header, or with the text.
const fn entries(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && text[at] != b'[' {
        at += position(split(text, at).1, b'\n') + 1;
    }
    at
}

/// Where a value ends: at the comma, the comment or the end of the line behind it.
const fn end(text: &[u8]) -> usize {
    let (mut at, mut depth, mut quoted) = (0, 0, false);
    while at < text.len() {
        match text[at] {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth -= 1,
            b',' | b'#' | b'\n' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

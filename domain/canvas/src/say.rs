//! The language of a picture.

use std::fmt::{Display, Write};

use kernel::Words;
use serde_json::Value;

/// The words of a picture. Its sentences are English, and each is the key under which the section `pictures` of a language's words has
/// its translation. What is missing there is said in English.
#[derive(Clone, Copy, Debug, Default)]
pub struct Says<'a> {
    words: Option<&'a Words>,
}

impl<'a> Says<'a> {
    /// English, without a file of words.
    pub const ENGLISH: Says<'static> = Says { words: None };

    /// The language of these words.
    #[must_use]
    pub fn new(words: &'a Words) -> Self {
        Says { words: Some(words) }
    }

    /// A sentence with its parts: each `{name}` in it is replaced. See [`say!`](crate::say).
    #[must_use]
    pub fn text(self, english: &str, parts: &[(&str, &dyn Display)]) -> String {
        let of = |name: &str| parts.iter().find(|(known, _)| *known == name).map(|(_, part)| part);
        let entry = self.words.and_then(|words| words.entry(&["pictures", english]));
        let mut text = String::new();
        let mut rest = entry.and_then(|entry| chosen(entry, &of)).unwrap_or(english);
        while let Some((before, behind)) = rest.split_once('{') {
            let (name, behind) = behind.split_once('}').unwrap_or((behind, ""));
            text.push_str(before);
            if let Some(part) = of(name) {
                write!(text, "{part}").expect("a string takes all text");
            }
            rest = behind;
        }
        text + rest
    }

    /// A single word: a colour, a god.
    #[must_use]
    pub fn word(self, english: &str) -> String {
        self.text(english, &[])
    }

    /// A thing by its id: in English that itself, otherwise as the language's table of values calls it.
    #[must_use]
    pub fn named(self, table: &str, id: &str) -> String {
        let translated = self.words.filter(|words| words.entry(&["pictures"]).is_some());
        let name = translated.and_then(|words| words.entry(&["values", table, id])?.as_str());
        name.unwrap_or(id).to_owned()
    }

    /// Words one after the other, as lists are written everywhere.
    pub fn words<'b>(self, english: impl Iterator<Item = &'b str>) -> Vec<String> {
        english.map(|word| self.word(word)).collect()
    }

    /// `{n} card`, or `{n} cards` unless it is one.
    #[must_use]
    pub fn counted(self, n: impl Display, one: &str, many: &str) -> String {
        let n = n.to_string();
        self.text(if n == "1" { one } else { many }, &[("n", &n)])
    }
}

/// The translation; where a language has more forms than two, the one that fits a part: `{ n = { 2 = "..", other = ".." } }`.
fn chosen<'a, 'b>(
    entry: &'a Value,
    of: &impl Fn(&str) -> Option<&'b &'b dyn Display>,
) -> Option<&'a str> {
    let Value::Object(fields) = entry else { return entry.as_str() };
    let (field, forms) = fields.iter().next()?;
    let value = of(field).map(ToString::to_string).unwrap_or_default();
    forms.get(&value).or(forms.get("other"))?.as_str()
}

/// A sentence of a picture in the language of the scene: `say!(says, "{n} of {all}", n = 1, all = 2)`.
#[macro_export]
macro_rules! say {
    ($says:expr, $english:literal $(, $name:ident = $part:expr)* $(,)?) => {
        $says.text($english, &[$((stringify!($name), &$part as &dyn ::std::fmt::Display)),*])
    };
}

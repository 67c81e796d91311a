//! Reading JSON strictly.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use crate::{Refusal, Rule, Wrong};

/// How long the JSON of plain data is, in bytes.
pub fn json_bytes<T: Serialize + ?Sized>(value: &T) -> usize {
    struct Count(usize);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    // What cannot be written has no length.
    drop(serde_json::to_writer(&mut count, value));
    count.0
}

/// For `#[serde(deserialize_with = "kernel::present")]` on an `Option`: the field may be `null`, but it must be there.
///
/// # Errors
/// Those of the value's own type.
pub fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(deserializer)
}

/// For `#[serde(deserialize_with = "kernel::object")]` on a struct: the JSON must be an object. Serde alone also takes an
/// array of the fields' values, `[4, 4]` for `{"x": 4, "y": 4}`.
///
/// # Errors
/// Those of the value's own type, and one if the JSON is not an object.
pub fn object<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(fields))
        }
    }

    deserializer.deserialize_map(Object(PhantomData))
}

/// Reads an array in which each item and the next are in order, so that a set or a multiset has only one form.
///
/// # Errors
/// Those of the items, and one if two are out of order.
pub fn ascending<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    in_order: fn(&T, &T) -> bool,
) -> Result<Vec<T>, D::Error> {
    let items = Vec::<T>::deserialize(deserializer)?;
    if items.is_sorted_by(in_order) {
        return Ok(items);
    }
    Err(D::Error::custom("an array is not in order, or has something twice"))
}

/// Reads an object that has exactly the given keys, in any order.
///
/// # Errors
/// Those of the values, and one for an unknown, repeated or missing key.
pub fn record<'de, D: Deserializer<'de>, T: Deserialize<'de> + Copy, const N: usize>(
    deserializer: D,
    keys: &'static [&'static str; N],
) -> Result<[T; N], D::Error> {
    struct Record<T, const N: usize>(&'static [&'static str; N], PhantomData<T>);
    impl<'de, T: Deserialize<'de> + Copy, const N: usize> Visitor<'de> for Record<T, N> {
        type Value = [T; N];

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<[T; N], A::Error> {
            let mut values = [None; N];
            while let Some(key) = map.next_key::<String>()? {
                let Some(index) = self.0.iter().position(|known| *known == key) else {
                    return Err(A::Error::unknown_field(&key, self.0));
                };
                if values[index].replace(map.next_value()?).is_some() {
                    return Err(A::Error::duplicate_field(self.0[index]));
                }
            }
            if let Some(missing) = values.iter().position(Option::is_none) {
                return Err(A::Error::missing_field(self.0[missing]));
            }
            Ok(values.map(|value| value.expect("no value is missing, as was just checked")))
        }
    }
    deserializer.deserialize_map(Record(keys, PhantomData))
}

/// Reads a list that stands for a set or a compact form: it must be exactly the list that the form would write.
///
/// # Errors
/// Those of the items, and one if the list is another than the form would write.
pub fn listed<'de, D, T, F>(
    deserializer: D,
    collect: impl FnOnce(&[T]) -> F,
    list: impl FnOnce(&F) -> Vec<T>,
) -> Result<F, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + PartialEq,
{
    let items = Vec::<T>::deserialize(deserializer)?;
    let form = collect(&items);
    if list(&form) == items {
        Ok(form)
    } else {
        Err(D::Error::custom("a list in an order or with values that no event has"))
    }
}

/// A number less than `N`. JSON: the number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Below<const N: u8>(u8);

impl<const N: u8> Below<N> {
    /// 0.
    pub const ZERO: Self = {
        assert!(N > 0, "no number is less than 0");
        Below(0)
    };

    /// The number, if it is less than `N`.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number < N { Some(Below(number)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0
    }

    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// All numbers less than `N`, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..N).map(Below)
    }
}

impl<const N: u8> TryFrom<u8> for Below<N> {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        Below::new(number).ok_or_else(|| format!("{number} is not less than {N}"))
    }
}

impl<const N: u8> From<Below<N>> for u8 {
    fn from(number: Below<N>) -> u8 {
        number.0
    }
}

impl<const N: u8> fmt::Display for Below<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A value as a client sent it: missing, well-formed, or something else. With it a game can say which rule a wrong value breaks, and in
/// which order. For `#[serde(default)]` fields.
///
/// # Example
/// ```
/// use kernel::{Given, Rule};
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Options {
///     #[serde(default)]
///     heaps: Given<u8>,
/// }
///
/// let heaps = |json| -> Given<u8> {
///     let options: Options = serde_json::from_str(json).expect("an object");
///     options.heaps
/// };
/// assert_eq!(heaps("{}").or(3, Rule("N-02"), "heaps is a number"), Ok(3));
/// assert_eq!(heaps(r#"{"heaps": 5}"#), Given::Value(5));
/// assert!(heaps(r#"{"heaps": "five"}"#).or(3, Rule("N-02"), "heaps is a number").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Given<T> {
    /// The field is not there.
    #[default]
    Missing,
    /// The field has a value of the type.
    Value(T),
    /// The field has some other value.
    Wrong,
}

impl<T> Given<T> {
    /// The value, or `default` if it is missing.
    ///
    /// # Errors
    /// A refusal by `rule` for any other value; `what` names the option and what it may be.
    pub fn or(self, default: T, rule: Rule, what: &str) -> Result<T, Refusal> {
        match self {
            Given::Missing => Ok(default),
            Given::Value(value) => Ok(value),
            Given::Wrong => Err(Refusal::new(rule, what)),
        }
    }
}

/// What was read; nothing else is kept.
impl<T: Serialize> Serialize for Given<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Given::Value(value) => value.serialize(serializer),
            Given::Missing | Given::Wrong => serializer.serialize_none(),
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Given<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Any<T> {
            Fits(T),
            Other(IgnoredAny),
        }
        Any::deserialize(deserializer).map(|any| match any {
            Any::Fits(value) => Given::Value(value),
            Any::Other(IgnoredAny) => Given::Wrong,
        })
    }
}

/// A view, as the object that it is, with the `version` that it was made at before its fields.
#[derive(Serialize)]
pub(crate) struct AtVersion<T> {
    pub(crate) version: u64,
    #[serde(flatten)]
    pub(crate) value: T,
}

/// A position without the `version` of the view that it was made of: it says nothing of the position. What is no version, or is there twice,
/// stays, and is a mistake like any other.
pub(crate) fn without_version(position: &RawValue) -> Cow<'_, RawValue> {
    let text = position.get();
    if text.contains("\"version\"")
        && let Ok(Fields(mut fields)) = serde_json::from_str(text)
    {
        let is_version = |(name, value): &(String, &RawValue)| {
            name == "version" && serde_json::from_str::<u64>(value.get()).is_ok()
        };
        let versions = fields.extract_if(.., |field| is_version(field)).count();
        if versions == 1
            && let Ok(left) = to_raw_value(&Fields(fields))
        {
            return Cow::Owned(left);
        }
    }
    Cow::Borrowed(position)
}

/// The fields of an object as they were sent: in their order, and also those that are there twice.
pub(crate) struct Fields<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Fields<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Object)
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// Reads the object that a client sent; what does not fit breaks `rule`.
pub(crate) fn read<T: DeserializeOwned>(json: &RawValue, rule: Rule) -> Result<T, Refusal> {
    let mut reader = serde_json::Deserializer::from_str(json.get());
    object(&mut reader).map_err(|error: serde_json::Error| {
        let Wrong { pointer, detail } = Wrong::of(&error, json.get().as_bytes(), "");
        Refusal { pointer: Some(pointer), ..Refusal::new(rule, detail) }
    })
}

/// Objects must be read as objects, and words as words: serde also takes an array of its fields for an object, and an object for a word.
///
/// The first has one bracket more than what was read, the second one brace; nothing that serde accepts takes one away.
pub(crate) fn alike(sent: &RawValue, read: &RawValue, rule: Rule) -> Result<(), Refusal> {
    if brackets(sent.get()) == brackets(read.get()) {
        return Ok(());
    }
    let reason = "it has an array or an object in the wrong place";
    Err(Refusal::new(rule, reason))
}

/// Has one of the objects in a JSON text a field twice? A reader that keeps the last of them does not notice.
#[must_use]
pub fn repeats(json: &RawValue) -> bool {
    fn fields(value: &Value) -> usize {
        match value {
            Value::Object(map) => map.len() + map.values().map(fields).sum::<usize>(),
            Value::Array(items) => items.iter().map(fields).sum(),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
        }
    }
    let colons = unquoted(json.get()).filter(|byte| *byte == b':').count();
    serde_json::from_str(json.get()).is_ok_and(|value| fields(&value) < colons)
}

/// How many arrays and objects begin in a JSON text.
fn brackets(json: &str) -> (usize, usize) {
    unquoted(json).fold((0, 0), |(arrays, objects), byte| match byte {
        b'[' => (arrays + 1, objects),
        b'{' => (arrays, objects + 1),
        _ => (arrays, objects),
    })
}

/// A JSON text without what is in quotes.
fn unquoted(json: &str) -> impl Iterator<Item = u8> + '_ {
    let (mut quoted, mut escaped) = (false, false);
    json.bytes().filter(move |byte| {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = quoted,
            b'"' => quoted = !quoted,
            _ => {}
        }
        !quoted
    })
}

//! Reading JSON strictly.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Refusal, Rule};

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

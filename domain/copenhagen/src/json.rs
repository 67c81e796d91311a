//! Reading JSON strictly: the derives of serde also take an array for an object and an object for a word, which no rule
//! of the game's JSON allows (C-302, C-210).

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Unexpected, Visitor};
use serde::{Deserialize as DeriveDeserialize, Serialize};

/// A type that is read from the fields of a JSON object.
pub(crate) trait Object: Sized {
    /// Reads the fields, by whatever way serde would take.
    fn read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

/// Reads an object, and nothing else.
pub(crate) fn object<'de, D: Deserializer<'de>, T: Object>(deserializer: D) -> Result<T, D::Error> {
    struct Fields<T>(PhantomData<T>);
    impl<'de, T: Object> Visitor<'de> for Fields<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::read(MapAccessDeserializer::new(map))
        }
    }
    deserializer.deserialize_map(Fields(PhantomData))
}

/// Lets types that derive serde's traits with `remote = "Self"` be read from objects only.
macro_rules! only_objects {
    ($($name:ty),+ $(,)?) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$name>::serialize(self, serializer)
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                crate::json::object(deserializer)
            }
        }

        impl crate::json::Object for $name {
            fn read<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                <$name>::deserialize(deserializer)
            }
        }
    )+};
}
pub(crate) use only_objects;

/// Reads a string that is the name of one of `all`.
pub(crate) fn word<'de, D: Deserializer<'de>, T: Copy>(
    deserializer: D,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, D::Error> {
    struct Word<'a, T>(&'a [T], fn(T) -> &'static str);
    impl<T: Copy> Visitor<'_> for Word<'_, T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("one of")?;
            self.0.iter().try_for_each(|value| write!(f, " {}", (self.1)(*value)))
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
            let found = self.0.iter().find(|value| (self.1)(**value) == text);
            found.copied().ok_or_else(|| E::invalid_value(Unexpected::Str(text), &self))
        }
    }
    deserializer.deserialize_str(Word(all, name))
}

/// Reads an object that has exactly the given keys, in any order.
pub(crate) fn record<'de, D: Deserializer<'de>, T: Deserialize<'de> + Copy, const N: usize>(
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
pub(crate) fn listed<'de, D, T, F>(
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, DeriveDeserialize)]
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

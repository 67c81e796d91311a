//! What is large and never changes in a match.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::Open;
use crate::stored::raw;

/// A part of positions and views that never changes: clones share it and its JSON, which is made when it is first needed. It is only
/// ever written as JSON.
///
/// ```
/// use kernel::Fixed;
///
/// let map = Fixed::new(vec![1, 2]);
/// assert_eq!(serde_json::to_string(&map)?, "[1,2]");
/// assert_eq!(serde_json::from_str::<Fixed<Vec<u8>>>("[1,2]")?, map);
/// # Ok::<(), serde_json::Error>(())
/// ```
pub struct Fixed<T>(Arc<Shared<T>>);

struct Shared<T> {
    value: T,
    json: OnceLock<Box<RawValue>>,
}

impl<T> Fixed<T> {
    /// The value, from now on as it is.
    pub fn new(value: T) -> Self {
        Fixed(Arc::new(Shared { value, json: OnceLock::new() }))
    }
}

impl<T> Deref for Fixed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T> Clone for Fixed<T> {
    fn clone(&self) -> Self {
        Fixed(Arc::clone(&self.0))
    }
}

impl<T: fmt::Debug> fmt::Debug for Fixed<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl<T: PartialEq> PartialEq for Fixed<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.value == other.0.value
    }
}

impl<T: Eq> Eq for Fixed<T> {}

impl<T: Open> Open for Fixed<T> {}

impl<T: Serialize> Serialize for Fixed<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.json.get_or_init(|| raw(&self.0.value)).serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Fixed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Fixed::new)
    }
}
